"""The losses that the graph's collections have, and their sums."""

from kiln._kiln import front as _c
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._keys import GraphKeys


def add_loss(loss, loss_collection=GraphKeys.LOSSES):
    """Puts a loss into a collection. Source: tf.losses.add_loss."""
    if loss_collection:
        get_default_graph().add_to_collection(loss_collection, loss)


def get_losses(scope=None, loss_collection=GraphKeys.LOSSES):
    """The losses in a collection. scope: those whose name begins with a match of it. Source: tf.losses.get_losses."""
    return get_default_graph().get_collection(loss_collection, scope)


def get_regularization_losses(scope=None):
    """The losses of regularizers. Source: tf.losses.get_regularization_losses."""
    return get_default_graph().get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


def get_regularization_loss(scope=None, name="total_regularization_loss"):
    """Their sum, 0 where there are none. Source: tf.losses.get_regularization_loss."""
    return _c.get_regularization_loss(scope or "", name)


def get_total_loss(add_regularization_losses=True, name="total_loss", scope=None):
    """The sum of all losses. Errors: ValueError where there are none. Source: tf.losses.get_total_loss."""
    return _c.get_total_loss(add_regularization_losses, name, scope or "")
