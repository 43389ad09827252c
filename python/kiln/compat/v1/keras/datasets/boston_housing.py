"""tf.keras.datasets.boston_housing: prices of houses and 13 numbers about where they stand."""

import numpy as np

from kiln.compat.v1.keras.datasets import _files

_HASH = "f553886a1f8d56431e820c5b82552d9d95cfcb96d1e678153f8839538947dff5"


def load_data(path="boston_housing.npz", test_split=0.2, seed=113):
    """Pairs of numbers and prices, (x_train, y_train), (x_test, y_test).

    test_split: the share of the tests. Errors: Exception where it cannot be downloaded. Source:
    tf.keras.datasets.boston_housing.load_data.
    """
    assert 0 <= test_split < 1
    with np.load(_files.fetched(path, "boston_housing.npz", _HASH), allow_pickle=True) as file:
        x, y = _files.shuffled(seed, file["x"], file["y"])
    count = int(len(x) * (1 - test_split))
    return (x[:count], y[:count]), (x[count:], y[count:])
