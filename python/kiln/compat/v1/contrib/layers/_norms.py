"""Normalizations that look at one example at a time, and those of vectors."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework._arg_scope import add_arg_scope
from kiln.compat.v1.contrib.layers import _building
from kiln.compat.v1.contrib.layers._norm_variables import scale_and_center

__all__ = ["group_norm", "instance_norm", "layer_norm", "poincare_normalize", "unit_norm"]


@add_arg_scope
def layer_norm(
    inputs,
    center=True,
    scale=True,
    activation_fn=None,
    reuse=None,
    variables_collections=None,
    outputs_collections=None,
    trainable=True,
    begin_norm_axis=1,
    begin_params_axis=-1,
    scope=None,
):
    """The inputs, less their mean, over their deviation, for each example; then scaled and centered.

    begin_norm_axis: the first dimension that the moments go over. begin_params_axis: the first
    one of beta and gamma. Errors: ValueError. Source: tf.contrib.layers.layer_norm.
    """
    given = dict(locals())
    with tf.variable_scope(scope, "LayerNorm", [inputs], reuse=reuse) as sc:
        inputs = tf.convert_to_tensor(inputs)
        shape, dtype = inputs.shape, inputs.dtype.base_dtype
        rank = shape.ndims
        if rank is None:
            raise ValueError(f"Inputs {inputs.name} has undefined rank.")
        if begin_norm_axis < 0:
            begin_norm_axis = rank + begin_norm_axis
        if begin_params_axis >= rank or begin_norm_axis >= rank:
            raise ValueError(
                "begin_params_axis (%d) and begin_norm_axis (%d) must be < rank(inputs) (%d)"
                % (begin_params_axis, begin_norm_axis, rank)
            )
        params_shape = shape[begin_params_axis:]
        if not params_shape.is_fully_defined():
            raise ValueError(
                f"Inputs {inputs.name}: shape(inputs)[{begin_params_axis}:] is not fully defined: {shape}"
            )
        beta, gamma = scale_and_center(params_shape, dtype, center, scale, given)
        mean, variance = tf.nn.moments(inputs, list(range(begin_norm_axis, rank)), keep_dims=True)
        outputs = tf.nn.batch_normalization(
            inputs,
            mean,
            variance,
            offset=beta,
            scale=gamma,
            variance_epsilon=1e-3 if dtype == tf.float16 else 1e-12,
        )
        outputs.set_shape(shape)
        return _building.finished(outputs, activation_fn, outputs_collections, sc.name)


@add_arg_scope
def instance_norm(
    inputs,
    center=True,
    scale=True,
    epsilon=1e-6,
    activation_fn=None,
    param_initializers=None,
    reuse=None,
    variables_collections=None,
    outputs_collections=None,
    trainable=True,
    data_format=_building.NHWC,
    scope=None,
):
    """The inputs, less their mean, over their deviation, for each channel of each example.

    param_initializers: a dict for "beta" and "gamma". Errors: ValueError. Source:
    tf.contrib.layers.instance_norm.
    """
    given = dict(locals())
    inputs = tf.convert_to_tensor(inputs)
    shape, rank = inputs.shape, inputs.shape.ndims
    if rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    _building.check_data_format(data_format)
    with tf.variable_scope(scope, "InstanceNorm", [inputs], reuse=reuse) as sc:
        first = data_format == _building.NCHW
        channels_axis = 1 if first else rank - 1
        params_shape = shape[channels_axis : channels_axis + 1]
        if not params_shape.is_fully_defined():
            raise ValueError(
                f"Inputs {inputs.name} has undefined channels dimension {params_shape}."
            )

        def parameter(center, scale):
            found = scale_and_center(params_shape, inputs.dtype.base_dtype, center, scale, given)
            made = next((each for each in found if each is not None), None)
            if made is None or not first:
                return made
            return tf.reshape(made, [1, *params_shape.as_list()] + [1] * (rank - 2))

        beta, gamma = parameter(center, False), parameter(False, scale)
        axes = [axis for axis in range(1, rank) if axis != channels_axis]
        mean, variance = tf.nn.moments(inputs, axes, keep_dims=True)
        outputs = tf.nn.batch_normalization(
            inputs, mean, variance, beta, gamma, epsilon, name="instancenorm"
        )
        return _building.finished(outputs, activation_fn, outputs_collections, sc.name)


@add_arg_scope
def group_norm(
    inputs,
    groups=32,
    channels_axis=-1,
    reduction_axes=(-3, -2),
    center=True,
    scale=True,
    epsilon=1e-6,
    activation_fn=None,
    param_initializers=None,
    reuse=None,
    variables_collections=None,
    outputs_collections=None,
    trainable=True,
    scope=None,
    mean_close_to_zero=False,
):
    """The inputs, less their mean, over their deviation, for each group of channels of each example.

    reduction_axes: the dimensions beside the group that the moments go over.
    mean_close_to_zero: whether the moments are taken of sums, in one pass.

    Errors: ValueError. Source: tf.contrib.layers.group_norm.
    """
    given = dict(locals())
    inputs = tf.convert_to_tensor(inputs)
    axis, axes = _group_axes(inputs, groups, channels_axis, reduction_axes)
    extents = _extents(inputs)
    channels = inputs.shape.dims[axis].value
    split = [groups, channels // groups]
    broadcast = [1] * axis + split + [1] * (len(extents) - axis - 1)
    inputs = tf.reshape(inputs, extents[:axis] + split + extents[axis + 1 :])
    moments_axes = [axis + 1] + [each + 1 if each > axis else each for each in axes]
    with tf.variable_scope(scope, "GroupNorm", [inputs], reuse=reuse) as sc:
        dtype, beta, gamma = inputs.dtype.base_dtype, None, None
        if center:
            beta = tf.reshape(scale_and_center([channels], dtype, True, False, given)[0], broadcast)
        if scale:
            gamma = tf.reshape(scale_and_center([channels], dtype, False, True, given)[1], broadcast)
        if mean_close_to_zero:
            sums = tf.nn.sufficient_statistics(inputs, moments_axes, keep_dims=True)
            mean, variance = tf.nn.normalize_moments(*sums[:3], shift=None)
        else:
            mean, variance = tf.nn.moments(inputs, moments_axes, keep_dims=True)
        gain = tf.rsqrt(variance + epsilon)
        offset = -mean * gain
        if gamma is not None:
            gain *= gamma
            offset *= gamma
        if beta is not None:
            offset += beta
        outputs = tf.reshape(inputs * gain + offset, extents)
        return _building.finished(outputs, activation_fn, outputs_collections, sc.name)


def _extents(inputs):
    """The extents of a tensor: numbers, and tensors where they are not known."""
    in_run = tf.shape(inputs)
    static = inputs.shape.as_list()
    return [in_run[i] if extent is None else extent for i, extent in enumerate(static)]


def _group_axes(inputs, groups, channels_axis, reduction_axes):
    """The axis of the channels and those of the moments, from 0 on."""
    rank = inputs.shape.ndims
    if rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    if channels_axis > rank - 1:
        raise ValueError("Axis is out of bounds.")
    axis = channels_axis + rank if channels_axis < 0 else channels_axis
    static = inputs.shape.as_list()
    channels = static[axis]
    if channels is None:
        raise ValueError(f"Inputs {inputs.name} has undefined channel dimension: {axis}.")
    axes = [each + rank if each < 0 else each for each in reduction_axes]
    for each in axes:
        if each > rank:
            raise ValueError("Axis is out of bounds.")
        if static[each] is None:
            raise ValueError(f"Inputs {inputs.name} has undefined dimensions {each}.")
        if each == axis:
            raise ValueError("reduction_axis must be mutually exclusive with channels_axis")
    if groups > channels:
        raise ValueError(f"Invalid groups {groups} for {channels} channels.")
    if channels % groups != 0:
        raise ValueError(f"{channels} channels is not commensurate with {groups} groups.")
    return axis, axes


@add_arg_scope
def unit_norm(inputs, dim, epsilon=1e-7, scope=None):
    """The inputs, over their length along a dimension. Errors: ValueError.

    Source: tf.contrib.layers.unit_norm.
    """
    with tf.variable_scope(scope, "UnitNorm", [inputs]):
        rank = inputs.get_shape().ndims
        if not rank:
            raise ValueError("The input rank must be known.")
        if dim < 0 or dim >= rank:
            raise ValueError("dim must be positive but smaller than the input rank.")
        lengths = tf.sqrt(epsilon + tf.reduce_sum(tf.square(inputs), dim, True))
        multiples = [tf.ones([dim], tf.int32)] if dim > 0 else []
        multiples.append(tf.strided_slice(tf.shape(inputs), [dim], [dim + 1]))
        if dim < rank - 1:
            multiples.append(tf.ones([rank - 1 - dim], tf.int32))
        return tf.div(inputs, tf.tile(lengths, tf.concat(multiples, 0)))


def poincare_normalize(x, axis=1, epsilon=1e-5, name=None):
    """The inputs, over their length where that is more than 1 - epsilon.

    Source: tf.contrib.layers.poincare_normalize.
    """
    with tf.name_scope(name, "poincare_normalize", [x]) as name:
        x = tf.convert_to_tensor(x, name="x")
        inverse = tf.rsqrt(tf.reduce_sum(tf.square(x), axis, keepdims=True))
        return tf.multiply(x, tf.minimum((1.0 - epsilon) * inverse, 1.0), name=name)
