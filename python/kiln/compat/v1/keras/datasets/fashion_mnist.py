"""tf.keras.datasets.fashion_mnist: 70,000 articles of clothing of 28 x 28 pixels."""

import gzip
import os

import numpy as np

from kiln.compat.v1.keras.datasets import _files
from kiln.compat.v1.keras.utils import get_file


def load_data():
    """Pairs of images and labels, (x_train, y_train), (x_test, y_test), as uint8.

    Errors: Exception where it cannot be downloaded. Source:
    tf.keras.datasets.fashion_mnist.load_data.
    """
    names = ("train-labels-idx1", "train-images-idx3", "t10k-labels-idx1", "t10k-images-idx3")
    folder = os.path.join("datasets", "fashion-mnist")
    paths = [
        get_file(f"{name}-ubyte.gz", origin=f"{_files.STORAGE}{name}-ubyte.gz", cache_subdir=folder)
        for name in names
    ]
    y_train, y_test = (_bytes(path, 8) for path in paths[0::2])
    x_train, x_test = (
        _bytes(path, 16).reshape(len(labels), 28, 28)
        for path, labels in zip(paths[1::2], (y_train, y_test))
    )
    return (x_train, y_train), (x_test, y_test)


def _bytes(path, header):
    with gzip.open(path, "rb") as file:
        return np.frombuffer(file.read(), np.uint8, offset=header)
