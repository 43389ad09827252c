"""Overlapping parts of signals."""

import math

from kiln._generated import raw_ops as _raw
from kiln.compat.v1 import dtypes
from kiln.compat.v1._array_ops import concat, gather, pad, split, strided_slice
from kiln.compat.v1._constant_ops import zeros, zeros_like
from kiln.compat.v1._constant_value import constant_value
from kiln.compat.v1._control_flow import while_loop
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._elementwise_ops import maximum
from kiln.compat.v1._graph_functions import name_scope
from kiln.compat.v1._math_ops import range as _range
from kiln.compat.v1._reduction_ops import reduce_sum
from kiln.compat.v1._shape_ops import rank, reshape, shape, size, transpose


def _known_or(tensor):
    value = constant_value(tensor)
    return tensor if value is None else value


def _common_divisor(a, b):
    """The greatest common divisor, as a number where both are known."""
    known = constant_value(a), constant_value(b)
    if None not in known:
        return math.gcd(int(known[0]), int(known[1]))
    with name_scope(None, "gcd", [a, b]):
        return while_loop(
            lambda _, rest: rest > 0, lambda whole, rest: [rest, _raw.floor_mod(whole, rest)], [a, b], back_prop=False
        )[0]


def _frames_shape(signal, frame_length, frame_step, pad_end, axis):
    """What is known of the shape of frames; None of an unknown rank."""
    length, step, axis = map(constant_value, (frame_length, frame_step, axis))
    if signal.shape.ndims is None:
        return None
    if axis is None:
        return [None] * (signal.shape.ndims + 1)
    dims = signal.shape.as_list()
    axis = int(axis) % len(dims)
    count = None
    if dims[axis] is not None and step is not None:
        if pad_end:
            count = max(0, -(-dims[axis] // int(step)))
        elif length is not None:
            count = max(0, (dims[axis] - int(length) + int(step)) // int(step))
    return dims[:axis] + [count, None if length is None else int(length)] + dims[axis + 1 :]


def frame(signal, frame_length, frame_step, pad_end=False, pad_value=0, axis=-1, name=None):
    """Parts of frame_length elements along an axis, each frame_step behind the one before.

    pad_end: pad_value follows, so that no element is left out. Shapes: the axis becomes
    [frames, frame_length]. Source: tf.signal.frame.
    """
    with name_scope(name, "frame", [signal, frame_length, frame_step, pad_value]):
        signal = convert_to_tensor(signal, name="signal")
        frame_length = convert_to_tensor(frame_length, name="frame_length")
        frame_step = convert_to_tensor(frame_step, name="frame_step")
        axis = convert_to_tensor(axis, name="axis")
        signal.shape.with_rank_at_least(1)
        for number in (frame_length, frame_step, axis):
            number.shape.assert_has_rank(0)
        result_shape = _frames_shape(signal, frame_length, frame_step, pad_end, axis)
        known_axis = constant_value(axis)
        dims = _known_or(shape(signal))
        if not hasattr(dims, "graph") and known_axis is not None:
            axis = range(len(dims))[int(known_axis)]
            outer, extent, inner = dims[:axis], int(dims[axis]), dims[axis + 1 :]
        else:
            count = rank(signal)
            axis = _range(count)[axis]
            outer, extent, inner = split(dims, [axis, 1, count - 1 - axis])
            extent = reshape(extent, [])
        if pad_end:
            pad_value = convert_to_tensor(pad_value, signal.dtype)
            count = -(-extent // frame_step)
            missing = maximum(0, frame_length + frame_step * (count - 1) - extent)
            paddings = concat(
                [zeros([size(outer), 2], missing.dtype), [[0, missing]], zeros([size(inner), 2], missing.dtype)], 0
            )
            signal = pad(signal, paddings, constant_values=pad_value)
            dims = shape(signal)
            extent = dims[axis]
        else:
            count = maximum(convert_to_tensor(0, frame_length.dtype), 1 + (extent - frame_length) // frame_step)
        part = _common_divisor(frame_length, frame_step)
        parts_per_frame, parts_per_step, parts = frame_length // part, frame_step // part, extent // part
        whole = concat([outer, [parts * part], inner], 0)
        pieces = reshape(
            strided_slice(signal, zeros_like(dims), whole), concat([outer, [parts, part], inner], 0)
        )
        starts = reshape(_range(count, dtype=frame_length.dtype) * parts_per_step, [count, 1])
        inside = reshape(_range(parts_per_frame, dtype=frame_length.dtype), [1, parts_per_frame])
        outer = convert_to_tensor(outer, dtypes.int32)
        inner = convert_to_tensor(inner, dtypes.int32)
        middle = convert_to_tensor([count, frame_length], dtypes.int32)
        frames = reshape(gather(pieces, starts + inside, axis=axis), concat([outer, middle, inner], 0))
        if result_shape:
            frames.set_shape(result_shape)
        return frames


def overlap_and_add(signal, frame_step, name=None):
    """The sums of frames that lie frame_step apart. Shapes: [..., frames, length] -> [..., samples].

    Errors: ValueError for a frame_step that is no integer. Source: tf.signal.overlap_and_add.
    """
    with name_scope(name, "overlap_and_add", [signal, frame_step]):
        signal = convert_to_tensor(signal, name="signal")
        signal.shape.with_rank_at_least(2)
        frame_step = convert_to_tensor(frame_step, name="frame_step")
        frame_step.shape.assert_has_rank(0)
        if not frame_step.dtype.is_integer:
            raise ValueError("frame_step must be an integer. Got %s" % frame_step.dtype)
        step = _known_or(frame_step)
        dims = _known_or(shape(signal))
        outer = dims[:-2]
        outer_rank = _known_or(size(outer))
        length, frames = dims[-1], dims[-2]
        samples = length + step * (frames - 1)

        def full(inner):
            return concat([outer, inner], 0)

        last = signal.shape.as_list()[-1] if signal.shape.ndims is not None else None
        if not hasattr(step, "graph") and last is not None and step == last:
            return reshape(signal, full([samples]), name="fast_path")
        # A frame is cut into segments of a step; those that meet stand in one column.
        segments = -(-length // step)
        paddings = [[0, segments], [0, segments * step - length]]
        signal = pad(signal, concat([zeros([outer_rank, 2], dtypes.int32), paddings], 0))
        signal = reshape(signal, full([frames + segments, segments, step]))
        perm = concat([_range(outer_rank), outer_rank + convert_to_tensor([1, 0, 2])], 0)
        signal = transpose(signal, _known_or(perm))
        signal = reshape(signal, full([(frames + segments) * segments, step]))
        signal = signal[..., : (frames + segments - 1) * segments, :]
        signal = reshape(signal, full([segments, frames + segments - 1, step]))
        signal = reduce_sum(signal, -3)
        signal = reshape(signal, full([(frames + segments - 1) * step]))
        return signal[..., :samples]
