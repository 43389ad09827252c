"""Batch normalization."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework._arg_scope import add_arg_scope
from kiln.compat.v1.contrib.layers import _building, utils
from kiln.compat.v1.contrib.layers._norm_variables import MovingMoments, scale_and_center

__all__ = ["batch_norm"]

_UPDATE_OPS = tf.GraphKeys.UPDATE_OPS


@add_arg_scope
def batch_norm(
    inputs,
    decay=0.999,
    center=True,
    scale=False,
    epsilon=0.001,
    activation_fn=None,
    param_initializers=None,
    param_regularizers=None,
    updates_collections=_UPDATE_OPS,
    is_training=True,
    reuse=None,
    variables_collections=None,
    outputs_collections=None,
    trainable=True,
    batch_weights=None,
    fused=None,
    data_format=_building.NHWC,
    zero_debias_moving_mean=False,
    scope=None,
    renorm=False,
    renorm_clipping=None,
    renorm_decay=0.99,
    adjustment=None,
):
    """The inputs, less their mean, over their deviation, for each channel; then scaled and centered.

    Mean and variance are those of the batch in training, and moving averages of those otherwise,
    which the operations in updates_collections update; where that is None, the layer itself does.

    decay: of the averages. center: whether beta is added; scale: whether gamma is a factor.
    param_initializers, param_regularizers: dicts for "beta", "gamma", "moving_mean",
    "moving_variance". is_training: a bool, or a tensor of one. batch_weights: the weight of each
    example in the moments. fused: whether one op computes it where it can; None: it does.
    zero_debias_moving_mean: whether the mean's bias towards its first value is taken out.
    renorm, renorm_clipping, renorm_decay, adjustment: as tf.layers.batch_normalization has them.

    Errors: ValueError. Source: tf.contrib.layers.batch_norm.
    """
    given = dict(locals())
    inputs = tf.convert_to_tensor(inputs)
    rank = inputs.get_shape().ndims
    plain = updates_collections == _UPDATE_OPS and not zero_debias_moving_mean
    can_fuse = batch_weights is None and not renorm and rank in (2, 4) and adjustment is None
    if fused in (None, True) and can_fuse and (rank == 2 or not plain):
        return _fused_batch_norm(inputs, given)
    _building.check_data_format(data_format)
    with _building.layer_scope(scope, "BatchNorm", inputs, reuse) as sc:
        inputs = tf.convert_to_tensor(inputs)
        if batch_weights is None and plain:
            outputs = _by_layer(inputs, sc, given)
        elif renorm:
            raise ValueError(
                "renorm is not supported with batch_weights, updates_collections or "
                "zero_debias_moving_mean"
            )
        else:
            outputs = _by_moments(inputs, given)
        return _building.finished(outputs, activation_fn, outputs_collections, sc.name)


def _may_train(is_training):
    """Whether is_training may hold: a tensor may say either in the run."""
    value = utils.constant_value(is_training)
    return value is None or bool(value)


def _by_layer(inputs, sc, given):
    """The layer of tf.layers."""
    initializers = given["param_initializers"] or {}
    regularizers = given["param_regularizers"] or {}
    layer = tf.layers.BatchNormalization(
        axis=1 if given["data_format"] == _building.NCHW else -1,
        momentum=given["decay"],
        epsilon=given["epsilon"],
        center=given["center"],
        scale=given["scale"],
        beta_initializer=initializers.get("beta", tf.zeros_initializer()),
        gamma_initializer=initializers.get("gamma", tf.ones_initializer()),
        moving_mean_initializer=initializers.get("moving_mean", tf.zeros_initializer()),
        moving_variance_initializer=initializers.get("moving_variance", tf.ones_initializer()),
        beta_regularizer=regularizers.get("beta"),
        gamma_regularizer=regularizers.get("gamma"),
        trainable=given["trainable"],
        renorm=given["renorm"],
        renorm_clipping=given["renorm_clipping"],
        renorm_momentum=given["renorm_decay"],
        adjustment=given["adjustment"],
        name=sc.name,
        _scope=sc,
        _reuse=given["reuse"],
        fused=True if given["fused"] is None else given["fused"],
    )
    outputs = layer.apply(inputs, training=given["is_training"])
    for name in ("moving_mean", "moving_variance", "beta", "gamma"):
        variable = getattr(layer, name)
        if variable is not None:
            _building.add_variable_to_collections(variable, given["variables_collections"], name)
    return outputs


def _weights_of(batch_weights, shape):
    """The weights of the examples, in a shape that goes with that of the inputs."""
    weights = tf.convert_to_tensor(batch_weights)
    shape[0:1].assert_is_compatible_with(weights.get_shape())
    return tf.reshape(weights, [-1] + [1] * (shape.ndims - 1))


def _moments(inputs, axes, weights, flat):
    """The moments of the batch; flat: as vectors, where the channels are not last."""
    if weights is None:
        moments = tf.nn.moments(inputs, axes, keep_dims=flat)
    else:
        moments = tf.nn.weighted_moments(inputs, axes, weights, keep_dims=flat)
    return tuple(tf.reshape(each, [-1]) for each in moments) if flat else moments


def _by_moments(inputs, given):
    """The computation in several ops."""
    is_training = given["is_training"]
    shape = inputs.get_shape()
    rank, dtype, first = shape.ndims, inputs.dtype.base_dtype, given["data_format"] == _building.NCHW
    if rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    weights = given["batch_weights"]
    if weights is not None:
        weights = _weights_of(weights, shape)
    axes = [0, *range(2, rank)] if first else list(range(rank - 1))
    params_shape = shape[1:2] if first else shape[-1:]
    broadcast = [1, shape.dims[1].value] + [1] * (rank - 2) if first else None
    if not params_shape.is_fully_defined():
        raise ValueError(f"Inputs {inputs.name} has undefined channels dimension {params_shape}.")
    beta, gamma = scale_and_center(params_shape, dtype, given["center"], given["scale"], given)
    moving = MovingMoments(params_shape, dtype, given)
    mean, variance = moving.both
    if _may_train(is_training):
        mean, variance = _moments_in_training(inputs, axes, weights, first, moving, given)
    if first:
        mean, variance, beta, gamma = (
            each if each is None else tf.reshape(each, broadcast)
            for each in (mean, variance, beta, gamma)
        )
    outputs = tf.nn.batch_normalization(inputs, mean, variance, beta, gamma, given["epsilon"])
    outputs.set_shape(shape)
    return outputs


def _moments_in_training(inputs, axes, weights, flat, moving, given):
    """The moments of the batch where is_training holds, otherwise the moving ones."""
    is_training = given["is_training"]
    batch = mean, variance = _moments(inputs, axes, weights, flat)
    if given["updates_collections"] is None:
        return utils.smart_cond(
            is_training,
            lambda: moving.updated_before(mean, variance, batch),
            lambda: moving.both,
        )
    moving.update_later(is_training, mean, variance)
    return utils.smart_cond(is_training, lambda: batch, lambda: moving.both)


def _fused_batch_norm(inputs, given):
    """The computation in one op, of inputs of 2 or 4 dimensions."""
    data_format, is_training = given["data_format"], given["is_training"]
    _building.check_data_format(data_format)
    first = data_format == _building.NCHW
    with tf.variable_scope(given["scope"], "BatchNorm", [inputs], reuse=given["reuse"]) as sc:
        original = inputs = tf.convert_to_tensor(inputs)
        if inputs.get_shape().ndims == 2:
            channels = inputs.get_shape().dims[-1].value
            if channels is None:
                raise ValueError("`C` dimension must be known but is None")
            inputs = tf.reshape(inputs, [-1, channels, 1, 1] if first else [-1, 1, 1, channels])
        shape = inputs.get_shape()
        params_shape = shape[1:2] if first else shape[-1:]
        if not params_shape.is_fully_defined():
            raise ValueError(f"Inputs {inputs.name} has undefined `C` dimension {params_shape}.")
        # float32 for float16 too: the averages need its precision.
        beta, gamma, moving = _fused_parameters(params_shape, tf.float32, given)
        options = {"epsilon": given["epsilon"], "data_format": data_format}
        outputs, mean, variance = utils.smart_cond(
            is_training,
            lambda: tf.nn.fused_batch_norm(inputs, gamma, beta, **options),
            lambda: tf.nn.fused_batch_norm(
                inputs, gamma, beta, mean=moving.mean, variance=moving.variance, is_training=False,
                **options,
            ),
        )  # fmt: skip
        if _may_train(is_training):
            outputs = _with_updates(outputs, mean, variance, moving, given)
        outputs.set_shape(shape)
        if original.get_shape().ndims == 2:
            outputs = tf.reshape(outputs, _shape_of(original))
        return _building.finished(
            outputs, given["activation_fn"], given["outputs_collections"], sc.name
        )


def _fused_parameters(shape, dtype, given):
    """beta, gamma, constants where they are not wanted, and the moving moments."""
    regularizers = given["param_regularizers"]
    beta, _ = scale_and_center(shape, dtype, given["center"], False, given, regularizers)
    if beta is None:
        beta = tf.constant(0.0, dtype=dtype, shape=shape)
    _, gamma = scale_and_center(shape, dtype, False, given["scale"], given, regularizers)
    if gamma is None:
        gamma = tf.constant(1.0, dtype=dtype, shape=shape)
    return beta, gamma, MovingMoments(shape, dtype, given)


def _with_updates(outputs, mean, variance, moving, given):
    """The outputs, behind the updates where no collection takes these."""
    if given["updates_collections"] is None:
        return utils.smart_cond(
            given["is_training"],
            lambda: moving.updated_before(mean, variance, [outputs])[0],
            lambda: outputs,
        )
    moving.update_later(given["is_training"], mean, variance)
    return outputs


def _shape_of(tensor):
    """A static shape with -1 for one unknown extent, or the one of the run."""
    extents = tensor.get_shape().as_list()
    if extents.count(None) > 1:
        return tf.shape(tensor)
    return [-1 if extent is None else extent for extent in extents]
