"""The inputs of models: placeholders."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras._engine import _history
from kiln.compat.v1.keras._engine._layer import Layer


class InputLayer(Layer):
    """An input of a model: a placeholder, or a tensor that is given.

    input_shape: without the batch. Errors: ValueError. Source: tf.keras.layers.InputLayer.
    """

    def __init__(
        self,
        input_shape=None,
        batch_size=None,
        dtype=None,
        input_tensor=None,
        sparse=False,
        name=None,
        ragged=False,
        **kwargs,
    ):
        if "batch_input_shape" in kwargs:
            shape = kwargs.pop("batch_input_shape")
            if input_shape and shape:
                raise ValueError(
                    "Only provide the input_shape OR batch_input_shape argument to InputLayer, not "
                    "both at the same time."
                )
            batch_size, input_shape = shape[0], shape[1:]
        if kwargs:
            raise ValueError("Unrecognized keyword arguments:", kwargs.keys())
        if not name:
            name = K.unique_object_name("input")
        if not dtype:
            dtype = K.floatx() if input_tensor is None else input_tensor.dtype.base_dtype.name
        super().__init__(dtype=dtype, name=name)
        self.built, self.sparse, self.supports_masking = True, sparse, True
        self.batch_size, self.ragged = batch_size, ragged
        if isinstance(input_shape, tf.TensorShape):
            input_shape = tuple(input_shape.as_list())
        elif isinstance(input_shape, int):
            input_shape = (input_shape,)
        self.is_placeholder = input_tensor is None
        if input_tensor is None:
            shape = None if input_shape is None else (batch_size, *input_shape)
            self._batch_input_shape = shape
            input_tensor = K.placeholder(
                shape=shape, dtype=dtype, name=name, sparse=sparse, ragged=ragged
            )
        else:
            self._batch_input_shape = _history.shape_of(input_tensor)
        input_tensor._keras_mask = None
        _history.Node(self, [], input_tensor)

    # A list, as TensorFlow has it.
    output_shape = property(lambda self: [self._inbound_nodes[0].output_shapes])
    input_shape = output_shape

    def get_config(self):
        return {
            "batch_input_shape": self._batch_input_shape,
            "dtype": self.dtype,
            "sparse": self.sparse,
            "ragged": self.ragged,
            "name": self.name,
        }


def Input(
    shape=None,
    batch_size=None,
    name=None,
    dtype=None,
    sparse=False,
    tensor=None,
    ragged=False,
    **kwargs,
):
    """A placeholder for a model's input.

    shape: without the batch; batch_shape: with it. tensor: one that is the input instead. Errors:
    ValueError without a shape. Source: tf.keras.Input.
    """
    if "batch_shape" in kwargs:
        batch_shape = kwargs.pop("batch_shape")
        if shape and batch_shape:
            raise ValueError(
                "Only provide the shape OR batch_shape argument to Input, not both at the same "
                "time."
            )
        batch_size, shape = batch_shape[0], batch_shape[1:]
    if kwargs:
        raise ValueError("Unrecognized keyword arguments:", kwargs.keys())
    if shape is None and tensor is None:
        raise ValueError(
            "Please provide to Input either a `shape` or a `tensor` argument. Note that `shape` "
            "does "
            "not include the batch dimension."
        )
    layer = InputLayer(shape, batch_size, dtype, tensor, sparse, name, ragged)
    return layer._inbound_nodes[0].output_tensors
