"""tf.Variable, and the functions that mean all variables."""

import enum
import functools

from kiln._kiln import front as _c

from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._keys import GraphKeys
from kiln.compat.v1._operators import TensorOperators
from kiln.compat.v1._variable_updates import VariableUpdates
from kiln.compat.v1.shapes import TensorShape


class VariableSynchronization(enum.Enum):
    """Source: tf.VariableSynchronization. There is one device: it changes nothing."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(enum.Enum):
    """Source: tf.VariableAggregation. There is one device: it changes nothing."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
    ONLY_FIRST_TOWER = 3


def is_trained(trainable, synchronization):
    """`trainable` as it is meant: what each replica writes for itself is not trained."""
    if synchronization != VariableSynchronization.ON_READ:
        return trainable
    if trainable:
        raise ValueError(
            "Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable "
            "variables. You have specified trainable=True and synchronization=VariableSynchronization.ON_READ."
        )
    return False


_PARAMETERS = (
    "initial_value", "trainable", "collections", "validate_shape", "caching_device", "name",
    "variable_def", "dtype", "expected_shape", "import_scope", "constraint", "use_resource",
    "synchronization", "aggregation", "shape",
)  # fmt: skip


def _created(cls, creators, args, kwargs):
    """A variable by the functions of variable_creator_scope, the innermost first."""
    kwargs.update(zip(_PARAMETERS, args))

    def make(**given):
        variable = _c.Variable.__new__(cls)
        variable.__init__(**given)
        return variable

    for creator in creators:
        make = functools.partial(creator, make)
    return make(**kwargs)


class Variable(VariableUpdates, TensorOperators, _c.Variable):
    """A tensor that keeps its value between the runs of a session.

    Variable(initial_value): a value, or a function that makes it; its dtype and
    shape are the variable's. It has to be run through its initializer before it
    is read. Errors: ValueError where there is no initial value, or its shape is
    not known. Source: tf.Variable.
    """

    __array_priority__ = 100

    class SaveSliceInfo:
        """Where a part lies in a partitioned variable. Source: tf.Variable.SaveSliceInfo."""

        def __init__(
            self, full_name=None, full_shape=None, var_offset=None, var_shape=None, save_slice_info_def=None
        ):
            if save_slice_info_def is not None:
                full_name, full_shape = save_slice_info_def.full_name, list(save_slice_info_def.full_shape)
                var_offset = list(save_slice_info_def.var_offset)
                var_shape = list(save_slice_info_def.var_shape)
            self.full_name, self.full_shape = full_name, full_shape
            self.var_offset, self.var_shape = var_offset, var_shape

        @property
        def spec(self):
            full = " ".join(str(extent) for extent in self.full_shape) + " "
            parts = (f"{offset},{size}" for offset, size in zip(self.var_offset, self.var_shape))
            return full + ":".join(parts)

        def to_proto(self, export_scope=None):
            """A SaveSliceInfoDef; None where it is not in the scope."""
            from kiln.compat.v1 import _variable_defs

            return _variable_defs.slice_info_def(self, export_scope)

    def __new__(cls, *args, **kwargs):
        if kwargs.get("variable_def") is not None:
            from kiln.compat.v1 import _variable_defs

            found = _variable_defs.variable_of(kwargs["variable_def"], kwargs.get("import_scope"))
            found._is_made = True
            return found
        creators = get_default_graph().__dict__.get("_variable_creators")
        return _created(cls, creators, args, kwargs) if creators else super().__new__(cls)

    def __init__(
        self,
        initial_value=None,
        trainable=None,
        collections=None,
        validate_shape=True,
        caching_device=None,
        name=None,
        variable_def=None,
        dtype=None,
        expected_shape=None,
        import_scope=None,
        constraint=None,
        use_resource=None,
        synchronization=VariableSynchronization.AUTO,
        aggregation=VariableAggregation.NONE,
        shape=None,
    ):
        if "_is_made" in self.__dict__:
            return  # by variable_creator_scope
        self._is_made = True
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        if collections is not None and not isinstance(collections, (list, tuple, set)):
            raise ValueError(
                f"collections argument to Variable constructor must be a list, tuple, or set. "
                f"Got {collections} of type {type(collections)}"
            )
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        trainable = is_trained(trainable, synchronization)
        if shape is not None and TensorShape(shape).ndims is None:
            validate_shape = False  # assignments may change it
        keys = None if collections is None else [str(key) for key in collections]
        super().__init__(
            initial_value, trainable is not False, dtype, name, validate_shape, keys, use_resource, shape, constraint
        )
        self._init_members()

    def _init_members(self):
        """What Python alone keeps; C++ calls it for the variables that it makes."""

    # What it is.

    name = property(_c.variable_name)
    op = property(_c.variable_op)
    dtype = property(_c.variable_dtype)
    graph = property(_c.variable_graph)
    initial_value = property(_c.variable_initial_value)
    initializer = create = property(_c.variable_initializer)
    trainable = property(_c.variable_is_trainable)
    shape = property(_c.variable_shape)
    _handle = handle = property(_c.variable_handle)
    synchronization = VariableSynchronization.AUTO
    aggregation = VariableAggregation.NONE

    @property
    def device(self):
        return self.handle.device

    @property
    def constraint(self):
        return _c.variable_constraint(self)

    @property
    def _shared_name(self):
        return self.handle.op.name

    @property
    def _save_slice_info(self):
        if "_set_slice_info" in self.__dict__:
            return self._set_slice_info
        found = _c.variable_slice(self)
        if found is None:
            return None
        full_name, full_shape, offset, shape, _ = found
        return Variable.SaveSliceInfo(full_name, full_shape.as_list(), offset, shape.as_list())

    def _set_save_slice_info(self, save_slice_info):
        self._set_slice_info = save_slice_info

    def _get_save_slice_info(self):
        return self._save_slice_info

    def get_shape(self):
        return self.shape

    def set_shape(self, shape):
        """Adds what the program knows of the shape to the reference and its reads."""
        self._ref().set_shape(shape)
        self.value().set_shape(shape)

    # Reads.

    def value(self):
        """The tensor of its value. Of a resource each call adds a read."""
        return _c.variable_value(self)

    def read_value(self):
        """A new read, behind the control dependencies here."""
        return _c.variable_read_value(self)

    _snapshot = property(value)

    def initialized_value(self):
        """The value, or the first value where it has none yet."""
        return _c.variable_initialized_value(self)

    def is_initialized(self, name=None):
        return _c.variable_is_initialized(self, name or "")

    def _ref(self):
        return self.handle

    def _as_graph_element(self):
        return _c.variable_graph_element(self)

    def _is_resource(self):
        return _c.variable_is_resource(self)

    def eval(self, session=None):
        """Its value in a session, or the default one."""
        return self._as_graph_element().eval(session=session)

    def load(self, value, session=None):
        """Gives it a value in a session, or the default one, without a new node."""
        from kiln.compat.v1 import _session

        _session.load_variable(self, value, session)

    # Assignments: they give the reference, or the resource as they left it; without read_value the operation.

    def assign(self, value, use_locking=False, name=None, read_value=True):
        if not read_value:
            return _c.assign_only(0, self, value, True, use_locking, name)
        return _c.assign(self, value, True, use_locking, name)

    def assign_add(self, delta, use_locking=False, name=None, read_value=True):
        if not read_value:
            return _c.assign_only(1, self, delta, True, use_locking, name)
        return _c.assign_add(self, delta, True, use_locking, name)

    def assign_sub(self, delta, use_locking=False, name=None, read_value=True):
        if not read_value:
            return _c.assign_only(2, self, delta, True, use_locking, name)
        return _c.assign_sub(self, delta, True, use_locking, name)

    def count_up_to(self, limit):
        from kiln.compat.v1 import _state_ops

        return _state_ops.count_up_to(self, limit)

    # Other forms.

    def to_proto(self, export_scope=None):
        """A VariableDef; None where it is not in the scope."""
        from kiln.compat.v1 import _variable_defs

        return _variable_defs.to_proto(self, export_scope)

    @staticmethod
    def from_proto(variable_def, import_scope=None):
        return Variable(variable_def=variable_def, import_scope=import_scope)

    def __iter__(self):
        raise TypeError("'Variable' object is not iterable.")

    def __repr__(self):
        return f"<tf.Variable {self.name!r} shape={self.shape} dtype={self.dtype.name}>"

    __str__ = __repr__


RefVariable = Variable
VariableV1 = Variable


def _listing(key, doc):
    def variables(scope=None):
        return get_default_graph().get_collection(key, scope)

    variables.__doc__ = doc + " scope: those whose name begins with a match of it."
    return variables


global_variables = _listing(GraphKeys.GLOBAL_VARIABLES, "The variables of the graph. Source: tf.global_variables.")
trainable_variables = _listing(
    GraphKeys.TRAINABLE_VARIABLES, "The variables that optimizers change. Source: tf.trainable_variables."
)
local_variables = _listing(
    GraphKeys.LOCAL_VARIABLES, "The variables that are not saved. Source: tf.local_variables."
)
model_variables = _listing(GraphKeys.MODEL_VARIABLES, "The variables of models. Source: tf.model_variables.")
moving_average_variables = _listing(
    GraphKeys.MOVING_AVERAGE_VARIABLES, "The variables that have averages. Source: tf.moving_average_variables."
)


def all_variables():
    """The older name of global_variables()."""
    return global_variables()


def variables_initializer(var_list, name="init"):
    """An operation that gives variables their first values. Source: tf.variables_initializer."""
    return _c.variables_initializer(list(var_list or ()), name)


initialize_variables = variables_initializer


def global_variables_initializer():
    """Source: tf.global_variables_initializer."""
    return variables_initializer(global_variables())


def initialize_all_variables():
    """The older name of global_variables_initializer()."""
    return global_variables_initializer()


def local_variables_initializer():
    """Source: tf.local_variables_initializer."""
    return variables_initializer(local_variables(), "init")


initialize_local_variables = local_variables_initializer


def assert_variables_initialized(var_list=None):
    """An operation that ends a run where a variable has no value, FailedPreconditionError.

    var_list: global and local variables where it is None; without any, None. Source:
    tf.assert_variables_initialized.
    """
    from kiln._generated import raw_ops
    from kiln.compat.v1 import _array_ops

    variables = global_variables() + local_variables() if var_list is None else var_list
    if not variables:
        variables = [op for op in get_default_graph().get_operations() if op.type in _REFERENCES]
        variables = [operation.outputs[0] for operation in variables]
    if not variables:
        return None
    ranks = [raw_ops.rank(variable) for variable in variables]
    return ranks[0] if len(ranks) == 1 else _array_ops.stack(ranks)


_REFERENCES = ("Variable", "VariableV2", "AutoReloadVariable")


def report_uninitialized_variables(var_list=None, name="report_uninitialized_variables"):
    """The names of variables without a value, a vector of strings.

    var_list: global and local variables where it is None. Source:
    tf.report_uninitialized_variables.
    """
    return _c.report_uninitialized_variables(var_list, name)


def enable_resource_variables():
    """From now on new variables of the current graph are resources. Source: tf.enable_resource_variables."""
    _c.use_resource_variables(True)


def disable_resource_variables():
    _c.use_resource_variables(False)


_c.set_classes(variable=Variable)
