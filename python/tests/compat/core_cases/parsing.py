"""Records of bytes: examples, raw numbers, lines."""

import os
import struct
import tempfile


def _field(number, payload):
    """A length-delimited field of a protocol buffer."""
    size, text = len(payload), b""
    while size > 127:
        text += bytes([size & 127 | 128])
        size >>= 7
    return bytes([number << 3 | 2]) + text + bytes([size]) + payload


def _features(values):
    """A Features message of lists of ints, floats or bytes, by name."""
    text = b""
    for name, items in values.items():
        if items and isinstance(items[0], float):
            listed = _field(2, _field(1, struct.pack(f"<{len(items)}f", *items)))
        elif items and isinstance(items[0], int):
            listed = _field(3, _field(1, bytes(items)))
        else:
            listed = _field(1, b"".join(_field(1, item) for item in items))
        text += _field(1, _field(1, name.encode()) + _field(2, listed))
    return text


def _example(**values):
    return _field(1, _features(values))


def _sequence(context, steps):
    """A SequenceExample message. steps: for each name a list of one Feature each."""
    lists = b""
    for name, features in steps.items():
        listed = b"".join(_field(1, _field(3, _field(1, bytes(items)))) for items in features)
        lists += _field(1, _field(1, name.encode()) + _field(2, listed))
    return _field(1, _features(context)) + _field(2, lists)


_ONE = _example(a=[1, 2], b=[0.5], c=[b"x", b"yz"], i=[3, 1], v=[1.5, 2.5])
_TWO = _example(a=[3, 4], b=[0.25], c=[b"w"], i=[0], v=[4.5])


def _spread(parsed):
    """The tensors of a dict, in its order."""
    found = []
    for value in parsed.values():
        found += [value.indices, value.values, value.dense_shape] if hasattr(value, "indices") else [value]
    return found


def parse_example(tf):
    return _spread(
        tf.parse_example(
            [_ONE, _TWO],
            {
                "a": tf.FixedLenFeature([2], tf.int64),
                "b": tf.FixedLenFeature((), tf.float32, default_value=1.0),
                "none": tf.FixedLenFeature([1], tf.string, default_value="no"),
                "c": tf.VarLenFeature(tf.string),
                "many": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True),
                "v": tf.FixedLenSequenceFeature([], tf.float32, allow_missing=True, default_value=-1.0),
            },
            name="parsed",
        )
    )


def parse_example_sparse_feature(tf):
    return _spread(
        tf.parse_example(
            tf.placeholder_with_default([_ONE, _TWO], [None]),
            {
                "s": tf.SparseFeature("i", "v", tf.float32, 5),
                "t": tf.SparseFeature(["i"], "v", tf.float32, [6], already_sorted=True),
                "a": tf.VarLenFeature(tf.int64),
            },
            example_names=["one", "two"],
        )
    )


def parse_single_example(tf):
    return _spread(
        tf.parse_single_example(
            tf.constant(_ONE),
            features={
                "a": tf.FixedLenFeature([2], tf.int64),
                "c": tf.VarLenFeature(tf.string),
                "m n": tf.FixedLenFeature([], tf.int64, 7),
            },
        )
    )


def parse_single_example_of_unknown_rank(tf):
    text = tf.placeholder_with_default(_ONE, tf.TensorShape(None))
    return _spread(tf.io.parse_single_example(text, {"b": tf.io.FixedLenFeature([1], tf.float32)}, name="one"))


def parse_single_sequence_example(tf):
    text = _sequence({"n": [3], "t": [b"a"]}, {"q": [[1, 2], [3, 4]], "r": [[5], []]})
    context, steps = tf.parse_single_sequence_example(
        text,
        context_features={"n": tf.FixedLenFeature([], tf.int64), "t": tf.VarLenFeature(tf.string)},
        sequence_features={
            "q": tf.FixedLenSequenceFeature([2], tf.int64),
            "r": tf.VarLenFeature(tf.int64),
            "z": tf.FixedLenSequenceFeature([], tf.float32, allow_missing=True),
        },
    )
    return _spread(context) + _spread(steps)


def parse_sequence_example(tf):
    texts = [_sequence({"n": [3]}, {"q": [[1], [3], [4]]}), _sequence({"n": [4]}, {"q": [[1]]})]
    context, steps, lengths = tf.io.parse_sequence_example(
        texts,
        {"n": tf.FixedLenFeature([], tf.int64)},
        {"q": tf.FixedLenSequenceFeature([], tf.int64)},
        name="sequences",
    )
    return _spread(context) + _spread(steps) + _spread(lengths)


def no_features(tf):
    tf.parse_example([_ONE], {})


def no_features_of_one(tf):
    tf.parse_single_example(_ONE, None)


def no_features_of_sequences(tf):
    tf.parse_single_sequence_example(_ONE)


def sequences_that_may_not_be_missing(tf):
    tf.parse_example([_ONE], {"a": tf.FixedLenSequenceFeature([], tf.int64)})


def one_of_many(tf):
    tf.parse_single_example([_ONE], {"a": tf.VarLenFeature(tf.int64)})


def dense_and_sparse(tf):
    tf.parse_example(
        [_ONE], {"a": tf.FixedLenFeature([2], tf.int64), "s": tf.SparseFeature("a", "v", tf.float32, 3)}
    )


def decode_raw(tf):
    text = tf.constant([b"\1\0\2\0", b"\3\0\4\0"])
    return [
        tf.decode_raw(text, tf.int16),
        tf.decode_raw(text, tf.uint8, name="bytes"),
        tf.io.decode_raw(text, tf.int16, little_endian=False),
        tf.decode_raw(bytes=b"\0\0\x80\x3f", out_type=tf.float32),
    ]


def decode_raw_of_nothing(tf):
    tf.decode_raw(b"ab")


def decode_csv(tf):
    lines = tf.constant(["1,2.5,a", "3,,\"b,c\""])
    return tf.decode_csv(lines, [[0], [9.0], [""]], name="csv") + tf.io.decode_csv(
        lines, [tf.constant([], tf.int32), [""]], select_cols=[0, 2]
    )


def decode_csv_of_columns(tf):
    tf.decode_csv(["1,2"], [[0], [0]], select_cols=[1, 0])


def tensors_as_texts(tf):
    text = tf.io.serialize_tensor(tf.constant([[1, 2], [3, 4]]))
    return [tf.io.parse_tensor(text, tf.int32, name="parsed"), tf.parse_tensor(text, tf.int32)]


def files(tf):
    folder = tempfile.gettempdir()
    path = os.path.join(folder, "kiln_core_cases.txt")
    with open(path, "w") as file:
        file.write("hello")
    return [tf.read_file(path), tf.io.read_file(path, name="again"), tf.matching_files(path)]


def writes(tf):
    tf.write_file("name", "text")
    tf.io.write_file("name", "text", name="w")
    return None


def compressed(tf):
    return [tf.decode_compressed(["ab"]), tf.io.decode_base64(tf.io.encode_base64("abc", pad=True))]
