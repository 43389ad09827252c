"""Loops that call functions."""

from kiln.compat import v1 as tf
from kiln.compat._python.ops._functions import with_functions


@with_functions
def while_loop(
    cond,
    body,
    loop_vars,
    shape_invariants=None,
    parallel_iterations=10,
    maximum_iterations=None,
    name=None,
    return_same_structure=True,
    back_prop=True,
):
    """The loop's variables after it, by a While."""
    return tf.while_loop(
        cond,
        body,
        loop_vars,
        shape_invariants,
        parallel_iterations,
        back_prop,
        name=name,
        maximum_iterations=maximum_iterations,
        return_same_structure=return_same_structure,
    )
