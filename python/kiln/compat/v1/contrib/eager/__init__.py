"""tf.contrib.eager: what of it programs use that also run without eager execution.

Kiln builds graphs: in_eager_mode() and executing_eagerly() are false.
"""

from kiln.compat._python.eager.context import (
    in_eager_mode as in_eager_mode,
    in_graph_mode as in_graph_mode,
    num_gpus as num_gpus,
)
from kiln.compat.v1.contrib._forward import forwarding as _forwarding


def run_test_in_graph_and_eager_modes(func=None, **kwargs):
    """The test as it is, which runs in a graph.

    Source: tf.contrib.eager.run_test_in_graph_and_eager_modes.
    """
    return func if callable(func) else lambda function: function


__getattr__, __dir__ = _forwarding(
    __name__, "custom_gradient executing_eagerly py_func=py_function TensorSpec"
)
