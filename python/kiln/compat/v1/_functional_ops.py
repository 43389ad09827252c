"""Functions of the rows of tensors, called in a loop: tf.map_fn, tf.scan, tf.foldl, tf.foldr."""

from kiln._kiln import front as _c
from kiln.compat.v1._util import nest

__all__ = ["foldl", "foldr", "map_fn", "scan"]


def _check_callable(fn):
    if not callable(fn):
        raise TypeError(f"{getattr(fn, '__name__', fn)} is not callable. Please provide a callable function.")


def map_fn(
    fn,
    elems,
    dtype=None,
    parallel_iterations=None,
    back_prop=True,
    swap_memory=False,
    infer_shape=True,
    name=None,
):
    """What a function makes of each row of elems, one above another.

    elems: a tensor or a structure of them, cut along their first axis. dtype: of the
    results, in their structure, where that is another one. infer_shape: that all results
    have one shape. Errors: TypeError, ValueError. Source: tf.map_fn.
    """
    _check_callable(fn)
    tensors = nest.flatten(elems)
    if not tensors:
        raise ValueError(
            f"elems must be a Tensor or (possibly nested) sequence of Tensors. Got {elems}, which does not "
            "contain any Tensors."
        )
    form = elems if dtype is None else dtype

    def rows(values):
        result = fn(nest.pack_sequence_as(elems, values))
        nest.assert_same_structure(form, result)
        return nest.flatten(result)

    kinds = None if dtype is None else nest.flatten(dtype)
    results = _c.map_fn(
        rows, tensors, kinds, parallel_iterations or 10, back_prop, swap_memory, infer_shape, name
    )
    return nest.pack_sequence_as(form, results)


def _folded(fold, fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name):
    _check_callable(fn)
    start = elems if initializer is None else initializer

    def step(value, rows):
        result = fn(nest.pack_sequence_as(start, value), nest.pack_sequence_as(elems, rows))
        nest.assert_same_structure(start, result)
        return nest.flatten(result)

    first = None if initializer is None else nest.flatten(initializer)
    results = fold(step, nest.flatten(elems), first, parallel_iterations, back_prop, swap_memory, name)
    return nest.pack_sequence_as(start, results)


def foldl(
    fn,
    elems,
    initializer=None,
    parallel_iterations=10,
    back_prop=True,
    swap_memory=False,
    name=None,
):
    """What is left of fn(value, row) after all rows of elems, from the first to the last.

    initializer: the value to begin with; the first row where there is none. Both may
    be structures. Source: tf.foldl.
    """
    return _folded(_c.foldl, fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name)


def foldr(
    fn,
    elems,
    initializer=None,
    parallel_iterations=10,
    back_prop=True,
    swap_memory=False,
    name=None,
):
    """The same from the last row to the first. Source: tf.foldr."""
    return _folded(_c.foldr, fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name)


def scan(
    fn,
    elems,
    initializer=None,
    parallel_iterations=10,
    back_prop=True,
    swap_memory=False,
    infer_shape=True,
    reverse=False,
    name=None,
):
    """What there is of fn(value, row) after each row of elems, one above another.

    initializer: as foldl() has it. reverse: from the last row to the first. Source:
    tf.scan.
    """
    _check_callable(fn)
    start = elems if initializer is None else initializer

    def step(value, rows):
        result = fn(nest.pack_sequence_as(start, value), nest.pack_sequence_as(elems, rows))
        nest.assert_same_structure(start, result)
        return nest.flatten(result)

    first = None if initializer is None else nest.flatten(initializer)
    results = _c.scan(
        step, nest.flatten(elems), first, reverse, parallel_iterations, back_prop, swap_memory, infer_shape, name
    )
    return nest.pack_sequence_as(start, results)
