"""Records of bytes become tensors: tf.parse_example, tf.decode_raw, tf.decode_csv."""

import collections

from kiln._generated import raw_ops as _raw
from kiln._generated.raw_ops import decode_compressed, decode_json_example, parse_tensor
from kiln._kiln import front as _c
from kiln.compat.v1._deprecations import renamed

__all__ = [
    "FixedLenFeature", "FixedLenSequenceFeature", "SparseFeature", "VarLenFeature",
    "decode_compressed", "decode_csv", "decode_json_example", "decode_raw", "parse_example",
    "parse_single_example", "parse_single_sequence_example", "parse_tensor", "serialize_tensor",
]  # fmt: skip


class VarLenFeature(collections.namedtuple("VarLenFeature", ["dtype"])):
    """Any number of values: becomes a SparseTensor. Source: tf.VarLenFeature."""


class SparseFeature(
    collections.namedtuple("SparseFeature", ["index_key", "value_key", "dtype", "size", "already_sorted"])
):
    """Values of one feature at the indices that others tell: becomes a SparseTensor.

    index_key: the feature of the indices, or a list of them, one for each axis. size: the
    extent, or a list of them. already_sorted: whether the indices rise. Source:
    tf.SparseFeature.
    """

    def __new__(cls, index_key, value_key, dtype, size, already_sorted=False):
        return super().__new__(cls, index_key, value_key, dtype, size, already_sorted)


class FixedLenFeature(collections.namedtuple("FixedLenFeature", ["shape", "dtype", "default_value"])):
    """As many values as a shape has: becomes a tensor.

    default_value: what examples without it have; None: it must be there. Source:
    tf.FixedLenFeature.
    """

    def __new__(cls, shape, dtype, default_value=None):
        return super().__new__(cls, shape, dtype, default_value)


class FixedLenSequenceFeature(
    collections.namedtuple("FixedLenSequenceFeature", ["shape", "dtype", "allow_missing", "default_value"])
):
    """Any number of tensors of a shape: becomes a tensor with an axis more.

    allow_missing: whether examples may be without it. default_value: what shorter ones of
    a batch are filled up with. Source: tf.FixedLenSequenceFeature.
    """

    def __new__(cls, shape, dtype, allow_missing=False, default_value=None):
        return super().__new__(cls, shape, dtype, allow_missing, default_value)


_FEATURES = (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature)


def _kind(feature):
    return next((kind for kind in _FEATURES if isinstance(feature, kind)), None)


def _described(features):
    """What C++ takes: a tuple of the kind and the fields by the key."""
    described = {}
    for key, feature in (features or {}).items():
        kind = _kind(feature)
        if kind is None:
            raise ValueError(f"Unsupported {type(feature).__name__} {feature} for key '{key}'")
        if kind is SparseFeature and isinstance(feature.index_key, (list, tuple)) and len(feature.index_key) > 1:
            from kiln.compat.v1 import logging

            logging.warning(
                "SparseFeature is a complicated feature config "
                "and should only be used after careful "
                "consideration of VarLenFeature."
            )
        described[key] = (kind.__name__, *feature)
    return described


def _ordered(features, parsed):
    """The tensors in TensorFlow's order: sparse ones first, those of SparseFeatures last."""
    groups = [[], [], []]
    for key in sorted(parsed):
        kind = _kind(features[key])
        groups[0 if kind is VarLenFeature else 2 if kind is SparseFeature else 1].append(key)
    return {key: parsed[key] for group in groups for key in group}


def parse_example(serialized, features, name=None, example_names=None):
    """A dict of what the features of a batch of Example messages hold, by their keys.

    serialized: a vector of messages. features: FixedLenFeature, VarLenFeature and the like
    by key. example_names: of the messages, for errors. Errors: ValueError. Source:
    tf.parse_example.
    """
    if not features:
        raise ValueError(f"Argument `features` cannot be None or falsy. Got {features}")
    parsed = _c.parse_example(serialized, _described(features), name, example_names)
    return _ordered(features, parsed)


def parse_single_example(serialized, features, name=None, example_names=None):
    """A dict of what the features of one Example message hold. Source: tf.parse_single_example."""
    if not features:
        problem = "None" if features is None else "empty"
        raise ValueError(f"Invalid argument: features cannot be {problem}.")
    parsed = _c.parse_single_example(serialized, _described(features), name, example_names)
    return _ordered(features, parsed)


def parse_sequence_example(
    serialized, context_features=None, sequence_features=None, example_names=None, name=None
):
    """Three dicts of a batch of SequenceExample messages: of the whole, of the steps, their lengths.

    context_features, sequence_features: features by key. Errors: ValueError. Source:
    tf.io.parse_sequence_example.
    """
    context, steps, lengths = _c.parse_sequence_example(
        serialized, _described(context_features), _described(sequence_features), example_names, name
    )
    return _ordered(context_features, context), _ordered(sequence_features, steps), lengths


def parse_single_sequence_example(
    serialized, context_features=None, sequence_features=None, example_name=None, name=None
):
    """Two dicts of one SequenceExample message: of the whole, and of the steps.

    Errors: ValueError. Source: tf.parse_single_sequence_example.
    """
    if not (context_features or sequence_features):
        raise ValueError(
            "Both context_features and sequence_features are None, but at least one should have values."
        )
    context, steps, _ = _c.parse_single_sequence_example(
        serialized, _described(context_features), _described(sequence_features), example_name, name
    )
    return _ordered(context_features, context), _ordered(sequence_features, steps)


def decode_csv(
    records, record_defaults, field_delim=",", use_quote_delim=True, name=None, na_value="", select_cols=None
):
    """The columns of lines of values, a tensor for each of record_defaults.

    record_defaults: a value, which is the dtype too, or an empty one: the column must not
    be empty. na_value: a text that means no value. select_cols: the columns that are
    taken. Errors: ValueError. Source: tf.decode_csv.
    """
    return _c.decode_csv(
        records, record_defaults, field_delim, use_quote_delim, name, na_value, select_cols
    )


def decode_raw(input_bytes=None, out_type=None, little_endian=True, name=None, bytes=None):
    """The numbers that the bytes of texts are, in an axis more. bytes: the older name of input_bytes.

    Errors: ValueError without out_type. Source: tf.decode_raw.
    """
    input_bytes = renamed(
        "ops.parsing_ops.decode_raw_v1", "input_bytes", input_bytes, "bytes", bytes,
        "bytes is deprecated, use input_bytes instead",
    )  # fmt: skip
    if out_type is None:
        raise ValueError("decode_raw_v1() missing 1 positional argument: 'out_type'")
    return _raw.decode_raw(input_bytes, out_type, little_endian, name)


def serialize_tensor(tensor, name=None):
    """A TensorProto of the tensor, as a text. Source: tf.io.serialize_tensor."""
    return _raw.serialize_tensor(tensor, name)
