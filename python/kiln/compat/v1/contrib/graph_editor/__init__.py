"""tf.contrib.graph_editor: operations and tensors by name or by what they need, and copies of parts of graphs."""

from kiln.compat._python.ops.op_selector import (
    get_consuming_ops, get_generating_ops, make_list_of_op, make_list_of_t,
)  # fmt: skip
from kiln.compat.v1.contrib.graph_editor._placeholders import (
    make_placeholder_from_dtype_and_shape, make_placeholder_from_tensor, placeholder_name,
)  # fmt: skip
from kiln.compat.v1.contrib.graph_editor._replace import graph_replace
from kiln.compat.v1.contrib.graph_editor._select import (
    can_be_regex, filter_ops, filter_ops_from_regex, filter_ts, filter_ts_from_regex, get_name_scope_ops, get_tensors,
    make_regex, select_ops, select_ops_and_ts, select_ts,
)  # fmt: skip
from kiln.compat.v1.contrib.graph_editor._walks import (
    ControlOutputs, check_cios, compute_boundary_ts, get_backward_walk_ops, get_forward_walk_ops, get_ops_ios,
    get_walks_intersection_ops, get_walks_union_ops, get_within_boundary_ops,
)  # fmt: skip

ph = make_placeholder_from_dtype_and_shape

__all__ = [name for name in dir() if name[0] != "_"]
