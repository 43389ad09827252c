"""tf.contrib.summary: summaries that a run writes by itself.

    writer = tf.contrib.summary.create_file_writer("/tmp/run")
    with writer.as_default(), tf.contrib.summary.always_record_summaries():
        tf.contrib.summary.scalar("loss", loss)
    ...
    tf.contrib.summary.initialize(session=session)
    session.run([train_op, tf.contrib.summary.all_summary_ops()])

| looking for | it is in |
| --- | --- |
| writers, initialize, flush | `_writers.py` |
| scalar, histogram, image, audio, generic, when they are recorded | `_ops.py` |
"""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.summary._ops import (
    all_summary_ops,
    always_record_summaries,
    audio,
    generic,
    graph,
    histogram,
    image,
    import_event,
    initialize,
    never_record_summaries,
    record_summaries_every_n_global_steps,
    scalar,
    should_record_summaries,
)
from kiln.compat.v1.contrib.summary._writers import (
    SummaryWriter,
    create_file_writer,
    create_noop_writer,
    create_summary_file_writer,
    eval_dir,
    flush,
    summary_writer_initializer_op,
)

__all__ = [
    "SummaryWriter",
    "all_summary_ops",
    "always_record_summaries",
    "audio",
    "create_file_writer",
    "create_noop_writer",
    "create_summary_file_writer",
    "eval_dir",
    "flush",
    "generic",
    "graph",
    "histogram",
    "image",
    "import_event",
    "initialize",
    "never_record_summaries",
    "record_summaries_every_n_global_steps",
    "scalar",
    "should_record_summaries",
    "summary_writer_initializer_op",
]

__getattr__, __dir__ = _forwarding(__name__, "")
