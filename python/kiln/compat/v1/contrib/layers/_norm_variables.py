"""Variables of normalizations, and the updates of moving averages."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib._core import assign_moving_average
from kiln.compat.v1.contrib.framework._variables import model_variable
from kiln.compat.v1.contrib.layers import utils


def scale_and_center(shape, dtype, center, scale, given, regularizers=None):
    """beta and gamma, each None where it is not wanted.

    given: the layer's arguments: param_initializers, variables_collections, trainable.
    """
    regularizers = regularizers or {}
    beta = gamma = None
    if center:
        beta = _variable("beta", shape, dtype, tf.zeros_initializer(), given, regularizers.get("beta"))
    if scale:
        gamma = _variable("gamma", shape, dtype, tf.ones_initializer(), given, regularizers.get("gamma"))
    return beta, gamma


def moving_moments(shape, dtype, given):
    """The moving mean and variance, which are never partitioned."""
    with tf.variable_scope(tf.get_variable_scope()) as scope:
        scope.set_partitioner(None)
        given = {**given, "trainable": False}
        return (
            _variable("moving_mean", shape, dtype, tf.zeros_initializer(), given),
            _variable("moving_variance", shape, dtype, tf.ones_initializer(), given),
        )


def _variable(name, shape, dtype, initializer, given, regularizer=None):
    initializers = given.get("param_initializers") or {}
    return model_variable(
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializers.get(name, initializer),
        regularizer=regularizer,
        collections=utils.get_variable_collections(given["variables_collections"], name),
        trainable=given["trainable"],
    )


class MovingMoments:
    """The moving moments of a batch normalization, and how they follow those of the batches."""

    def __init__(self, shape, dtype, given):
        self._given = given
        self.mean, self.variance = self.both = moving_moments(shape, dtype, given)

    def updates(self, mean, variance):
        """The operations that move both towards those of a batch."""
        decay, debias = self._given["decay"], self._given["zero_debias_moving_mean"]
        return (
            assign_moving_average(self.mean, mean, decay, zero_debias=debias),
            assign_moving_average(self.variance, variance, decay, zero_debias=False),
        )

    def updated_before(self, mean, variance, results):
        """The results behind the updates."""
        with tf.control_dependencies(self.updates(mean, variance)):
            return tuple(tf.identity(result) for result in results)

    def update_later(self, is_training, mean, variance):
        """Adds the updates to the collections for them."""
        updates = utils.smart_cond(
            is_training, lambda: self.updates(mean, variance), lambda: self.both
        )
        for update in updates:
            tf.add_to_collections(self._given["updates_collections"], update)
