"""tf.layers: objects, functions, and layers that a program writes. Names and texts are TensorFlow's."""

import copy
import gc
import weakref

import numpy as np
import pytest

import kiln.compat.v1 as tf
from kiln._kiln import front as _c

UPDATES = "update_ops"


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def placeholder(*shape, dtype=tf.float32):
    return _c.placeholder(dtype, shape, "x")


def total(x):
    return _c.reduce_sum(x, None)


def run(fetches, feed=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches, feed)


def test_an_object_shares_its_variables():
    x = placeholder(None, 3)
    layer = tf.layers.Dense(2)
    assert layer.name == "dense_1" and not layer.built and layer.dtype is None
    with pytest.raises(ValueError, match="No name available for layer scope because the layer \"dense_1\""):
        layer.scope_name
    first, second = layer(x), layer(x)
    assert (first.name, second.name) == ("dense/BiasAdd:0", "dense/BiasAdd_1:0")
    assert layer.scope_name == "dense" and layer.built and layer.dtype == "float32"
    assert layer.weights == layer.trainable_variables == [layer.kernel, layer.bias]
    assert layer.kernel.name == "dense/kernel:0" and layer.count_params() == 8
    assert layer.input_spec.axes == {-1: 3}
    one, other = run([first, second], {x: np.ones((2, 3))})
    np.testing.assert_array_equal(one, other)


def test_names_and_scopes():
    x = placeholder(None, 3)
    named = tf.layers.Dense(4, name="foo")
    assert named(x).name == "foo/BiasAdd:0"
    assert tf.layers.Dense(4, name="foo")(x).name == "foo_1/BiasAdd:0"
    assert tf.layers.dense(x, 4, name="foo", reuse=True).name == "foo_2/BiasAdd:0"
    with tf.variable_scope("s"):
        inner = tf.layers.Dense(4, name="foo")
        assert inner(x).name == "s/foo/BiasAdd:0"
        reused = tf.layers.Dense(4, _scope="foo", _reuse=True)
        reused(x)
        assert reused.kernel is inner.kernel
    assert tf.layers.Dense(4)(x, scope="given").name == "given/BiasAdd:0"


class Scaled(tf.layers.Layer):
    def __init__(self, factor=2.0, **kwargs):
        super().__init__(**kwargs)
        self.factor = factor

    def build(self, shape):
        self.scale = self.add_weight("scale", shape[1:], initializer=tf.ones_initializer(), regularizer=total)
        self.calls = self.add_variable("calls", [], initializer=tf.zeros_initializer(), trainable=False)
        self.built = True

    def call(self, inputs, training=False):
        self.add_update(_c.assign_add(self.calls, 1.0))
        self.add_loss(total(inputs))
        return inputs * self.scale * (self.factor if training else 1.0)


def test_a_layer_of_a_program(graph):
    x = placeholder(None, 3)
    layer = Scaled(3.0)
    y = layer(x, training=True)
    assert y.name == "scaled/mul_1:0" and layer.name == "scaled_1"
    assert layer.trainable_weights == [layer.scale] and layer.non_trainable_weights == [layer.calls]
    assert [each.name for each in layer.losses] == ["scaled/scale/Regularizer/Sum:0", "scaled/Sum:0"]
    assert graph.get_collection("regularization_losses") == layer.losses
    assert graph.get_collection(UPDATES) == layer.updates and len(layer.updates) == 1
    layer(x)
    assert len(graph.get_collection(UPDATES)) == 2
    assert layer.get_updates_for(x) == [] and len(layer.get_losses_for(x)) == 2
    np.testing.assert_array_equal(run(y, {x: [[1, 2, 3]]}), [[3, 6, 9]])
    layer.trainable = False
    assert layer.trainable_weights == [] and layer.updates == []


def test_call_gets_what_it_asks_for():
    class Named(tf.layers.Layer):
        def call(self, inputs, scope=None):
            return inputs[0] + inputs[1], scope.name

    a, b = placeholder(2), placeholder(2)
    result, scope = Named()([a, b])
    assert result.name == "named/add:0" and scope == "named"

    class Nothing(tf.layers.Layer):
        def call(self, inputs):
            return None

    with pytest.raises(ValueError, match="not None \\(layer: nothing_1\\)"):
        Nothing()(a)


def test_an_error_of_a_layer_passes_through():
    class Failing(tf.layers.Layer):
        def call(self, inputs):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        Failing()(placeholder(2))
    assert tf.layers.dense(placeholder(2, 2), 1).name == "dense/BiasAdd:0"


def test_subclasses_without_init_may_override_the_call():
    class Old(tf.layers.Layer):
        def __init__(self):
            pass

        def __call__(self, x):
            return x

    assert Old()(3) == 3

    class Uncalled(tf.layers.Layer):
        def __init__(self):
            self.built = False

    with pytest.raises(RuntimeError, match="super\\(\\).__init__"):
        Uncalled()(placeholder(2))


def test_subclass_of_a_layer_of_cpp():
    class Normed(tf.layers.Dense):
        def build(self, shape):
            super().build(shape)
            self.kernel = self.kernel * 2.0

        def call(self, inputs):
            return super().call(inputs) + 1.0

    x = placeholder(None, 2)
    y = Normed(1, kernel_initializer=tf.ones_initializer())(x)
    np.testing.assert_array_equal(run(y, {x: [[1, 2]]}), [[7]])
    assert y.op.type == "AddV2" and y.name == "normed/add:0"


def test_attributes_are_the_options():
    x = placeholder(None, 2)
    layer = tf.layers.Dense(2, activation="relu", use_bias=False)
    layer.activation = None
    layer.kernel_initializer = tf.constant_initializer(-1.0)
    np.testing.assert_array_equal(run(layer(x), {x: [[1, 2]]}), [[-3, -3]])
    assert layer.bias is None


def test_copies_have_their_own_variables():
    x = placeholder(None, 3)
    layer = tf.layers.Dense(2, name="d")
    other = copy.deepcopy(layer)
    layer(x), other(x)
    assert other.units == 2 and other.kernel is not layer.kernel and other.scope_name == "d_1"
    built = copy.deepcopy(layer)
    assert built.kernel is layer.kernel and built.built


def test_errors():
    with pytest.raises(ValueError, match="Input 0 of layer dense_1 is incompatible with the layer: : expected min_ndim=2"):
        tf.layers.dense(placeholder(3), 2)
    with pytest.raises(ValueError, match="The last dimension of the inputs to `Dense` should be defined. Found `None`."):
        tf.layers.dense(placeholder(2, None), 2)
    with pytest.raises(TypeError, match="Keyword argument not understood"):
        tf.layers.Dense(2, wrong=1)
    with pytest.raises(ValueError, match="The `kernel_size` argument must be a tuple of 2 integers. Received: \\[1, 2, 3\\]"):
        tf.layers.conv2d(placeholder(1, 4, 4, 1), 2, [1, 2, 3])
    with pytest.raises(ValueError, match="The `padding` argument must be one of"):
        tf.layers.Conv2D(2, 3, padding="full")
    with pytest.raises(ValueError, match="Unknown activation function: nope"):
        tf.layers.Dense(2, activation="nope")
    with pytest.raises(TypeError, match="must be an instance of InputSpec"):
        Scaled().input_spec = 3


@pytest.mark.parametrize(
    "make, shape, name",
    [
        (lambda x: tf.layers.conv1d(x, 4, 3), (2, 5, 3), "conv1d/BiasAdd:0"),
        (lambda x: tf.layers.conv2d(x, 4, 3, 2, "same", activation="relu"), (2, 5, 5, 3), "conv2d/Relu:0"),
        (lambda x: tf.layers.conv3d(x, 4, 2), (2, 5, 5, 5, 3), "conv3d/BiasAdd:0"),
        (lambda x: tf.layers.conv2d_transpose(x, 4, 3, 2), (2, 5, 5, 3), "conv2d_transpose/BiasAdd:0"),
        (lambda x: tf.layers.conv3d_transpose(x, 4, 2), (2, 3, 3, 3, 3), "conv3d_transpose/BiasAdd:0"),
        (lambda x: tf.layers.separable_conv1d(x, 4, 3), (2, 5, 3), "separable_conv1d/Squeeze:0"),
        (lambda x: tf.layers.separable_conv2d(x, 4, 3), (2, 5, 5, 3), "separable_conv2d/BiasAdd:0"),
        (lambda x: tf.layers.max_pooling1d(x, 2, 2), (2, 6, 3), "max_pooling1d/Squeeze:0"),
        (lambda x: tf.layers.average_pooling2d(x, 2, 2), (2, 6, 6, 3), "average_pooling2d/AvgPool:0"),
        (lambda x: tf.layers.max_pooling3d(x, 2, 2), (2, 4, 4, 4, 3), "max_pooling3d/MaxPool3D:0"),
        (lambda x: tf.layers.flatten(x), (2, 3, 4), "flatten/Reshape:0"),
        (lambda x: tf.layers.dropout(x, training=True), (2, 3), "dropout/dropout/SelectV2:0"),
        (lambda x: tf.layers.batch_normalization(x), (2, 3), "batch_normalization/batchnorm/add_1:0"),
        (lambda x: tf.layers.batch_normalization(x, training=True), (2, 4, 4, 3), "batch_normalization/FusedBatchNormV3:0"),
    ],
)  # fmt: skip
def test_functions(make, shape, name):
    x = placeholder(*shape)
    y = make(x)
    assert y.name == name
    assert run(y, {x: np.ones(shape)}).shape == tuple(y.shape.as_list())


def test_moving_averages(graph):
    x = placeholder(None, 2)
    layer = tf.layers.BatchNormalization(momentum=0.5)
    y = layer(x, training=True)
    assert graph.get_collection(UPDATES) == layer.updates
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run([y, layer.updates], {x: [[0, 2], [2, 6]]})
        np.testing.assert_allclose(session.run(layer.moving_mean), [0.5, 2])
        np.testing.assert_allclose(session.run(layer.moving_variance), [1, 2.5])
    assert [each.name for each in layer.non_trainable_weights] == [
        "batch_normalization/moving_mean:0",
        "batch_normalization/moving_variance:0",
    ]


def test_configurations():
    layer = tf.layers.Dense(2, activation="relu", kernel_regularizer="l2")
    config = layer.get_config()
    assert config["units"] == 2 and config["activation"] == "relu"
    assert config["kernel_regularizer"] == {"class_name": "L1L2", "config": {"l1": 0.0, "l2": 0.01}}
    other = tf.layers.Dense.from_config(config)
    assert other.units == 2 and other.kernel_regularizer.l2 == 0.01


def test_layers_are_collected_with_their_graph():
    with tf.Graph().as_default() as graph:
        layer = Scaled(kernel := 2.0, activity_regularizer=total)
        layer(placeholder(None, 3))
        layer.cycle = layer
    alive = [weakref.ref(graph), weakref.ref(layer)]
    del graph, layer, kernel
    gc.collect()
    assert [each() for each in alive] == [None, None]
