"""tf.Graph, and the functions that mean the current one."""

from kiln._kiln import front as _c
from kiln.compat.v1 import _scopes
from kiln.compat.v1._elements import Operation, Tensor


class Graph(_c.Graph):
    """A graph under construction, which sessions run.

    One thread at a time builds a graph; sessions may run it meanwhile. The stack
    of default graphs is the thread's. Source: tf.Graph.
    """

    def __init__(self):
        super().__init__()
        self._init_members()

    def _init_members(self):
        """What Python alone keeps; C++ calls it for the graphs that it makes."""
        self._session_graph = None

    # Elements.

    def get_operations(self):
        """All operations, in the order of addition."""
        return _c.operations(self)

    def get_operation_by_name(self, name):
        """Errors: KeyError, ValueError; TypeError where the name is no str."""
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=False, allow_operation=True)

    _get_operation_by_name_unsafe = get_operation_by_name

    def get_tensor_by_name(self, name):
        """The tensor "operation:index". Errors: KeyError, ValueError, TypeError."""
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=True, allow_operation=False)

    def as_graph_element(self, obj, allow_tensor=True, allow_operation=True):
        """The Tensor or Operation that an object or a name means.

        Errors: KeyError for a name that is not there, ValueError for one of
        another form and for elements of another graph, TypeError for others.
        """
        if allow_tensor and allow_operation:
            types = "Tensor or Operation"
        elif allow_tensor:
            types = "Tensor"
        elif allow_operation:
            types = "Operation"
        else:
            raise ValueError("allow_tensor and allow_operation can't both be False.")
        convert = getattr(obj, "_as_graph_element", None)
        if convert is not None:
            obj = convert()
        if isinstance(obj, (str, bytes)):
            name = obj if isinstance(obj, str) else obj.decode()
            return self._element_named(name, allow_tensor, allow_operation)
        if isinstance(obj, Tensor) and allow_tensor:
            if obj.graph is not self:
                raise ValueError(f"Tensor {obj} is not an element of this graph.")
            return obj
        if isinstance(obj, Operation) and allow_operation:
            if obj.graph is not self:
                raise ValueError(f"Operation {obj} is not an element of this graph.")
            return obj
        raise TypeError(f"Can not convert a {type(obj).__name__} into a {types}.")

    def _element_named(self, name, allow_tensor, allow_operation):
        if ":" not in name:
            operation = _c.look_up(self, name)
            if allow_operation:
                if operation is None:
                    raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
                return operation
            form = 'Tensor names must be of the form "<op_name>:<output_index>".'
            if operation is not None:
                raise ValueError(f"The name {name!r} refers to an Operation, not a Tensor. {form}")
            raise ValueError(f"The name {name!r} looks like an (invalid) Operation name, not a Tensor. {form}")
        if not allow_tensor:
            raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a Operation.")
        op_name, _, index = name.partition(":")
        if not index.isdigit():
            raise ValueError(
                f"The name {name!r} looks a like a Tensor name, but is not a valid one. "
                'Tensor names must be of the form "<op_name>:<output_index>".'
            )
        operation = _c.look_up(self, op_name)
        start = f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, "
        if operation is None:
            raise KeyError(start + "does not exist in the graph.")
        outputs = operation.outputs
        if int(index) >= len(outputs):
            raise KeyError(start + f"exists but only has {len(outputs)} outputs.")
        return outputs[int(index)]

    def is_feedable(self, tensor):
        return tensor not in self.__dict__.get("_unfeedable_tensors", ())

    def is_fetchable(self, tensor_or_op):
        return tensor_or_op not in self.__dict__.get("_unfetchable_ops", ())

    def prevent_feeding(self, tensor):
        self.__dict__.setdefault("_unfeedable_tensors", set()).add(tensor)

    def prevent_fetching(self, op):
        self.__dict__.setdefault("_unfetchable_ops", set()).add(op)

    @property
    def version(self):
        """Grows with each operation."""
        return _c.num_operations(self)

    @property
    def building_function(self):
        return _c.outer_graph(self) is not None

    @property
    def outer_graph(self):
        return _c.outer_graph(self)

    @property
    def seed(self):
        return _c.seed(self)

    @seed.setter
    def seed(self, seed):
        _c.set_seed(self, seed)

    @property
    def finalized(self):
        return _c.is_finalized(self)

    def finalize(self):
        """From now on nothing can be added."""
        _c.finalize(self)

    def _unsafe_unfinalize(self):
        """Makes additions possible again. Source: tf.Graph._unsafe_unfinalize."""
        _c.unfinalize(self)

    def _check_not_finalized(self):
        if self.finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    # Scopes.

    def as_default(self):
        """A context in which functions build in this graph."""
        return _scopes.GraphContext(self)

    def name_scope(self, name):
        """A context that puts name/ before names; gives the full name and a slash."""
        if name is not None and not isinstance(name, str):
            raise TypeError(f"`name` for name_scope must be a string. Received: {type(name).__name__}.")
        return _scopes.NameContext(self, name)

    def get_name_scope(self):
        return _c.name_scope_of(self).rstrip("/")

    def unique_name(self, name, mark_as_used=True):
        return _c.unique_name(self, name, mark_as_used)

    def device(self, device_name_or_function):
        return _scopes.DeviceContext(self, device_name_or_function)

    def control_dependencies(self, control_inputs):
        return _scopes.control_context(self, control_inputs)

    def colocate_with(self, op, ignore_existing=False):
        return _scopes.colocation_context(self, op, ignore_existing)

    def gradient_override_map(self, op_type_map):
        return _scopes.override_context(self, op_type_map)

    def _attr_scope(self, attr_map):
        return _scopes.attribute_context(self, attr_map)

    def container(self, container_name):
        """A context whose resources, variables, queues and tables, are in a container of this name."""
        return _scopes.ContainerContext(self, container_name)

    @property
    def _container(self):
        return _c.container_of(self)

    def switch_to_thread_local(self):
        """Gives each thread devices and colocations of its own, which begin with those that hold now.

        Name scopes and control dependencies are each thread's from the beginning. Source:
        tf.Graph.switch_to_thread_local.
        """
        _c.separate_placements(self)

    # Collections.

    def add_to_collection(self, name, value):
        self._check_not_finalized()
        _c.add_to_collection(self, _key(name), value)

    def add_to_collections(self, names, value):
        for name in {names} if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection(self, name, scope=None):
        """A list of the items, of those whose name begins with a match of scope."""
        return _c.collection(self, _key(name), scope or "")

    def get_collection_ref(self, name):
        """The list itself: what is appended to it is in the collection."""
        return _scopes.CollectionList(self, _key(name))

    def get_all_collection_keys(self):
        return _c.collection_keys(self)

    collections = property(get_all_collection_keys)

    def clear_collection(self, name):
        self._check_not_finalized()
        _c.clear_collection(self, _key(name))

    # Other forms.

    def as_graph_def(self, from_version=None, add_shapes=False):
        """A GraphDef of the nodes from a version on."""
        from kiln.compat.v1 import _graph_defs

        return _graph_defs.graph_def_of(self, from_version, add_shapes)

    @property
    def graph_def_versions(self):
        return self.as_graph_def(from_version=self.version).versions

    def create_op(
        self,
        op_type,
        inputs,
        dtypes=None,
        input_types=None,
        name=None,
        attrs=None,
        op_def=None,
        compute_shapes=True,
        compute_device=True,
    ):
        """Adds an operation of any type. attrs: values of AttrValue messages."""
        from kiln.compat.v1 import _graph_defs

        return _graph_defs.create_op(self, op_type, inputs, dtypes, name, attrs)


def _key(name):
    """Keys of collections are texts here; any other hashable is known by its repr."""
    if isinstance(name, str):
        return name
    return name.name if hasattr(name, "name") else repr(name)


def get_default_graph():
    """The innermost graph that is default here. Source: tf.get_default_graph."""
    return _c.current_graph()


def reset_default_graph():
    """Makes a new default graph. Errors: AssertionError inside of a graph's context.

    Source: tf.reset_default_graph.
    """
    _c.reset_default_graph()


_c.set_classes(graph=Graph, operation=Operation, tensor=Tensor)
