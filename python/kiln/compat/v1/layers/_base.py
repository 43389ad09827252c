"""What every layer is: tf.layers.Layer, and what it demands of its inputs."""

import numpy as np

from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._util import nest
from kiln.compat.v1._variable_scope import VariableScope, get_variable_scope
from kiln.compat.v1._variables import VariableAggregation, VariableSynchronization
from kiln.compat.v1.layers import _named
from kiln.compat.v1.layers._history import History
from kiln.compat.v1.layers._input_spec import InputSpec


def _is_leaf(value):
    return isinstance(value, (_c.Tensor, _c.Variable))


_KEYWORDS = {
    "autocast", "batch_input_shape", "batch_size", "dynamic", "implementation", "input_dim", "input_shape", "weights",
}  # fmt: skip


class Layer(History, _c.Layer):
    """A layer: the first call makes its variables, in a variable scope of its own, and each call uses them.

    A subclass has build(input_shape), which makes variables by add_weight(), and call(inputs), which
    gives the result. trainable: whether optimizers change the variables. name: of the scope, made
    unique; the class's where it is None. dtype: of the variables; the first input's where it is None.
    activity_regularizer: a function of the result that makes a loss.
    Errors: ValueError for inputs that do not fit input_spec. Source: tf.layers.Layer. input, output and
    their shapes are those of the one call, also where no tf.keras.Input is behind it; losses are the
    tensors that the collection has.
    """

    def __new__(cls, *args, **kwargs):
        self = super().__new__(cls)
        _c.Layer.__init__(self)  # subclasses may do without Layer.__init__ as long as they are not called
        return self

    def __init__(self, trainable=True, name=None, dtype=None, **kwargs):
        scope, self._reuse = kwargs.pop("_scope", None), kwargs.pop("_reuse", None)
        regularizer = _named.regularizer(kwargs.pop("activity_regularizer", None))
        for keyword in kwargs:
            if keyword not in _KEYWORDS:
                raise TypeError("Keyword argument not understood:", keyword)
        self._activity_regularizer, self._calls, self._held = regularizer, [], {}
        base_name = name.name if isinstance(name, VariableScope) else name
        self._make(type(self).__name__, trainable is not False, base_name or "", dtype, self._reuse, regularizer)
        if scope:
            self._open_scope(scope)

    def _make(self, *options):
        """Makes the object of C++ that this one is."""
        _c.bare_layer(self, *options)

    # What it is.

    name = _name = property(_c.layer_name)
    scope_name = property(_c.layer_scope_name)
    updates = property(_c.layer_updates, doc='What a step has to run: "update_ops" has them too.')
    losses = property(_c.layer_losses, doc='Also in "regularization_losses".')
    stateful = dynamic = False

    @property
    def _scope(self):
        handle = _c.layer_scope(self)
        return None if handle is None else VariableScope(handle)

    @property
    def dtype(self):
        """The variables' dtype by name; None where no input has told it yet."""
        dtype = _c.layer_dtype(self)
        return None if dtype is None else dtype.name

    @property
    def built(self):
        return _c.layer_is_built(self)

    @built.setter
    def built(self, value):
        self._set(_c.layer_set_built, bool(value))

    @property
    def trainable(self):
        return _c.layer_is_trainable(self)

    @trainable.setter
    def trainable(self, value):
        self._set(_c.layer_set_trainable, bool(value))

    def _set(self, function, value):
        """Sets what Layer.__init__ sets first; before that it means nothing."""
        if "_calls" in self.__dict__:
            function(self, value)

    @property
    def activity_regularizer(self):
        return self._activity_regularizer

    @activity_regularizer.setter
    def activity_regularizer(self, regularizer):
        self._activity_regularizer = regularizer
        _c.layer_set_activity_regularizer(self, regularizer)

    @property
    def input_spec(self):
        specs = [spec and InputSpec(*spec) for spec in _c.layer_input_spec(self)]
        return specs[0] if len(specs) == 1 else specs or None

    @input_spec.setter
    def input_spec(self, spec):
        specs = [] if spec is None else list(spec) if isinstance(spec, (list, tuple)) else [spec]
        for each in specs:
            if each is not None and not isinstance(each, InputSpec):
                raise TypeError(f"Layer input_spec must be an instance of InputSpec. Got: {each}")
        _c.layer_set_input_spec(self, specs)

    def _require_rank(self, rank):
        self.input_spec = InputSpec(ndim=rank)

    # Variables.

    trainable_weights = property(_c.layer_trainable_weights)
    non_trainable_weights = property(_c.layer_non_trainable_weights)

    @property
    def weights(self):
        """Those that are trained, then the others."""
        return self.trainable_weights + self.non_trainable_weights

    trainable_variables = property(lambda self: self.trainable_weights)
    non_trainable_variables = property(lambda self: self.non_trainable_weights)
    variables = property(lambda self: self.weights)

    def count_params(self):
        """How many numbers the variables hold. Errors: ValueError before build()."""
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on {self.name}, but the layer isn't built. You can build it "
                f"manually via: `{self.name}.build(batch_input_shape)`."
            )
        return int(sum(np.prod(weight.shape.as_list(), dtype=np.int64) for weight in self.weights))

    def get_weights(self):
        """The values of the variables in the default session, as arrays."""
        from kiln.compat.v1._session import get_default_session

        session = get_default_session()
        if session is None:
            raise ValueError("Cannot read weights: no default session is registered.")
        return session.run(self.weights)

    def set_weights(self, weights):
        """Gives the variables values in the default session. Errors: ValueError for other numbers and shapes."""
        variables = self.weights
        if len(variables) != len(weights):
            raise ValueError(
                f'You called `set_weights(weights)` on layer "{self.name}" with a  weight list of length '
                f"{len(weights)}, but the layer was expecting {len(variables)} weights. Provided weights: "
                f"{str(weights)[:50]}..."
            )
        for variable, value in zip(variables, weights):
            if not variable.shape.is_compatible_with(np.shape(value)):
                raise ValueError(
                    f"Layer weight shape {variable.shape} not compatible with provided weight shape {np.shape(value)}"
                )
        for variable, value in zip(variables, weights):
            variable.load(value)

    def add_weight(
        self,
        name,
        shape,
        dtype=None,
        initializer=None,
        regularizer=None,
        trainable=None,
        constraint=None,
        use_resource=None,
        synchronization=VariableSynchronization.AUTO,
        aggregation=VariableAggregation.NONE,
        partitioner=None,
        **kwargs,
    ):
        """Finds or makes a variable in the layer's variable scope.

        initializer: the variable scope's, or Glorot's uniform one, where it is None. regularizer: a
        function of the variable that makes a loss.
        """
        for keyword in kwargs:
            if keyword not in ("experimental_autocast", "autocast", "caching_device"):
                raise TypeError("Unknown keyword argument:", keyword)
        if synchronization == VariableSynchronization.ON_READ:
            if trainable:
                raise ValueError(
                    "Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable "
                    "variables. You have specified trainable=True and "
                    "synchronization=VariableSynchronization.ON_READ."
                )
            trainable = False
        self._hold()
        return _c.layer_add_weight(
            self, name, () if shape is None else shape, dtype, _named.initializer(initializer),
            _named.regularizer(regularizer), trainable, _named.constraint(constraint), use_resource, partitioner,
        )  # fmt: skip

    def add_variable(self, *args, **kwargs):
        """The older name of add_weight()."""
        return self.add_weight(*args, **kwargs)

    def _track_variable(self, variable):
        """Makes a variable one of the layer's."""
        _c.layer_track(self, variable)

    def _hold(self):
        """C++ has nodes of the graph, and functions that the graph holds."""
        held = self.__dict__.get("_held")
        if held is None:
            raise RuntimeError("You must call `super().__init__()` in the layer constructor.")
        graph = get_default_graph()
        held[id(graph)] = graph

    # Losses and updates.

    def add_loss(self, losses, inputs=None):
        """Adds losses, tensors or functions that make them, to the layer's and to "regularization_losses"."""
        for loss in nest.flatten(losses):
            loss = loss() if callable(loss) else loss
            if loss is not None:
                _c.layer_add_loss(self, loss if _is_leaf(loss) else convert_to_tensor(loss, dtypes.float32))

    def add_update(self, updates, inputs=None):
        """Adds what a step has to run, operations, tensors or functions that make them.

        "update_ops" gets it when the call ends.
        """
        for update in nest.flatten(updates):
            update = update() if callable(update) and not _is_leaf(update) else update
            if update is not None:
                _c.layer_add_update(self, update)

    # Calls.

    def _open_scope(self, scope):
        self._hold()
        _c.layer_open_scope(self, scope._handle if isinstance(scope, VariableScope) else scope)

    def build(self, input_shape):
        """Makes the variables, for inputs of this shape."""
        self.built = True

    def call(self, inputs, **kwargs):
        """Computes the result; called in the layer's scopes."""
        return inputs

    def apply(self, inputs, *args, **kwargs):
        """The same as a call of the layer."""
        return self(inputs, *args, **kwargs)

    def __call__(self, inputs, *args, **kwargs):
        """Opens the layer's scopes, builds it where it is not built, and calls call() with the arguments."""
        scope = kwargs.pop("scope", None)
        if scope is not None:
            self._open_scope(scope)
        self._hold()
        inputs, tensors = _tensors_of(inputs)
        if not tensors and self.dtype is None:
            for each in nest.flatten(inputs):
                _c.layer_set_dtype(self, each.dtype.base_dtype)
                break
        outputs = None

        def build():
            self.build(nest.map_structure(lambda each: each.shape, inputs))

        def results():
            nonlocal outputs
            if _takes_scope(type(self)):
                kwargs["scope"] = get_variable_scope()
            outputs = self.call(inputs, *args, **kwargs)
            if outputs is None:
                raise ValueError(
                    "A layer's `call` method should return a Tensor or a list of Tensors, not None "
                    f"(layer: {self.name})."
                )
            return nest.flatten(outputs) if self._activity_regularizer else ()

        _c.layer_enter(self, tensors, build, results)
        self._calls.append((inputs, outputs))
        return outputs

    def compute_output_shape(self, input_shape):
        """The shape of the result for one of the input."""
        raise NotImplementedError

    def compute_mask(self, inputs, mask=None):
        """Layers have no masks. Errors: TypeError for one."""
        if any(each is not None for each in nest.flatten(mask)):
            raise TypeError(f"Layer {self.name} does not support masking, but was passed an input_mask: {mask}")
        return None

    @property
    def graph(self):
        """None: layers belong to no graph."""
        return None

    # Configurations and copies.

    def get_config(self):
        """The arguments that make a layer like this one."""
        return {"name": self.name, "trainable": self.trainable, "dtype": self.dtype}

    @classmethod
    def from_config(cls, config):
        return cls(**config)

    def __deepcopy__(self, memo):
        import copy

        other = type(self).__new__(type(self))
        memo[id(self)] = other
        if "_calls" in self.__dict__:
            _c.copied_layer(other, self)
        of_graphs = (_c.Tensor, _c.Operation, _c.Variable, _c.Graph, _c.PartitionedVariable, VariableScope)
        for name, value in self.__dict__.items():
            if name in ("_held", "_calls"):
                value = copy.copy(value)
            elif not isinstance(value, of_graphs):
                value = copy.deepcopy(value, memo)
            other.__dict__[name] = value
        return other


def _tensors_of(inputs):
    """The inputs, with numbers and arrays as tensors; and the tensors alone, where all are such."""
    if _is_leaf(inputs):
        return inputs, (inputs,)

    def convert(value):
        if isinstance(value, (np.ndarray, np.generic, float, int)):
            return convert_to_tensor(value)
        return value

    inputs = nest.map_structure(convert, inputs)
    flat = nest.flatten(inputs)
    return inputs, flat if all(map(_is_leaf, flat)) else ()


_scope_takers = {}


def _takes_scope(cls):
    """Whether call() has an argument "scope"."""
    function = cls.call
    known = _scope_takers.get(function)
    if known is None:
        import inspect

        try:
            known = "scope" in inspect.signature(function).parameters
        except (TypeError, ValueError):
            known = False
        _scope_takers[function] = known
    return known
