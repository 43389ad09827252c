"""Datasets by the names of tf.contrib.data."""

from kiln.compat.v1.data import (
    Dataset as Dataset,
    FixedLengthRecordDataset as FixedLengthRecordDataset,
    Iterator as Iterator,
    TextLineDataset as TextLineDataset,
    TFRecordDataset as TFRecordDataset,
)
from kiln.compat.v1.data.experimental import (
    AUTOTUNE as AUTOTUNE,
    Counter as Counter,
    CsvDataset as CsvDataset,
    RandomDataset as RandomDataset,
    bucket_by_sequence_length as bucket_by_sequence_length,
    choose_from_datasets as choose_from_datasets,
    copy_to_device as copy_to_device,
    dense_to_sparse_batch as dense_to_sparse_batch,
    enumerate_dataset as enumerate_dataset,
    get_single_element as get_single_element,
    group_by_window as group_by_window,
    ignore_errors as ignore_errors,
    make_batched_features_dataset as make_batched_features_dataset,
    make_csv_dataset as make_csv_dataset,
    map_and_batch as map_and_batch,
    parallel_interleave as parallel_interleave,
    prefetch_to_device as prefetch_to_device,
    sample_from_datasets as sample_from_datasets,
    scan as scan,
    shuffle_and_repeat as shuffle_and_repeat,
    unbatch as unbatch,
    unique as unique,
)


def batch_and_drop_remainder(batch_size):
    """batch() without a last batch of fewer elements."""
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


def padded_batch_and_drop_remainder(batch_size, padded_shapes, padding_values=None):
    """padded_batch() without a last batch of fewer elements."""
    return lambda dataset: dataset.padded_batch(batch_size, padded_shapes, padding_values, drop_remainder=True)
