"""tf.make_tensor_proto and tf.make_ndarray: the bytes and the errors are TensorFlow's, recorded
from it.
"""

import numpy as np
import pytest

from kiln.compat.v1 import _messages
from kiln.compat.v1._tensor_proto import make_ndarray, make_tensor_proto

TWO = b"\x12\x04\x12\x02\x08\x02"

ENCODED = [
    (1.5, {}, b"\x08\x01\x12\x00*\x04\x00\x00\xc0?"),
    (1, {}, b"\x08\x03\x12\x00:\x01\x01"),
    (1 << 40, {}, b"\x08\t\x12\x00R\x06\x80\x80\x80\x80\x80 "),
    (True, {}, b"\x08\n\x12\x00Z\x01\x01"),
    ("é", {}, b"\x08\x07\x12\x00B\x02\xc3\xa9"),
    (
        1 + 2j,
        {},
        b"\x08\x12\x12\x00b\x10\x00\x00\x00\x00\x00\x00\xf0?\x00\x00\x00\x00\x00\x00\x00@",
    ),
    (1.5, {"dtype": "float16"}, b"\x08\x13\x12\x00j\x02\x80|"),
    (1.5, {"dtype": "bfloat16"}, b"\x08\x0e\x12\x00j\x02\xc0\x7f"),
    (np.float64(2), {}, b"\x08\x02\x12\x002\x08\x00\x00\x00\x00\x00\x00\x00@"),
    (np.int64(3), {"dtype": "int32"}, b"\x08\x03\x12\x00:\x01\x03"),
    ((1,), {"dtype": "quint8"}, b"\x08\x0c\x12\x00:\x01\x01"),
    (1, {"dtype": "uint32"}, b"\x08\x16\x12\x00\x82\x01\x01\x01"),
    (300, {"dtype": "uint8"}, b"\x08\x04\x12\x00:\x01,"),
    ([1, 2], {}, b"\x08\x03" + TWO + b'"\x08\x01\x00\x00\x00\x02\x00\x00\x00'),
    ([1.5, 2], {}, b"\x08\x01" + TWO + b'"\x08\x00\x00\xc0?\x00\x00\x00@'),
    ([1.5, 2], {"dtype": "float16"}, b"\x08\x13" + TWO + b'"\x04\x00>\x00@'),
    ([1, 2], {"dtype": "uint16"}, b"\x08\x11" + TWO + b":\x02\x01\x02"),
    ([True, False], {}, b"\x08\n" + TWO + b"Z\x02\x01\x00"),
    (["a", b"bc"], {}, b"\x08\x07" + TWO + b"B\x01aB\x02bc"),
    (np.array([1, 2], np.int8), {"dtype": "qint8"}, b"\x08\x0b" + TWO + b'"\x02\x01\x02'),
    (bytearray(b"ab"), {}, b"\x08\x04" + TWO + b'"\x02ab'),
    ([], {}, b"\x08\x01\x12\x02\x12\x00"),
    ([], {"shape": [0, 3]}, b"\x08\x01\x12\x06\x12\x00\x12\x02\x08\x03"),
    (1, {"shape": [2, 3]}, b"\x08\x03\x12\x08\x12\x02\x08\x02\x12\x02\x08\x03:\x01\x01"),
    ([1, 2], {"shape": [2, 2]}, b"\x08\x03\x12\x08\x12\x02\x08\x02\x12\x02\x08\x02:\x02\x01\x02"),
]


@pytest.mark.parametrize("value, options, encoded", ENCODED)
def test_bytes_are_tensorflows(value, options, encoded):
    assert make_tensor_proto(value, **options).SerializeToString(deterministic=True) == encoded


ERRORS = [
    (None, {}, ValueError, "None values not supported."),
    ([1, 2], {"shape": [1]}, ValueError, "Too many elements provided. Takes at most 1, but got 2."),
    (
        [1, 2],
        {"shape": [2, 1], "verify_shape": True},
        TypeError,
        "Expected Tensor's shape: (2, 1), but got (2,).",
    ),
    (
        [1, 2],
        {"shape": [4], "allow_broadcast": True},
        TypeError,
        "Expected Tensor's shape: (4,), but got (2,).",
    ),
    (1.5, {"dtype": "int32"}, TypeError, "Expected int32, but got 1.5 of type 'float'."),
    (
        [[1, 2], [3, 4.5]],
        {"dtype": "int64"},
        TypeError,
        "Expected int64, but got 4.5 of type 'float'.",
    ),
    (1, {"dtype": "string"}, TypeError, "Expected string, but got 1 of type 'int'."),
    (1, {"dtype": "bool"}, TypeError, "Expected bool, but got 1 of type 'int'."),
    ([1, 2], {"dtype": "qint8"}, TypeError, "Expected qint8, but got 1 of type 'int'."),
    (
        [1, "a"],
        {},
        TypeError,
        "Failed to convert elements of [1, 'a'] to Tensor. Consider casting elements to",
    ),
    ([1, None], {}, TypeError, "Failed to convert elements of [1, None] to Tensor."),
    (
        [np.array([1, 2])],
        {},
        ValueError,
        "Expected values [array([1, 2])] to be a dense tensor with shape [1], but got shape [1, 2]",
    ),
    (np.array([1, "b"], object), {}, TypeError, "Expected binary or unicode string, got 1"),
    (
        1,
        {"dtype": "resource"},
        TypeError,
        "`dtype` <dtype: 'resource'> is not compatible with 1 of dtype",
    ),
    (
        1,
        {"dtype": "nothing"},
        TypeError,
        "Cannot convert the argument `type_value`: 'nothing' to a TensorFlow DType.",
    ),
]


@pytest.mark.parametrize("value, options, error, words", ERRORS)
def test_errors_are_tensorflows(value, options, error, words):
    with pytest.raises(error) as raised:
        make_tensor_proto(value, **options)
    assert str(raised.value).startswith(words)


DTYPES = (
    "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 "
    "complex128 bfloat16 float8_e5m2 float8_e4m3fn int4 uint4"
).split()


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("shape", [(), (1,), (0, 3), (2, 3)])
def test_arrays_come_back(name, shape):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    array = np.asarray(np.arange(np.prod(shape)).reshape(shape)).astype(
        getattr(ml_dtypes, name, name)
    )
    back = make_ndarray(make_tensor_proto(array))
    assert back.dtype == array.dtype and back.shape == array.shape and back.flags.writeable
    assert back.tobytes() == array.tobytes()


def test_texts_come_back_as_bytes():
    back = make_ndarray(make_tensor_proto([["a"], ["é"]]))
    assert back.tolist() == [[b"a"], ["é".encode()]] and back.dtype == object


def test_the_last_element_stands_for_the_rest():
    assert make_ndarray(make_tensor_proto([1, 2], shape=[2, 2])).tolist() == [[1, 2], [2, 2]]
    assert make_ndarray(make_tensor_proto("a", shape=[2])).tolist() == [b"a", b"a"]
    assert make_ndarray(make_tensor_proto([], shape=[2])).tolist() == [0, 0]


def test_what_has_no_array():
    with pytest.raises(TypeError, match="Unsupported tensor type: 20"):
        make_ndarray(_messages.TensorProto(dtype=_messages.DT_RESOURCE))


def test_a_message_is_left_alone():
    proto = make_tensor_proto(1)
    assert make_tensor_proto(proto, dtype="float32") is proto
