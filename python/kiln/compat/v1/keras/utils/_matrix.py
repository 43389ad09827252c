"""Data sets of HDF5 in place of arrays."""

import numpy as np


class HDF5Matrix:
    """A part of a data set in a file of HDF5, read as it is used.

    start, end: the rows. normalizer: a function of what is read. Errors: ImportError without h5py.
    Source: tf.keras.utils.HDF5Matrix.
    """

    refs = {}

    def __init__(self, datapath, dataset, start=0, end=None, normalizer=None):
        try:
            import h5py
        except ImportError as error:
            raise ImportError(
                "The use of HDF5Matrix requires HDF5 and h5py installed."
            ) from error
        if datapath not in self.refs:
            self.refs[datapath] = h5py.File(datapath, "r")
        self.data = self.refs[datapath][dataset]
        self.start, self.end = start, self.data.shape[0] if end is None else end
        self.normalizer = normalizer

    def __len__(self):
        return self.end - self.start

    def __getitem__(self, key):
        """Errors: IndexError outside of the part."""
        if isinstance(key, slice):
            first = self.start if key.start is None else key.start + self.start
            last = self.end if key.stop is None else key.stop + self.start
            if last > self.end:
                raise IndexError
            place = slice(first, last)
        elif isinstance(key, (int, np.integer)):
            place = key + self.start
            if place >= self.end:
                raise IndexError
        else:
            place = np.asarray(key) + self.start
            if np.max(place) >= self.end:
                raise IndexError
            place = list(place)
        values = self.data[place]
        return values if self.normalizer is None else self.normalizer(values)

    @property
    def shape(self):
        return (self.end - self.start, *self.data.shape[1:])

    @property
    def dtype(self):
        return self.data.dtype

    @property
    def ndim(self):
        return self.data.ndim

    @property
    def size(self):
        return np.prod(self.shape)
