"""Graphs, operations, tensors, scopes and collections of kiln.compat.v1."""

import gc
import weakref

import pytest

import kiln.compat.v1 as tf
from kiln._kiln import front as _c


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def placeholder(shape=(), name="x"):
    return _c.placeholder(tf.float32, shape, name)


def test_elements_are_one_object(graph):
    x = placeholder()
    assert graph.get_tensor_by_name("x:0") is x
    assert graph.get_operation_by_name("x") is x.op
    assert x.op.outputs[0] is x and x.graph is graph
    y = x + 1.0
    assert y.op.inputs[0] is x and x.consumers() == [y.op]
    y.op.mark = 3
    assert graph.get_operations()[-1].mark == 3


def test_names_and_scopes(graph):
    with graph.name_scope("a") as scope:
        assert scope == "a/"
        assert placeholder().name == "a/x:0"
        with graph.name_scope(None):
            assert placeholder().name == "x:0"
    with graph.name_scope("a"):
        assert placeholder().name == "a_1/x:0"
    with graph.name_scope("a/"):
        assert placeholder().name == "a/x_1:0"
    assert graph.unique_name("x", mark_as_used=False) == "x_1"


def test_operators_add_what_tensorflow_adds():
    x = placeholder((2, 3))
    assert [(x + 1).op.type, (1 - x).op.name, (x / 2).name] == ["AddV2", "sub", "truediv:0"]
    assert x[0].shape.as_list() == [3]
    assert x[..., tf.Dimension(1)].shape.as_list() == [2]
    assert x[:, None, 1:].shape.as_list() == [2, 1, 2]
    assert (x > 0).dtype is tf.bool
    assert (x @ _c.transpose(x)).name == "matmul:0"


def test_tensors_compare_by_identity_and_refuse_to_be_values():
    x = placeholder()
    assert x == x and x != x + 0 and {x: 1}[x] == 1
    for refused in (bool, iter, len):
        with pytest.raises(TypeError):
            refused(x)


def test_shapes():
    x = placeholder((None, 3))
    assert str(x.shape) == "(?, 3)" and x.get_shape().as_list() == [None, 3]
    x.set_shape([2, None])
    assert x.shape.as_list() == [2, 3]
    with pytest.raises(ValueError):
        x.set_shape([4, 3])
    assert tf.TensorShape(None).ndims is None
    assert tf.TensorShape([None, 2]).merge_with([1, None]) == tf.TensorShape([1, 2])
    assert tf.Dimension(3) * 2 == 6 and (tf.Dimension(None) == 3) is None


def test_errors_are_tensorflows():
    x = placeholder((2, 3))
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 3 and 2"):
        _c.matmul(x, x)
    with pytest.raises(TypeError, match="does not match"):
        _c.add(x, _c.constant(1))
    with pytest.raises(KeyError, match="refers to a Tensor which does not exist"):
        x.graph.get_tensor_by_name("nope:0")
    with pytest.raises(ValueError, match="is not an element of this graph"):
        with tf.Graph().as_default() as other:
            other.as_graph_element(x)
    assert (x - 1).name == "sub:0"  # a failed addition leaves the graph usable


def test_control_dependencies_and_devices(graph):
    x = placeholder()
    with graph.control_dependencies([x]), graph.device("/cpu:0"):
        y = _c.constant(1.0)
        with graph.control_dependencies(None):
            assert not _c.constant(2.0).op.control_inputs
    assert y.op.control_inputs == [x.op] and y.op.device == "/device:CPU:0"


def test_collections_hold_any_object(graph):
    x, thing = placeholder(), object()
    for item in (x, x.op, thing):
        graph.add_to_collection("k", item)
    assert graph.get_collection("k") == [x, x.op, thing]
    assert graph.get_collection("k", "x") == [x, x.op]
    graph.get_collection_ref("k").append(3)
    assert graph.get_collection("k")[3] == 3
    graph.clear_collection("k")
    assert graph.get_collection("k") == []


def test_operations_know_the_line_that_made_them():
    x = placeholder()
    file, line, function, text = x.op.traceback[-2]
    assert (file, function) == (__file__, "test_operations_know_the_line_that_made_them")
    assert text == "x = placeholder()"


def test_finalized_graphs_refuse(graph):
    graph.finalize()
    with pytest.raises(RuntimeError, match="Graph is finalized and cannot be modified."):
        placeholder()


def test_dropped_graphs_are_freed():
    with tf.Graph().as_default() as made:
        v = tf.Variable([1.0], name="v", constraint=lambda value: v + 1)
        made.add_to_collection("k", [v, made])
        gone = weakref.ref(made)
    del made, v
    gc.collect()
    assert gone() is None
