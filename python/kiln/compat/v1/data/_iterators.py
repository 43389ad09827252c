"""Iterators: places in datasets, which runs move on."""

from kiln._generated import raw_ops
from kiln._kiln import front as _c
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._util import nest
from kiln.compat.v1.data._elements import Spec
from kiln.compat.v1.dtypes import string


class Iterator:
    """A place in a dataset. Runs that need what get_next() gives move it on; behind the last
    element they end with an OutOfRangeError. Source: tf.data.Iterator."""

    def __init__(self, iterator_resource, initializer, spec):
        self._resource, self._initializer, self._spec = iterator_resource, initializer, spec
        self._string_handle = None

    @staticmethod
    def from_structure(output_types, output_shapes=None, shared_name=None, output_classes=None):
        """An iterator for all datasets of such elements; make_initializer() gives it one."""
        spec = Spec.of_structures(output_types, output_shapes, output_classes)
        resource = raw_ops.iterator_v2(shared_name=shared_name or "", container="", **spec.attributes())
        return Iterator(resource, None, spec)

    @staticmethod
    def from_string_handle(string_handle, output_types, output_shapes=None, output_classes=None):
        """The iterator of which string_handle() gave this text."""
        spec = Spec.of_structures(output_types, output_shapes, output_classes)
        handle = convert_to_tensor(string_handle, dtype=string)
        return Iterator(raw_ops.iterator_from_string_handle_v2(handle, **spec.attributes()), None, spec)

    @property
    def initializer(self):
        """The operation that goes before the first element. Errors: ValueError where there is none."""
        if self._initializer is None:
            raise ValueError("Iterator does not have an initializer.")
        return self._initializer

    def make_initializer(self, dataset, name=None):
        """An operation that goes before the first element of a dataset. Errors: TypeError for other elements."""
        if nest.flatten(dataset._spec.output_types) != nest.flatten(self._spec.output_types):
            raise TypeError(
                f"Expected output types {self._spec.output_types!r} but got dataset with output types "
                f"{dataset._spec.output_types!r}."
            )
        for own, given in zip(self._spec.dense_shapes(), dataset._spec.dense_shapes()):
            if not own.is_compatible_with(given):
                raise TypeError(
                    f"Expected output shapes compatible with {self._spec.output_shapes!r} but got dataset with "
                    f"output shapes {dataset._spec.output_shapes!r}."
                )
        return raw_ops.make_iterator(dataset._variant, self._resource, name=name)

    def get_next(self, name=None):
        """The next element: all that a run needs of it is of one element."""
        results = raw_ops.iterator_get_next(self._resource, name=name, **self._spec.attributes())
        return self._spec.element(results)

    def string_handle(self, name=None):
        """A text that names the iterator in its session."""
        if name is not None:
            return raw_ops.iterator_to_string_handle(self._resource, name=name)
        if self._string_handle is None:
            self._string_handle = raw_ops.iterator_to_string_handle(self._resource)
        return self._string_handle

    output_types = property(lambda self: self._spec.output_types)
    output_shapes = property(lambda self: self._spec.output_shapes)
    output_classes = property(lambda self: self._spec.output_classes)


def make_initializable_iterator(dataset, shared_name=None):
    """An iterator whose `initializer` goes before the first element. Source: tf.data.make_initializable_iterator."""
    spec = dataset._spec
    resource = raw_ops.iterator_v2(shared_name=shared_name or "", container="", **spec.attributes())
    return Iterator(resource, raw_ops.make_iterator(dataset._variant, resource), spec)


def make_one_shot_iterator(dataset):
    """An iterator that begins by itself, once. The dataset may use neither placeholders nor
    variables nor tables. Errors: ValueError. Source: tf.data.make_one_shot_iterator."""

    def body(_):
        return [dataset._variant]

    try:
        defined = _c.defun("_make_dataset", [], [], body, False, True, [], {})
    except ValueError as error:
        raise ValueError(
            "Failed to create a one-shot iterator for a dataset. `Dataset.make_initializable_iterator()` is often "
            f"preferred: {error}"
        ) from None
    spec = dataset._spec
    resource = raw_ops.one_shot_iterator(_c.function_name(defined), **spec.attributes())
    return Iterator(resource, None, spec)
