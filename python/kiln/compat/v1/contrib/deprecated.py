"""tf.contrib.deprecated: the summaries of TensorFlow 0.x."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding

__getattr__, __dir__ = _forwarding(
    __name__,
    "audio_summary histogram_summary image_summary merge_all_summaries merge_summary scalar_summary",
)
