"""tf.summary: what TensorBoard shows."""

from kiln.compat.v1.summary._ops import (
    all_v2_summary_ops,
    audio,
    get_summary_description,
    histogram,
    image,
    merge,
    merge_all,
    scalar,
    tensor_summary,
    text,
)
from kiln.compat.v1.summary._writer import FileWriter, FileWriterCache

_MESSAGES = ("Event", "SessionLog", "Summary", "SummaryDescription", "TaggedRunMetadata")

__all__ = [
    "FileWriter", "FileWriterCache", "all_v2_summary_ops", "audio", "get_summary_description", "histogram", "image",
    "merge", "merge_all", "scalar", "tensor_summary", "text", *_MESSAGES,
]  # fmt: skip


def __getattr__(name):
    if name not in _MESSAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from kiln.compat.v1 import _messages

    globals()[name] = value = getattr(_messages, name)
    return value


def __dir__():
    return __all__
