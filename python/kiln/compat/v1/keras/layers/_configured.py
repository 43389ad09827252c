"""Layers whose arguments are attributes, and their configuration."""

from kiln.compat.v1.keras import activations, constraints, initializers, regularizers
from kiln.compat.v1.keras._engine._layer import Layer

_KINDS = {
    "activation": activations,
    "constraint": constraints,
    "initializer": initializers,
    "regularizer": regularizers,
}


def _kind(name):
    return _KINDS.get(name.rpartition("_")[2])


class Configured(Layer):
    """A layer that keeps the arguments that ARGUMENTS names as attributes.

    Those whose names end in activation, constraint, initializer or regularizer may be names.
    """

    ARGUMENTS = ()

    def _set(self, given):
        """given: a dict with the arguments, as from locals()."""
        for name in self.ARGUMENTS:
            kind, value = _kind(name), given[name]
            setattr(self, name, value if kind is None else kind.get(value))

    def get_config(self):
        config = super().get_config()
        if self.activity_regularizer is not None:
            config["activity_regularizer"] = regularizers.serialize(self.activity_regularizer)
        for name in self.ARGUMENTS:
            kind, value = _kind(name), getattr(self, name)
            config[name] = value if kind is None else kind.serialize(value)
        return config


def as_tuple(value, n, name):
    """n integers. Errors: ValueError."""
    if isinstance(value, int):
        return (value,) * n
    try:
        values = tuple(value)
    except TypeError:
        values = None
    if values is None or len(values) != n or not all(_is_integer(each) for each in values):
        raise ValueError(
            f"The `{name}` argument must be a tuple of {n} integers. Received: {value}"
        )
    return values


def _is_integer(value):
    try:
        int(value)
        return True
    except (ValueError, TypeError):
        return False
