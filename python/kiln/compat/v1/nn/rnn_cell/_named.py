"""Functions and initializers that cells take by their names."""

from kiln._generated.raw_ops import tanh as default_tanh


def activation_of(activation):
    """The function that a name means; a function as it is. Errors: ValueError for another name."""
    if not isinstance(activation, str):
        return activation
    import kiln.compat.v1 as tf

    functions = {
        "elu": lambda: tf.nn.elu, "exponential": lambda: tf.exp, "hard_sigmoid": lambda: _hard_sigmoid,
        "linear": lambda: _same, "relu": lambda: tf.nn.relu, "selu": lambda: tf.nn.selu,
        "sigmoid": lambda: tf.sigmoid, "softmax": lambda: tf.nn.softmax, "softplus": lambda: tf.nn.softplus,
        "softsign": lambda: tf.nn.softsign, "tanh": lambda: default_tanh,
    }  # fmt: skip
    if activation not in functions:
        raise ValueError(f"Unknown activation function:{activation}")
    return functions[activation]()


def _same(x):
    return x


def _hard_sigmoid(x):
    """0.2 x + 0.5 between 0 and 1."""
    import kiln.compat.v1 as tf

    return tf.clip_by_value(0.2 * x + 0.5, 0.0, 1.0)


def initializer_of(initializer):
    """The initializer that a name means; another one as it is. Errors: ValueError for another name."""
    if not isinstance(initializer, str):
        return initializer
    import kiln.compat.v1 as tf

    found = getattr(tf.initializers, initializer, None)
    if found is None:
        raise ValueError(f"Unknown initializer: {initializer}")
    return found()
