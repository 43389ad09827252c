"""Small parts of tf.contrib: staging, nccl, compiler, nn, cluster_resolver, predictor and their kin."""

import numpy as np
import pytest

import kiln.compat.v1 as tf

contrib = tf.contrib


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def run(fetches, feed_dict=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches, feed_dict)


def test_slim_has_the_modules_of_its_data():
    for name in ("dataset", "tfexample_decoder", "dataset_data_provider", "parallel_reader"):
        assert getattr(contrib.slim, name).__name__.endswith(f"slim.data.{name}")


def test_staging_area_keeps_tuples_from_run_to_run():
    area = contrib.staging.StagingArea(
        [tf.float32, tf.int32], shapes=[[2], []], names=["x", "n"], capacity=3
    )
    x = tf.placeholder(tf.float32, [2])
    put = area.put({"x": x, "n": tf.constant(7)})
    peeked, taken, size, clear = area.peek(0), area.get(), area.size(), area.clear()
    assert taken["x"].shape == [2]
    with tf.Session() as session:
        session.run(put, {x: [1, 2]})
        session.run(put, {x: [3, 4]})
        assert session.run(size) == 2
        assert session.run(peeked)["n"] == 7
        assert session.run(taken["x"]).shape == (2,)
        session.run(clear)
        assert session.run(size) == 0


def test_staging_area_refuses_other_values():
    area = contrib.staging.StagingArea([tf.float32], shapes=[[2]])
    with pytest.raises(ValueError, match="Datatypes do not match. '<dtype: 'int32'>' != "):
        area.put(tf.constant([1, 2]))
    with pytest.raises(ValueError, match="Staging areas must have names to enqueue a dictionary"):
        area.put({"x": tf.constant([1.0, 2.0])})
    with pytest.raises(ValueError, match="StagingArea names must be the same length as dtypes"):
        contrib.staging.StagingArea([tf.float32], names=["a", "b"])


def test_nccl_reduces_tensors_of_devices():
    with tf.device("/cpu:0"):
        tensors = [tf.constant([1.0, 5.0]), tf.constant([3.0, 2.0])]
    results = [
        contrib.nccl.all_sum(tensors)[1],
        contrib.nccl.all_prod(tensors)[0],
        contrib.nccl.all_min(tensors)[0],
        contrib.nccl.all_max(tensors)[1],
        contrib.nccl.reduce_sum(tensors),
        contrib.nccl.broadcast(tensors[0]),
    ]
    assert all(result.device == "/device:CPU:0" for result in results)
    np.testing.assert_array_equal(
        run(results), [[4, 7], [3, 10], [1, 2], [3, 5], [4, 7], [1, 5]]
    )
    with pytest.raises(ValueError, match="Device assignment required for nccl collective ops"):
        contrib.nccl.all_sum([tf.constant(1.0)])


def test_compiled_computations_give_what_the_function_gives():
    def computation(x, y):
        variable = tf.get_variable("v", initializer=2.0)
        return variable * (x + y), x - y, tf.no_op()

    product, difference = contrib.compiler.xla.compile(computation, [1.0, tf.constant(3.0)])
    assert run([product, difference]) == [8.0, -2.0]
    assert tf.global_variables()[0].op.type == "VarHandleOp"
    by_name = contrib.compiler.xla.compile(lambda: {"a": tf.constant(1), "b": [2, 3]})
    assert run(by_name) == {"a": 1, "b": [2, 3]}
    assert isinstance(contrib.compiler.xla.compile(lambda: None), tf.Operation)
    with pytest.raises(ValueError, match="zero or more Tensor values followed by zero or more"):
        contrib.compiler.xla.compile(lambda: [tf.no_op(), tf.constant(1)])


def test_memory_is_that_of_the_process():
    stats = contrib.memory_stats
    used, limit, most = run([stats.BytesInUse(), stats.BytesLimit(), stats.MaxBytesInUse()])
    assert 1 << 20 < used < limit and 1 << 20 < most < limit


def test_alpha_dropout_keeps_mean_and_variance():
    x = tf.random_normal([20000], seed=1)
    dropped = run(contrib.nn.alpha_dropout(x, 0.8, seed=2))
    assert abs(dropped.mean()) < 0.05 and abs(dropped.std() - 1) < 0.05
    with pytest.raises(ValueError, match=r"in the range \(0, 1\], got 1.5"):
        contrib.nn.alpha_dropout(x, 1.5)


def test_scaled_softplus_has_the_gradient_of_its_formula():
    x, alpha = tf.constant([-1.0, 0.5, 3.0]), tf.constant(0.7)
    plain = alpha * tf.nn.softplus(x / alpha)
    scaled = contrib.nn.scaled_softplus(x, alpha)
    clipped = contrib.nn.scaled_softplus(x, alpha, clip=1.0)
    values = run([plain, scaled, tf.gradients(plain, [x, alpha]), tf.gradients(scaled, [x, alpha]),
                  clipped, tf.gradients(clipped, [x])])
    np.testing.assert_allclose(values[1], values[0], rtol=1e-6)
    for wanted, got in zip(values[2], values[3]):
        np.testing.assert_allclose(got, wanted, rtol=1e-4)
    assert values[4].max() == 1.0 and values[5][0][2] == 0.0


def test_flipped_losses_take_logits_first():
    logits, labels = tf.constant([[1.0, 2.0]]), tf.constant([1])
    flipped = contrib.nn.deprecated_flipped_sparse_softmax_cross_entropy_with_logits(logits, labels)
    plain = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    assert run(flipped) == run(plain)


def test_resolvers_tell_addresses(monkeypatch):
    resolvers = contrib.cluster_resolver
    tpu = resolvers.TPUClusterResolver("grpc://10.0.0.2:8470")
    assert tpu.get_master() == "grpc://10.0.0.2:8470"
    assert tpu.cluster_spec().as_dict() == {"worker": ["10.0.0.2:8470"]}
    assert resolvers.TPUClusterResolver("local").cluster_spec() is None
    monkeypatch.delenv("TPU_NAME", raising=False)
    with pytest.raises(ValueError, match="Please provide a TPU Name to connect to."):
        resolvers.TPUClusterResolver()
    with pytest.raises(ImportError, match="the TPU 'mine' is one of Google's cloud"):
        resolvers.TPUClusterResolver("mine")
    one = resolvers.SimpleClusterResolver(tf.train.ClusterSpec({"ps": ["a:1"]}), master="a:1")
    two = resolvers.SimpleClusterResolver(tf.train.ClusterSpec({"ps": ["b:1"]}), rpc_layer="grpc")
    both = resolvers.UnionClusterResolver(one, two)
    assert both.cluster_spec().as_dict() == {"ps": ["a:1", "b:1"]}
    assert both.master() == "a:1" and two.master("ps", 0) == "grpc://b:1"


def test_strategies_of_one_device_change_nothing():
    strategy = contrib.distribute.OneDeviceStrategy("/cpu:0")
    with strategy.scope():
        assert tf.constant(1).device == "/device:CPU:0"
    assert strategy.num_replicas_in_sync == 1
    with pytest.raises(ValueError, match="names 2 devices, and Kiln has one"):
        contrib.distribute.MirroredStrategy(num_gpus=2)


def test_eager_execution_is_not_on():
    assert not contrib.eager.in_eager_mode() and contrib.eager.in_graph_mode()
    with pytest.raises(AttributeError, match="programs build graphs"):
        contrib.eager.Network  # noqa: B018


def test_what_is_not_meant_to_come_says_why():
    for name, words in (
        ("quantize", "it changes a graph in place"),
        ("tensor_forest", "it has ops of its own, which few programs use"),
        ("cloud", "it needs a service of Google's cloud"),
    ):
        with pytest.raises(AttributeError, match=words):
            getattr(contrib, name)


def test_predictor_of_a_saved_model(tmp_path):
    x = tf.placeholder(tf.float32, [None], name="x")
    weight = tf.Variable(3.0)
    folder = str(tmp_path / "model")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, folder, {"x": x}, {"y": weight * x})
    predict = contrib.predictor.from_saved_model(folder)
    np.testing.assert_array_equal(predict({"x": [1, 2]})["y"], [3, 6])
    with pytest.raises(ValueError, match="Got unexpected keys in input_dict: {'z'}"):
        predict({"z": 1})
    named = contrib.predictor.from_saved_model(
        folder, input_names={"given": "x:0"}, output_names={"same": "x:0"}
    )
    np.testing.assert_array_equal(named({"given": [4]})["same"], [4])
    with pytest.raises(ValueError, match='Got signature_def_key "other". Available signatures are'):
        contrib.predictor.from_saved_model(folder, signature_def_key="other")
