"""The variable that counts a graph's training steps, and graphs as files."""

import os

import numpy as np

from kiln._kiln import front as _c
from kiln.compat.v1._graph import Graph, get_default_graph


def global_step(sess, global_step_tensor):
    """The number of steps in a session, an int.

    sess: a session; global_step_tensor: a variable or tensor. Source: tf.train.global_step.
    """
    # Also of a tensor of one element, which int() alone does not take.
    return int(np.asarray(sess.run(global_step_tensor)).item())


def get_global_step(graph=None):
    """The graph's variable that counts its steps, or None. Errors: TypeError for one that is no integer scalar.

    It is what the collection "global_step" has, or "global_step:0". Source: tf.train.get_global_step.
    """
    graph = graph or get_default_graph()
    found = graph.get_collection("global_step")
    if len(found) > 1:
        from kiln.compat.v1 import logging

        logging.error("Multiple tensors in global_step collection.")
        return None
    if found:
        step = found[0]
    else:
        try:
            step = graph.get_tensor_by_name("global_step:0")
        except KeyError:
            return None
        # The variable, if it is one.
        step = next((each for each in graph.get_collection("variables") if each.name == step.name), step)
    assert_global_step(step)
    return step


def create_global_step(graph=None):
    """Adds the variable "global_step", an int64 of 0, to the collection of that name.

    Errors: ValueError where there is one. Source: tf.train.create_global_step.
    """
    graph = graph or get_default_graph()
    if get_global_step(graph) is not None:
        raise ValueError('"global_step" already exists.')
    from kiln.compat.v1 import dtypes
    from kiln.compat.v1._initializers import Zeros
    from kiln.compat.v1._variable_scope import get_variable

    with graph.as_default(), graph.name_scope(None):
        return get_variable(
            "global_step",
            shape=[],
            dtype=dtypes.int64,
            initializer=Zeros(),
            trainable=False,
            collections=["variables", "global_step"],
        )


def get_or_create_global_step(graph=None):
    """Source: tf.train.get_or_create_global_step."""
    graph = graph or get_default_graph()
    step = get_global_step(graph)
    return create_global_step(graph) if step is None else step


def assert_global_step(global_step_tensor):
    """Errors: TypeError for what is no integer scalar. Source: tf.train.assert_global_step."""
    if not isinstance(global_step_tensor, (_c.Tensor, _c.Variable)):
        raise TypeError(f'Existing "global_step" must be a Variable or Tensor: {global_step_tensor}.')
    if not global_step_tensor.dtype.base_dtype.is_integer:
        raise TypeError(f'Existing "global_step" does not have integer type: {global_step_tensor.dtype}')
    shape = global_step_tensor.shape
    if shape.ndims != 0 and shape.is_fully_defined():
        raise TypeError(f'Existing "global_step" is not scalar: {shape}')


# Hooks read the step again and again: the read is made once, behind the graph's steps where that is wanted.
_READ_KEY = "global_step_read_op_cache"


def _get_global_step_read(graph=None):
    found = (graph or get_default_graph()).get_collection(_READ_KEY)
    return found[0] if found else None


def _get_or_create_global_step_read(graph=None):
    """A tensor of the step, made once; None where there is no global step. Source: training_util."""
    graph = graph or get_default_graph()
    read = _get_global_step_read(graph)
    if read is not None:
        return read
    step = get_global_step(graph)
    if step is None:
        return None
    with graph.as_default():
        with graph.name_scope(None), graph.name_scope(step.op.name + "/"):
            # + 0: a reference would show later steps.
            value = step.initialized_value() if isinstance(step, _c.Variable) else step
            read = value + 0
            graph.add_to_collection(_READ_KEY, read)
    return read


def _increment_global_step(increment, graph=None):
    graph = graph or get_default_graph()
    step = get_global_step(graph)
    if step is None:
        raise ValueError(
            "Global step tensor should be created by tf.train.get_or_create_global_step before calling increment."
        )
    with graph.as_default(), graph.name_scope(None), graph.name_scope(step.op.name + "/"):
        with graph.control_dependencies([_get_or_create_global_step_read(graph)]):
            return step.assign_add(increment)


def write_graph(graph_or_graph_def, logdir, name, as_text=True):
    """Writes a graph as a file LOGDIR/NAME, as text or in binary form; gives its path.

    Source: tf.train.write_graph.
    """
    graph_def = graph_or_graph_def
    if isinstance(graph_def, Graph):
        graph_def = graph_def.as_graph_def()
    from kiln.compat.v1._io import file_io

    file_io.recursive_create_dir(logdir)
    path = os.path.join(logdir, name)
    if as_text:
        from google.protobuf import text_format

        contents = text_format.MessageToString(graph_def)
    else:
        contents = graph_def.SerializeToString(deterministic=True)
    file_io.atomic_write_string_to_file(path, contents)
    return path


def tables_initializer(name="init_all_tables"):
    """An operation that fills the tables of the graph. Source: tf.tables_initializer."""
    from kiln._generated import raw_ops

    initializers = get_default_graph().get_collection("table_initializer")
    return _c.group(initializers, name) if initializers else raw_ops.no_op(name=name)
