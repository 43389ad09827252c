"""Tensors as TensorInfo messages and back."""

from kiln._kiln import front as _c
from kiln.compat.v1 import _messages
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._sparse import SparseTensor


def build_tensor_info(tensor):
    """A TensorInfo of a Tensor or a SparseTensor. Source: tf.saved_model.utils.build_tensor_info."""
    info = _messages.TensorInfo(
        dtype=tensor.dtype.as_datatype_enum, tensor_shape=tensor.get_shape().as_proto()
    )
    if isinstance(tensor, SparseTensor):
        info.coo_sparse.values_tensor_name = tensor.values.name
        info.coo_sparse.indices_tensor_name = tensor.indices.name
        info.coo_sparse.dense_shape_tensor_name = tensor.dense_shape.name
    elif isinstance(tensor, _c.Variable):
        info.name = tensor._ref().name
    else:
        info.name = tensor.name
    return info


def build_tensor_info_from_op(op):
    """A TensorInfo with the name of an operation, or of a tensor, alone.

    Source: tf's utils_impl.build_tensor_info_from_op.
    """
    return _messages.TensorInfo(dtype=_messages.DT_INVALID, name=op.name)


def get_element_from_tensor_info(tensor_info, graph=None, import_scope=None):
    """The operation or tensor of that name. Errors: KeyError.

    Source: tf's utils_impl.get_element_from_tensor_info.
    """
    name = tensor_info.name
    name = f"{import_scope}/{name}" if import_scope else name
    return (graph or get_default_graph()).as_graph_element(name, allow_tensor=True, allow_operation=True)


def get_tensor_from_tensor_info(tensor_info, graph=None, import_scope=None):
    """The tensor that a TensorInfo names. Errors: KeyError, ValueError.

    Source: tf.saved_model.utils.get_tensor_from_tensor_info.
    """
    graph = graph or get_default_graph()

    def tensor(name):
        return graph.get_tensor_by_name(f"{import_scope}/{name}" if import_scope else name)

    encoding = tensor_info.WhichOneof("encoding")
    if encoding == "name":
        return tensor(tensor_info.name)
    if encoding == "coo_sparse":
        sparse = tensor_info.coo_sparse
        return SparseTensor(
            tensor(sparse.indices_tensor_name),
            tensor(sparse.values_tensor_name),
            tensor(sparse.dense_shape_tensor_name),
        )
    raise ValueError(f"Invalid TensorInfo.encoding: {encoding}")
