"""tf.contrib.util: messages of tensors, and what the graph tells of one."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding

__getattr__, __dir__ = _forwarding(
    __name__, "constant_value=get_static_value make_tensor_proto make_ndarray"
)
