"""How conditionals and loops of functions are made."""

# Whether branches stay functions when a graph runs: Kiln takes them as they are.
_DISABLE_LOWER_USING_SWITCH_MERGE = False
# Whether all intermediate values of branches are results, for gradients that are asked for later.
_EXPERIMENTAL_OUTPUT_ALL_INTERMEDIATES_OVERRIDE = None


def in_defun():
    """Whether the current graph is a function's body."""
    from kiln.compat import v1 as tf

    return tf.get_default_graph().building_function
