"""Datasets, each a node of the graph that describes a sequence of elements."""

import numpy as np

from kiln._generated import raw_ops
from kiln.compat.v1 import dtypes
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._elementwise_ops import cast
from kiln.compat.v1._graph_functions import control_dependencies, get_seed, name_scope
from kiln.compat.v1._logging_ops import Assert
from kiln.compat.v1._shape_ops import shape as shape_of
from kiln.compat.v1._sparse import SparseTensor
from kiln.compat.v1._util import nest
from kiln.compat.v1.data._elements import Spec, flatten, flatten_rows, tensors_of
from kiln.compat.v1.data._functions import PipelineFunction, scalar
from kiln.compat.v1.data._iterators import make_initializable_iterator, make_one_shot_iterator
from kiln.compat.v1.shapes import TensorShape

AUTOTUNE = -1


class Options:
    """What a program says of how a pipeline is computed; values do not depend on it. Source: tf.data.Options."""

    def __init__(self):
        self.__dict__["experimental_optimization"] = self.__dict__["experimental_threading"] = _Anything()

    def merge(self, options):
        return self


class _Anything:
    """Attributes that are kept and mean nothing."""


class Dataset:
    """A sequence of elements: tensors, or tuples and dicts of them. Source: tf.data.Dataset."""

    def __init__(self):
        raise TypeError("Datasets are made by Dataset.from_tensors() and its kin.")

    @staticmethod
    def _of(variant, spec):
        """The dataset that a node is, of elements of a Spec."""
        dataset = object.__new__(Dataset)
        dataset._variant, dataset._spec = variant, spec
        return dataset

    def _derived(self, make, *inputs, spec=None, **attributes):
        spec = spec or self._spec
        return Dataset._of(make(self._variant, *inputs, **spec.attributes(), **attributes), spec)

    output_types = property(lambda self: self._spec.output_types)
    output_shapes = property(lambda self: self._spec.output_shapes)
    output_classes = property(lambda self: self._spec.output_classes)

    def __repr__(self):
        return f"<{type(self).__name__} shapes: {self.output_shapes}, types: {self.output_types}>"

    def __iter__(self):
        raise RuntimeError("dataset.__iter__() is only supported when eager execution is enabled.")

    # Where elements come from.

    @staticmethod
    def from_tensors(tensors):
        """One element."""
        tensors = _components(tensors)
        spec = Spec.of_tensors(tensors)
        return Dataset._of(raw_ops.tensor_dataset(flatten(tensors), spec.shapes), spec)

    @staticmethod
    def from_tensor_slices(tensors):
        """The rows of tensors, which have equally many. Errors: ValueError."""
        tensors = _components(tensors)
        whole = Spec.of_tensors(tensors, rows=1)
        count = TensorShape([None])
        for shape in whole.dense_shapes():
            if shape.dims is not None and not shape.dims:
                raise ValueError("Unbatching a tensor is only supported for rank >= 1")
            count = count.merge_with(shape[:1] if shape.dims is not None else [None])
        spec = whole.with_shapes(lambda shape: shape[1:] if shape.dims is not None else TensorShape(None))
        return Dataset._of(raw_ops.tensor_slice_dataset(flatten_rows(tensors), spec.shapes), spec)

    @staticmethod
    def from_sparse_tensor_slices(sparse_tensor):
        """The rows of a SparseTensor. Errors: TypeError for anything else. Deprecated for from_tensor_slices()."""
        if not isinstance(sparse_tensor, SparseTensor):
            raise TypeError("`sparse_tensor` must be a `tf.SparseTensor` object. Was {}.".format(sparse_tensor))
        rank = sparse_tensor.dense_shape.shape[0].value
        rows = TensorShape([None, None if rank is None else rank - 1])
        types = (dtypes.int64, sparse_tensor.dtype, dtypes.int64)
        spec = Spec.of_structures(types, (rows, TensorShape([None]), rows[1:]))
        parts = sparse_tensor.indices, sparse_tensor.values, sparse_tensor.dense_shape
        return Dataset._of(raw_ops.sparse_tensor_slice_dataset(*parts), spec)

    @staticmethod
    def range(*args):
        """range(stop), range(start, stop) or range(start, stop, step), of int64. Errors: ValueError."""
        if not 1 <= len(args) <= 3:
            raise ValueError("Invalid arguments to RangeDataset: %s" % str(args))
        start, stop, step = {1: (0, *args, 1), 2: (*args, 1), 3: args}[len(args)]
        spec = Spec.of_structures(dtypes.int64, TensorShape([]))
        inputs = [scalar(value, dtypes.int64, name) for value, name in ((start, "start"), (stop, "stop"), (step, "step"))]
        return Dataset._of(raw_ops.range_dataset(*inputs, **spec.attributes()), spec)

    @staticmethod
    def from_generator(generator, output_types, output_shapes=None, args=None):
        """What a Python generator gives, made anew for each walk: elements of these dtypes, in their structure.

        args: tensors that the generator is called with, as arrays. Errors in a run:
        InvalidArgumentError for other elements.
        """
        from kiln.compat.v1.data._generators import from_generator

        return from_generator(generator, output_types, output_shapes, args)

    @staticmethod
    def list_files(file_pattern, shuffle=None, seed=None):
        """The names of files that match patterns, shuffled unless that is False. Errors in a run:
        InvalidArgumentError where none does."""
        patterns = convert_to_tensor(file_pattern, dtype=dtypes.string, name="file_pattern")
        names = raw_ops.matching_files(patterns)
        count = shape_of(names, out_type=dtypes.int64)[0]
        message = "No files matched pattern: "
        with control_dependencies([Assert(raw_ops.greater(count, np.int64(0)), [message, patterns], summarize=1)]):
            names = raw_ops.identity(names)
        dataset = Dataset.from_tensor_slices(names)
        return dataset if shuffle is False else dataset.shuffle(raw_ops.maximum(count, np.int64(1)), seed)

    @staticmethod
    def zip(datasets):
        """Elements side by side, in the structure that the datasets come in."""
        flat = _flatten_datasets(datasets)
        spec = Spec(
            [each for part in flat for each in part._spec.types], [each for part in flat for each in part._spec.shapes],
            [each for part in flat for each in part._spec.nested],
        )  # fmt: skip
        counts = iter(range(len(spec.types)))
        spec.structure = _map_datasets(datasets, lambda each: each._spec.pack([next(counts) for _ in each._spec.types]))
        return Dataset._of(raw_ops.zip_dataset([each._variant for each in flat], **spec.attributes()), spec)

    # What becomes of them.

    def concatenate(self, dataset):
        """The elements of another dataset behind its own."""
        if _kinds(self._spec) != _kinds(dataset._spec):
            raise TypeError(
                f"Two datasets to concatenate have different types {self.output_types} and {dataset.output_types}"
            )
        shapes = iter(dataset._spec.dense_shapes())
        spec = self._spec.with_shapes(lambda shape: _common(shape, next(shapes)))
        return self._derived(raw_ops.concatenate_dataset, dataset._variant, spec=spec)

    def repeat(self, count=None):
        """`count` times; without end for None and -1."""
        return self._derived(raw_ops.repeat_dataset, scalar(-1 if count is None else count, dtypes.int64, "count"))

    def take(self, count):
        return self._derived(raw_ops.take_dataset, scalar(count, dtypes.int64, "count"))

    def skip(self, count):
        return self._derived(raw_ops.skip_dataset, scalar(count, dtypes.int64, "count"))

    def shard(self, num_shards, index):
        """Every num_shards-th element, from number index on."""
        return self._derived(
            raw_ops.shard_dataset, scalar(num_shards, dtypes.int64, "num_shards"), scalar(index, dtypes.int64, "index")
        )

    def shuffle(self, buffer_size, seed=None, reshuffle_each_iteration=None):
        """In random order, drawn from so many elements at a time; in another one each time, unless it is not
        to be reshuffled."""
        seeds = [np.int64(each) for each in _seeds(seed)]
        return self._derived(
            raw_ops.shuffle_dataset, scalar(buffer_size, dtypes.int64, "buffer_size"),
            scalar(seeds[0], dtypes.int64, "seed"), scalar(seeds[1], dtypes.int64, "seed2"),
            reshuffle_each_iteration=True if reshuffle_each_iteration is None else reshuffle_each_iteration,
        )  # fmt: skip

    def cache(self, filename=""):
        """Computes the elements once, the first time that they are walked to the end."""
        return self._derived(raw_ops.cache_dataset, scalar(filename, dtypes.string, "filename"))

    def prefetch(self, buffer_size):
        return self._derived(raw_ops.prefetch_dataset, scalar(buffer_size, dtypes.int64, "buffer_size"))

    def batch(self, batch_size, drop_remainder=False):
        """So many elements of equal shapes at a time."""
        size = scalar(batch_size, dtypes.int64, "batch_size")
        drops = scalar(drop_remainder, dtypes.bool, "drop_remainder")
        rows = batch_size if drop_remainder is True and isinstance(batch_size, (int, np.integer)) else None
        spec = self._spec.with_shapes(lambda shape: TensorShape([rows]).concatenate(shape))
        return self._derived(raw_ops.batch_dataset_v2, size, drops, spec=spec)

    def padded_batch(self, batch_size, padded_shapes=None, padding_values=None, drop_remainder=False):
        """So many elements at a time, each padded to the largest of its batch, or to a shape."""
        if self._spec.has_sparse():
            raise TypeError("Batching of padded sparse tensors is not currently supported")
        size = scalar(batch_size, dtypes.int64, "batch_size")
        shapes = self._spec.shapes if padded_shapes is None else _up_to(self._spec, padded_shapes)
        values = [None] * len(shapes) if padding_values is None else nest.flatten_up_to(self._spec.structure, padding_values)
        given = [_padded_shape(shape) for shape in shapes]
        padding = [_padding_value(value, dtype) for value, dtype in zip(values, self._spec.types)]
        drops = scalar(drop_remainder, dtypes.bool, "drop_remainder")
        known = iter(_static_shape(shape) for shape in shapes)
        spec = self._spec.with_shapes(lambda _: TensorShape([None]).concatenate(next(known)))
        return Dataset._of(
            raw_ops.padded_batch_dataset_v2(self._variant, size, given, padding, drops, output_shapes=spec.shapes), spec
        )

    def unbatch(self):
        """The rows of each element."""
        spec = self._spec.with_shapes(lambda shape: shape[1:] if shape.dims is not None else shape)
        return self._derived(raw_ops.unbatch_dataset, spec=spec)

    def window(self, size, shift=None, stride=1, drop_remainder=False):
        """Datasets of `size` elements that follow each other, one for each part of an element; the next one begins
        `shift` elements behind, `size` by default."""
        inputs = [
            scalar(value, dtypes.int64, name)
            for value, name in ((size, "size"), (size if shift is None else shift, "shift"), (stride, "stride"))
        ]
        drops = scalar(drop_remainder, dtypes.bool, "drop_remainder")
        spec = self._spec.of_datasets()
        return self._derived(raw_ops.window_dataset, *inputs, drops, spec=spec)

    def reduce(self, initial_state, reduce_func):
        """A state, which a function of it and of each element makes anew, as it is behind the last one."""
        state = tensors_of(initial_state)
        spec = Spec.of_tensors(state)
        function = PipelineFunction(reduce_func, self._spec, "reduce", state=spec)
        given = Spec.of_tensors(function.results)
        if given.types != spec.types:
            raise TypeError(
                f"The element types for the new state must match the initial state. Expected {spec.output_types}; "
                f"got {given.output_types}."
            )
        known = iter(given.shapes)
        spec = spec.with_shapes(lambda shape: _common(shape, next(known)))
        results = raw_ops.reduce_dataset(self._variant, flatten(state), function.captured, f=function.f, **spec.attributes())
        return spec.element(results)

    def enumerate(self, start=0):
        """Pairs of a number, from start on, and an element."""
        return Dataset.zip((Dataset.range(start, 2**63 - 1), self))

    def map(self, map_func, num_parallel_calls=None, deterministic=None):
        """What a function gives for each element; the parts of a tuple are its arguments."""
        function = PipelineFunction(map_func, self._spec, "map")
        if function.spec is None:
            function.spec = Spec.of_tensors(function.dataset)
        if num_parallel_calls is None:
            return self._derived(raw_ops.map_dataset, function.captured, spec=function.spec, f=function.f)
        calls = scalar(num_parallel_calls, dtypes.int64, "num_parallel_calls")
        return self._derived(raw_ops.parallel_map_dataset_v2, function.captured, calls, spec=function.spec, f=function.f)

    map_with_legacy_function = map

    def filter(self, predicate):
        """The elements for which a function gives true. Errors: ValueError where it gives no bool."""
        function = PipelineFunction(predicate, self._spec, "filter")
        if function.spec is None or function.spec.types != [dtypes.bool]:
            raise ValueError("`predicate` return type must be convertible to a scalar boolean tensor.")
        return self._derived(raw_ops.filter_dataset, function.captured, predicate=function.f)

    filter_with_legacy_function = filter

    def flat_map(self, map_func):
        """The elements of the datasets that a function gives. Errors: TypeError where it gives none."""
        function = _giving_datasets(PipelineFunction(map_func, self._spec, "flat_map"))
        return self._derived(raw_ops.flat_map_dataset, function.captured, spec=function.dataset._spec, f=function.f)

    def interleave(self, map_func, cycle_length=AUTOTUNE, block_length=1, num_parallel_calls=None, deterministic=None):
        """flat_map(), of which cycle_length datasets are taken in turn, block_length elements each."""
        function = _giving_datasets(PipelineFunction(map_func, self._spec, "interleave"))
        cycle = scalar(cycle_length, dtypes.int64, "cycle_length")
        block = scalar(block_length, dtypes.int64, "block_length")
        return self._derived(raw_ops.interleave_dataset, function.captured, cycle, block, spec=function.dataset._spec, f=function.f)

    def apply(self, transformation_func):
        """What a function of datasets makes of this one. Errors: TypeError where that is no dataset."""
        dataset = transformation_func(self)
        if not isinstance(dataset, Dataset):
            raise TypeError("`transformation_func` must return a Dataset.")
        return dataset

    def with_options(self, options):
        """The same: options change no values."""
        return Dataset._of(self._variant, self._spec)

    def options(self):
        return Options()

    def make_one_shot_iterator(self):
        return make_one_shot_iterator(self)

    def make_initializable_iterator(self, shared_name=None):
        return make_initializable_iterator(self, shared_name)


def _components(tensors):
    with name_scope("normalize_element"):
        return _number_components(tensors)


def _number_components(tensors):
    flat = iter(range(1 << 30))

    def visit(value):
        if isinstance(value, dict):
            return type(value)((key, visit(value[key])) for key in sorted(value)) if type(value) is dict else tensors_of(value)
        if isinstance(value, tuple):
            parts = [visit(each) for each in value]
            return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
        return tensors_of(value, f"component_{next(flat)}")

    return visit(tensors)


def _flatten_datasets(datasets):
    if isinstance(datasets, Dataset):
        return [datasets]
    if isinstance(datasets, dict):
        return [each for key in sorted(datasets) for each in _flatten_datasets(datasets[key])]
    if isinstance(datasets, tuple):
        return [each for part in datasets for each in _flatten_datasets(part)]
    raise TypeError(f"The argument to `Dataset.zip()` must be a (nested) structure of Dataset objects, got {datasets!r}.")


def _map_datasets(datasets, function):
    if isinstance(datasets, Dataset):
        return function(datasets)
    if isinstance(datasets, dict):
        return type(datasets)((key, _map_datasets(datasets[key], function)) for key in sorted(datasets))
    return tuple(_map_datasets(each, function) for each in datasets)


def _giving_datasets(function):
    if function.dataset is None:
        raise TypeError("`map_func` must return a `Dataset` object.")
    return function


def _kinds(spec):
    """What two specs must share whose elements take each other's place."""
    return nest.flatten(spec.output_types), nest.flatten(spec.output_classes)


def _common(a, b):
    if a.dims is None or b.dims is None or a.ndims != b.ndims:
        return TensorShape(None)
    return TensorShape([x if x == y else None for x, y in zip(a.as_list(), b.as_list())])


def _up_to(spec, shapes):
    return nest.flatten_up_to(spec.structure, shapes)


def _static_shape(shape):
    from kiln._kiln import front as _c

    return TensorShape([None] * shape.shape[0].value) if isinstance(shape, _c.Tensor) else TensorShape(shape)


def _padded_shape(shape):
    from kiln._kiln import front as _c

    if isinstance(shape, _c.Tensor):
        return cast(shape, dtypes.int64)
    return convert_to_tensor(np.array([-1 if each is None else each for each in TensorShape(shape).as_list()], np.int64))


def _padding_value(value, dtype):
    if value is None:
        value = "" if dtype == dtypes.string else np.zeros([], dtype.as_numpy_dtype)
    return convert_to_tensor(value, dtype=dtype, name="padding_value")


def _seeds(seed):
    """As tf.get_seed, but two zeros are no seeds."""
    first, second = get_seed(seed)
    first, second = first or 0, second or 0
    if seed is not None and first == 0 and second == 0:
        second = 2**31 - 1
    return first, second
