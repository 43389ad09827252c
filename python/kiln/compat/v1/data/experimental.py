"""Transformations of datasets. Source: tf.data.experimental of TensorFlow 1.15."""

import numpy as np

from kiln._generated import raw_ops
from kiln.compat.v1 import dtypes
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._graph_functions import control_dependencies
from kiln.compat.v1._logging_ops import Assert
from kiln.compat.v1._sparse import SparseTensor
from kiln.compat.v1._util import nest
from kiln.compat.v1.data import _datasets
from kiln.compat.v1.data._csv import CsvDataset as CsvDataset, make_csv_dataset as make_csv_dataset
from kiln.compat.v1.data._datasets import AUTOTUNE as AUTOTUNE
from kiln.compat.v1.data._elements import Spec, flatten, tensors_of
from kiln.compat.v1.data._features import (
    make_batched_features_dataset as make_batched_features_dataset,
    parse_example_dataset as parse_example_dataset,
)
from kiln.compat.v1.data._functions import PipelineFunction, scalar
from kiln.compat.v1.data._optional import Optional as Optional, get_next_as_optional as get_next_as_optional
from kiln.compat.v1.data._saved import make_saveable_from_iterator as make_saveable_from_iterator
from kiln.compat.v1.shapes import TensorShape

INFINITE_CARDINALITY, UNKNOWN_CARDINALITY = -1, -2


def ignore_errors():
    """Leaves elements out that end in an error."""
    return lambda dataset: dataset._derived(raw_ops.ignore_errors_dataset)


def unbatch():
    """The rows of each element."""
    return lambda dataset: dataset.unbatch()


def map_and_batch(map_func, batch_size, num_parallel_batches=None, drop_remainder=False, num_parallel_calls=None):
    """map() and then batch()."""
    return lambda dataset: dataset.map(map_func, num_parallel_calls).batch(batch_size, drop_remainder)


def parallel_interleave(
    map_func, cycle_length, block_length=1, sloppy=False, buffer_output_elements=None, prefetch_input_elements=None
):
    """interleave()."""
    return lambda dataset: dataset.interleave(map_func, cycle_length, block_length)


def shuffle_and_repeat(buffer_size, count=None, seed=None):
    """shuffle() and then repeat()."""
    return lambda dataset: dataset.shuffle(buffer_size, seed).repeat(count)


def take_while(predicate):
    """The elements before the first for which a function gives false."""

    def transform(dataset):
        function = PipelineFunction(predicate, dataset._spec, "take_while")
        return dataset._derived(raw_ops.take_while_dataset, function.captured, predicate=function.f)

    return transform


def scan(initial_state, scan_func):
    """What a function of a state and an element gives: a pair of the next state and another element."""

    def transform(dataset):
        state = tensors_of(initial_state)
        spec = Spec.of_tensors(state)
        function = PipelineFunction(scan_func, dataset._spec, "scan", state=spec)
        _, element = function.results
        given = Spec.of_tensors(element)
        variant = raw_ops.scan_dataset(
            dataset._variant, flatten(state), function.captured, f=function.f, **given.attributes()
        )
        return _datasets.Dataset._of(variant, given)

    return transform


def enumerate_dataset(start=0):
    """Pairs of a number and an element."""
    return lambda dataset: dataset.enumerate(start)


def Counter(start=0, step=1, dtype=dtypes.int64):
    """The numbers start, start + step and so on, without end."""
    from kiln.compat.v1._elementwise_ops import cast

    numbers = _datasets.Dataset.range(2**63 - 1).map(lambda i: start + step * i)
    return numbers if dtype == dtypes.int64 else numbers.map(lambda i: cast(i, dtype))


def unique():
    """The elements without those that have come before."""
    return lambda dataset: dataset._derived(raw_ops.unique_dataset)


def group_by_window(key_func, reduce_func, window_size=None, window_size_func=None):
    """The elements for which key_func gives the same int64, window_size at a time, or what
    window_size_func says of the key, each time as the dataset that reduce_func makes of the
    key and of a dataset of them. Errors: ValueError."""
    if (window_size is None) == (window_size_func is None):
        raise ValueError("Must pass either window_size or window_size_func.")
    size_of = window_size_func or (lambda key: window_size)

    def transform(dataset):
        key = PipelineFunction(lambda *parts: _int64(key_func(*parts)), dataset._spec, "key")
        key_spec = Spec.of_structures(dtypes.int64, [])
        pair = Spec([dtypes.int64, dtypes.variant], [key_spec.shapes[0]] * 2, [None, dataset._spec])
        pair.structure = (0, 1)
        reduce = PipelineFunction(reduce_func, pair, "reduce")
        if reduce.dataset is None:
            raise TypeError("`reduce_func` must return a `Dataset` object.")
        size = PipelineFunction(lambda key: _int64(size_of(key)), key_spec, "window_size")
        spec = reduce.dataset._spec
        variant = raw_ops.group_by_window_dataset(
            dataset._variant, key.captured, reduce.captured, size.captured, key.f, reduce.f, size.f, **spec.attributes()
        )
        return _datasets.Dataset._of(variant, spec)

    return transform


class Reducer:
    """Functions that make one element of many: init_func(key) gives a state, reduce_func(state, element) the
    next one, finalize_func(state) the element."""

    def __init__(self, init_func, reduce_func, finalize_func):
        self.init_func, self.reduce_func, self.finalize_func = init_func, reduce_func, finalize_func


def group_by_reducer(key_func, reducer):
    """One element for each int64 that key_func gives, which a Reducer makes of all elements of it, in the order
    of keys. Errors: TypeError."""

    def transform(dataset):
        key = PipelineFunction(lambda *parts: _int64(key_func(*parts)), dataset._spec, "key")
        init = PipelineFunction(reducer.init_func, Spec.of_structures(dtypes.int64, TensorShape([])), "init")
        state = init.spec
        reduce = PipelineFunction(reducer.reduce_func, dataset._spec, "reduce", state=state)
        if _datasets._kinds(reduce.spec) != _datasets._kinds(state):
            raise TypeError(
                f"The element types for the new state must match the initial state. Expected {state.output_types}; "
                f"got {reduce.spec.output_types}."
            )
        finalize = PipelineFunction(lambda *parts: reducer.finalize_func(*parts), state, "finalize")
        functions = key, init, reduce, finalize
        variant = raw_ops.group_by_reducer_dataset(
            dataset._variant, *(each.captured for each in functions), *(each.f for each in functions), **finalize.spec.attributes()
        )
        return _datasets.Dataset._of(variant, finalize.spec)

    return transform


def _int64(value):
    from kiln.compat.v1._elementwise_ops import cast

    return cast(value, dtypes.int64)


def bucket_by_sequence_length(
    element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes=None, padding_values=None,
    pad_to_bucket_boundary=False, no_padding=False, drop_remainder=False,
):  # fmt: skip
    """Padded batches of elements of like lengths: those below the first of the increasing boundaries,
    below the second and so on, each with a batch size of its own. Errors: ValueError."""
    if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
        raise ValueError("len(bucket_batch_sizes) must equal len(bucket_boundaries) + 1")
    lowest = np.array([np.iinfo(np.int32).min, *bucket_boundaries], np.int32)
    highest = np.array([*bucket_boundaries, np.iinfo(np.int32).max], np.int32)
    sizes = np.array(bucket_batch_sizes, np.int64)

    def key_of(*parts):
        length = element_length_func(*parts)
        is_in = raw_ops.logical_and(raw_ops.less_equal(lowest, length), raw_ops.less(length, highest))
        return raw_ops.min(raw_ops.where(is_in), np.array([0, 1], np.int32))

    def reduce(key, grouped):
        size = raw_ops.gather_v2(sizes, key, 0)
        if no_padding:
            return grouped.batch(size, drop_remainder)
        shapes = padded_shapes
        if pad_to_bucket_boundary:
            shapes = _filled(padded_shapes or grouped.output_shapes, grouped._spec, longest(key))
        return grouped.padded_batch(size, shapes, padding_values, drop_remainder)

    def longest(key):
        """The greatest length of a bucket, which must not be the last one."""
        message = "When pad_to_bucket_boundary=True, elements must have length < max(bucket_boundaries)."
        is_bounded = raw_ops.less(key, np.int64(len(bucket_boundaries)))
        with control_dependencies([Assert(is_bounded, [message, key])]):
            boundary = raw_ops.gather_v2(np.array(bucket_boundaries, np.int64), key, 0)
            return boundary - 1

    return group_by_window(key_of, reduce, window_size_func=lambda key: raw_ops.gather_v2(sizes, key, 0))


def _filled(shapes, spec, extent):
    """The shapes with a tensor's value for each extent that is not known."""

    def filled(shape):
        dims = TensorShape(shape).as_list()
        if None not in dims:
            return TensorShape(dims)
        return raw_ops.pack([extent if each is None else np.int64(each) for each in dims], 0)

    return spec.pack(filled(shape) for shape in nest.flatten_up_to(spec.structure, shapes))


def sample_from_datasets(datasets, weights=None, seed=None):
    """The next element of one of the datasets, which is drawn with these weights: numbers, or a dataset of
    them. Equal ones by default. Errors: ValueError, TypeError."""
    if not isinstance(weights, _datasets.Dataset) and weights is not None and len(weights) != len(datasets):
        raise ValueError("`weights` must be a vector of length `len(datasets)`.")
    seeds = RandomDataset(seed).batch(2)

    def drawn(logits, pair):
        samples = raw_ops.stateless_multinomial(logits, np.int32(1), pair)
        return raw_ops.squeeze(samples, squeeze_dims=[0, 1])

    if isinstance(weights, _datasets.Dataset):
        logits = weights.map(lambda *each: raw_ops.log(each[0] if len(each) == 1 else each))
        choices = _datasets.Dataset.zip((logits, seeds)).map(drawn)
        return _chosen(datasets, choices)
    if weights is None:
        logits = convert_to_tensor([[1.0] * len(datasets)])
    else:
        weights = convert_to_tensor(weights, name="weights")
        if weights.dtype not in (dtypes.float32, dtypes.float64):
            raise TypeError("`weights` must be convertible to a tensor of `tf.float32` or `tf.float64` elements.")
        logits = raw_ops.expand_dims(raw_ops.log(weights, name="logits"), 0)
    return _chosen(datasets, seeds.map(lambda pair: drawn(logits, pair)))


class RandomDataset(_datasets.Dataset):
    """Random numbers of 32 bits as int64, without end."""

    def __init__(self, seed=None):
        inputs = [scalar(np.int64(each), dtypes.int64, name) for each, name in zip(_datasets._seeds(seed), ("seed", "seed2"))]
        self._spec = Spec.of_structures(dtypes.int64, TensorShape([]))
        self._variant = raw_ops.random_dataset(*inputs, **self._spec.attributes())


def cardinality(dataset):
    """How many elements a dataset has, as an int64 tensor: INFINITE_CARDINALITY, UNKNOWN_CARDINALITY or a number."""
    return raw_ops.dataset_cardinality(dataset._variant)


def dense_to_sparse_batch(batch_size, row_shape):
    """So many dense elements of different extents at a time, as SparseTensors. row_shape: None for the largest
    extent of a batch."""

    def transform(dataset):
        shape = _datasets._padded_shape(row_shape)
        [dtype] = dataset._spec.types
        spec = Spec.of_structures(dtype, TensorShape([None]).concatenate(TensorShape(row_shape)), SparseTensor)
        variant = raw_ops.dense_to_sparse_batch_dataset(
            dataset._variant, scalar(batch_size, dtypes.int64, "batch_size"), shape, **spec.attributes()
        )
        return _datasets.Dataset._of(variant, spec)

    return transform


def choose_from_datasets(datasets, choice_dataset):
    """The next element of the dataset whose number another one gives. Errors: TypeError."""
    if choice_dataset._spec.types != [dtypes.int64]:
        raise TypeError("`choice_dataset` must be a dataset of scalar `tf.int64` tensors.")
    return _chosen(datasets, choice_dataset)


def _chosen(datasets, choices):
    """Errors: TypeError for datasets of other elements."""
    spec = datasets[0]._spec
    for i, other in enumerate(datasets[1:]):
        if _datasets._kinds(other._spec) != _datasets._kinds(spec):
            raise TypeError(
                f"Datasets to interleave must have the same type and class: dataset 0 has {datasets[0].output_types} "
                f"and dataset {i + 1} has {other.output_types}"
            )
        shapes = iter(other._spec.dense_shapes())
        spec = spec.with_shapes(lambda shape: _datasets._common(shape, next(shapes)))
    variants = [dataset._variant for dataset in datasets]
    return _datasets.Dataset._of(
        raw_ops.directed_interleave_dataset(choices._variant, variants, **spec.attributes()), spec
    )


def get_single_element(dataset):
    """The only element of a dataset. Errors in a run: InvalidArgumentError where it has none or more."""
    return dataset._spec.element(raw_ops.dataset_to_single_element(dataset._variant, **dataset._spec.attributes()))


def assert_cardinality(expected_cardinality):
    """The same elements, whose number is checked."""
    return lambda dataset: dataset._derived(
        raw_ops.assert_cardinality_dataset, scalar(expected_cardinality, dtypes.int64, "expected_cardinality")
    )


def prefetch_to_device(device, buffer_size=None):
    """The same elements."""
    return lambda dataset: dataset


def copy_to_device(target_device, source_device="/cpu:0"):
    """The same elements."""
    return lambda dataset: dataset
