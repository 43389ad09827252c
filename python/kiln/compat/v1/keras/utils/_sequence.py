"""Data that comes in batches."""

import numpy as np


class Sequence:
    """Batches by their number: a subclass has __getitem__(index) and __len__().

    Source: tf.keras.utils.Sequence.
    """

    def __getitem__(self, index):
        raise NotImplementedError

    def __len__(self):
        raise NotImplementedError

    def on_epoch_end(self):
        """Called at the end of each epoch."""

    def __iter__(self):
        for i in range(len(self)):
            yield self[i]


def to_categorical(y, num_classes=None, dtype="float32"):
    """A row of zeros with a 1 at the class for each number of a class.

    Source: tf.keras.utils.to_categorical.
    """
    y = np.array(y, dtype="int")
    shape = y.shape
    if shape and shape[-1] == 1 and len(shape) > 1:
        shape = shape[:-1]
    y = y.ravel()
    num_classes = num_classes or np.max(y) + 1
    result = np.zeros((y.shape[0], num_classes), dtype=dtype)
    result[np.arange(y.shape[0]), y] = 1
    return np.reshape(result, (*shape, num_classes))


def normalize(x, axis=-1, order=2):
    """Arrays whose vectors along an axis have the length 1. Source: tf.keras.utils.normalize."""
    lengths = np.atleast_1d(np.linalg.norm(x, order, axis))
    lengths[lengths == 0] = 1
    return x / np.expand_dims(lengths, axis)
