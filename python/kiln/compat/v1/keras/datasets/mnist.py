"""tf.keras.datasets.mnist: 70,000 handwritten digits of 28 x 28 pixels."""

import numpy as np

from kiln.compat.v1.keras.datasets import _files

_HASH = "731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1"


def load_data(path="mnist.npz"):
    """Pairs of images and labels, (x_train, y_train), (x_test, y_test), as uint8.

    Errors: Exception where it cannot be downloaded. Source: tf.keras.datasets.mnist.load_data.
    """
    with np.load(_files.fetched(path, "mnist.npz", _HASH), allow_pickle=True) as file:
        return (file["x_train"], file["y_train"]), (file["x_test"], file["y_test"])
