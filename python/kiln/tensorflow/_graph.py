"""A TensorFlow graph as Kiln has it: its new nodes are handed over before a run."""

import math
import threading
import weakref

from tensorflow.core.framework import graph_pb2
from tensorflow.python.framework import composite_tensor, tensor_shape
from tensorflow.python.ops import variables
from tensorflow.python.platform import tf_logging

import kiln
from kiln.tensorflow import _foreign, _functions


# The ids of a TensorFlow graph's source and sink come before.
FIRST_ID = 2


def _nodes_from(graph, first, count):
    """Yields so many operations with their ids, from an id on: a node that TensorFlow refused leaves a gap."""
    nodes, number = graph._nodes_by_id, first
    while count:
        try:
            node = nodes[number]
        except KeyError:
            pass
        else:
            yield number, node
            count -= 1
        number += 1


def _varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _field(tag, content):
    return tag + _varint(len(content)) + content


_shape_fields = {}
MOST_SHAPES = 10_000


def _proto(shape):
    # TensorFlow's shape functions do not look at how large a tensor is.
    if shape.rank is not None and math.prod(filter(None, shape.as_list())) >= 2**63:
        shape = tensor_shape.unknown_shape()
    return shape.as_proto()


def _shapes(outputs):
    """What TensorFlow inferred of the outputs of a node, and what the program has set, as the end of the serialized node."""
    key = tuple([output.shape._dims for output in outputs])
    field = _shape_fields.get(key)
    if field is None:
        if len(_shape_fields) >= MOST_SHAPES:
            _shape_fields.clear()
        field = b""
        if any(dims is not None for dims in key):
            shapes = b"".join(_field(b"\x3a", _proto(output.shape).SerializeToString()) for output in outputs)
            # A NodeDef's field 5, an entry of a map: its key, and its value, whose field 1 is a list of fields 7.
            field = _field(b"\x2a", _field(b"\x0a", b"_output_shapes") + _field(b"\x12", _field(b"\x0a", shapes)))
        _shape_fields[key] = field
    return field


def _complete(function, graph):
    """Adds to the nodes of a function what TensorFlow knows of them."""
    body = getattr(graph._functions[function.signature.name], "graph", None)
    nodes = body._nodes_by_name if body is not None else {}
    for node in function.node_def:
        _foreign.is_foreign(node.op)  # Kiln learns of it
        try:
            operation = nodes[node.name]
        except KeyError:
            pass  # TensorFlow keeps no graph of it, or adds a node where it makes a function of one
        else:
            if operation.type == node.op:
                node.MergeFromString(_shapes(operation.outputs))
        if node.op in _foreign.with_functions:
            node.MergeFromString(_functions.beside(node.SerializeToString(), graph))


class GraphMirror:
    """The kiln.Graph of a tf.Graph, shared by its sessions.

    When an operation that is here changes, those sessions keep it as it was, and the next one begins another mirror.

    Thread safety: extend() takes the graph's own locks, as TensorFlow's sessions and as adding nodes do.
    """

    def __init__(self):
        self.graph = kiln.Graph()
        self.version = 0  # how many nodes are here
        self.next_id = FIRST_ID
        self.functions = set()  # the names of those that are here
        self.changes = []  # of operations that are here, to be told to a session that goes on

    def extend(self, graph):
        """Adds what the graph has more than at the last call, node by node."""
        while self.changes:
            name, change = self.changes.pop()
            tf_logging.warning(
                "Operation '%s' was changed by %s after it was run by a session. This has no effect there. "
                "Either don't change operations after running them or create a new session.", name, change
            )
        if graph.version == self.version:
            return
        with graph._session_run_lock(), graph._lock:
            version = graph.version
            if version == self.version:
                return
            # A GraphDef's wire form: field 1 for each node, which TensorFlow gives
            # serialized. So no constant passes through a message of Python's.
            parts = []
            next_id = self.next_id
            for number, operation in _nodes_from(graph, next_id, version - self.version):
                _foreign.is_foreign(operation.type)  # Kiln learns of it
                node = operation._node_def + _shapes(operation.outputs)
                if operation.type in _foreign.with_functions:
                    node += _functions.beside(operation._node_def, graph)
                parts += (b"\x0a", _varint(len(node)), node)
                next_id = number + 1
            rest = graph_pb2.GraphDef()
            functions = self._new_functions(graph)
            if functions:
                _functions.copied(functions, rest)
                for function in rest.library.function:
                    _complete(function, graph)
            if self.version == 0:
                rest.versions.CopyFrom(graph.graph_def_versions)
            parts.append(rest.SerializeToString())
            self.graph.extend(b"".join(parts))
            self.version = version
            self.next_id = next_id
            self.functions.update(functions)

    def _new_functions(self, graph):
        """The functions that are not here yet, by name: the last ones."""
        new = []
        for name in reversed(graph._functions):
            if name in self.functions:
                break
            new.append(name)
        return {name: graph._functions[name] for name in reversed(new)}

    @staticmethod
    def of(graph):
        with _lock:
            mirror = _mirrors.get(graph)
            if mirror is None:
                mirror = _mirrors[graph] = GraphMirror()
            return mirror

    @staticmethod
    def note_change(operation, change):
        """Says that an operation is not any more what it was, and how it came about."""
        graph = operation.graph
        with _lock:
            mirror = _mirrors.get(graph)
            if mirror is not None and operation._id < mirror.next_id:
                mirror.changes.append((operation.name, change))
                del _mirrors[graph]

    @staticmethod
    def forget_all():
        """Makes later sessions begin mirrors of their own: what changes from now on is not noted."""
        with _lock:
            _mirrors.clear()


_lock = threading.Lock()
# A mirror knows nothing of its graph, which may therefore go.
_mirrors = weakref.WeakKeyDictionary()


def names_of(graph):
    """Returns the function from what sessions of the graph take for a tensor to its name."""
    reference = weakref.ref(graph)

    def name(element, is_fed):
        # A RaggedTensor would pass for its flat values.
        if isinstance(element, composite_tensor.CompositeTensor) and not isinstance(element, variables.Variable):
            raise TypeError(f"expected a tensor, got {type(element).__name__}")
        return reference().as_graph_element(element, allow_tensor=True, allow_operation=not is_fed).name

    return name
