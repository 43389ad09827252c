"""tf.DeviceSpec: devices' names in parts. What is expected are TensorFlow's results."""

import pytest

import kiln.compat.v1 as tf


def test_parts_become_a_name_and_come_from_it():
    spec = tf.DeviceSpec(job="worker", replica=1, task=2, device_type="cpu", device_index=3)
    assert spec.to_string() == "/job:worker/replica:1/task:2/device:CPU:3"
    read = tf.DeviceSpec.from_string("/job:ps/gpu:*")
    assert (read.job, read.device_type, read.device_index) == ("ps", "GPU", None)
    assert read.to_string() == "/job:ps/device:GPU:*"
    assert tf.DeviceSpec.from_string("/device:MyDevice:2").to_string() == "/device:MyDevice:2"
    assert tf.DeviceSpec() == tf.DeviceSpec.from_string("")


def test_a_spec_takes_the_parts_of_another():
    spec = tf.DeviceSpec.from_string("/job:a/task:1")
    spec.merge_from(tf.DeviceSpec.from_string("/job:b/device:CPU:0"))
    assert spec.to_string() == "/job:b/task:1/device:CPU:0"
    spec.job = None
    spec.task = "4"
    assert spec.to_string() == "/task:4/device:CPU:0"
    assert spec.replace(task=5).to_string() == "/task:5/device:CPU:0"


@pytest.mark.parametrize("name", ["/job:a/nothing:1", "/device:CPU:0/gpu:1"])
def test_names_that_devices_do_not_have_are_refused(name):
    with pytest.raises(ValueError, match="while parsing the device spec"):
        tf.DeviceSpec.from_string(name)


def test_a_graph_takes_a_spec_for_a_device():
    with tf.Graph().as_default():
        with tf.device(tf.DeviceSpec(job="ps", task=1)):
            assert tf.constant(1.0).device == "/job:ps/task:1"
