"""kiln.tensorflow: options, metadata and targets."""

import warnings

import numpy as np
import pytest

from tensorflow_beside import on_kiln, runs_of, tf

from tensorflow.core.protobuf import config_pb2
from tensorflow.python.client import timeline

import kiln.tensorflow
from kiln.tensorflow import _options


def test_a_session_with_a_target_stays_tensorflows(on_kiln):
    server = tf.train.Server.create_local_server()
    with tf.Session(server.target) as session:
        assert session.run(tf.constant(1) + 1) == 2 and runs_of(session) == 0


# A value for each field that is no message: of a field that TensorFlow adds, too.
def set_fields(message, but=()):
    for field in message.DESCRIPTOR.fields:
        if field.name in but:
            continue
        value = getattr(message, field.name)
        if field.name == "device_count":
            value["CPU"] = 1
        elif field.message_type and field.is_repeated:
            value.add()
        elif field.message_type:
            set_fields(value)
        elif field.is_repeated:
            value.extend(["/cpu:0"] if field.type == field.TYPE_STRING else [1])
        elif field.enum_type:
            setattr(message, field.name, field.enum_type.values[-1].number)
        else:
            setattr(message, field.name, "x" if field.type == field.TYPE_STRING else b"x" if field.type == field.TYPE_BYTES else 1)


def ignored_fields(kind, work):
    _options._named.clear()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        work()
        work()
    texts = [str(entry.message) for entry in caught if "kiln.tensorflow ignores" in str(entry.message)]
    return sorted(text.removeprefix(f"kiln.tensorflow ignores {kind}.") for text in texts)


def test_each_field_of_config_is_mapped_or_named():
    config = tf.ConfigProto()
    set_fields(config)
    named = ignored_fields("ConfigProto", lambda: _options.session_options(config))
    fields = {field.name for field in config.DESCRIPTOR.fields}
    assert named == sorted(fields - set(_options.CONFIG))
    assert _options.session_options(config) == {"threads": 1, "soft_placement": True, "cpu_devices": 1}
    assert ignored_fields("ConfigProto", lambda: _options.session_options(tf.ConfigProto())) == []


def test_each_field_of_run_options_is_mapped_or_named(on_kiln):
    y = tf.constant(2.0) * 3
    options = tf.RunOptions()
    set_fields(options, but=("timeout_in_ms",))
    with tf.Session() as session:
        named = ignored_fields("RunOptions", lambda: session.run(y, options=options))
    fields = {field.name for field in options.DESCRIPTOR.fields}
    assert named == sorted(fields - {"timeout_in_ms", "trace_level"})


def test_a_device_that_is_not_there(on_kiln):
    with tf.device("/gpu:7"):
        far = tf.add(tf.constant(1.0), 2.0, name="far")
    with tf.device("/cpu:1"):
        near = tf.add(tf.constant(1.0), 2.0, name="near")
    with tf.device("/job:worker/task:3"):
        elsewhere = tf.add(tf.constant(1.0), 2.0, name="elsewhere")
    text = (
        "Cannot assign a device for operation far: {{node far}} was explicitly assigned to /device:GPU:7 but available "
        "devices are [ /job:localhost/replica:0/task:0/device:CPU:0 ]. Make sure the device specification refers to a "
        "valid device. The requested device appears to be a GPU, but CUDA is not enabled."
    )
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.Session().run(far)
    assert text in caught.value.message
    assert caught.value.op is far.op
    soft = tf.ConfigProto(allow_soft_placement=True)
    assert tf.Session(config=soft).run(far) == 3
    with pytest.raises(tf.errors.InvalidArgumentError, match="explicitly assigned to /job:worker/task:3 but"):
        tf.Session(config=soft).run(elsewhere)
    assert tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})).run(near) == 3


def test_a_config(on_kiln):
    config = tf.ConfigProto(intra_op_parallelism_threads=1, log_device_placement=True)
    assert ignored_fields("ConfigProto", lambda: tf.Session(config=config).run(tf.constant(1) + 1)) == [
        "log_device_placement"
    ]
    session = tf.InteractiveSession()
    assert ignored_fields("ConfigProto", lambda: session.run(tf.constant(1) + 1)) == []
    session.close()


@pytest.mark.parametrize("mode", ["auto", "native"])
def test_metadata(on_kiln, mode):
    x = tf.placeholder(tf.float32, [None, 64])
    w = tf.Variable(tf.ones([64, 8]))
    y = tf.nn.softmax(tf.nn.relu(tf.matmul(x, w, name="product") + 1, name="rectified"))
    with kiln.tensorflow.install(mode=mode), tf.Session() as session:
        session.run(w.initializer)
        feeds = {x: np.ones((5, 64), "f4")}
        expected = session.run(y, feeds)
        for level in (tf.RunOptions.FULL_TRACE, tf.RunOptions.SOFTWARE_TRACE):
            metadata = tf.RunMetadata()
            got = session.run(y, feeds, options=tf.RunOptions(trace_level=level), run_metadata=metadata)
            assert np.array_equal(got, expected)
            (device,) = metadata.step_stats.dev_stats
            run, *regions = device.node_stats
            assert run.node_name == "run" and regions
            assert {"product", "rectified"} <= set(", ".join(region.timeline_label for region in regions).split(", "))
            for region in regions:
                assert run.all_start_nanos <= region.all_start_nanos
                assert region.all_start_nanos + region.all_end_rel_nanos <= run.all_start_nanos + run.all_end_rel_nanos
            trace = timeline.Timeline(metadata.step_stats).generate_chrome_trace_format()
            assert regions[0].node_name in trace
        # Other runs keep the code that they have.
        made = runs_of(session)
        session.run(y, feeds, options=tf.RunOptions(), run_metadata=metadata)
        assert not metadata.HasField("step_stats") and runs_of(session) == made


def test_callables_from_options(on_kiln):
    x = tf.placeholder(tf.float32, [None], name="x")
    v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
    y = tf.add(x * 2, v, name="y")
    raised = tf.assign_add(v, 1.0, name="raised")
    options = config_pb2.CallableOptions(feed=[x.name], fetch=[y.name], target=[raised.op.name])
    options.run_options.trace_level = tf.RunOptions.FULL_TRACE
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError) as failed:
            session._make_callable_from_options(options)(np.ones(2, "f4"))
        assert failed.value.op.name == "v/read"
        session.run(v.initializer)  # Kiln's variable
        call = session._make_callable_from_options(options)
        for turn in range(3):
            (got,) = call(np.ones(2, "f4"))
            assert session.run(v) == turn + 1
        metadata = tf.RunMetadata()
        call([1, 2, 3], run_metadata=metadata)
        labels = ", ".join(node.timeline_label for node in metadata.step_stats.dev_stats[0].node_stats)
        assert {"y", "raised"} <= set(labels.split(", "))
        with pytest.raises(tf.errors.InvalidArgumentError, match="Expected 1 feed tensors, but got 0"):
            call()
