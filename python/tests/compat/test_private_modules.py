"""What only TensorFlow's private modules have; expected values are TensorFlow's, recorded."""

import functools
import json

import pytest

import kiln.compat.v1 as tf
from kiln.compat._python.client import device_lib, timeline
from kiln.compat._python.framework import common_shapes, dtypes, graph_util_impl, ops, tensor_shape
from kiln.compat._python.layers import utils
from kiln.compat._python.ops import op_selector
from kiln.compat._python.util import function_utils, keyword_args, tf_decorator, tf_inspect
from kiln.compat.v1 import _messages


def test_devices():
    (cpu,) = device_lib.list_local_devices()
    assert (cpu.name, cpu.device_type, cpu.memory_limit) == ("/device:CPU:0", "CPU", 1 << 28)
    assert cpu == device_lib.list_local_devices()[0]
    two = device_lib.list_local_devices(_messages.ConfigProto(device_count={"CPU": 2}))
    assert [device.name for device in two] == ["/device:CPU:0", "/device:CPU:1"]


def stats(name, op, inputs, start, length):
    label = f"{name} = {op}({inputs})"
    return _messages.NodeExecStats(
        node_name=name, timeline_label=label, all_start_micros=start, all_end_rel_micros=length
    )


def test_timeline():
    device = _messages.DeviceStepStats(
        device="/cpu:0",
        node_stats=[stats("a", "Const", "", 10, 5), stats("b", "Neg", "a", 12, 6)],
    )
    trace = timeline.Timeline(_messages.StepStats(dev_stats=[device]))
    events = json.loads(trace.generate_chrome_trace_format())["traceEvents"]
    assert events[0]["args"] == {"name": "/cpu:0 Compute"}
    assert events[1] == {
        "ph": "X",
        "cat": "Op",
        "name": "Const",
        "pid": 0,
        "tid": 0,
        "ts": 10,
        "dur": 5,
        "args": {"name": "a", "op": "Const"},
    }
    assert events[2]["tid"] == 1 and events[2]["args"]["input0"] == "a"
    assert [(event["ph"], event["tid"], event["ts"]) for event in events[3:]] == [
        ("s", 0, 15),
        ("t", 1, 12),
    ]
    assert len(json.loads(trace.generate_chrome_trace_format(False))["traceEvents"]) == 3
    with pytest.raises(ValueError):
        trace.generate_chrome_trace_format(op_time="never")


def test_shapes():
    assert tensor_shape.unknown_shape().ndims is None
    assert tensor_shape.matrix(2, None).as_list() == [2, None]
    broadcast = common_shapes.broadcast_shape(tf.TensorShape([3, 1]), tf.TensorShape([None, 4]))
    assert broadcast.as_list() == [3, 4]
    with pytest.raises(ValueError):
        common_shapes.broadcast_shape(tf.TensorShape([3]), tf.TensorShape([4]))
    assert dtypes.float32_ref == tf.as_dtype("float32_ref")
    assert dtypes._np_qint8.names == ("qint8",)


@pytest.mark.parametrize(
    "name, scope, stripped, prepended",
    [
        ("a/b/c", "a", "b/c", "a/a/b/c"),
        ("^a/b/c", "a/b", "^c", "^a/b/a/b/c"),
        ("loc:@a/b", "a/", "loc:@b", "loc:@a/a/b"),
        ("x/a/b", "a", "x/a/b", "a/x/a/b"),
        ("a", "", "a", "a"),
    ],
)
def test_scopes_of_names(name, scope, stripped, prepended):
    assert ops.strip_name_scope(name, scope) == stripped
    assert ops.prepend_name_scope(name, scope) == prepended


def test_walks_over_graphs():
    graph_def = _messages.GraphDef()
    for name, inputs in [("a", []), ("b", ["a:1"]), ("c", ["^b"]), ("d", [])]:
        graph_def.node.add(name=name, op="NoOp", input=inputs)
    inputs, nodes, places = graph_util_impl._extract_graph_summary(graph_def)
    assert inputs == {"a": [], "b": ["a"], "c": ["b"], "d": []}
    assert places["c"] == 2 and nodes["d"].name == "d"
    assert graph_util_impl._bfs_for_reachable_nodes(["c"], inputs) == {"a", "b", "c"}


def test_operations_that_others_need():
    from kiln._generated import raw_ops

    with tf.Graph().as_default():
        a = raw_ops.mat_mul([[1.0]], [[2.0]], name="a")
        b = raw_ops.neg(a, name="b")
        c = raw_ops.neg(b, name="c")
        names = [op.name for op in op_selector.get_backward_walk_ops(c.op)]
        assert names == ["c", "b", "a", "a/a", "a/b"]
        walked = op_selector.get_backward_walk_ops([c], inclusive=False, stop_at_ts=[a])
        assert [op.name for op in walked] == ["b"]
        assert op_selector.get_consuming_ops([a]) == [b.op]
        with pytest.raises(TypeError):
            op_selector.make_list_of_op(1)


def test_arguments_of_layers():
    assert utils.conv_output_length(10, 3, "valid", 2) == 4
    assert utils.conv_output_length(10, 3, "same", 2, dilation=2) == 5
    assert utils.conv_input_length(4, 3, "full", 2) == 5
    assert utils.deconv_output_length(5, 3, "full", 2) == 7
    assert utils.normalize_tuple(2, 3, "n") == (2, 2, 2)
    with pytest.raises(ValueError, match="The `n` argument must be a tuple of 2 integers"):
        utils.normalize_tuple("ab", 2, "n")
    assert utils.convert_data_format("channels_first", 4) == "NCHW"
    assert utils.smart_cond(True, lambda: "yes", lambda: "no") == "yes"
    with pytest.raises(TypeError, match="`pred` must be a Tensor"):
        utils.smart_cond("true", lambda: 1, lambda: 2)


def test_decorators():
    def function(a, b=1, *c, **d):
        """What it does."""

    def decorator(*args, **kwargs):
        return function(*args, **kwargs)

    decorated = tf_decorator.make_decorator(function, decorator, "named")
    decorators, inner = tf_decorator.unwrap(decorated)
    assert inner is function and decorators[0].decorator_name == "named"
    assert decorated.__name__ == "function" and decorated.__doc__ == "What it does."
    assert tf_inspect.getargspec(decorated) == (["a", "b"], "c", "d", (1,))
    assert function_utils.fn_args(functools.partial(decorated, 1)) == ("b",)
    assert function_utils.has_kwargs(decorated)
    with pytest.raises(ValueError):
        keyword_args.keyword_args_only(function)(1)
