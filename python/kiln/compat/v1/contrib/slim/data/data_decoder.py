"""What decoders of data have."""

import abc

__all__ = ["DataDecoder"]


class DataDecoder(abc.ABC):
    """Makes items, tensors by name, of data. Source: tf.contrib.slim.data_decoder.DataDecoder."""

    @abc.abstractmethod
    def decode(self, data, items):
        """The tensors of some items."""

    @abc.abstractmethod
    def list_items(self):
        """The names of the items."""
