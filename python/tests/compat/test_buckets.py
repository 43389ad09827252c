"""Batches of examples that go together, and fetches taken apart."""

import numpy as np
import pytest

import kiln.compat.v1 as tf
from kiln.compat._python.client.session import _FetchHandler


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def test_sequences_of_like_lengths_make_a_batch():
    lengths = tf.train.input_producer(
        tf.constant([1, 4, 2, 5, 1, 6, 2, 4]), num_epochs=1, shuffle=False
    ).dequeue()
    sequence = tf.range(lengths)
    found, batch = tf.contrib.training.bucket_by_sequence_length(
        lengths, {"x": sequence}, batch_size=2, bucket_boundaries=[3], dynamic_pad=True
    )
    seen = []
    with tf.train.MonitoredSession() as session:
        while not session.should_stop():
            seen.append(session.run([found, batch["x"]]))
    assert len(seen) == 4
    for several, rows in seen:
        assert max(several) < 3 or min(several) >= 3
        assert rows.shape == (2, max(several))
        for length, row in zip(several, rows):
            assert row.tolist() == [*range(length), *[0] * (max(several) - length)]


def test_a_bucket_has_a_size_of_its_own():
    value = tf.train.input_producer(tf.constant(np.arange(10)), num_epochs=1, shuffle=False).dequeue()
    number, batch = tf.contrib.training.bucket(
        [value], tf.cast(value % 2, tf.int32), batch_size=[2, 3], num_buckets=2, allow_smaller_final_batch=True
    )
    seen = {0: [], 1: []}
    with tf.train.MonitoredSession() as session:
        while not session.should_stop():
            bucket, values = session.run([number, batch])
            assert len(values) <= (3 if bucket else 2)
            seen[int(bucket)].extend(values.tolist())
    assert seen == {0: [0, 2, 4, 6, 8], 1: [1, 3, 5, 7, 9]}


def test_bad_buckets():
    x = tf.constant(1)
    with pytest.raises(ValueError, match="Buckets must contain sequential increasing lengths"):
        tf.contrib.training.bucket_by_sequence_length(x, [x], 2, [3, 3])
    with pytest.raises(ValueError, match="bucket_boundaries must not be empty"):
        tf.contrib.training.bucket_by_sequence_length(x, [x], 2, [])
    with pytest.raises(ValueError, match="If batch_size is a list it must have num_buckets elements"):
        tf.contrib.training.bucket([x], 0, [1, 2], 3)


def test_fetches_are_taken_apart(graph):
    x, y = tf.placeholder(tf.float32, [], name="x"), tf.constant(2.0, name="y")
    handler = _FetchHandler(graph, {"a": [x, y, y.op], "b": "y:0"}, {x: np.float32(1)})
    assert handler.fetches() == [y] and handler.targets() == [y.op]
    assert handler.build_results(None, [3.0]) == {"a": [1.0, 3.0, None], "b": 3.0}
