"""tf.contrib.slim.summaries: summaries named after what they show."""

from kiln.compat import v1 as tf

__all__ = [
    "add_histogram_summaries",
    "add_histogram_summary",
    "add_image_summaries",
    "add_image_summary",
    "add_scalar_summaries",
    "add_scalar_summary",
    "add_zero_fraction_summaries",
    "add_zero_fraction_summary",
]


def _get_summary_name(tensor, name=None, prefix=None, postfix=None):
    name = name or tensor.op.name
    name = f"{prefix}/{name}" if prefix else name
    return f"{name}/{postfix}" if postfix else name


def _summary(kind, tensor, name, print_summary):
    """A summary; print_summary: with the tensor on standard error whenever it runs."""
    op = kind(name, tensor, collections=[] if print_summary else None)
    if print_summary:
        op = tf.Print(op, [tensor], name)
        tf.add_to_collection(tf.GraphKeys.SUMMARIES, op)
    return op


def add_histogram_summary(tensor, name=None, prefix=None):
    """A histogram. Source: tf.contrib.slim.summaries.add_histogram_summary."""
    return tf.summary.histogram(_get_summary_name(tensor, name, prefix), tensor)


def add_image_summary(tensor, name=None, prefix=None, print_summary=False):
    """Images. Source: tf.contrib.slim.summaries.add_image_summary."""

    def image(name, tensor, collections):
        return tf.summary.image(name=name, tensor=tensor, collections=collections)

    return _summary(image, tensor, _get_summary_name(tensor, name, prefix), print_summary)


def add_scalar_summary(tensor, name=None, prefix=None, print_summary=False):
    """A number. Source: tf.contrib.slim.summaries.add_scalar_summary."""
    name = _get_summary_name(tensor, name, prefix)
    return _summary(tf.summary.scalar, tensor, name, print_summary)


def add_zero_fraction_summary(tensor, name=None, prefix=None, print_summary=False):
    """The share of zeros. Source: tf.contrib.slim.summaries.add_zero_fraction_summary."""
    name = _get_summary_name(tensor, name, prefix, "Fraction_of_Zero_Values")
    return add_scalar_summary(tf.nn.zero_fraction(tensor), name, print_summary=print_summary)


def add_histogram_summaries(tensors, prefix=None):
    """Source: tf.contrib.slim.summaries.add_histogram_summaries."""
    return [add_histogram_summary(tensor, prefix=prefix) for tensor in tensors]


def add_image_summaries(tensors, prefix=None):
    """Source: tf.contrib.slim.summaries.add_image_summaries."""
    return [add_image_summary(tensor, prefix=prefix) for tensor in tensors]


def add_scalar_summaries(tensors, prefix=None, print_summary=False):
    """Source: tf.contrib.slim.summaries.add_scalar_summaries."""
    return [
        add_scalar_summary(tensor, prefix=prefix, print_summary=print_summary) for tensor in tensors
    ]


def add_zero_fraction_summaries(tensors, prefix=None):
    """Source: tf.contrib.slim.summaries.add_zero_fraction_summaries."""
    return [add_zero_fraction_summary(tensor, prefix=prefix) for tensor in tensors]
