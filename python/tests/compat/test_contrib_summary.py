"""tf.contrib.summary: what a run writes into an event file."""

import glob

import pytest

import kiln.compat.v1 as tf

summary = tf.contrib.summary


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def events(folder):
    (path,) = glob.glob(f"{folder}/events.out.tfevents.*.v2")
    return list(tf.train.summary_iterator(path))


def test_summaries_are_written_with_the_step(tmp_path):
    step = tf.train.get_or_create_global_step()
    x = tf.placeholder(tf.float32, [])
    writer = summary.create_file_writer(tmp_path, flush_millis=1000)
    with writer.as_default(), summary.always_record_summaries():
        summary.scalar("loss", x)
        with tf.name_scope("part"):
            summary.scalar("a b", 2 * x, family="all")
        summary.histogram("h", tf.stack([x, x]), step=7)
        summary.image("im", tf.zeros([1, 2, 2, 3]))
        summary.generic("g", tf.constant([1, 2]))
    with tf.control_dependencies(summary.all_summary_ops()):
        advance = step.assign_add(1)
    with tf.Session() as session, writer.as_default():
        session.run(tf.global_variables_initializer())
        summary.initialize(graph=tf.get_default_graph(), session=session)
        session.run(advance, {x: 1})
        session.run(advance, {x: 2})
        session.run(writer.close())
    found = events(tmp_path)
    assert len(found[1].graph_def) > 0
    values = {(e.step, v.tag): v for e in found for v in e.summary.value}
    assert values[0, "loss"].simple_value == 1 and values[1, "loss"].simple_value == 2
    assert values[1, "all/part/all/a_b"].simple_value == 4
    assert values[7, "h"].histo.num == 2 and values[0, "im/image/0"].image.width == 2
    assert values[0, "g"].tensor.dtype == tf.int32.as_datatype_enum


def test_summaries_of_every_nth_step(tmp_path):
    step = tf.train.get_or_create_global_step()
    writer = summary.create_file_writer(tmp_path)
    with writer.as_default(), summary.record_summaries_every_n_global_steps(2, step):
        summary.scalar("x", 1.0)
    with tf.control_dependencies(summary.all_summary_ops()):
        advance = step.assign_add(1)
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), summary.summary_writer_initializer_op()])
        for _ in range(5):
            session.run(advance)
        session.run(summary.flush(writer))
    assert [event.step for event in events(tmp_path) if event.summary.value] == [0, 2, 4]


def test_nothing_is_written_without_a_writer_or_leave(tmp_path):
    with summary.always_record_summaries():
        assert summary.scalar("x", 1.0).type == "NoOp"
    with summary.create_file_writer(None).as_default(), summary.always_record_summaries():
        assert summary.scalar("x", 1.0).type == "NoOp"
    with summary.create_file_writer(tmp_path).as_default():
        assert tf.Session().run(summary.scalar("x", 1.0)) == False  # noqa: E712, of NumPy
    with pytest.raises(RuntimeError, match="No default tf.contrib.summary.SummaryWriter found"):
        summary.initialize()


def test_a_writer_that_is_not_open_is_an_error(tmp_path):
    tf.train.get_or_create_global_step()
    with summary.create_file_writer(tmp_path).as_default(), summary.always_record_summaries():
        written = summary.scalar("x", 1.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="is not open: run tf.contrib"):
            session.run(written)
