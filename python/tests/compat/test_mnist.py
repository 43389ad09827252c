"""tensorflow.examples.tutorials.mnist; the order of examples was recorded from TensorFlow."""

import gzip
import struct

import numpy as np
import pytest

import kiln.compat.v1 as tf
from kiln.compat.v1.examples.tutorials.mnist import input_data, mnist

# Which images came in which batch.
TRAIN = [
    [24, 12, 11, 27, 14, 26, 16, 17],
    [25, 22, 19, 21, 29, 28, 23, 15],
    [10, 18, 13, 20, 29, 27, 11, 22],
    [
        28,
        10,
        16,
        14,
        26,
        24,
        18,
        13,
        15,
        17,
        21,
        20,
        19,
        12,
        23,
        25,
        26,
        13,
        25,
        16,
        23,
        28,
        22,
        11,
        19,
    ],
]
TEST = [0, 5, 11, 3, 9, 4, 7, 2, 6, 1, 10, 8]
GRAPH_SEED = [11, 27, 12, 15, 21, 10, 28, 16, 23, 29, 20, 24, 18, 26, 19, 22, 17, 13, 14, 25]


def write(folder, train=30, test=12):
    """Makes the four files: the pixels of image i are i, and its label is i modulo 10."""
    for kind, count in ("train", train), ("t10k", test):
        numbers = np.arange(count, dtype=np.uint8)
        with gzip.open(folder / f"{kind}-images-idx3-ubyte.gz", "wb") as file:
            file.write(struct.pack(">IIII", 2051, count, 28, 28) + numbers.repeat(784).tobytes())
        with gzip.open(folder / f"{kind}-labels-idx1-ubyte.gz", "wb") as file:
            file.write(struct.pack(">II", 2049, count) + (numbers % 10).tobytes())
    return folder


def order(batch):
    """Returns which images a batch has."""
    images, labels = batch
    numbers = np.rint(np.asarray(images).reshape(len(images), -1)[:, 0] * 255).astype(int)
    assert (numbers % 10 == labels).all()
    return numbers.tolist()


def test_batches_come_in_tensorflows_order(tmp_path):
    data = input_data.read_data_sets(str(write(tmp_path)), validation_size=10, seed=3)
    assert [each.num_examples for each in data] == [20, 10, 12] and data._fields == (
        "train",
        "validation",
        "test",
    )
    assert data.train.images.shape == (20, 784) and data.train.images.dtype == np.float32
    assert order(data.train.next_batch(8)) == TRAIN[0]
    assert order(data.test.next_batch(12)) == TEST
    assert order(data.train.next_batch(8)) == TRAIN[1]
    assert order(data.train.next_batch(8)) == TRAIN[2] and data.train.epochs_completed == 1
    assert order(data.train.next_batch(25)) == TRAIN[3]
    assert order(data.validation.next_batch(3, shuffle=False)) == [0, 1, 2]


def test_the_graphs_seed(tmp_path):
    write(tmp_path)
    with tf.Graph().as_default() as graph:
        graph.seed = 7
        first = order(
            input_data.read_data_sets(str(tmp_path), validation_size=10).train.next_batch(20)
        )
        again = order(
            input_data.read_data_sets(str(tmp_path), validation_size=10).train.next_batch(20)
        )
    assert first == again == GRAPH_SEED


def test_options(tmp_path, capsys):
    data = input_data.read_data_sets(
        str(write(tmp_path)), one_hot=True, dtype=tf.uint8, reshape=False, validation_size=0, seed=1
    )
    assert (
        capsys.readouterr().out.splitlines()[0]
        == f"Extracting {tmp_path}/train-images-idx3-ubyte.gz"
    )
    assert data.train.images.shape == (30, 28, 28, 1) and data.train.images.dtype == np.uint8
    assert (
        data.train.labels == np.eye(10)[np.arange(30) % 10]
    ).all() and data.train.labels.dtype == np.float64
    with pytest.raises(
        ValueError, match="Validation size should be between 0 and 30. Received: 31."
    ):
        input_data.read_data_sets(str(tmp_path), validation_size=31)
    with pytest.raises(TypeError, match="Invalid image dtype .*, expected uint8 or float32"):
        input_data.read_data_sets(str(tmp_path), dtype=tf.int32, validation_size=0)


def test_fake_data():
    data = input_data.read_data_sets("nowhere", fake_data=True, one_hot=True)
    images, labels = data.train.next_batch(2, fake_data=True)
    assert (
        images == [[1] * 784] * 2
        and labels == [[1] + [0] * 9] * 2
        and data.train.num_examples == 10000
    )


def test_missing_files_are_loaded(tmp_path, capsys):
    source = tmp_path / "source"
    source.mkdir()
    write(source)
    data = input_data.read_data_sets(
        str(tmp_path / "new" / "folder"), validation_size=5, source_url=f"file://{source}/"
    )
    size = (source / "t10k-labels-idx1-ubyte.gz").stat().st_size
    assert (
        f"Successfully downloaded t10k-labels-idx1-ubyte.gz {size} bytes."
        in capsys.readouterr().out
    )
    assert data.train.num_examples == 25


def test_files_of_another_kind(tmp_path):
    write(tmp_path)
    images = tmp_path / "train-images-idx3-ubyte.gz"
    (tmp_path / "train-labels-idx1-ubyte.gz").write_bytes(images.read_bytes())
    with pytest.raises(ValueError, match="Invalid magic number 2051 in MNIST label file: "):
        input_data.read_data_sets(str(tmp_path))


@pytest.mark.skipif(not hasattr(tf, "truncated_normal"), reason="it needs tf.truncated_normal")
def test_the_network_learns():
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        images = np.eye(10, mnist.IMAGE_PIXELS, dtype=np.float32).repeat(4, axis=0)
        labels = np.arange(10, dtype=np.int32).repeat(4)
        logits = mnist.inference(tf.constant(images), 32, 16)
        loss = mnist.loss(logits, tf.constant(labels))
        step = mnist.training(loss, 1.0)
        right = mnist.evaluation(logits, tf.constant(labels))
        names = [variable.op.name for variable in tf.trainable_variables()]
        assert names == [
            f"{layer}/{name}"
            for layer in ("hidden1", "hidden2", "softmax_linear")
            for name in ("weights", "biases")
        ]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            before = session.run(loss)
            for _ in range(200):
                session.run(step)
            assert session.run(loss) < before / 2 and session.run(right) > 20
            assert session.run("global_step:0") == 200
