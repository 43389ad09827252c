"""Placeholders that stand for tensors."""

from kiln.compat import v1 as tf


def placeholder_name(t=None, scope=None, prefix="geph"):
    """The name of a placeholder for a tensor, in a scope, or in the tensor's where it is None.

    Errors: TypeError for anything else than a tensor.
    """
    if scope:
        scope = scope.rstrip("/") + "/"
    if t is None:
        return f"{scope or ''}{prefix}"
    if not isinstance(t, tf.Tensor):
        raise TypeError(f"Expected a tf.Tenfor, got: {type(t)}")
    folder, slash, name = t.op.name.rpartition("/")
    if not name.startswith(f"{prefix}__"):
        name = f"{prefix}__{name}_{t.value_index}"
    return (folder + slash if scope is None else scope) + name


def make_placeholder_from_tensor(t, scope=None, prefix="geph"):
    """A placeholder of a tensor's dtype and shape, named after it."""
    return tf.placeholder(t.dtype, t.shape, placeholder_name(t, scope, prefix))


def make_placeholder_from_dtype_and_shape(dtype, shape=None, scope=None, prefix="geph"):
    """A placeholder of a dtype and shape."""
    return tf.placeholder(dtype, shape, placeholder_name(scope=scope, prefix=prefix))
