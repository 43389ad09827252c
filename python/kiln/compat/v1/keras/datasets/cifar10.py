"""tf.keras.datasets.cifar10: 60,000 images of 10 classes, 32 x 32 pixels."""

import os

import numpy as np

from kiln.compat.v1.keras.datasets import _files
from kiln.compat.v1.keras.utils import get_file


def load_data():
    """Pairs of images and labels, (x_train, y_train), (x_test, y_test), as uint8.

    Errors: Exception where it cannot be downloaded. Source: tf.keras.datasets.cifar10.load_data.
    """
    folder = get_file(
        "cifar-10-batches-py", origin=_files.TORONTO + "cifar-10-python.tar.gz", untar=True
    )
    batches = [
        _files.cifar_batch(os.path.join(folder, f"data_batch_{number}")) for number in range(1, 6)
    ]
    x_train = np.concatenate([images for images, _ in batches])
    y_train = np.concatenate([labels for _, labels in batches]).astype("uint8")
    x_test, y_test = _files.cifar_batch(os.path.join(folder, "test_batch"))
    return (
        (_files.as_keras_images(x_train), y_train.reshape(-1, 1)),
        (_files.as_keras_images(x_test), np.reshape(y_test, (-1, 1)).astype("uint8")),
    )
