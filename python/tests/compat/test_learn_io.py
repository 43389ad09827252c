"""tf.contrib.learn.io: records and features of files in batches, by queues."""

import numpy as np
import pytest

import kiln.compat.v1 as tf

io = tf.contrib.learn.io


def example(i):
    """An Example with a number, and with as many words as the number says."""
    int64s, words = tf.train.Int64List(value=[i]), tf.train.BytesList(value=[b"w"] * i)
    features = {"i": tf.train.Feature(int64_list=int64s), "words": tf.train.Feature(bytes_list=words)}
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.fixture
def pattern(tmp_path):
    """The pattern of two files of records, with 0 to 2 and 3 to 4."""
    for name, numbers in (("a", range(3)), ("b", range(3, 5))):
        with tf.python_io.TFRecordWriter(str(tmp_path / name)) as writer:
            for i in numbers:
                writer.write(example(i))
    return str(tmp_path / "*")


def batches(fetches):
    """What the fetches give until the queues end."""
    found = []
    with tf.train.SingularMonitoredSession() as session:
        while not session.should_stop():
            found.append(session.run(fetches))
    return found


FEATURES = {"i": tf.FixedLenFeature([], tf.int64), "words": tf.VarLenFeature(tf.string)}


def features_of(pattern, **options):
    options = {"randomize_input": False, "num_epochs": 1, "num_enqueue_threads": 1, **options}
    return io.read_keyed_batch_features(pattern, 2, FEATURES, tf.TFRecordReader, queue_capacity=9, **options)


def test_features_come_in_batches_by_queues(pattern, graph):
    keys, features = features_of(pattern, name="in")
    queues = [op.name for op in graph.get_operations() if op.type == "FIFOQueueV2"]
    assert queues == ["in/file_name_queue", "in/fifo_queue", "in/fifo_queue_1"]
    found = batches([keys, features["i"], features["words"]])
    assert [numbers.tolist() for _, numbers, _ in found] == [[0, 1], [2, 3], [4]]
    assert [len(words.values) for _, _, words in found] == [1, 5, 4]
    assert [key.rpartition(b":")[0][-2:] for key in found[1][0]] == [b"/a", b"/b"]
    assert features["i"].shape.as_list() == [None] and isinstance(features["words"], tf.SparseTensor)


def test_all_numbers_come_in_each_epoch_when_they_are_mixed(pattern):
    _, features = features_of(pattern, randomize_input=True, num_epochs=2, read_batch_size=1)
    numbers = np.concatenate([numbers for numbers in batches(features["i"])])
    assert sorted(numbers) == sorted([*range(5)] * 2)


def test_a_parse_function_may_give_a_dict(pattern):
    def parse(record):
        return {"i": tf.parse_single_example(record, FEATURES)["i"] * 10}

    keys, parsed = io.read_keyed_batch_examples(
        pattern, 5, tf.TFRecordReader, randomize_input=False, num_epochs=1, parse_fn=parse
    )
    ((names, found),) = batches([keys, parsed])
    assert len(names) == 5 and list(found) == ["i"] and found["i"].tolist() == [0, 10, 20, 30, 40]


def test_several_records_are_read_at_once(pattern, graph):
    records = io.read_batch_examples(
        pattern, 5, tf.TFRecordReader, randomize_input=False, num_epochs=1, read_batch_size=4
    )
    types = {op.type for op in graph.get_operations()}
    assert "ReaderReadUpToV2" in types and "ReaderReadV2" not in types
    (found,) = batches(records)
    assert found.tolist() == [example(i) for i in range(5)]


def test_mistakes(pattern):
    def read(files=pattern, batch_size=2, queue_capacity=9, **options):
        io.read_batch_examples(files, batch_size, tf.TFRecordReader, queue_capacity=queue_capacity, **options)

    for words, options in {
        "No files given to dequeue_examples.": {"files": []},
        "No files match nothing.": {"files": "nothing"},
        "Invalid queue_capacity 0.": {"queue_capacity": 0},
        "Invalid batch_size None, with queue_capacity 9.": {"batch_size": None},
        "Invalid batch_size 9, with queue_capacity 9.": {"batch_size": 9},
        "Invalid read_batch_size 0.": {"read_batch_size": 0},
        "Invalid num_threads 0.": {"num_threads": 0},
        "Invalid num_epochs 0.": {"num_epochs": 0},
    }.items():
        with pytest.raises(ValueError, match=words):
            read(**options)
