"""tf.TensorArray."""

from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1.shapes import TensorShape

__all__ = ["TensorArray"]


class TensorArray:
    """An array of tensors that lives as long as a run, for loops.

    Each operation that changes it gives a new array, which is to be used from then on.
    dtype: of the elements. size: how many there are; with dynamic_size it grows.
    clear_after_read: whether an element may be read only once. handle, flow: of an
    array that is there already, in place of a size. infer_shape: that all elements
    have the first one's shape. element_shape: what is known of it. Errors: ValueError.
    Source: tf.TensorArray.
    """

    def __init__(
        self,
        dtype,
        size=None,
        dynamic_size=None,
        clear_after_read=None,
        tensor_array_name=None,
        handle=None,
        flow=None,
        infer_shape=True,
        element_shape=None,
        colocate_with_first_write_call=True,
        name=None,
    ):
        if handle is not None and tensor_array_name:
            raise ValueError("Cannot provide both `handle` and `tensor_array_name` arguments at the same time.")
        if handle is not None and not isinstance(handle, _c.Tensor):
            raise TypeError(f"Expected `handle` to be a Tensor, but got `{handle}` of type `{type(handle)}` instead.")
        if handle is None and size is None:
            raise ValueError("Argument `size` must be provided if handle is not provided.")
        if handle is not None and size is not None:
            raise ValueError("Cannot provide both a `handle` and `size` arguments at the same time.")
        if handle is not None and element_shape is not None:
            raise ValueError("Cannot provide both `handle` and `element_shape` arguments at the same time.")
        if handle is not None and dynamic_size is not None:
            raise ValueError("Cannot provide both `handle` and `dynamic_size` arguments at the same time.")
        if handle is not None and clear_after_read is not None:
            raise ValueError("Cannot provide both `handle` and `clear_after_read` arguments at the same time.")
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._dynamic_size = bool(dynamic_size)
        self._infer_shape = infer_shape
        if handle is not None:
            self._array = _c.tensor_array_of(self._dtype, handle, flow)
            return
        self._array = _c.tensor_array(
            self._dtype, size, dynamic_size, clear_after_read, infer_shape, TensorShape(element_shape),
            tensor_array_name, name, colocate_with_first_write_call,
        )  # fmt: skip

    def _like(self, array):
        made = TensorArray.__new__(TensorArray)
        made.__dict__.update(self.__dict__, _array=array)
        return made

    def _with_flow(self, flow):
        return self._like(_c.tensor_array_with_flow(self._array, flow))

    dtype = property(lambda self: self._dtype)
    dynamic_size = property(lambda self: self._dynamic_size)
    handle = property(lambda self: self._array.handle)
    flow = property(lambda self: self._array.flow)
    element_shape = property(lambda self: self._array.element_shape)

    def identity(self):
        """The same array behind the control dependencies here."""
        from kiln._generated import raw_ops

        return self._with_flow(raw_ops.identity(self.flow))

    def grad(self, source, flow=None, name=None):
        """The array of gradients of a source, whose writes add up."""
        return self._like(_c.tensor_array_grad(self._array, source, self.flow if flow is None else flow))

    def read(self, index, name=None):
        """The element at an index."""
        return _c.tensor_array_read(self._array, index, name)

    def write(self, index, value, name=None):
        """The array with the value at an index."""
        return self._like(_c.tensor_array_write(self._array, index, value, name))

    def stack(self, name=None):
        """All elements along a new first axis."""
        return _c.tensor_array_stack(self._array, name)

    def gather(self, indices, name=None):
        """The elements at these indices along a new first axis."""
        return _c.tensor_array_gather(self._array, indices, name)

    def concat(self, name=None):
        """All elements along their first axis."""
        return _c.tensor_array_concat(self._array, name)

    def unstack(self, value, name=None):
        """The array with the rows of a tensor."""
        return self._like(_c.tensor_array_unstack(self._array, value, name))

    def scatter(self, indices, value, name=None):
        """The array with the rows of a tensor at these indices."""
        return self._like(_c.tensor_array_scatter(self._array, indices, value, name))

    def split(self, value, lengths, name=None):
        """The array with lengths[i] rows of a tensor at index i."""
        return self._like(_c.tensor_array_split(self._array, value, lengths, name))

    def size(self, name=None):
        """The number of elements."""
        return _c.tensor_array_size(self._array, name)

    def close(self, name=None):
        """An operation that ends it in the run."""
        return _c.tensor_array_close(self._array, name)
