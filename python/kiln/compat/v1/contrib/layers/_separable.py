"""Convolutions of each channel by itself, then across the channels."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework._arg_scope import add_arg_scope
from kiln.compat.v1.contrib.framework._variables import model_variable
from kiln.compat.v1.contrib.layers import _building, utils
from kiln.compat.v1.contrib.layers.initializers import xavier_initializer

__all__ = ["separable_conv2d", "separable_convolution2d"]

_RENAME = {
    "bias": "biases",
    "depthwise_kernel": "depthwise_weights",
    "pointwise_kernel": "pointwise_weights",
}


@add_arg_scope
def separable_convolution2d(
    inputs,
    num_outputs,
    kernel_size,
    depth_multiplier=1,
    stride=1,
    padding="SAME",
    data_format=_building.NHWC,
    rate=1,
    activation_fn=tf.nn.relu,
    normalizer_fn=None,
    normalizer_params=None,
    weights_initializer=xavier_initializer(),
    pointwise_initializer=None,
    weights_regularizer=None,
    biases_initializer=tf.zeros_initializer(),
    biases_regularizer=None,
    reuse=None,
    variables_collections=None,
    outputs_collections=None,
    trainable=True,
    scope=None,
):
    """A convolution of each channel, then, where num_outputs is not None, one of size 1 across them.

    depth_multiplier: how many outputs the first one makes of a channel. pointwise_initializer:
    of the second one's weights; weights_initializer where it is None. The other arguments are
    those of convolution(). Errors: ValueError. Source: tf.contrib.layers.separable_conv2d.
    """
    given = dict(locals())
    _building.check_data_format(data_format)
    with _building.layer_scope(scope, "SeparableConv2d", inputs, reuse, _RENAME) as sc:
        inputs = tf.convert_to_tensor(inputs)
        apply = _depthwise if num_outputs is None else _separable
        outputs = apply(inputs, sc, given)
        return _building.finished(outputs, activation_fn, outputs_collections, sc.name)


def _separable(inputs, sc, given):
    initializer, regularizer = given["weights_initializer"], given["weights_regularizer"]
    pointwise_initializer = given["pointwise_initializer"]
    if pointwise_initializer is None:
        pointwise_initializer = initializer
    layer = tf.layers.SeparableConv2D(
        filters=given["num_outputs"],
        kernel_size=given["kernel_size"],
        strides=given["stride"],
        padding=given["padding"],
        data_format=_building.channels_at(given["data_format"]),
        dilation_rate=utils.two_element_tuple(given["rate"]),
        activation=None,
        depth_multiplier=given["depth_multiplier"],
        use_bias=not given["normalizer_fn"] and bool(given["biases_initializer"]),
        depthwise_initializer=initializer,
        pointwise_initializer=pointwise_initializer,
        bias_initializer=given["biases_initializer"],
        depthwise_regularizer=regularizer,
        pointwise_regularizer=regularizer,
        bias_regularizer=given["biases_regularizer"],
        activity_regularizer=None,
        trainable=given["trainable"],
        name=sc.name,
        dtype=inputs.dtype.base_dtype,
        _scope=sc,
        _reuse=given["reuse"],
    )
    outputs = layer.apply(inputs)
    collections = given["variables_collections"]
    for kernel in (layer.depthwise_kernel, layer.pointwise_kernel):
        _building.add_variable_to_collections(kernel, collections, "weights")
    if layer.bias is not None:
        _building.add_variable_to_collections(layer.bias, collections, "biases")
    return _building.normalized(outputs, given["normalizer_fn"], given["normalizer_params"])


def _depthwise(inputs, sc, given):
    data_format, multiplier = given["data_format"], given["depth_multiplier"]
    strides = list(utils.two_element_tuple(given["stride"]))
    place = _building.channels_at(data_format)
    channels = utils.channel_dimension(inputs.get_shape(), place, min_rank=4)
    collections = given["variables_collections"]
    weights = model_variable(
        "depthwise_weights",
        shape=[*utils.two_element_tuple(given["kernel_size"]), channels, multiplier],
        dtype=inputs.dtype.base_dtype,
        initializer=given["weights_initializer"],
        regularizer=given["weights_regularizer"],
        trainable=given["trainable"],
        collections=utils.get_variable_collections(collections, "weights"),
    )
    outputs = tf.nn.depthwise_conv2d(
        inputs,
        weights,
        [1, 1, *strides] if place == "channels_first" else [1, *strides, 1],
        given["padding"],
        rate=utils.two_element_tuple(given["rate"]),
        data_format=data_format,
    )
    if given["normalizer_fn"] is not None:
        return _building.normalized(outputs, given["normalizer_fn"], given["normalizer_params"])
    if given["biases_initializer"] is None:
        return outputs
    return _building.biased(outputs, multiplier * channels, given, data_format)


separable_conv2d = separable_convolution2d
