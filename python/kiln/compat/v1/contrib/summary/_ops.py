"""The summaries of tf.contrib.summary, and when they are recorded."""

import contextlib
import re

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.summary import _writers
from kiln.compat.v1.contrib.summary._writers import call, current

_SUMMARIES = "_SUMMARY_V2"


@contextlib.contextmanager
def _record_if(condition):
    before, current.recording = current.recording, condition
    try:
        yield
    finally:
        current.recording = before


def always_record_summaries():
    """A context in which summaries are recorded. Source: tf.contrib.summary.always_record_summaries."""
    return _record_if(True)


def never_record_summaries():
    """A context in which they are not. Source: tf.contrib.summary.never_record_summaries."""
    return _record_if(False)


def record_summaries_every_n_global_steps(n, global_step=None):
    """A context in which they are recorded at every n-th step.

    Source: tf.contrib.summary.record_summaries_every_n_global_steps.
    """
    if global_step is None:
        global_step = tf.train.get_or_create_global_step()
    with tf.device("cpu:0"):
        return _record_if(tf.equal(global_step % n, 0))


def should_record_summaries():
    """A tensor: whether summaries are recorded. Source: tf.contrib.summary.should_record_summaries."""
    return tf.logical_and(True, _recording())


def _recording():
    """What is set in this thread: nothing is recorded by default."""
    condition = current.recording() if callable(current.recording) else current.recording
    return False if condition is None else condition


def all_summary_ops():
    """The operations of all summaries in the graph. Source: tf.contrib.summary.all_summary_ops."""
    return list(tf.get_collection(_SUMMARIES))


def _clean(name):
    return None if name is None else re.sub(r"[^-/\w\.]", "_", name).lstrip("/")


def _write(name, family, step, make):
    """Adds what writes a summary. make(tag): a tensor of a serialized Summary."""
    writer = current.writer
    if not isinstance(writer, _writers.FileWriter):
        return tf.no_op()
    scope = tf.get_default_graph().get_name_scope()
    name, family = _clean(name), _clean(family)
    condition = _recording()

    def record():
        base = name if family is None else f"{family}/{name}"
        with tf.name_scope(scope + "/" if scope else None), tf.name_scope(base) as inner:
            tag = inner.rstrip("/")
            tag = tag if family is None else f"{family}/{tag}"
            write = call(
                lambda summary, step: writer.file().add_summary(summary, int(step)),
                [make(tag), _step(step)],
                "write",
            )
            with tf.control_dependencies([write]):
                return tf.constant(True)

    with tf.device("cpu:0"):
        if isinstance(condition, bool):
            written = record() if condition else tf.constant(False)
        else:
            written = tf.cond(condition, record, lambda: tf.constant(False))
        tf.add_to_collection(_SUMMARIES, written)
    return written


def _step(step):
    if step is None:
        step = tf.train.get_or_create_global_step()
    elif not isinstance(step, tf.Tensor):
        step = tf.convert_to_tensor(step, tf.int64)
    return tf.identity(step)


def scalar(name, tensor, family=None, step=None):
    """Writes a number. step: the global step where it is None. Source: tf.contrib.summary.scalar."""
    return _write(
        name,
        family,
        step,
        lambda tag: tf.raw_ops.ScalarSummary(tags=tag, values=tf.identity(tensor)),
    )


def histogram(name, tensor, family=None, step=None):
    """Writes a histogram. Source: tf.contrib.summary.histogram."""
    return _write(
        name,
        family,
        step,
        lambda tag: tf.raw_ops.HistogramSummary(tag=tag, values=tf.identity(tensor)),
    )


def image(name, tensor, bad_color=None, max_images=3, family=None, step=None):
    """Writes images. bad_color: that of pixels that are no numbers, red by default.

    Source: tf.contrib.summary.image.
    """

    def make(tag):
        color = {} if bad_color is None else {"bad_color": tf.make_tensor_proto(bad_color)}
        return tf.raw_ops.ImageSummary(
            tag=tag, tensor=tf.identity(tensor), max_images=max_images, **color
        )

    return _write(name, family, step, make)


def audio(name, tensor, sample_rate, max_outputs, family=None, step=None):
    """Writes sounds. Source: tf.contrib.summary.audio."""
    return _write(
        name,
        family,
        step,
        lambda tag: tf.raw_ops.AudioSummaryV2(
            tag=tag, tensor=tf.identity(tensor), sample_rate=sample_rate, max_outputs=max_outputs
        ),
    )


def generic(name, tensor, metadata=None, family=None, step=None):
    """Writes a tensor. metadata: a SummaryMetadata, or it serialized. Source: tf.contrib.summary.generic."""

    def make(tag):
        data = metadata.SerializeToString() if hasattr(metadata, "SerializeToString") else metadata
        return tf.raw_ops.TensorSummaryV2(
            tag=tag, tensor=tf.identity(tensor), serialized_summary_metadata=data or b""
        )

    return _write(name, family, step, make)


def _graph(param, step=None, name=None):
    """Writes a graph: a tensor with a serialized GraphDef. Errors: TypeError for anything else.

    Source: tf.contrib.summary.graph.
    """
    if not isinstance(param, tf.Tensor):
        raise TypeError(
            "graph() needs a tf.Tensor (e.g. tf.placeholder) in graph mode, but was: "
            f"{type(param)}"
        )
    writer = current.writer
    if not isinstance(writer, _writers.FileWriter):
        return tf.no_op()

    def write(data, step):
        event = tf.Event(graph_def=data, step=int(step))
        writer.file()._add(event, int(step))

    with tf.device("cpu:0"):
        return call(write, [tf.identity(param), _step(step)], name or "write_graph_summary")


graph = _graph


def import_event(tensor, name=None):
    """Writes a serialized Event. Source: tf.contrib.summary.import_event."""
    writer = current.writer

    def write(data):
        event = tf.Event()
        event.ParseFromString(data)
        writer.file().add_event(event)

    return call(write, [tensor], name or "import_event")


def initialize(graph=None, session=None):
    """Opens all writers. graph: a Graph or GraphDef that is written then.

    session: the default one where it is None. Errors: RuntimeError without a writer in this
    thread, ValueError without a session. Source: tf.contrib.summary.initialize.
    """
    if current.writer is None:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    session = session or tf.get_default_session()
    if session is None:
        raise ValueError("session must be passed if no default session exists")
    session.run(_writers.summary_writer_initializer_op())
    if graph is not None:
        definition = graph.as_graph_def(add_shapes=True) if isinstance(graph, tf.Graph) else graph
        data = tf.placeholder(tf.string)
        written = _graph(data, 0)
        session.run(written, feed_dict={data: definition.SerializeToString()})
