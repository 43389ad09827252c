"""What runs do one after the other: tf.CriticalSection."""

import collections

from kiln._generated import raw_ops as _raw
from kiln.compat.v1 import dtypes, nest
from kiln.compat.v1._array_ops import identity
from kiln.compat.v1._control_flow import tuple as _tuple
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._graph_functions import add_to_collections, control_dependencies, name_scope
from kiln.compat.v1._sparse import IndexedSlices

__all__ = ["CriticalSection"]

CRITICAL_SECTIONS = "critical_sections"
CRITICAL_SECTION_EXECUTIONS = "critical_section_executions"
_running = []  # the signatures of the sections whose functions are being called
Execution = collections.namedtuple("Execution", "op handle resources exclusive_resource_access")


def _identity(value):
    """A tensor of its own for each element; an operation stays."""
    if isinstance(value, IndexedSlices):
        shape = None if value.dense_shape is None else identity(value.dense_shape)
        return IndexedSlices(identity(value.values), identity(value.indices), shape)
    return identity(value) if hasattr(value, "dtype") else value


class CriticalSection:
    """What at most one run executes at a time, of all executions of one section.

    shared_name: sections of one name share a lock; by default each has its own. Errors:
    ValueError. Source: tf.CriticalSection; here the inputs of what runs inside may be
    computed while the lock is held.
    """

    def __init__(self, name=None, shared_name=None, critical_section_def=None, import_scope=None):
        if critical_section_def is not None:
            raise ValueError("Kiln reads no critical sections from messages")
        with name_scope(name, "CriticalSection", []) as scope:
            container = get_default_graph()._container or ""
            shared_name = scope if shared_name is None else shared_name
            self._handle = _raw.mutex_v2(container=container, shared_name=shared_name)
            self._signature = (container, shared_name or self._handle.name, self._handle.device or None)
        add_to_collections([CRITICAL_SECTIONS], self)

    @property
    def name(self):
        return self._handle.op.name

    def execute(self, fn, exclusive_resource_access=True, name=None):
        """What fn() gives, whose operations run under the lock.

        exclusive_resource_access: whether other sections may not use the resources that fn
        uses. Errors: ValueError where fn uses this section, or resources of another one.
        """
        if self._signature in _running:
            raise ValueError(
                f"Attempting to lock a CriticalSection (signature={self._signature}) in which we are already running. "
                "This is illegal and may cause deadlocks."
            )
        graph = get_default_graph()
        with name_scope(name, "critical_section_execute", []):
            lock = _raw.mutex_lock(self._handle)
            before = {op.name for op in graph.get_operations()}
            _running.append(self._signature)
            try:
                with control_dependencies([lock]):
                    result = fn()
            finally:
                _running.pop()
            created = [op for op in graph.get_operations() if op.name not in before]
            resources = {each.name for op in created for each in op.inputs if each.dtype == dtypes.resource}
            if self._handle.name in resources:
                raise ValueError(
                    "The function fn attempts to directly access the CriticalSection in which it would be running.  "
                    "This is illegal and would cause deadlocks."
                )
            self._check_access(graph, resources, exclusive_resource_access)
            flat = [_identity(each) for each in nest.flatten(result)]
            with control_dependencies(flat):
                with graph.colocate_with(self._handle):
                    released = _raw.consume_mutex_lock(lock)
                if flat:
                    result = nest.pack_sequence_as(result, _tuple(nest.flatten(result)))
            with control_dependencies([released]):
                outputs = nest.map_structure(_identity, result)
        execution = Execution(lock.op, self._handle, sorted(resources), exclusive_resource_access)
        add_to_collections([CRITICAL_SECTION_EXECUTIONS], execution)
        return outputs

    def _check_access(self, graph, resources, is_exclusive):
        for other in graph.get_collection(CRITICAL_SECTION_EXECUTIONS):
            if other.handle.name == self._handle.name:
                continue
            if not (is_exclusive or other.exclusive_resource_access):
                continue
            shared = resources.intersection(other.resources)
            if shared:
                raise ValueError(
                    "This execution would access resources: %s.  Either this lock (CriticalSection: %s) or lock '%s' "
                    "(CriticalSection: %s) requested exclusive resource access of this resource.  Did you mean to call "
                    "execute with keyword argument exclusive_resource_access=False?"
                    % (sorted(shared), self._handle, other.op, other.handle)
                )
