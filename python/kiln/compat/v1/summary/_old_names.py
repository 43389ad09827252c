"""Summaries under the names of TensorFlow 0.x, whose tags are arguments: tf.scalar_summary(tags, values)."""

from kiln._generated import raw_ops
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1.summary._writer import FileWriter


def _collected(summary, collections):
    for key in ["summaries"] if collections is None else collections:
        get_default_graph().add_to_collection(key, summary)
    return summary


def scalar_summary(tags, values, collections=None, name=None):
    """Numbers with a tag each. Source: tf.scalar_summary of TensorFlow 0.12."""
    return _collected(raw_ops.scalar_summary(tags, values, name=name), collections)


def histogram_summary(tag, values, collections=None, name=None):
    """Source: tf.histogram_summary of TensorFlow 0.12."""
    return _collected(raw_ops.histogram_summary(tag, values, name=name), collections)


def image_summary(tag, tensor, max_images=3, collections=None, name=None):
    """Source: tf.image_summary of TensorFlow 0.12."""
    return _collected(raw_ops.image_summary(tag, tensor, max_images=max_images, name=name), collections)


def audio_summary(tag, tensor, sample_rate, max_outputs=3, collections=None, name=None):
    """Source: tf.audio_summary of TensorFlow 0.12."""
    return _collected(
        raw_ops.audio_summary_v2(tag, tensor, sample_rate, max_outputs=max_outputs, name=name), collections
    )


def merge_summary(inputs, collections=None, name=None):
    """One message of several. Source: tf.merge_summary of TensorFlow 0.12."""
    return _collected(raw_ops.merge_summary(list(inputs), name=name), collections or [])


def merge_all_summaries(key="summaries"):
    """One message of all in a collection; None where there are none. Source: tf.merge_all_summaries of 0.12."""
    inputs = get_default_graph().get_collection(key)
    return merge_summary(inputs) if inputs else None


class SummaryWriter(FileWriter):
    """The older name of tf.summary.FileWriter. Source: tf.train.SummaryWriter of TensorFlow 0.12."""

    def __init__(self, logdir, graph=None, max_queue=10, flush_secs=120, graph_def=None):
        super().__init__(logdir, graph, max_queue, flush_secs, graph_def)
