"""Layers without variables: other shapes, one-hot vectors, softmax; and layers in a row."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework._arg_scope import add_arg_scope
from kiln.compat.v1.contrib.framework._variables import model_variable
from kiln.compat.v1.contrib.layers import _building, utils

__all__ = [
    "dense_to_sparse",
    "flatten",
    "images_to_sequence",
    "maxout",
    "one_hot_encoding",
    "repeat",
    "scale_gradient",
    "sequence_to_images",
    "softmax",
    "spatial_softmax",
    "stack",
]


@add_arg_scope
def flatten(inputs, outputs_collections=None, scope=None):
    """The inputs as vectors, one for each example. Source: tf.contrib.layers.flatten."""
    with tf.name_scope(scope, "Flatten", [inputs]) as sc:
        outputs = tf.layers.flatten(tf.convert_to_tensor(inputs))
        return utils.collect_named_outputs(outputs_collections, sc, outputs)


def _flat_sparse(inputs, new_rank):
    shape = inputs.dense_shape
    rank = shape.get_shape().as_list()[0]
    if rank < new_rank:
        raise ValueError(
            f"Inputs has rank less than new_rank. {inputs} must have rank at least {new_rank}. "
            f"Received rank {rank}, shape {inputs.get_shape()}"
        )
    outer, inner = shape[: new_rank - 1], shape[new_rank - 1 :]
    return tf.sparse_reshape(inputs, tf.concat((outer, [tf.reduce_prod(inner)]), 0))


def _flat_dense(inputs, new_rank):
    words = "inputs has rank less than new_rank"
    with tf.control_dependencies([tf.assert_rank_at_least(inputs, new_rank, message=words)]):
        outer = tf.strided_slice(tf.shape(inputs), [0], [new_rank - 1])
        reshaped = tf.reshape(inputs, tf.concat((outer, [-1]), 0))
    static = inputs.get_shape()
    if isinstance(new_rank, int) and static.dims is not None:
        extents = static.as_list()
        size = tf.TensorShape(extents[new_rank - 1 :]).num_elements()
        reshaped.set_shape([*extents[: new_rank - 1], size])
    return reshaped


@add_arg_scope
def _inner_flatten(inputs, new_rank, output_collections=None, scope=None):
    """The inputs with so many dimensions, the last one of which holds those that are left."""
    with tf.name_scope(scope, "InnerFlatten", [inputs, new_rank]) as sc:
        if isinstance(inputs, tf.SparseTensor):
            flattened = _flat_sparse(inputs, new_rank)
        else:
            flattened = _flat_dense(tf.convert_to_tensor(inputs), new_rank)
    return utils.collect_named_outputs(output_collections, sc, flattened)


@add_arg_scope
def one_hot_encoding(
    labels, num_classes, on_value=1.0, off_value=0.0, outputs_collections=None, scope=None
):
    """A vector for each label, with on_value at its place. Source: tf.contrib.layers.one_hot_encoding."""
    with tf.name_scope(scope, "OneHotEncoding", [labels, num_classes]) as sc:
        labels = tf.convert_to_tensor(labels)
        if labels.dtype == tf.int32:
            labels = tf.cast(labels, tf.int64, name="ToInt64")
        outputs = tf.one_hot(labels, num_classes, on_value=on_value, off_value=off_value)
        return utils.collect_named_outputs(outputs_collections, sc, outputs)


@add_arg_scope
def images_to_sequence(inputs, data_format=_building.NHWC, outputs_collections=None, scope=None):
    """[images, height, width, depth] as [width, images * height, depth]. Errors: ValueError.

    Source: tf.contrib.layers.images_to_sequence.
    """
    _building.check_data_format(data_format)
    with tf.name_scope(scope, "ImagesToSequence", [inputs]) as sc:
        inputs = tf.convert_to_tensor(inputs)
        if data_format == _building.NCHW:
            inputs = tf.transpose(inputs, [0, 2, 3, 1])
        _, _, width, depth = inputs.get_shape().as_list()
        shape = tf.shape(inputs)
        images, height = shape[0], shape[1]
        transposed = tf.transpose(inputs, [2, 0, 1, 3])
        outputs = tf.reshape(transposed, [width, images * height, depth])
        return utils.collect_named_outputs(outputs_collections, sc, outputs)


@add_arg_scope
def sequence_to_images(
    inputs, height, output_data_format="channels_last", outputs_collections=None, scope=None
):
    """[width, images * height, depth] as images of that height.

    Source: tf.contrib.layers.sequence_to_images.
    """
    with tf.name_scope(scope, "SequenceToImages", [inputs]) as sc:
        inputs = tf.convert_to_tensor(inputs)
        width, rows, depth = inputs.get_shape().as_list()
        images = -1 if rows is None else rows // height
        reshaped = tf.reshape(inputs, [width, images, height, depth])
        first = output_data_format == "channels_first"
        outputs = tf.transpose(reshaped, [1, 3, 2, 0] if first else [1, 2, 0, 3])
        return utils.collect_named_outputs(outputs_collections, sc, outputs)


@add_arg_scope
def dense_to_sparse(tensor, eos_token=0, outputs_collections=None, scope=None):
    """A sparse tensor of what is not eos_token. Source: tf.contrib.layers.dense_to_sparse."""
    with tf.variable_scope(scope, "dense_to_sparse", [tensor]) as sc:
        tensor = tf.convert_to_tensor(tensor)
        indices = tf.where(tf.not_equal(tensor, tf.constant(eos_token, tensor.dtype)))
        values = tf.gather_nd(tensor, indices)
        outputs = tf.SparseTensor(indices, values, tf.shape(tensor, out_type=tf.int64))
        return utils.collect_named_outputs(outputs_collections, sc.name, outputs)


@add_arg_scope
def softmax(logits, scope=None):
    """Softmax over the last dimension. Errors: ValueError. Source: tf.contrib.layers.softmax."""
    with tf.variable_scope(scope, "softmax", [logits]):
        classes = utils.last_dimension(logits.get_shape(), min_rank=2)
        predictions = tf.nn.softmax(tf.reshape(logits, [-1, classes]))
        predictions = tf.reshape(predictions, tf.shape(logits))
        predictions.set_shape(logits.get_shape())
        return predictions


@add_arg_scope
def spatial_softmax(
    features,
    temperature=None,
    name=None,
    variables_collections=None,
    trainable=True,
    data_format=_building.NHWC,
):
    """The expected place of each channel's maximum, in -1 to 1: [batch, 2 * channels].

    temperature: the first value of a variable that divides the features; 1 where it is None.
    Errors: ValueError. Source: tf.contrib.layers.spatial_softmax.
    """
    with tf.variable_scope(name, "spatial_softmax"):
        shape, static = tf.shape(features), features.shape
        if data_format == _building.NHWC:
            height, width, channels = shape[1], shape[2], static[3]
        elif data_format == _building.NCHW:
            channels, height, width = static[1], shape[2], shape[3]
        else:
            raise ValueError("data_format has to be either NCHW or NHWC.")
        channels = tf.dimension_value(channels)
        if channels is None:
            raise ValueError(
                "The num_channels dimension of the inputs to `spatial_softmax` should be defined. "
                "Found `None`."
            )
        with tf.name_scope("spatial_softmax_op", "spatial_softmax_op", [features]):
            x, y = tf.meshgrid(
                tf.lin_space(-1.0, 1.0, num=height),
                tf.lin_space(-1.0, 1.0, num=width),
                indexing="ij",
            )
            x, y = tf.reshape(x, [height * width]), tf.reshape(y, [height * width])
            divisor = _temperature(temperature, variables_collections, trainable)
            if data_format == _building.NHWC:
                features = tf.transpose(features, [0, 3, 1, 2])
            features = tf.reshape(features, [-1, height * width])
            attention = tf.nn.softmax(features / divisor)
            expected_x = tf.reduce_sum(x * attention, [1], keepdims=True)
            expected_y = tf.reduce_sum(y * attention, [1], keepdims=True)
            both = tf.concat([expected_x, expected_y], 1)
            keypoints = tf.reshape(both, [-1, channels * 2])
            keypoints.set_shape([None, channels * 2])
    return keypoints


def _temperature(first, variables_collections, trainable):
    initializer = tf.ones_initializer() if first is None else tf.constant_initializer(first)
    keys = utils.get_variable_collections(variables_collections, "temperature")
    return model_variable(
        "temperature",
        shape=(),
        dtype=tf.float32,
        initializer=initializer,
        collections=keys if trainable else None,
        trainable=trainable,
    )


@add_arg_scope
def maxout(inputs, num_units, axis=-1, scope=None):
    """The maxima of num_units groups of features. Errors: ValueError. Source: tf.contrib.layers.maxout."""
    with tf.variable_scope(scope, "MaxOut", [inputs]):
        inputs = tf.convert_to_tensor(inputs)
        shape = inputs.get_shape().as_list()
        channels = shape[axis]
        if channels % num_units:
            raise ValueError(
                f"number of features({channels}) is not a multiple of num_units({num_units})"
            )
        shape[axis] = num_units
        shape.append(channels // num_units)
        for i, extent in enumerate(shape):
            if extent is None:
                shape[i] = tf.shape(inputs)[i]
        return tf.reduce_max(tf.reshape(inputs, shape), -1, keepdims=False)


def scale_gradient(inputs, gradient_multiplier):
    """The inputs, whose gradient is multiplied. Source: tf.contrib.layers.scale_gradient."""

    @tf.custom_gradient
    def scaled(inputs, gradient_multiplier):
        return inputs, lambda dy: [dy * gradient_multiplier, None]

    return scaled(inputs, gradient_multiplier)


def _name_of(layer, otherwise):
    """The name of a function, or of what functools.partial was made of."""
    if hasattr(layer, "__name__"):
        return layer.__name__
    if hasattr(layer, "func") and hasattr(layer.func, "__name__"):
        return layer.func.__name__
    return otherwise


def repeat(inputs, repetitions, layer, *args, **kwargs):
    """A layer on its own outputs, so many times: scope/scope_1, scope/scope_2 ...

    scope: the layer's name, in a scope "Repeat", where it is not given. Source:
    tf.contrib.layers.repeat.
    """
    scope = kwargs.pop("scope", None)
    with tf.variable_scope(scope, "Repeat", [inputs]):
        outputs = tf.convert_to_tensor(inputs)
        scope = _name_of(layer, "repeat") if scope is None else scope
        for i in range(repetitions):
            outputs = layer(outputs, *args, **{**kwargs, "scope": f"{scope}_{i + 1}"})
        return outputs


def stack(inputs, layer, stack_args, **kwargs):
    """A layer on its own outputs, once with each of stack_args: scope/scope_1, scope/scope_2 ...

    stack_args: each an argument, or a list of arguments. scope: the layer's name, in a scope
    "Stack", where it is not given. Errors: ValueError. Source: tf.contrib.layers.stack.
    """
    scope = kwargs.pop("scope", None)
    if not isinstance(stack_args, (list, tuple)):
        raise ValueError("stack_args need to be a list or tuple")
    with tf.variable_scope(scope, "Stack", [inputs]):
        outputs = tf.convert_to_tensor(inputs)
        scope = _name_of(layer, "stack") if scope is None else scope
        for i, own in enumerate(stack_args):
            own = own if isinstance(own, (list, tuple)) else [own]
            outputs = layer(outputs, *own, **{**kwargs, "scope": f"{scope}_{i + 1}"})
        return outputs
