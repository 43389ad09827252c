"""What a data set is: where its files are, and how they are read."""

__all__ = ["Dataset"]


class Dataset:
    """The arguments as attributes: files, the class of a reader, a decoder, the number of samples.

    items_to_descriptions: a dict from items to texts. Source: tf.contrib.slim.dataset.Dataset.
    """

    def __init__(
        self, data_sources, reader, decoder, num_samples, items_to_descriptions, **kwargs
    ):
        self.data_sources, self.reader, self.decoder = data_sources, reader, decoder
        self.num_samples, self.items_to_descriptions = num_samples, items_to_descriptions
        self.__dict__.update(kwargs)
