"""The items of a data set's samples, one sample a run."""

from kiln.compat.v1.contrib.slim.data import data_provider, parallel_reader

__all__ = ["DatasetDataProvider"]


class DatasetDataProvider(data_provider.DataProvider):
    """Reads the files of a data set by several readers, through a queue, and decodes the samples.

    record_key: the item with the record's key. The other arguments are those of parallel_read().
    Errors: ValueError. Source: tf.contrib.slim.dataset_data_provider.DatasetDataProvider.
    """

    def __init__(
        self,
        dataset,
        num_readers=1,
        reader_kwargs=None,
        shuffle=True,
        num_epochs=None,
        common_queue_capacity=256,
        common_queue_min=128,
        record_key="record_key",
        seed=None,
        scope=None,
    ):
        key, data = parallel_reader.parallel_read(
            dataset.data_sources,
            reader_class=dataset.reader,
            num_epochs=num_epochs,
            num_readers=num_readers,
            reader_kwargs=reader_kwargs,
            shuffle=shuffle,
            capacity=common_queue_capacity,
            min_after_dequeue=common_queue_min,
            seed=seed,
            scope=scope,
        )
        names = dataset.decoder.list_items()
        items = dict(zip(names, dataset.decoder.decode(data, names)))
        if record_key in items:
            raise ValueError(
                "The item name used for `record_key` cannot also be used for a dataset item: %s",
                record_key,
            )
        items[record_key] = key
        super().__init__(items_to_tensors=items, num_samples=dataset.num_samples)
