"""Shapes as messages."""


def ShapeEquals(tensor_proto, shape):  # noqa: N802, TensorFlow's name
    """Whether a TensorProto has a shape: a TensorShapeProto, or extents."""
    if type(tensor_proto).__name__ != "TensorProto":
        raise TypeError(
            "`tensor_proto` must be a tensor_pb2.TensorProto object, but got type " f"{type(tensor_proto)}."
        )
    if type(shape).__name__ == "TensorShapeProto":
        shape = [dim.size for dim in shape.dim]
    elif not isinstance(shape, (list, tuple)):
        raise TypeError(f"`shape` must be a list or tuple, but got type {type(shape)}.")
    return list(shape) == [dim.size for dim in tensor_proto.tensor_shape.dim]
