"""tf.Operation and tf.Tensor."""

import numpy as np

from kiln._kiln import front as _c
from kiln.compat.v1._operators import TensorOperators


class Operation(_c.Operation):
    """A node of a graph. Made by the functions that add ops. Source: tf.Operation.

    Operation(node_def, g, inputs): adds what a NodeDef says to a graph. Errors: TypeError,
    ValueError.
    """

    def __new__(
        cls,
        node_def,
        g,
        inputs=None,
        output_types=None,
        control_inputs=None,
        input_types=None,
        original_op=None,
        op_def=None,
    ):
        from kiln.compat.v1 import _graph_defs

        return _graph_defs.operation_of(node_def, g, inputs, control_inputs)

    def __init__(self, *args, **kwargs):
        pass  # made by __new__

    @property
    def inputs(self):
        """The tensors that it takes; control inputs are not among them."""
        return tuple(self._inputs)

    @property
    def node_def(self):
        """A NodeDef."""
        from kiln.compat.v1 import _graph_defs

        return _graph_defs.node_def_of(self)

    @property
    def op_def(self):
        from kiln.compat.v1 import _graph_defs

        return _graph_defs.op_def_of(self)

    def get_attr(self, name):
        """An attribute's value: int, float, bool, bytes, DType, a message, or a list of them.

        Errors: ValueError where there is none.
        """
        from kiln.compat.v1 import _graph_defs

        return _graph_defs.attribute_of(self, name)

    def values(self):
        return tuple(self.outputs)

    def colocation_groups(self):
        """The names of what it stands beside, b"loc:@NAME"."""
        if "_class" not in _c.attribute_names(self):
            return [f"loc:@{self.name}".encode()]
        groups = [name for name in _c.attribute(self, "_class") if name.startswith(b"loc:@")]
        return groups or [f"loc:@{self.name}".encode()]

    @property
    def traceback_with_start_lines(self):
        """As traceback, with the line that the function begins at, which is not known: 0."""
        return [(*frame, 0) for frame in self.traceback]

    @property
    def traceback(self):
        """(file, line, function, text of the line) of the program's calls, the outermost first.

        Difference: frames of Kiln's own and those beyond the innermost eight are left out.
        """
        import linecache

        return [
            (file, line, function, linecache.getline(file, line).strip() or None)
            for file, line, function in self._trace
        ]

    def run(self, feed_dict=None, session=None):
        """Runs it in a session, or the default one. Errors: ValueError without one."""
        from kiln.compat.v1 import _session

        _session.run_by_default(self, self.graph, feed_dict, session, "Operation")

    @property
    def op(self):
        return self

    @property
    def _control_flow_post_processing(self):
        return None

    def __str__(self):
        return str(self.node_def)

    def __repr__(self):
        return f"<tf.Operation {self.name!r} type={self.type}>"


class Tensor(TensorOperators, _c.Tensor):
    """An output of an operation: what is computed, fed, fetched.

    Tensors compare by identity, as in TensorFlow 1. Tensor(op, value_index, dtype) is the
    output of an operation. Source: tf.Tensor.
    """

    # NumPy leaves operators to this class.
    __array_priority__ = 100
    OVERLOADABLE_OPERATORS = frozenset(
        f"__{name}__"
        for name in "abs add and div eq floordiv ge getitem gt invert le lt matmul mod mul ne neg or pow radd rand "
        "rdiv rfloordiv rmatmul rmod rmul ror rpow rsub rtruediv rxor sub truediv xor".split()
    )

    def __new__(cls, op, value_index, dtype):
        if not isinstance(op, Operation):
            raise TypeError(f"op needs to be an Operation: {op}")
        return op.outputs[value_index]

    def __init__(self, op, value_index, dtype):
        pass  # made by __new__

    @property
    def device(self):
        return self.op.device

    def get_shape(self):
        return self.shape

    def set_shape(self, shape):
        """Adds what the program knows of the shape. Errors: ValueError where it contradicts."""
        _c.set_shape(self, shape)

    @property
    def _rank(self):
        return self.shape.ndims

    def _shape_as_list(self):
        return None if self.shape.ndims is None else self.shape.as_list()

    def consumers(self):
        """The operations that take it as an input."""
        return _c.consumers(self)

    def eval(self, feed_dict=None, session=None):
        """Its value in a session, or the default one. Errors: ValueError without one."""
        from kiln.compat.v1 import _session

        return _session.run_by_default(self, self.graph, feed_dict, session, "Tensor")

    def experimental_ref(self):
        """Something that can be a key where tensors cannot. Source: tf.Tensor.experimental_ref."""
        return Reference(self)

    ref = experimental_ref

    def _as_tf_output(self):
        return self

    def __str__(self):
        shape = self.shape
        text = "" if shape.ndims is None else f", shape={shape}"
        device = f", device={self.device}" if self.device else ""
        return f'Tensor("{self.name}"{text}, dtype={self.dtype.name}{device})'

    def __repr__(self):
        return f"<tf.Tensor {self.name!r} shape={self.shape} dtype={self.dtype.name}>"

    def _repr_html_(self):
        import html

        return f"<code>{html.escape(repr(self))}</code>"

    def __len__(self):
        raise TypeError(
            f"len is not well defined for symbolic Tensors. ({self.name}) "
            "Please call `x.shape` rather than `len(x)` for shape information."
        )

    def __iter__(self):
        raise TypeError(
            "Tensor objects are only iterable when eager execution is enabled. "
            "To iterate over this tensor use tf.map_fn."
        )

    def __bool__(self):
        raise TypeError(
            "Using a `tf.Tensor` as a Python `bool` is not allowed. Use `if t is not None:` "
            "instead of `if t:` to test if a tensor is defined, and use TensorFlow ops such as "
            "tf.cond to execute subgraphs conditioned on the value of a tensor."
        )

    def __array__(self, *args, **kwargs):
        raise NotImplementedError(f"Cannot convert a symbolic Tensor ({self.name}) to a numpy array.")

    def __copy__(self):
        return self


class Reference:
    """Stands for an object by its identity."""

    def __init__(self, wrapped):
        self._wrapped = wrapped

    def deref(self):
        """The object."""
        return self._wrapped

    def __eq__(self, other):
        return isinstance(other, Reference) and self._wrapped is other._wrapped

    def __hash__(self):
        return id(self._wrapped)

    def __repr__(self):
        return f"<Reference wrapping {self._wrapped!r}>"


def is_tensor_like(value):
    return isinstance(value, (_c.Tensor, _c.Variable))


def numpy_of(value):
    return np.asarray(value)
