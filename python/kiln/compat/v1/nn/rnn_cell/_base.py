"""What every cell of a recurrent network is: tf.nn.rnn_cell.RNNCell."""

from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._dimension import dimension_value
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._util import nest
from kiln.compat.v1._variable_scope import get_variable_scope, variable_scope
from kiln.compat.v1.layers import Layer
from kiln.compat.v1.shapes import TensorShape


def has_attribute(obj, name):
    try:
        getattr(obj, name)
    except AttributeError:
        return False
    return True


def assert_like_rnncell(cell_name, cell):
    """Checks that an object may serve as a cell: its sizes, its first state, a call. Errors: TypeError."""
    conditions = {
        "'output_size' property is missing": has_attribute(cell, "output_size"),
        "'state_size' property is missing": has_attribute(cell, "state_size"),
        "either 'zero_state' or 'get_initial_state' method is required": has_attribute(cell, "get_initial_state")
        or has_attribute(cell, "zero_state"),
        "is not callable": callable(cell),
    }
    missing = [error for error, holds in conditions.items() if not holds]
    if missing:
        raise TypeError(f"The argument {cell_name!r} ({cell}) is not an RNNCell: {', '.join(missing)}.")


def zeros_like_state(state_size, batch_size, dtype):
    """Zeros [batch_size, ...] for each size of a structure."""
    if not isinstance(batch_size, _c.Tensor):
        batch_size = TensorShape(batch_size)
    return nest.map_structure(lambda size: _c.zero_state(batch_size, shape_of(size), dtype), state_size)


def shape_of(size):
    """The TensorShape, or the tensor of extents, that an element of state_size or output_size means."""
    return size if isinstance(size, (_c.Tensor, TensorShape)) else TensorShape(size)


def check_dtype(dtype):
    """Errors: ValueError for a dtype in which a cell cannot compute."""
    if dtype is None:
        return
    dtype = dtypes.as_dtype(dtype)
    if not (dtype.is_floating or dtype.is_complex):
        raise ValueError(f"RNN cell only supports floating point inputs, but saw dtype: {dtype}")


def check_inputs(*inputs):
    """Errors: ValueError for tensors in which a cell cannot compute."""
    for tensor in nest.flatten(inputs):
        check_dtype(tensor.dtype)


class RNNCell(Layer):
    """One step of a recurrent network: it makes an output and the next state of an input and a state.

    A subclass has the properties state_size and output_size (ints, TensorShapes, or structures
    of them, without the batch) and a method call(inputs, state), which gives (output, state); it
    makes its variables by tf.get_variable() there, or in build(). cell(inputs, state, scope=None)
    opens a variable scope named after the class and calls that. Source: tf.nn.rnn_cell.RNNCell.
    """

    def __init__(self, trainable=True, name=None, dtype=None, **kwargs):
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        self._is_tf_rnn_cell = True

    def __call__(self, inputs, state, scope=None):
        """Computes a step. Returns (output, next state).

        inputs: [batch, ...], or a structure of such; state: a structure like state_size. scope: the
        variable scope, or its name, in which the cell's own is; that of the first call by default.
        """
        if scope is not None:
            with variable_scope(scope, custom_getter=self._rnn_get_variable) as scope:
                return super().__call__(inputs, state, scope=scope)
        context = getattr(self, "rnncell_scope", None)
        if context is None:
            context = variable_scope(get_variable_scope(), custom_getter=self._rnn_get_variable)
            self.rnncell_scope = context
        with context:
            return super().__call__(inputs, state)

    def _rnn_get_variable(self, getter, *args, **kwargs):
        """Makes the variables of tf.get_variable() in call() the cell's own."""
        variable = getter(*args, **kwargs)
        if isinstance(variable, _c.Variable):
            self._track_variable(variable)
        return variable

    @property
    def state_size(self):
        """An int, a TensorShape, or a structure of them: the state of one sequence."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self):
        """An int, a TensorShape, or a structure of them: the output for one sequence."""
        raise NotImplementedError("Abstract method")

    def build(self, _):
        """Makes nothing: call() may make variables itself."""

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        """A state to begin with, for the batch and the dtype of inputs or for those that are given.

        Errors: ValueError where they contradict each other, or are not there.
        """
        if inputs is not None:
            inputs = _c.convert(inputs, None, None, "inputs")
            static = dimension_value(inputs.shape[0]) if inputs.shape.ndims else None
            if batch_size is not None and static is not None and _static(batch_size) not in (None, static):
                raise ValueError(
                    "batch size from input tensor is different from the input param. "
                    f"Input tensor batch: {inputs.shape[0]}, batch_size: {batch_size}"
                )
            if dtype is not None and inputs.dtype != dtypes.as_dtype(dtype):
                raise ValueError(
                    "dtype from input tensor is different from the input param. "
                    f"Input tensor dtype: {inputs.dtype}, dtype: {dtype}"
                )
            batch_size = _c.shape(inputs)[0] if static is None else static
            dtype = inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError(
                "batch_size and dtype cannot be None while constructing initial state: "
                f"batch_size={batch_size}, dtype={dtype}"
            )
        return self.zero_state(batch_size, dtype)

    def zero_state(self, batch_size, dtype):
        """Zeros to begin with, in a structure like state_size: [batch_size, ...] each.

        batch_size: an int or a tensor.
        """
        with zero_state_scope(self, batch_size):
            return zeros_like_state(self.state_size, batch_size, dtype)

    def get_config(self):
        return super().get_config()


def _static(value):
    return None if isinstance(value, _c.Tensor) else int(value)


def zero_state_scope(cell, batch_size=None):
    """The name scope of the nodes of a cell's zero_state()."""
    graph = batch_size.graph if isinstance(batch_size, _c.Tensor) else get_default_graph()
    return graph.name_scope(type(cell).__name__ + "ZeroState")


class LayerRNNCell(RNNCell):
    """A cell that makes its variables in build(), as a layer does.

    Its variable scope is that of the cell's name or class in the scope of the first call.
    """

    def __call__(self, inputs, state, scope=None, *args, **kwargs):
        """Computes a step, as RNNCell does; more arguments are for call()."""
        return Layer.__call__(self, inputs, state, *args, scope=scope, **kwargs)
