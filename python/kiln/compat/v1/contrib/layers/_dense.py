"""Fully connected layers, biases, dropout."""

import functools

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework._arg_scope import add_arg_scope
from kiln.compat.v1.contrib.layers import _building, utils
from kiln.compat.v1.contrib.layers.initializers import xavier_initializer

__all__ = [
    "bias_add",
    "dropout",
    "elu",
    "fully_connected",
    "legacy_fully_connected",
    "legacy_linear",
    "legacy_relu",
    "linear",
    "relu",
    "relu6",
]


@add_arg_scope
def fully_connected(
    inputs,
    num_outputs,
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
    """A fully connected layer: activation_fn(inputs * weights + biases).

    normalizer_fn: what takes the place of the biases, with normalizer_params for its arguments.
    variables_collections: keys, or a dict of them for "weights" and "biases". Errors: ValueError.
    Source: tf.contrib.layers.fully_connected.
    """
    if not isinstance(num_outputs, int):
        raise ValueError(
            f"num_outputs type should be one of {[int]}, got {type(num_outputs)}."
        )
    rename = _building.KERNEL_AND_BIAS
    with _building.layer_scope(scope, "fully_connected", inputs, reuse, rename) as sc:
        inputs = tf.convert_to_tensor(inputs)
        layer = tf.layers.Dense(
            units=num_outputs,
            activation=None,
            use_bias=not normalizer_fn and bool(biases_initializer),
            kernel_initializer=weights_initializer,
            bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer,
            activity_regularizer=None,
            trainable=trainable,
            name=sc.name,
            dtype=inputs.dtype.base_dtype,
            _scope=sc,
            _reuse=reuse,
        )
        outputs = layer.apply(inputs)
        _building.add_variable_to_collections(layer.kernel, variables_collections, "weights")
        if layer.bias is not None:
            _building.add_variable_to_collections(layer.bias, variables_collections, "biases")
        outputs = _building.normalized(outputs, normalizer_fn, normalizer_params)
        return _building.finished(outputs, activation_fn, outputs_collections, sc.name)


elu = functools.partial(fully_connected, activation_fn=tf.nn.elu)
relu = functools.partial(fully_connected, activation_fn=tf.nn.relu)
relu6 = functools.partial(fully_connected, activation_fn=tf.nn.relu6)
linear = functools.partial(fully_connected, activation_fn=None)


@add_arg_scope
def bias_add(
    inputs,
    activation_fn=None,
    initializer=tf.zeros_initializer(),
    regularizer=None,
    reuse=None,
    variables_collections=None,
    outputs_collections=None,
    trainable=True,
    data_format=_building.NHWC,
    scope=None,
):
    """The inputs and biases, one for each channel. Errors: ValueError. Source: tf.contrib.layers.bias_add."""
    _building.check_data_format(data_format)
    with tf.variable_scope(scope, "BiasAdd", [inputs], reuse=reuse) as sc:
        inputs = tf.convert_to_tensor(inputs)
        shape = inputs.get_shape()
        if shape.ndims is None:
            raise ValueError("Dims of shape must be known but is None")
        if shape.ndims != 4 and data_format == _building.NCHW:
            raise ValueError("Data format NCHW only supports 4D Tensor")
        channels = shape.dims[1 if data_format == _building.NCHW else -1].value
        if channels is None:
            raise ValueError("`C` dimension must be known but is None")
        options = {
            "biases_initializer": initializer,
            "biases_regularizer": regularizer,
            "variables_collections": variables_collections,
            "trainable": trainable,
        }
        outputs = _building.biased(inputs, channels, options, data_format)
        return _building.finished(outputs, activation_fn, outputs_collections, sc.name)


@add_arg_scope
def dropout(
    inputs,
    keep_prob=0.5,
    noise_shape=None,
    is_training=True,
    outputs_collections=None,
    scope=None,
    seed=None,
):
    """The inputs with random elements zero and the others divided by keep_prob, in training.

    is_training: a bool, or a tensor of one. Source: tf.contrib.layers.dropout.
    """
    getter = _building.model_variable_getter
    with tf.variable_scope(scope, "Dropout", [inputs], custom_getter=getter) as sc:
        inputs = tf.convert_to_tensor(inputs)
        layer = tf.layers.Dropout(
            rate=1 - keep_prob, noise_shape=noise_shape, seed=seed, name=sc.name, _scope=sc
        )
        outputs = layer.apply(inputs, training=is_training)
        return utils.collect_named_outputs(outputs_collections, sc.name, outputs)


def _legacy_variable(name, shape, dtype, initializer, collections, regularizer, trainable):
    keys = dict.fromkeys([*(collections or ()), tf.GraphKeys.GLOBAL_VARIABLES])
    return tf.get_variable(
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        collections=list(keys),
        regularizer=regularizer,
        trainable=trainable,
    )


def legacy_fully_connected(
    x,
    num_output_units,
    activation_fn=None,
    weight_init=xavier_initializer(),
    bias_init=tf.zeros_initializer(),
    name=None,
    weight_collections=(tf.GraphKeys.WEIGHTS,),
    bias_collections=(tf.GraphKeys.BIASES,),
    output_collections=(tf.GraphKeys.ACTIVATIONS,),
    trainable=True,
    weight_regularizer=None,
    bias_regularizer=None,
):
    """The first form of fully_connected(). Errors: ValueError.

    Source: tf.contrib.layers.legacy_fully_connected.
    """
    with tf.variable_scope(name, "fully_connected", [x]):
        x = tf.convert_to_tensor(x)
        dims = x.get_shape().dims
        if dims is None:
            raise ValueError("dims of x must be known but is None")
        if len(dims) < 2:
            raise ValueError("rank of x must be at least 2 not: %d" % len(dims))
        units = dims[-1].value
        if units is None:
            raise ValueError("last dimension of x must be known but is None")
        dtype = x.dtype.base_dtype
        weights = _legacy_variable(
            "weights", [units, num_output_units], dtype, weight_init, weight_collections,
            weight_regularizer, trainable,
        )  # fmt: skip
        y = tf.matmul(x if len(dims) <= 2 else tf.reshape(x, [-1, units]), weights)
        if bias_init is not None:
            bias = _legacy_variable(
                "bias", [num_output_units], dtype, bias_init, bias_collections, bias_regularizer,
                trainable,
            )  # fmt: skip
            y = tf.nn.bias_add(y, bias)
        if len(dims) > 2:
            y = tf.reshape(y, tf.stack([*tf.unstack(tf.shape(x))[:-1], num_output_units]))
            y.set_shape([*x.get_shape().as_list()[:-1], num_output_units])
        if activation_fn is not None:
            y = activation_fn(y)
        tf.add_to_collections([*(output_collections or ()), tf.GraphKeys.ACTIVATIONS], y)
        return y


legacy_relu = functools.partial(legacy_fully_connected, activation_fn=tf.nn.relu)
legacy_linear = functools.partial(legacy_fully_connected, activation_fn=None)
