"""Lists of tensors, which are variants: arguments in the order of TensorFlow's list_ops."""

from kiln._generated import raw_ops
from kiln._generated.raw_ops import *
from kiln.compat import v1 as tf


def _build_element_shape(shape):
    """A shape as the ops take it: -1 for an unknown rank or extent."""
    if isinstance(shape, tf.Tensor):
        return shape
    if isinstance(shape, tf.TensorShape):
        shape = None if shape.ndims is None else shape.as_list()
    if shape is None:
        return -1
    if isinstance(shape, int):
        return shape
    shape = [-1 if extent is None else extent for extent in shape]
    return tf.constant(shape, tf.int32) if not shape else shape


def empty_tensor_list(element_shape, element_dtype, max_num_elements=None, name=None):
    bound = -1 if max_num_elements is None else max_num_elements
    return raw_ops.empty_tensor_list(_build_element_shape(element_shape), bound, element_dtype, name)


def tensor_list_reserve(element_shape, num_elements, element_dtype, name=None):
    return raw_ops.tensor_list_reserve(_build_element_shape(element_shape), num_elements, element_dtype, name)


def tensor_list_from_tensor(tensor, element_shape, name=None):
    tensor = tf.convert_to_tensor(tensor)
    return raw_ops.tensor_list_from_tensor(tensor, _build_element_shape(element_shape), name)


def tensor_list_get_item(input_handle, index, element_dtype, element_shape=None, name=None):
    shape = _build_element_shape(element_shape)
    return raw_ops.tensor_list_get_item(input_handle, index, shape, element_dtype, name)


def tensor_list_pop_back(input_handle, element_dtype, name=None):
    return raw_ops.tensor_list_pop_back(input_handle, -1, element_dtype, name)


def tensor_list_gather(input_handle, indices, element_dtype, element_shape=None, name=None):
    shape = _build_element_shape(element_shape)
    return raw_ops.tensor_list_gather(input_handle, indices, shape, element_dtype, name)


def tensor_list_scatter(tensor, indices, element_shape=None, input_handle=None, name=None):
    """A new list, or the given one with more items."""
    tensor = tf.convert_to_tensor(tensor)
    if input_handle is not None:
        return raw_ops.tensor_list_scatter_into_existing_list(input_handle, tensor, indices, name)
    return raw_ops.tensor_list_scatter_v2(tensor, indices, _build_element_shape(element_shape), -1, name)


def tensor_list_stack(input_handle, element_dtype, num_elements=-1, element_shape=None, name=None):
    shape = _build_element_shape(element_shape)
    return raw_ops.tensor_list_stack(input_handle, shape, element_dtype, num_elements, name)


def tensor_list_concat(input_handle, element_dtype, element_shape=None, name=None):
    """The items behind one another, without their lengths."""
    leading = tf.convert_to_tensor([], dtype=tf.int64)
    shape = _build_element_shape(element_shape)
    return raw_ops.tensor_list_concat_v2(input_handle, shape, leading, element_dtype, name)[0]


def tensor_list_split(tensor, element_shape, lengths, name=None):
    return raw_ops.tensor_list_split(tensor, _build_element_shape(element_shape), lengths, name)


def tensor_list_set_item(input_handle, index, item, resize_if_index_out_of_bounds=False, name=None):
    return raw_ops.tensor_list_set_item(input_handle, index, item, resize_if_index_out_of_bounds, name)
