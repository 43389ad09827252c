"""What providers of data have."""

import abc

__all__ = ["DataProvider"]


class DataProvider(abc.ABC):
    """Items, tensors by name, of so many samples. Source: tf.contrib.slim.data_provider.DataProvider."""

    def __init__(self, items_to_tensors, num_samples):
        self._items_to_tensors, self._num_samples = items_to_tensors, num_samples

    def get(self, items):
        """The tensors of some items. Errors: ValueError for other names."""
        self._validate_items(items)
        return [self._items_to_tensors[item] for item in items]

    def list_items(self):
        """The names of the items."""
        return self._items_to_tensors.keys()

    def num_samples(self):
        return self._num_samples

    def _validate_items(self, items):
        if not isinstance(items, (list, tuple)):
            raise ValueError("items must be a list or tuple")
        valid = self.list_items()
        for item in items:
            if item not in valid:
                raise ValueError(f"Item [{item}] is invalid. Valid entries include: {valid}")
