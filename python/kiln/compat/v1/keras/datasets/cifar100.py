"""tf.keras.datasets.cifar100: 60,000 images of 100 classes, 32 x 32 pixels."""

import os

import numpy as np

from kiln.compat.v1.keras.datasets import _files
from kiln.compat.v1.keras.utils import get_file


def load_data(label_mode="fine"):
    """Pairs of images and labels, (x_train, y_train), (x_test, y_test).

    label_mode: "fine" for 100 classes, "coarse" for 20. Errors: ValueError; Exception where it
    cannot be downloaded. Source: tf.keras.datasets.cifar100.load_data.
    """
    if label_mode not in ("fine", "coarse"):
        raise ValueError('`label_mode` must be one of `"fine"`, `"coarse"`.')
    folder = get_file(
        "cifar-100-python", origin=_files.TORONTO + "cifar-100-python.tar.gz", untar=True
    )
    return tuple(_part(os.path.join(folder, name), label_mode) for name in ("train", "test"))


def _part(path, label_mode):
    images, labels = _files.cifar_batch(path, f"{label_mode}_labels")
    return _files.as_keras_images(images), np.reshape(labels, (-1, 1))
