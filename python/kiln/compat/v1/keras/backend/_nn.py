"""Functions of networks: activations, losses, convolutions, normalization."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras.backend import _arrays, _config


def relu(x, alpha=0.0, max_value=None, threshold=0):
    """0 below the threshold, or alpha times the number, and at most max_value."""
    if alpha != 0.0:
        if max_value is None and threshold == 0:
            return tf.nn.leaky_relu(x, alpha=alpha)
        negative = tf.nn.relu(-x + threshold) if threshold != 0 else tf.nn.relu(-x)
    clip_max = max_value is not None
    if threshold != 0:
        x = x * tf.cast(tf.greater(x, threshold), x.dtype.base_dtype.name)
    elif max_value == 6:
        x, clip_max = tf.nn.relu6(x), False
    else:
        x = tf.nn.relu(x)
    if clip_max:
        limit, zero = (tf.cast(each, x.dtype.base_dtype) for each in (max_value, 0.0))
        x = tf.clip_by_value(x, zero, limit)
    if alpha != 0.0:
        x -= tf.convert_to_tensor(alpha, x.dtype.base_dtype) * negative
    return x


def elu(x, alpha=1.0):
    result = tf.nn.elu(x)
    return result if alpha == 1 else tf.where(x > 0, result, alpha * result)


def softmax(x, axis=-1):
    return tf.nn.softmax(x, axis=axis)


def softplus(x):
    return tf.nn.softplus(x)


def softsign(x):
    return tf.nn.softsign(x)


def sigmoid(x):
    return tf.sigmoid(x)


def hard_sigmoid(x):
    """0.2 x + 0.5 between 0 and 1."""
    dtype = x.dtype.base_dtype
    x = tf.multiply(x, tf.convert_to_tensor(0.2, dtype))
    x = tf.add(x, tf.convert_to_tensor(0.5, dtype))
    return tf.clip_by_value(x, 0.0, 1.0)


def tanh(x):
    return tf.tanh(x)


def dropout(x, level, noise_shape=None, seed=None):
    """Zeros at random, with probability level; the others grow."""
    import numpy as np

    seed = np.random.randint(10_000_000) if seed is None else seed
    return tf.nn.dropout(x, rate=level, noise_shape=noise_shape, seed=seed)


def categorical_crossentropy(target, output, from_logits=False, axis=-1):
    """The cross entropy of probabilities, or of logits."""
    if not from_logits:
        if output.op.type != "Softmax":
            output = output / tf.reduce_sum(output, axis, True)
            small = _small(output)
            output = tf.clip_by_value(output, small, 1.0 - small)
            return -tf.reduce_sum(target * tf.log(output), axis)
        # Exact where the probabilities are near to 0.
        output = output.op.inputs[0]
    return tf.nn.softmax_cross_entropy_with_logits_v2(labels=target, logits=output, axis=axis)


def sparse_categorical_crossentropy(target, output, from_logits=False, axis=-1):
    """The cross entropy where targets are numbers of classes."""
    if not from_logits:
        if output.op.type == "Softmax":
            output = output.op.inputs[0]
        else:
            small = _small(output)
            output = tf.log(tf.clip_by_value(output, small, 1 - small))
    rank = output.shape.ndims
    if rank is not None and axis % rank != rank - 1:
        axis = axis % rank
        order = [*(i for i in range(rank) if i != axis), axis]
        output = tf.transpose(output, perm=order)
    shape, target = tf.shape(output), tf.cast(target, "int64")
    is_flat = rank is None or target.shape.ndims != rank - 1
    if is_flat:
        target, output = tf.reshape(target, [-1]), tf.reshape(output, [-1, shape[-1]])
    result = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=output)
    return tf.reshape(result, shape[:-1]) if is_flat and rank is not None and rank >= 3 else result


def binary_crossentropy(target, output, from_logits=False):
    """The cross entropy of independent classes."""
    if not from_logits:
        if output.op.type == "Sigmoid":
            output = output.op.inputs[0]
        else:
            small = _small(output)
            output = tf.clip_by_value(output, small, 1.0 - small)
            result = target * tf.log(output + _config.epsilon())
            result += (1 - target) * tf.log(1 - output + _config.epsilon())
            return -result
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=target, logits=output)


def _small(output):
    return tf.convert_to_tensor(_config.epsilon(), output.dtype.base_dtype)


def in_top_k(predictions, targets, k):
    return tf.nn.in_top_k(predictions, targets, k)


def bias_add(x, bias, data_format=None):
    """A bias for each channel, or one for each place. Errors: ValueError."""
    data_format = _config.standardize_data_format(data_format)
    shape, rank = _arrays.int_shape(bias), _arrays.ndim(x)
    if len(shape) not in (1, rank - 1):
        raise ValueError(
            "Unexpected bias dimensions %d, expect to be 1 or %d dimensions" % (len(shape), rank)
        )
    if len(shape) == 1:
        if data_format == "channels_first":
            return tf.nn.bias_add(x, bias, data_format="NCHW")
        return tf.nn.bias_add(x, bias, data_format="NHWC")
    if data_format == "channels_first":
        return x + tf.reshape(bias, (1, shape[-1], *shape[:-1]))
    return x + tf.reshape(bias, (1, *shape))


def _formats(data_format, rank):
    """tf.nn's word for the order of axes."""
    space = {1: "W", 2: "HW", 3: "DHW"}[rank]
    first = _config.standardize_data_format(data_format) == "channels_first"
    return f"NC{space}" if first else f"N{space}C"


def _padding(padding):
    words = {"same": "SAME", "valid": "VALID"}
    if padding not in words:
        raise ValueError("Invalid padding: " + str(padding))
    return words[padding]


def conv1d(x, kernel, strides=1, padding="valid", data_format=None, dilation_rate=1):
    """A convolution over steps; padding may be "causal", too."""
    if padding == "causal":
        steps = dilation_rate * (kernel.shape.as_list()[0] - 1)
        x, padding = _arrays.temporal_padding(x, (steps, 0)), "valid"
    return tf.nn.convolution(
        input=x,
        filter=kernel,
        dilation_rate=[dilation_rate],
        strides=[strides],
        padding=_padding(padding),
        data_format=_formats(data_format, 1),
    )


def conv2d(x, kernel, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1)):
    return tf.nn.convolution(
        input=x,
        filter=kernel,
        dilation_rate=dilation_rate,
        strides=strides,
        padding=_padding(padding),
        data_format=_formats(data_format, 2),
    )


def conv3d(
    x, kernel, strides=(1, 1, 1), padding="valid", data_format=None, dilation_rate=(1, 1, 1)
):
    return tf.nn.convolution(
        input=x,
        filter=kernel,
        dilation_rate=dilation_rate,
        strides=strides,
        padding=_padding(padding),
        data_format=_formats(data_format, 3),
    )


def conv2d_transpose(
    x,
    kernel,
    output_shape,
    strides=(1, 1),
    padding="valid",
    data_format=None,
    dilation_rate=(1, 1),
):
    """The gradient of a convolution, as a layer of its own."""
    format_ = _formats(data_format, 2)
    if isinstance(output_shape, (tuple, list)):
        output_shape = tf.stack([tf.shape(x)[0], *output_shape[1:]])
    if tuple(dilation_rate) != (1, 1):
        return tf.nn.atrous_conv2d_transpose(
            x, kernel, output_shape, rate=dilation_rate[0], padding=_padding(padding)
        )
    steps = (1, 1, *strides) if format_ == "NCHW" else (1, *strides, 1)
    return tf.nn.conv2d_transpose(
        x, kernel, output_shape, steps, padding=_padding(padding), data_format=format_
    )


def _steps(strides, format_):
    strides = (strides, strides) if isinstance(strides, int) else tuple(strides)
    return (1, 1, *strides) if format_ == "NCHW" else (1, *strides, 1)


def separable_conv2d(
    x,
    depthwise_kernel,
    pointwise_kernel,
    strides=(1, 1),
    padding="valid",
    data_format=None,
    dilation_rate=(1, 1),
):
    format_ = _formats(data_format, 2)
    return tf.nn.separable_conv2d(
        x,
        depthwise_kernel,
        pointwise_kernel,
        strides=_steps(strides, format_),
        padding=_padding(padding),
        rate=dilation_rate,
        data_format=format_,
    )


def depthwise_conv2d(
    x, depthwise_kernel, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1)
):
    format_ = _formats(data_format, 2)
    return tf.nn.depthwise_conv2d(
        x,
        depthwise_kernel,
        strides=_steps(strides, format_),
        padding=_padding(padding),
        rate=dilation_rate,
        data_format=format_,
    )


def pool2d(x, pool_size, strides=(1, 1), padding="valid", data_format=None, pool_mode="max"):
    """The largest number or the mean of windows. Errors: ValueError."""
    return _pool(x, pool_size, strides, padding, data_format, pool_mode, 2)


def pool3d(x, pool_size, strides=(1, 1, 1), padding="valid", data_format=None, pool_mode="max"):
    return _pool(x, pool_size, strides, padding, data_format, pool_mode, 3)


def _pool(x, pool_size, strides, padding, data_format, pool_mode, rank):
    functions = {
        ("max", 2): tf.nn.max_pool,
        ("avg", 2): tf.nn.avg_pool,
        ("max", 3): tf.nn.max_pool3d,
        ("avg", 3): tf.nn.avg_pool3d,
    }
    if (pool_mode, rank) not in functions:
        raise ValueError("Invalid pooling mode: " + str(pool_mode))
    format_ = _formats(data_format, rank)
    first = format_[1] == "C"
    window = [1, 1, *pool_size] if first else [1, *pool_size, 1]
    steps = [1, 1, *strides] if first else [1, *strides, 1]
    return functions[pool_mode, rank](
        x, window, steps, padding=_padding(padding), data_format=format_
    )


def normalize_batch_in_training(x, gamma, beta, reduction_axes, epsilon=1e-3):
    """The batch with mean 0 and variance 1, the mean and the variance."""
    mean, variance = tf.nn.moments(x, reduction_axes)
    if sorted(reduction_axes) != list(range(_arrays.ndim(x)))[:-1]:
        shape = tf.stack(
            [1 if i in reduction_axes else tf.shape(x)[i] for i in range(_arrays.ndim(x))]
        )
        spread = [
            None if each is None else tf.reshape(each, shape)
            for each in (mean, variance, beta, gamma)
        ]
        return tf.nn.batch_normalization(x, *spread, epsilon), mean, variance
    return tf.nn.batch_normalization(x, mean, variance, beta, gamma, epsilon), mean, variance


def batch_normalization(x, mean, var, beta, gamma, axis=-1, epsilon=1e-3):
    return tf.nn.batch_normalization(x, mean, var, beta, gamma, epsilon)


def ctc_label_dense_to_sparse(labels, label_lengths):
    """Labels, `[batch, longest]`, without what is behind the length of each, as a sparse tensor."""
    labels = tf.convert_to_tensor(labels)
    there = tf.sequence_mask(tf.reshape(label_lengths, [-1]), tf.shape(labels)[1])
    indices = tf.where(there)
    values = tf.gather_nd(labels, indices)
    return tf.SparseTensor(indices, values, tf.cast(tf.shape(labels), tf.int64))


def ctc_batch_cost(y_true, y_pred, input_length, label_length):
    """The CTC loss of each example, `[batch, 1]`.

    y_pred: probabilities `[batch, steps, classes]`.
    """
    label_length = tf.cast(tf.squeeze(label_length, axis=-1), tf.int32)
    input_length = tf.cast(tf.squeeze(input_length, axis=-1), tf.int32)
    labels = tf.cast(ctc_label_dense_to_sparse(y_true, label_length), tf.int32)
    logits = tf.log(tf.transpose(y_pred, perm=[1, 0, 2]) + _config.epsilon())
    loss = tf.nn.ctc_loss(inputs=logits, labels=labels, sequence_length=input_length)
    return tf.expand_dims(loss, 1)


def ctc_decode(y_pred, input_length, greedy=True, beam_width=100, top_paths=1):
    """The likeliest labels of probabilities `[batch, steps, classes]`: a list of dense tensors, -1
    behind the end, and their logarithms.
    """
    logits = tf.log(tf.transpose(y_pred, perm=[1, 0, 2]) + _config.epsilon())
    lengths = tf.cast(input_length, tf.int32)
    if greedy:
        decoded, scores = tf.nn.ctc_greedy_decoder(inputs=logits, sequence_length=lengths)
    else:
        decoded, scores = tf.nn.ctc_beam_search_decoder(
            inputs=logits, sequence_length=lengths, beam_width=beam_width, top_paths=top_paths
        )
    dense = [
        tf.sparse_to_dense(each.indices, each.dense_shape, each.values, default_value=-1)
        for each in decoded
    ]
    return dense, scores


def local_conv1d(inputs, kernel, kernel_size, strides, data_format=None):
    """A convolution whose kernel differs from place to place."""
    shape = (kernel.shape.as_list()[0],)
    return _local_conv(inputs, kernel, kernel_size, strides, shape, data_format)


def local_conv2d(inputs, kernel, kernel_size, strides, output_shape, data_format=None):
    return _local_conv(inputs, kernel, kernel_size, strides, output_shape, data_format)


def _local_conv(inputs, kernel, kernel_size, strides, output_shape, data_format):
    import itertools

    first = _config.standardize_data_format(data_format) == "channels_first"
    _, width, filters = kernel.shape.as_list()
    places = []
    for place in itertools.product(*map(range, output_shape)):
        window = tuple(
            slice(at * step, at * step + size)
            for at, step, size in zip(place, strides, kernel_size)
        )
        index = (slice(None), slice(None), *window) if first else (slice(None), *window)
        places.append(tf.reshape(inputs[index], (1, -1, width)))
    result = tf.matmul(tf.concat(places, axis=0), kernel)
    rank = len(output_shape)
    result = tf.reshape(result, (*output_shape, -1, filters))
    if first:
        return tf.transpose(result, (rank, rank + 1, *range(rank)))
    return tf.transpose(result, (rank, *range(rank), rank + 1))
