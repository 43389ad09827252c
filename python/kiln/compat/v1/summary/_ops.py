"""Summaries in the graph: tensors of serialized Summary messages.

name: of the op and, with the scopes around it, the tag; characters that tags do not have become "_". collections: of
the graph, to which the summary is added, "summaries" where it is None. family: stands before the tag; a tab of
TensorBoard.
"""

from kiln._kiln import front as _c
from kiln.compat.v1 import _messages
from kiln.compat.v1._graph import get_default_graph


def scalar(name, tensor, collections=None, family=None):
    """A number. Source: tf.summary.scalar."""
    return _c.scalar_summary(name, tensor, _keys(collections), family)


def histogram(name, values, collections=None, family=None):
    """How the values of a tensor are distributed. Source: tf.summary.histogram."""
    return _c.histogram_summary(name, values, _keys(collections), family)


def image(name, tensor, max_outputs=3, collections=None, family=None):
    """Pictures, [n, height, width, 1, 3 or 4], of uint8, or of floats, which are scaled. Source: tf.summary.image."""
    return _c.image_summary(name, tensor, _keys(collections), family, max_outputs)


def audio(name, tensor, sample_rate, max_outputs=3, collections=None, family=None):
    """Sounds, [n, frames] or [n, frames, channels], from -1 to 1. Source: tf.summary.audio."""
    return _c.audio_summary(name, tensor, sample_rate, _keys(collections), family, max_outputs)


def text(name, tensor, collections=None):
    """Texts. Errors: ValueError for a tensor that is none. Source: tf.summary.text."""
    return _c.text_summary(name, tensor, _keys(collections))


def tensor_summary(
    name,
    tensor,
    summary_description=None,
    collections=None,
    summary_metadata=None,
    family=None,
    display_name=None,
):
    """A tensor of any type. summary_metadata: how it is to be shown. Source: tf.summary.tensor_summary."""
    metadata = _messages.SummaryMetadata()
    if summary_metadata is not None:
        metadata.CopyFrom(summary_metadata)
    if summary_description is not None:
        metadata.summary_description = summary_description
    if display_name is not None:
        metadata.display_name = display_name
    return _c.tensor_summary(name, tensor, metadata.SerializeToString(), _keys(collections), family)


def merge(inputs, collections=None, name=None):
    """One message of several summaries. Source: tf.summary.merge."""
    return _c.merge_summaries(list(inputs), _keys(collections) or [], name or "")


def merge_all(key="summaries", scope=None, name=None):
    """One message of all summaries in a collection; None where there are none.

    scope: of those whose name begins with a match of it. Source: tf.summary.merge_all.
    """
    inputs = get_default_graph().get_collection(key, scope)
    return merge(inputs, name=name) if inputs else None


def all_v2_summary_ops():
    """The summaries of tf.contrib.summary in this graph, a list. Source: tf.summary.all_v2_summary_ops."""
    return get_default_graph().get_collection("_SUMMARY_V2")


def get_summary_description(node_def):
    """The SummaryDescription of a TensorSummary node. Errors: ValueError for another op.

    Source: tf.summary.get_summary_description.
    """
    if node_def.op != "TensorSummary":
        raise ValueError(f"Can't get_summary_description on {node_def.op}")
    from google.protobuf import json_format

    description = _messages.SummaryDescription()
    return json_format.Parse(node_def.attr["description"].s.decode(), description)


def _keys(collections):
    return None if collections is None else [str(key) for key in collections]
