#!/usr/bin/env python3
"""What an element of a pipeline of tf.data costs: TensorFlow's sessions and Kiln's (kiln.tensorflow), taking turns.

    PYTHONPATH=build/python PYTHON_WITH_TENSORFLOW bench/pipeline_calls.py [NAME...] [--rounds 2]

Both run one graph in one process, from the call to its return, without TensorFlow's kernels on Kiln's side; calls that
warm up and a second in which native code is made come first. A figure is the least of the rounds.
"""
import argparse
import os
import tempfile
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["KILN_CACHE"] = "off"
import kiln.tensorflow
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
Dataset = tf.data.Dataset
ROWS = np.random.RandomState(0).rand(20000, 100).astype(np.float32)
CLASSES = np.random.RandomState(1).randint(0, 10, 20000)


def numbers(folder):
    return Dataset.range(10**9), 3000


def slices(folder):
    return Dataset.from_tensor_slices((ROWS, CLASSES)).shuffle(2000, seed=1).repeat().batch(64), 600


def mapped(folder):
    def scaled(row, label):
        return tf.nn.l2_normalize(row, 0) * 2, label + 1

    return Dataset.from_tensor_slices((ROWS, CLASSES)).repeat().map(scaled, num_parallel_calls=2).batch(64), 100


def lines(folder):
    path = os.path.join(folder, "lines")
    with open(path, "w") as file:
        file.writelines(" ".join(str(i % 97 + j) for j in range(12)) + "\n" for i in range(20000))

    def parsed(line):
        return tf.string_to_number(tf.string_split([line]).values)

    return tf.data.TextLineDataset(path).repeat().map(parsed).batch(64), 60


def examples(folder):
    path = os.path.join(folder, "examples")
    with tf.python_io.TFRecordWriter(path) as writer:
        for row, label in zip(ROWS[:5000], CLASSES):
            feature = {
                "x": tf.train.Feature(float_list=tf.train.FloatList(value=row)),
                "y": tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
            }
            writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())
    features = {"x": tf.FixedLenFeature([100], tf.float32), "y": tf.FixedLenFeature([], tf.int64)}
    records = tf.data.TFRecordDataset(path).repeat().shuffle(500, seed=1).batch(64)
    return records.map(lambda record: tf.parse_example(record, features)), 100


def step(folder):
    return slices(folder)


def fetch_of(name, element):
    """What a call asks for: the element, or a training step of a network of 100, 128 and 10."""
    if name != "step":
        return element
    x, y = element
    hidden = tf.nn.relu(tf.matmul(x, tf.get_variable("first", [100, 128])))
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.matmul(hidden, tf.get_variable("second", [128, 10])))
    return tf.train.AdamOptimizer().minimize(loss)


def measure(name, make, folder):
    """Microseconds a call."""
    with tf.Graph().as_default(), tf.Session() as session:
        dataset, calls = make(folder)
        fetch = fetch_of(name, tf.data.make_one_shot_iterator(dataset).get_next())
        session.run(tf.global_variables_initializer())
        for pause in (1, 0):
            for _ in range(max(30, calls // 10)):
                session.run(fetch)
            time.sleep(pause)
        start = time.perf_counter()
        for _ in range(calls):
            session.run(fetch)
        return (time.perf_counter() - start) / calls * 1e6


def main():
    makers = {make.__name__: make for make in (numbers, slices, step, mapped, lines, examples)}
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", choices=[[], *makers], default=[])
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    print("| pipeline | TensorFlow, us | Kiln, us | ratio |\n| --- | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names or makers:
            theirs, ours = [], []
            for _ in range(options.rounds):
                theirs.append(measure(name, makers[name], folder))
                with kiln.tensorflow.install(foreign=False):
                    ours.append(measure(name, makers[name], folder))
            print(f"| {name} | {min(theirs):.1f} | {min(ours):.1f} | {min(theirs) / min(ours):.1f} |", flush=True)


if __name__ == "__main__":
    main()
