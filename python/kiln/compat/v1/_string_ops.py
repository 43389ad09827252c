"""Texts: tf.string_join, tf.string_split, tf.as_string, tf.substr, regular expressions."""

from kiln._generated import raw_ops as _raw
from kiln._generated.raw_ops import as_string, decode_base64, encode_base64
from kiln._generated.raw_ops import string_lower as lower
from kiln._generated.raw_ops import string_strip, string_to_hash_bucket_fast, string_to_hash_bucket_strong
from kiln._generated.raw_ops import string_upper as upper
from kiln._generated.raw_ops import unicode_script, unicode_transcode
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._deprecations import deprecated, renamed
from kiln.compat.v1._graph_functions import name_scope
from kiln.compat.v1._sparse import SparseTensor

__all__ = [
    "as_string", "decode_base64", "encode_base64", "reduce_join", "regex_replace",
    "string_join", "string_split", "string_strip", "string_to_hash_bucket",
    "string_to_hash_bucket_fast", "string_to_hash_bucket_strong", "string_to_number", "substr",
]  # fmt: skip


def string_join(inputs, separator="", name=None):
    """The texts of a list of tensors, element by element in one. Source: tf.string_join."""
    return _raw.string_join(inputs, separator, name)


def reduce_join(
    inputs, axis=None, keep_dims=None, separator="", name=None, reduction_indices=None, keepdims=None
):
    """The texts along axes, in one; along all of them in row-major order by default.

    reduction_indices, keep_dims: older names of axis and keepdims. Source: tf.reduce_join.
    """
    keepdims = renamed(
        "ops.string_ops.reduce_join", "keepdims", keepdims, "keep_dims", keep_dims,
        "keep_dims is deprecated, use keepdims instead",
    )  # fmt: skip
    axis = renamed(None, "axis", axis, "reduction_indices", reduction_indices)
    with name_scope(None, "ReduceJoin", [inputs, axis]):
        inputs = convert_to_tensor(inputs)
        if axis is None:
            rank = inputs.shape.ndims
            if rank is None:
                axis = _c.range(_raw.rank(inputs) - 1, -1, -1)
            else:
                axis = _c.constant(list(range(rank - 1, -1, -1)), dtypes.int32)
        return _raw.reduce_join(inputs, axis, bool(keepdims), separator, name)


def string_split(
    source, sep=None, skip_empty=True, delimiter=None, result_type="SparseTensor", name=None
):
    """The parts of each text of a vector, a row each of a SparseTensor.

    sep: a text each of whose characters separates, by default a space; an empty one:
    characters. skip_empty: leaves empty parts out. delimiter: the older name of sep.
    Errors: ValueError for another result_type; Kiln has no ragged tensors. Source:
    tf.string_split.
    """
    with name_scope(name, "StringSplit", [source]):
        sep = renamed(
            "ops.ragged.ragged_string_ops.string_split", "sep", sep, "delimiter", delimiter,
            "delimiter is deprecated, please use sep instead.",
        )  # fmt: skip
        delimiter = convert_to_tensor(" " if sep is None else sep, dtypes.string)
        source = convert_to_tensor(source, dtypes.string)
        parts = _raw.string_split(source, delimiter, skip_empty)
        _check_result_type(result_type)
        return _sparse_rows(*parts)


def split(input=None, sep=None, maxsplit=-1, result_type="SparseTensor", source=None, name=None):
    """The parts of each text of a vector or scalar, a row each of a SparseTensor.

    sep: a text; white space by default. maxsplit: the largest number of cuts. source:
    the older name of input. Source: tf.strings.split.
    """
    input = renamed(None, "input", input, "source", source)
    with name_scope(name, "StringSplit", [input]):
        input = convert_to_tensor(input, dtypes.string, "input")
        _check_result_type(result_type)
        if input.shape.ndims == 0:
            input = _c.expand_dims(input, 0)
        sep = convert_to_tensor("" if sep is None else sep, dtypes.string)
        return _sparse_rows(*_raw.string_split_v2(input, sep, maxsplit))


def _check_result_type(result_type):
    if result_type == "RaggedTensor":
        raise NotImplementedError("Kiln has no RaggedTensor: expected result_type='SparseTensor'")
    if result_type != "SparseTensor":
        raise ValueError("result_type must be 'RaggedTensor' or 'SparseTensor'.")


def _sparse_rows(indices, values, shape):
    indices.set_shape([None, 2])
    values.set_shape([None])
    shape.set_shape([2])
    return SparseTensor(indices, values, shape)


def _is_text(value):
    return isinstance(value, (str, bytes))


def regex_full_match(input, pattern, name=None):
    """Whether each text as a whole matches an expression of RE2. Source: tf.strings.regex_full_match."""
    if _is_text(pattern):
        return _raw.static_regex_full_match(input, pattern, name)
    return _raw.regex_full_match(input, pattern, name)


def regex_replace(input, pattern, rewrite, replace_global=True, name=None):
    r"""The texts with what matches replaced. rewrite: has "\1" for what a group matched.

    replace_global: all matches, or the first one. Source: tf.regex_replace.
    """
    if _is_text(pattern) and _is_text(rewrite):
        return _raw.static_regex_replace(input, pattern, rewrite, replace_global, name)
    return _raw.regex_replace(input, pattern, rewrite, replace_global, name)


def format(template, inputs, placeholder="{}", summarize=3, name=None):
    """A text with tensors in it. summarize: how many first and last elements of an axis are shown.

    Errors: ValueError for another number of tensors than placeholders. Source:
    tf.strings.format.
    """
    if isinstance(inputs, (_c.Tensor, _c.Variable)):
        inputs = [inputs]
    expected = template.count(placeholder)
    if expected != len(inputs):
        raise ValueError(
            f"The template expects {expected} tensors, but the inputs only has {len(inputs)}. Please ensure "
            "the number of placeholders in template matches inputs length."
        )
    return _raw.string_format(inputs, template, placeholder, summarize, name)


def length(input, name=None, unit="BYTE"):
    """The lengths of texts in bytes, or characters: "UTF8_CHAR". Source: tf.strings.length."""
    return _raw.string_length(input, unit, name)


def strings_substr(input, pos, len, name=None, unit="BYTE"):
    """The parts of texts from pos on, which are len long. Source: tf.strings.substr."""
    return _raw.substr(input, pos, len, unit, name)


def substr(input, pos, len, name=None, unit="BYTE"):
    """The older name of tf.strings.substr(). Source: tf.substr."""
    deprecated("ops.string_ops.substr_deprecated", "Use `tf.strings.substr` instead of `tf.substr`.")
    return _raw.substr(input, pos, len, unit, name)


def string_to_number(string_tensor=None, out_type=dtypes.float32, name=None, input=None):
    """The numbers that texts are. input: the newer name of string_tensor. Source: tf.string_to_number."""
    string_tensor = renamed(None, "input", input, "string_tensor", string_tensor)
    return _raw.string_to_number(string_tensor, out_type, name)


def string_to_hash_bucket(string_tensor=None, num_buckets=None, name=None, input=None):
    """The bucket that a text's hash falls into. Source: tf.string_to_hash_bucket."""
    string_tensor = renamed(None, "input", input, "string_tensor", string_tensor)
    return _raw.string_to_hash_bucket(string_tensor, num_buckets, name)


def unsorted_segment_join(inputs, segment_ids, num_segments, separator="", name=None):
    """The texts of each segment in one. Source: tf.strings.unsorted_segment_join."""
    return _raw.unsorted_segment_join(inputs, segment_ids, num_segments, separator, name)
