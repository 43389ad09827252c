"""TensorFlow's messages without TensorFlow."""

import copy
import pickle
import subprocess
import sys

import pytest

from kiln.compat.v1 import _message_modules, _messages


def test_messages_have_tensorflows_names_and_numbers():
    graph = _messages.GraphDef()
    node = graph.node.add(name="n", op="Const", input=["^a"])
    node.attr["dtype"].type = _messages.DT_INT32
    node.attr["shapes"].list.shape.add().dim.add(size=3)
    assert _messages.GraphDef.DESCRIPTOR.full_name == "tensorflow.GraphDef"
    assert graph.SerializeToString(deterministic=True) == (
        b"\n/\n\x01n\x12\x05Const\x1a\x02^a*\x0b\n\x05dtype\x12\x020\x03*\x12\n\x06shapes\x12\x08"
        b"\n\x06:\x04\x12\x02\x08\x03"
    )
    assert _messages.GraphDef.FromString(graph.SerializeToString()) == graph
    assert 'key: "dtype"' in str(graph) and "type: DT_INT32" in str(graph)


def test_maps_oneofs_defaults_and_nested_messages():
    config = _messages.ConfigProto(
        gpu_options=_messages.GPUOptions(allow_growth=True), device_count={"CPU": 2}
    )
    config.graph_options.rewrite_options.constant_folding = _messages.RewriterConfig.OFF
    assert (
        config.gpu_options.per_process_gpu_memory_fraction == 0 and config.device_count["CPU"] == 2
    )
    assert _messages.RunOptions(trace_level=_messages.RunOptions.FULL_TRACE).trace_level == 3
    value = _messages.Summary.Value(tag="loss", simple_value=0.5)
    assert value.WhichOneof("value") == "simple_value"
    value.image.height = 2
    assert value.WhichOneof("value") == "image" and value.simple_value == 0
    example = _messages.Example()
    example.features.feature["a"].int64_list.value.extend([1, 2])
    assert list(
        _messages.Example.FromString(example.SerializeToString())
        .features.feature["a"]
        .int64_list.value
    ) == [1, 2]
    meta = _messages.MetaGraphDef()
    meta.meta_info_def.any_info.Pack(config)
    unpacked = _messages.ConfigProto()
    assert meta.meta_info_def.any_info.Unpack(unpacked) and unpacked == config


def test_enums():
    assert (
        _messages.DataType.Name(_messages.DT_HALF) == "DT_HALF"
        and _messages.DataType.Value("DT_STRING") == 7
    )
    assert _messages.Code.Value("ABORTED") == _messages.ABORTED == 10
    assert _messages.SaverDef.V2 == _messages.SaverDef.CheckpointFormatVersion.Value("V2") == 2
    with pytest.raises(AttributeError, match="no message, enum or value 'Nothing'"):
        _messages.Nothing


def test_messages_are_pickled_and_copied():
    config = _messages.ConfigProto(gpu_options={"allow_growth": True})
    assert pickle.loads(pickle.dumps(config)) == copy.deepcopy(config) == config
    assert pickle.loads(pickle.dumps(config.gpu_options)) == config.gpu_options
    assert (
        pickle.loads(pickle.dumps(_messages.AttrValue.ListValue)) is _messages.AttrValue.ListValue
    )
    assert repr(_messages.Summary.Value) == "<class 'kiln.compat.v1._messages.Summary.Value'>"


def test_modules_of_messages():
    module = _message_modules.make_module("tensorflow.core.framework.tensor_pb2")
    assert module.TensorProto is _messages.TensorProto
    assert module._TENSORPROTO.full_name == "tensorflow.TensorProto"
    assert (
        module.DESCRIPTOR.message_types_by_name["TensorProto"] is _messages.TensorProto.DESCRIPTOR
    )
    types = _message_modules.make_module("tensorflow.core.framework.types_pb2")
    assert types.DT_FLOAT == 1 and {"DT_FLOAT", "DataType", "DESCRIPTOR"} <= set(dir(types))
    with pytest.raises(AttributeError, match="tensorflow.core.framework.types_pb2"):
        types.GraphDef
    assert _message_modules.make_module("tensorflow.core.framework.nothing_pb2") is None


@pytest.mark.parametrize("name", _message_modules.MODULES)
def test_every_module_has_what_its_row_says(name):
    module = _message_modules.make_module(f"tensorflow.{name}_pb2")
    for declared in dir(module):
        getattr(module, declared)


def test_the_pool_is_its_own():
    """The default pool has no message of that name, and may get one with another content."""
    program = """
from kiln.compat.v1 import _messages
from google.protobuf import descriptor_pb2, descriptor_pool

_messages.GraphDef
file = descriptor_pb2.FileDescriptorProto(name="graph.proto", package="tensorflow")
file.message_type.add(name="GraphDef")
descriptor_pool.Default().AddSerializedFile(file.SerializeToString())
assert not descriptor_pool.Default().FindMessageTypeByName("tensorflow.GraphDef").fields
assert len(_messages.GraphDef.DESCRIPTOR.fields) == 5
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_protobuf_is_imported_on_first_use():
    program = """
import sys
from kiln.compat.v1 import _message_modules, _messages

assert "google.protobuf" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)
