"""Values and gradients within limits: tf.clip_by_value, tf.clip_by_norm, tf.clip_by_global_norm."""

import collections.abc

from kiln._kiln import front as _c
from kiln.compat.v1._deprecations import deprecated
from kiln.compat.v1._sparse import IndexedSlices

__all__ = [
    "clip_by_average_norm", "clip_by_global_norm", "clip_by_norm", "clip_by_value", "global_norm",
]  # fmt: skip


def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    """The elements, those below and above the limits replaced by them.

    t: or IndexedSlices, whose values are clipped. Errors: ValueError where a limit has
    another shape. Source: tf.clip_by_value.
    """
    if isinstance(t, IndexedSlices):
        values = _c.clip_by_value(t.values, clip_value_min, clip_value_max, name)
        return IndexedSlices(values, t.indices, t.dense_shape)
    return _c.clip_by_value(t, clip_value_min, clip_value_max, name)


def clip_by_norm(t, clip_norm, axes=None, name=None):
    """The tensor, or IndexedSlices, scaled so that its norm is at most clip_norm.

    axes: what the norm is over; all of them by default. Source: tf.clip_by_norm.
    """
    if isinstance(clip_norm, (int, float)) and clip_norm < 0:
        clip_norm = 0
    return _c.clip_by_norm(t, clip_norm, axes, name)


def clip_by_average_norm(t, clip_norm, name=None):
    """The same with the norm by the number of elements. Source: tf.clip_by_average_norm."""
    deprecated(
        "ops.clip_ops.clip_by_average_norm",
        "clip_by_average_norm is deprecated in TensorFlow 2.0. Please use clip_by_norm(t, clip_norm * "
        "tf.cast(tf.size(t), tf.float32), name) instead.",
    )
    return _c.clip_by_average_norm(t, clip_norm, name)


def _checked(t_list):
    if isinstance(t_list, str) or not isinstance(t_list, collections.abc.Sequence):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    return list(t_list)


def global_norm(t_list, name=None):
    """The root of the sum of the squares of all tensors; None counts nothing.

    Errors: TypeError where it is no list. Source: tf.global_norm.
    """
    return _c.global_norm(_checked(t_list), name)


def clip_by_global_norm(t_list, clip_norm, use_norm=None, name=None):
    """(list, norm): all tensors scaled alike, so that their global norm is at most clip_norm.

    use_norm: the norm, where it is there already. None stays None. Edges: a norm that
    is not finite makes all NaN. Errors: TypeError where it is no list. Source:
    tf.clip_by_global_norm.
    """
    clipped, norm = _c.clip_by_global_norm(_checked(t_list), clip_norm, use_norm, name)
    return clipped, norm
