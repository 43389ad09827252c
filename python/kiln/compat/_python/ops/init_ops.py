"""What tf does not show of initializers."""

import math


def _compute_fans(shape):
    """How many inputs and outputs a unit of a layer has whose weights have this shape."""
    if len(shape) < 1:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    window = math.prod(int(extent) for extent in shape[:-2])
    return int(shape[-2]) * window, int(shape[-1]) * window
