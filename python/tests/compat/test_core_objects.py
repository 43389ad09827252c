"""What the core's objects are and do beside the nodes that they make."""

import os

import numpy as np
import pytest

import kiln.compat.v1 as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def test_operations_are_made_of_messages(graph):
    x = tf.constant(1.0, name="x")
    message = tf.NodeDef(name="a/b", op="Identity", device="/cpu:0")
    message.attr["T"].type = tf.float32.as_datatype_enum
    made = tf.Operation(message, graph, [x], control_inputs=[x.op])
    assert made is graph.get_operation_by_name("a/b") and made.inputs[0] is x
    assert made.device == "/device:CPU:0" and isinstance(made, tf.Operation)
    for arguments, words in (
        ((None, graph), "Argument node_def must be a NodeDef."),
        ((message, 3), "Argument g must be a Graph."),
    ):
        with pytest.raises(TypeError, match=words):
            tf.Operation(*arguments)
    with pytest.raises(ValueError, match="`a b` is not a valid node name."):
        tf.Operation(tf.NodeDef(name="a b", op="NoOp"), graph)


def test_tensors_are_outputs_of_operations():
    x = tf.constant(1.0)
    assert tf.Tensor(x.op, 0, tf.float32) is x
    with pytest.raises(TypeError, match="op needs to be an Operation: 3"):
        tf.Tensor(3, 0, tf.float32)
    assert {x.experimental_ref(): 1}[x.experimental_ref()] == 1
    assert x.experimental_ref().deref() is x


def test_specs_say_what_is_known_of_values():
    spec = tf.TensorSpec([2, None], tf.int32, "s")
    assert repr(spec) == "TensorSpec(shape=(2, ?), dtype=tf.int32, name='s')"
    assert spec.is_compatible_with(tf.TensorSpec([2, 3], tf.int32))
    assert spec.is_compatible_with(tf.constant([[1], [2]]))
    assert not spec.is_compatible_with(tf.constant([[1.0], [2.0]])) and not spec.is_compatible_with(3)
    assert tf.TensorSpec.from_tensor(tf.constant([1], name="c")).name == "c"
    assert tf.TensorSpec.from_spec(spec, "t") == tf.TensorSpec([2, None], tf.int32, "t") != spec
    common = tf.TensorSpec([2, 3]).most_specific_compatible_type(tf.TensorSpec([2, 4]))
    assert common == tf.TensorSpec([2, None])
    with pytest.raises(ValueError, match="No TypeSpec is compatible with both"):
        spec.most_specific_compatible_type(tf.TensorSpec([2, 3]))
    sparse = tf.SparseTensor([[0, 1]], [1.0], [2, 3])
    assert tf.SparseTensorSpec([2, 3]).is_compatible_with(sparse)
    assert tf.SparseTensorSpec.from_value(sparse) == tf.SparseTensorSpec([2, 3])


def test_partitioned_variables_are_cut_as_the_slicing_says():
    parts = tf.create_partitioned_variables([5, 2], [2, 1], tf.zeros_initializer())
    assert [part.name for part in parts] == ["PartitionedVariable/part_0:0", "PartitionedVariable/part_1:0"]
    assert [part.shape.as_list() for part in parts] == [[3, 2], [2, 2]]
    with tf.variable_scope("s"):
        named = tf.create_partitioned_variables([4], [2], tf.constant([1.0, 2.0, 3.0, 4.0]), name="w")
    assert named[1].name == "s/w/part_1:0"
    with pytest.raises(ValueError, match="must have the length"):
        tf.create_partitioned_variables([4], [2, 1], tf.zeros_initializer())


def test_one_device_is_there():
    assert [each.name for each in tf.config.experimental.list_physical_devices()] == ["/physical_device:CPU:0"]
    assert tf.config.experimental.list_physical_devices("GPU") == []


def test_libraries_of_ops_are_not_found():
    with pytest.raises(tf.errors.NotFoundError, match="cannot open shared object file"):
        tf.load_op_library(os.path.join(os.sep, "nowhere", "ops.so"))


def test_numpy_numbers_are_indices():
    x = tf.constant(np.arange(6).reshape(2, 3))
    with tf.Session() as session:
        assert session.run([x[np.int64(1), 0], x[np.int32(0)][: np.int64(2)]])[0] == 3


def test_functions_that_fail_say_so(graph):
    def no_device(op):
        raise KeyError("no device for " + op.name)

    with pytest.raises(KeyError, match="no device for c"):
        with tf.device(no_device):
            tf.constant(1, name="c")
    assert tf.constant(1, name="d").device == ""


def test_a_variable_without_a_static_shape_takes_any():
    with tf.Graph().as_default(), tf.Session() as session:
        variable = tf.Variable([[0.0]], shape=tf.TensorShape(None), use_resource=True)
        assert variable.shape.ndims is None
        session.run(variable.initializer)
        session.run(variable.assign([[1.0, 2.0]]))
        assert session.run(variable).tolist() == [[1, 2]]


def test_what_a_loop_grows_may_begin_with_constants():
    """Whole numbers that are known did not get the shape of all iterations."""
    with tf.Graph().as_default(), tf.Session() as session:
        for shape in (tf.TensorShape([None]), tf.TensorShape(None)):
            _, grown = tf.while_loop(
                lambda i, _: i < 3,
                lambda i, found: [i + 1, tf.concat([found, [i]], 0)],
                [tf.constant(0), tf.constant([7])],
                shape_invariants=[tf.TensorShape([]), shape],
            )
            assert grown.shape.as_list() == [None] if shape.ndims else grown.shape.ndims is None
            assert session.run(grown).tolist() == [7, 0, 1, 2]


def test_a_recomputed_function_of_one_tensor_twice_has_its_gradient_once():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([3.0])
        product = tf.recompute_grad(lambda a, b: a * b)(x, x)
        assert session.run(tf.gradients(product, x)[0]).tolist() == [6]
