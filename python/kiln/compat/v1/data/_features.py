"""Datasets of serialized examples. Source: tf.data.experimental of TensorFlow 1.15."""

from kiln.compat.v1._parsing_ops import parse_example
from kiln.compat.v1.data._csv import file_names, shuffled_and_repeated
from kiln.compat.v1.data._datasets import AUTOTUNE, Dataset
from kiln.compat.v1.data._files import TFRecordDataset


def parse_example_dataset(features, num_parallel_calls=1):
    """The tensors and SparseTensors of batches of serialized examples, by name. Errors: ValueError.
    Source: tf.data.experimental.parse_example_dataset."""
    if features is None:
        raise ValueError("Missing features.")
    return lambda dataset: dataset.map(lambda serialized: parse_example(serialized, features), num_parallel_calls)


def make_batched_features_dataset(
    file_pattern, batch_size, features, reader=TFRecordDataset, label_key=None, reader_args=None, num_epochs=None,
    shuffle=True, shuffle_buffer_size=10000, shuffle_seed=None, prefetch_buffer_size=None, reader_num_threads=None,
    parser_num_threads=None, sloppy_ordering=False, drop_final_batch=False,
):  # fmt: skip
    """Batches of the examples in files, by the names of their features; with a label_key pairs of these and of
    the label. Errors: ValueError, TypeError. Source: tf.data.experimental.make_batched_features_dataset."""
    filenames = file_names(file_pattern, False)
    dataset = Dataset.from_tensor_slices(filenames)
    if shuffle:
        dataset = dataset.shuffle(len(filenames), shuffle_seed)
    if label_key is not None and label_key not in features:
        raise ValueError(f"The `label_key` provided ({label_key!r}) must be one of the `features` keys.")
    dataset = dataset.interleave(lambda name: reader(name, *(reader_args or [])), reader_num_threads or 1, 1)
    if isinstance(dataset.output_types, tuple) and len(dataset.output_types) == 2:
        dataset = dataset.map(lambda _, value: value)
    dataset = shuffled_and_repeated(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    dataset = dataset.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    dataset = dataset.apply(parse_example_dataset(features, parser_num_threads or 2))
    if label_key is not None:
        dataset = dataset.map(lambda parsed: (parsed, parsed.pop(label_key)))
    return dataset.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)
