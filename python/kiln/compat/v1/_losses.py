"""Weights of losses and metrics in the shapes of what they weight."""

from kiln.compat.v1._convert import convert_to_tensor


def broadcast_weights(weights, values):
    """The weights in the shape of values: scalars, or extents that are 1 or equal.

    Errors: ValueError; InvalidArgumentError for shapes that only a run knows. Source:
    weights_broadcast_ops.broadcast_weights.
    """
    from kiln.compat.v1 import losses, ones_like

    values = convert_to_tensor(values)
    weights = convert_to_tensor(weights, dtype=values.dtype.base_dtype)
    shapes = weights.shape, values.shape
    if all(shape.is_fully_defined() for shape in shapes) and shapes[0] == shapes[1]:
        return weights
    return losses.compute_weighted_loss(
        ones_like(values), weights, loss_collection=None, reduction=losses.Reduction.NONE
    )
