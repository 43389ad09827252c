"""tf.contrib.eager: what of it programs use that also run without eager execution.

Kiln builds graphs: in_eager_mode() and executing_eagerly() are false.
"""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding


def in_eager_mode():
    """False. Source: tf.contrib.eager.in_eager_mode."""
    return False


def in_graph_mode():
    """True. Source: tf.contrib.eager.in_graph_mode."""
    return True


def num_gpus():
    """0. Source: tf.contrib.eager.num_gpus."""
    return 0


def run_test_in_graph_and_eager_modes(func=None, **kwargs):
    """The test as it is, which runs in a graph.

    Source: tf.contrib.eager.run_test_in_graph_and_eager_modes.
    """
    return func if callable(func) else lambda function: function


__getattr__, __dir__ = _forwarding(
    __name__, "custom_gradient executing_eagerly py_func=py_function TensorSpec"
)
