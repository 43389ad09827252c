"""Activations, initializers, regularizers and constraints that programs name by texts."""

from kiln.compat.v1 import _initializers

_INITIALIZERS = {
    "zeros": "Zeros", "ones": "Ones", "constant": "Constant", "uniform": "RandomUniform",
    "random_uniform": "RandomUniform", "normal": "RandomNormal", "random_normal": "RandomNormal",
    "truncated_normal": "TruncatedNormal", "identity": "Identity", "orthogonal": "Orthogonal",
    "variance_scaling": "VarianceScaling", "glorot_uniform": "GlorotUniform", "glorot_normal": "GlorotNormal",
    "he_normal": "he_normal", "he_uniform": "he_uniform", "lecun_normal": "lecun_normal",
    "lecun_uniform": "lecun_uniform",
}  # fmt: skip


def linear(x):
    """The activation that changes nothing. Source: tf.keras.activations.linear."""
    return x


def activation(identifier):
    """A function of a layer's result: a function itself, one of tf.nn by its name, linear() for None."""
    if identifier is None:
        return linear
    if callable(identifier):
        return identifier
    from kiln.compat.v1.layers import _activations

    return _found(identifier, "activation function", lambda name: getattr(_activations, name, None))


def initializer(identifier):
    """An initializer: one itself, by its name, or by its class_name and config; a value stays."""

    def made(name, **config):
        found = _INITIALIZERS.get(name, name)
        found = getattr(_initializers, found, None)
        return found and found(**config)

    return _configured(identifier, "initializer", made)


def regularizer(identifier):
    def made(name, **config):
        from kiln.compat.v1 import _regularizers

        found = getattr(_regularizers, {"L1L2": "L1L2", "l1_l2": "l1_l2"}.get(name, name), None)
        return found and found(**config)

    return _configured(identifier, "regularizer", made)


def constraint(identifier):
    def made(name, **config):
        from kiln.compat.v1 import _constraints

        found = getattr(_constraints, name, None)
        return found and found(**config)

    return _configured(identifier, "constraint", made)


def _configured(identifier, kind, made):
    if isinstance(identifier, str):
        return _found(identifier, kind, made)
    if isinstance(identifier, dict) and "class_name" in identifier:
        name = identifier["class_name"]
        return _found(name, kind, lambda name: made(name, **identifier.get("config", {})))
    return identifier


def _found(identifier, kind, find):
    found = find(identifier) if isinstance(identifier, str) else None
    if found is None:
        raise ValueError(f"Unknown {kind}: {identifier}")
    return found


def serialized(value):
    """What get_config() says of an object: its class and config, a function's name."""
    if value is None or isinstance(value, (bool, int, float, str, tuple, list)):
        return value
    if hasattr(value, "get_config"):
        return {"class_name": type(value).__name__, "config": value.get_config()}
    return getattr(value, "__name__", str(value))
