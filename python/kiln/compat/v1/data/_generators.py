"""Datasets of Python generators."""

import itertools

import numpy as np

from kiln._generated import raw_ops
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._script_ops import py_func
from kiln.compat.v1._util import nest
from kiln.compat.v1.data._elements import Spec, flatten, tensors_of


class _Generators:
    """The generators that are being walked, by number."""

    def __init__(self, generator, spec):
        self._generator, self._spec = generator, spec
        self._walked, self._numbers = {}, itertools.count()

    def begin(self, *args):
        number = next(self._numbers)
        self._walked[number] = iter(self._generator(*args))
        return np.int64(number)

    def next(self, number):
        element = next(self._walked[int(number)])
        try:
            flat = nest.flatten_up_to(self._spec.structure, element)
        except (TypeError, ValueError) as error:
            raise TypeError(
                "`generator` yielded an element that did not match the expected structure. The expected structure was "
                f"{self._spec.output_types}, but the yielded element was {element}."
            ) from error
        arrays = []
        for value, dtype, shape in zip(flat, self._spec.types, self._spec.shapes):
            kind = object if dtype == dtypes.string else dtype.as_numpy_dtype
            try:
                array = np.asarray(value, kind)
            except (TypeError, ValueError) as error:
                raise TypeError(
                    "`generator` yielded an element that could not be converted to the expected type. The expected "
                    f"type was {dtype.name}, but the yielded element was {value}."
                ) from error
            if not shape.is_compatible_with(array.shape):
                raise ValueError(
                    f"`generator` yielded an element of shape {array.shape} where an element of shape {shape} was expected."
                )
            arrays.append(array)
        return arrays

    def end(self, number):
        self._walked.pop(int(number), None)
        return np.int64(0)


def from_generator(generator, output_types, output_shapes, args):
    """See Dataset.from_generator()."""
    from kiln.compat.v1.data._datasets import Dataset

    if not callable(generator):
        raise TypeError("`generator` must be callable.")
    spec = Spec.of_structures(output_types, output_shapes)
    inputs = flatten(tensors_of(tuple(args or ())))
    walked = _Generators(generator, spec)

    def define(name, types, body):
        return _c.function_name(_c.define_function(f"Dataset_from_generator_{name}", types, [], [()] * len(types), body))

    number = [dtypes.int64]
    types = [each.dtype.base_dtype for each in inputs]
    shapes = [each.shape for each in inputs]
    begin = _c.function_name(
        _c.define_function(
            "Dataset_from_generator_begin", types, [], shapes,
            lambda values: [_scalar(py_func(walked.begin, list(values), dtypes.int64))],
        )
    )  # fmt: skip
    step = define("next", number, lambda values: _shaped(py_func(walked.next, list(values), spec.types), spec))
    end = define("end", number, lambda values: [py_func(walked.end, list(values), dtypes.int64)])
    variant = raw_ops.generator_dataset(inputs, [], [], begin, step, end, **spec.attributes())
    return Dataset._of(variant, spec)


def _scalar(tensor):
    tensor.set_shape([])
    return tensor


def _shaped(tensors, spec):
    for tensor, shape in zip(tensors, spec.shapes):
        tensor.set_shape(shape)
    return tensors
