"""Arguments of layers, and the extents of their results."""

from kiln.compat import v1 as tf


def convert_data_format(data_format, ndim):
    """TensorFlow's name of a format of Keras's for inputs of that rank."""
    names = {3: ("NWC", "NCW"), 4: ("NHWC", "NCHW"), 5: ("NDHWC", "NCDHW")}
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError(f"Invalid data_format: {data_format}")
    if ndim not in names:
        raise ValueError(f"Input rank not supported: {ndim}")
    return names[ndim][data_format == "channels_first"]


def normalize_tuple(value, n, name):
    """A tuple of n integers, of which one number stands for all."""
    if isinstance(value, int):
        return (value,) * n
    try:
        values = tuple(value)
        whole = all(int(single) is not None for single in values)
    except (TypeError, ValueError):
        values, whole = (), False
    if not whole or len(values) != n:
        raise ValueError(
            f"The `{name}` argument must be a tuple of {n} integers. Received: {value}"
        )
    return values


def normalize_data_format(value):
    """The format in lower case. **Errors**: ValueError for none that there is."""
    found = value.lower()
    if found not in {"channels_first", "channels_last"}:
        raise ValueError(
            'The `data_format` argument must be one of "channels_first", "channels_last". '
            f"Received: {value}"
        )
    return found


def normalize_padding(value):
    """The padding in lower case. **Errors**: ValueError for none that there is."""
    found = value.lower()
    if found not in {"valid", "same"}:
        raise ValueError(
            f'The `padding` argument must be one of "valid", "same". Received: {found}'
        )
    return found


def conv_output_length(input_length, filter_size, padding, stride, dilation=1):
    """The extent of a convolution's result, None where that of its input is not known."""
    if input_length is None:
        return None
    if padding not in {"same", "valid", "full"}:
        raise AssertionError(padding)
    reach = filter_size + (filter_size - 1) * (dilation - 1)
    shorter = {"same": 0, "valid": 1 - reach, "full": reach - 1}[padding]
    return (input_length + shorter + stride - 1) // stride


def conv_input_length(output_length, filter_size, padding, stride):
    """The extent of the input of which a convolution's result has that extent."""
    if output_length is None:
        return None
    if padding not in {"same", "valid", "full"}:
        raise AssertionError(padding)
    border = {"same": filter_size // 2, "valid": 0, "full": filter_size - 1}[padding]
    return (output_length - 1) * stride - 2 * border + filter_size


def deconv_output_length(input_length, filter_size, padding, stride):
    """The extent of a transposed convolution's result."""
    if input_length is None:
        return None
    longer = {"valid": max(filter_size - stride, 0), "full": -(stride + filter_size - 2)}.get(
        padding, 0
    )
    return input_length * stride + longer


def smart_cond(pred, true_fn=None, false_fn=None, name=None):
    """As tf.cond, but where the predicate is a value of Python or a constant, the function alone
    that it chooses.
    """
    chosen = constant_value(pred)
    if chosen is None:
        return tf.cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)
    return true_fn() if chosen else false_fn()


def constant_value(pred):
    """The value of a predicate as a bool, None where only a run knows it."""
    if isinstance(pred, tf.Variable):
        return None
    if isinstance(pred, tf.Tensor):
        return tf.get_static_value(pred)
    if pred in (0, 1):
        return bool(pred)
    raise TypeError(
        f"`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: {type(pred)}"
    )
