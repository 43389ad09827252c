"""tf.keras.activations: functions of a layer's results."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import _objects, backend as K


def softmax(x, axis=-1):
    """Errors: ValueError for vectors. Source: tf.keras.activations.softmax."""
    rank = x.shape.ndims
    if rank == 2:
        return tf.nn.softmax(x)
    if rank is not None and rank > 2:
        e = tf.exp(x - tf.reduce_max(x, axis=axis, keepdims=True))
        return e / tf.reduce_sum(e, axis=axis, keepdims=True)
    raise ValueError("Cannot apply softmax to a tensor that is 1D. Received input: %s" % (x,))


def elu(x, alpha=1.0):
    return K.elu(x, alpha)


def selu(x):
    return tf.nn.selu(x)


def softplus(x):
    return tf.nn.softplus(x)


def softsign(x):
    return tf.nn.softsign(x)


def relu(x, alpha=0.0, max_value=None, threshold=0):
    return K.relu(x, alpha=alpha, max_value=max_value, threshold=threshold)


def tanh(x):
    return tf.tanh(x)


def sigmoid(x):
    return tf.sigmoid(x)


def exponential(x):
    return tf.exp(x)


def hard_sigmoid(x):
    """0.2 x + 0.5 between 0 and 1."""
    return K.hard_sigmoid(x)


def linear(x):
    return x


def serialize(activation):
    """The name of an activation."""
    if getattr(activation, "__name__", None) == "softmax_v2":
        return "softmax"
    return _objects.serialize_keras_object(activation)


def deserialize(name, custom_objects=None):
    """The activation of a name."""
    return _objects.deserialize_keras_object(name, globals(), custom_objects, "activation function")


def get(identifier):
    """An activation by its name, or as it is. Errors: ValueError, TypeError."""
    if identifier is None:
        return linear
    if isinstance(identifier, str):
        return deserialize(identifier)
    if callable(identifier):
        return identifier
    if isinstance(identifier, dict):
        return deserialize(identifier)
    raise TypeError(f"Could not interpret activation function identifier: {identifier!r}")
