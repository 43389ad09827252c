"""Transformations of datasets. Source: tf.data.experimental of TensorFlow 1.15."""

from kiln._generated import raw_ops
from kiln.compat.v1 import dtypes
from kiln.compat.v1._util import nest
from kiln.compat.v1.data import _datasets
from kiln.compat.v1.data._datasets import AUTOTUNE as AUTOTUNE
from kiln.compat.v1.data._elements import Spec, tensors_of
from kiln.compat.v1.data._functions import PipelineFunction, scalar


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
            dataset._variant, nest.flatten(state), function.captured, f=function.f, **given.attributes()
        )
        return _datasets.Dataset._of(variant, given)

    return transform


def get_single_element(dataset):
    """The only element of a dataset. Errors in a run: InvalidArgumentError where it has none or more."""
    return dataset._spec.pack(raw_ops.dataset_to_single_element(dataset._variant, **dataset._spec.attributes()))


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
