"""Convolutions, plain and transposed, of one to three dimensions."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework._arg_scope import add_arg_scope
from kiln.compat.v1.contrib.framework._variables import model_variable
from kiln.compat.v1.contrib.layers import _building, utils
from kiln.compat.v1.contrib.layers.initializers import xavier_initializer

__all__ = [
    "conv1d",
    "conv2d",
    "conv2d_in_plane",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "convolution",
    "convolution1d",
    "convolution2d",
    "convolution2d_in_plane",
    "convolution2d_transpose",
    "convolution3d",
    "convolution3d_transpose",
]


def _applied(layer_class, inputs, sc, given, **options):
    """What a layer of tf.layers gives, with its variables in collections."""
    normalizer_fn, biases_initializer = given["normalizer_fn"], given["biases_initializer"]
    layer = layer_class(
        filters=given["num_outputs"],
        kernel_size=given["kernel_size"],
        strides=given["stride"],
        padding=given["padding"],
        data_format=_building.channels_at(given["data_format"]),
        activation=None,
        use_bias=not normalizer_fn and bool(biases_initializer),
        kernel_initializer=given["weights_initializer"],
        bias_initializer=biases_initializer,
        kernel_regularizer=given["weights_regularizer"],
        bias_regularizer=given["biases_regularizer"],
        activity_regularizer=None,
        trainable=given["trainable"],
        name=sc.name,
        dtype=inputs.dtype.base_dtype,
        _scope=sc,
        _reuse=given["reuse"],
        **options,
    )
    outputs = layer.apply(inputs)
    collections = given["variables_collections"]
    _building.add_variable_to_collections(layer.kernel, collections, "weights")
    if layer.bias is not None:
        _building.add_variable_to_collections(layer.bias, collections, "biases")
    outputs = _building.normalized(outputs, normalizer_fn, given["normalizer_params"])
    return _building.finished(
        outputs, given["activation_fn"], given["outputs_collections"], sc.name
    )


@add_arg_scope
def convolution(
    inputs,
    num_outputs,
    kernel_size,
    stride=1,
    padding="SAME",
    data_format=None,
    rate=1,
    activation_fn=tf.nn.relu,
    normalizer_fn=None,
    normalizer_params=None,
    weights_initializer=xavier_initializer(),
    weights_regularizer=None,
    biases_initializer=tf.zeros_initializer(),
    biases_regularizer=None,
    reuse=None,
    variables_collections=None,
    outputs_collections=None,
    trainable=True,
    scope=None,
    conv_dims=None,
):
    """A convolution of N dimensions, N from 1 to 3: activation_fn(inputs * weights + biases).

    inputs: [batch, ...N extents, channels], or [batch, channels, ...] where data_format begins
    with "NC". kernel_size, stride, rate: N integers, or one. rate: the dilation; where it is not
    1, stride is. normalizer_fn: what takes the place of the biases, with normalizer_params for
    its arguments. variables_collections: keys, or a dict of them for "weights" and "biases".
    conv_dims: what N must be.

    Errors: ValueError. Source: tf.contrib.layers.convolution.
    """
    given = dict(locals())
    if data_format not in [None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW"]:
        raise ValueError(f"Invalid data_format: {data_format!r}")
    rename = _building.KERNEL_AND_BIAS
    with _building.layer_scope(scope, "Conv", inputs, reuse, rename) as sc:
        inputs = tf.convert_to_tensor(inputs)
        rank = inputs.get_shape().ndims
        if conv_dims is not None and conv_dims + 2 != rank:
            raise ValueError(
                "Convolution expects input with rank %d, got %s" % (conv_dims + 2, rank)
            )
        classes = {3: "Conv1D", 4: "Conv2D", 5: "Conv3D"}
        if rank not in classes:
            raise ValueError("Convolution not supported for input with rank", rank)
        layer_class = getattr(tf.layers, classes[rank])
        return _applied(layer_class, inputs, sc, given, dilation_rate=rate)


def _convolution_of(dims):
    """convolution() for inputs of a number of dimensions."""

    def layer(
        inputs,
        num_outputs,
        kernel_size,
        stride=1,
        padding="SAME",
        data_format=None,
        rate=1,
        activation_fn=tf.nn.relu,
        normalizer_fn=None,
        normalizer_params=None,
        weights_initializer=xavier_initializer(),
        weights_regularizer=None,
        biases_initializer=tf.zeros_initializer(),
        biases_regularizer=None,
        reuse=None,
        variables_collections=None,
        outputs_collections=None,
        trainable=True,
        scope=None,
    ):
        return convolution(
            inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn,
            normalizer_fn, normalizer_params, weights_initializer, weights_regularizer,
            biases_initializer, biases_regularizer, reuse, variables_collections,
            outputs_collections, trainable, scope, conv_dims=dims,
        )  # fmt: skip

    layer.__doc__ = convolution.__doc__.replace("tf.contrib.layers.convolution", f"tf.contrib.layers.conv{dims}d")
    return add_arg_scope(_named(layer, f"convolution{dims}d"))


def _named(function, name):
    function.__name__ = function.__qualname__ = name
    return function


convolution1d, convolution2d, convolution3d = (_convolution_of(dims) for dims in (1, 2, 3))


@add_arg_scope
def convolution2d_in_plane(
    inputs,
    kernel_size,
    stride=1,
    padding="SAME",
    activation_fn=tf.nn.relu,
    normalizer_fn=None,
    normalizer_params=None,
    weights_initializer=xavier_initializer(),
    weights_regularizer=None,
    biases_initializer=tf.zeros_initializer(),
    biases_regularizer=None,
    reuse=None,
    variables_collections=None,
    outputs_collections=None,
    trainable=True,
    scope=None,
):
    """A convolution of each channel by itself, all with the same weights.

    The arguments are those of convolution(). Source: tf.contrib.layers.conv2d_in_plane.
    """
    given = dict(locals())
    with tf.variable_scope(scope, "ConvInPlane", [inputs], reuse=reuse) as sc:
        stride_h, stride_w = utils.two_element_tuple(stride)
        channels = utils.last_dimension(inputs.get_shape(), min_rank=4)
        weights = model_variable(
            "weights",
            shape=[*utils.two_element_tuple(kernel_size), 1, 1],
            dtype=inputs.dtype.base_dtype,
            initializer=weights_initializer,
            regularizer=weights_regularizer,
            collections=utils.get_variable_collections(variables_collections, "weights"),
            trainable=trainable,
        )
        for_all = tf.tile(weights, [1, 1, channels, 1])
        outputs = tf.nn.depthwise_conv2d(inputs, for_all, [1, stride_h, stride_w, 1], padding)
        if normalizer_fn is not None:
            outputs = _building.normalized(outputs, normalizer_fn, normalizer_params)
        elif biases_initializer is not None:
            outputs = _building.biased(outputs, channels, given)
        return _building.finished(outputs, activation_fn, outputs_collections, sc.name)


def _transposed(dims, default_format):
    """The function for transposed convolutions of a number of dimensions."""
    first, last = (_building.NCHW, _building.NHWC) if dims == 2 else (_building.NCDHW, _building.NDHWC)

    def layer(
        inputs,
        num_outputs,
        kernel_size,
        stride=1,
        padding="SAME",
        data_format=default_format,
        activation_fn=tf.nn.relu,
        normalizer_fn=None,
        normalizer_params=None,
        weights_initializer=xavier_initializer(),
        weights_regularizer=None,
        biases_initializer=tf.zeros_initializer(),
        biases_regularizer=None,
        reuse=None,
        variables_collections=None,
        outputs_collections=None,
        trainable=True,
        scope=None,
    ):
        given = dict(locals())
        name, rename = f"Conv{dims}d_transpose", _building.KERNEL_AND_BIAS
        with _building.layer_scope(scope, name, inputs, reuse, rename) as sc:
            _building.check_data_format(data_format, first, last)
            inputs = tf.convert_to_tensor(inputs)
            layer_class = getattr(tf.layers, f"Conv{dims}DTranspose")
            return _applied(layer_class, inputs, sc, given)

    layer.__doc__ = (
        f"A transposed convolution of {dims} dimensions, the gradient of a convolution.\n\n"
        "    The arguments are those of convolution(). Errors: ValueError. Source:\n"
        f"    tf.contrib.layers.conv{dims}d_transpose.\n    "
    )
    return add_arg_scope(_named(layer, f"convolution{dims}d_transpose"))


convolution2d_transpose = _transposed(2, _building.NHWC)
convolution3d_transpose = _transposed(3, _building.NDHWC)

conv1d, conv2d, conv3d = convolution1d, convolution2d, convolution3d
conv2d_transpose, conv3d_transpose = convolution2d_transpose, convolution3d_transpose
conv2d_in_plane = convolution2d_in_plane
