#!/usr/bin/env python3
"""Trains from a pipeline with parallel maps and prefetches for minutes, and fails where memory grows or a thread is left.

    PYTHONPATH=build/python PYTHON bench/pipeline_soak.py [--minutes 60] [--pause 0]

Needs no TensorFlow: the program is kiln.compat's. Every minute it prints steps, resident memory and threads; the
session of each minute ends while its prefetching threads are at work, and none of them may be left. Memory may grow by
5 % behind the first tenth of the time.
"""
import argparse
import os
import sys
import time

import kiln.compat.v1 as tf
import numpy as np

Dataset = tf.data.Dataset


def resident():
    """Megabytes of the process."""
    with open("/proc/self/status") as file:
        status = dict(line.split(":", 1) for line in file)
    return int(status["VmRSS"].split()[0]) / 1024


def threads():
    """The names of the process's threads."""
    names = []
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/comm") as file:
            names.append(file.read().strip())
    return names


def numbers():
    for i in range(50):
        yield i


def train(seconds, pause):
    """Steps of a session that ends while its pipeline is at work."""
    with tf.Graph().as_default(), tf.Session() as session:
        rows = np.random.RandomState(0).rand(2000, 30).astype(np.float32)
        labels = np.random.RandomState(1).randint(0, 10, 2000)
        slices = Dataset.from_tensor_slices((rows, labels)).shuffle(500).repeat()
        generated = Dataset.from_generator(numbers, tf.int64, []).repeat().map(lambda i: tf.cast(i, tf.float32))
        scaled = slices.map(lambda row, label: (tf.nn.l2_normalize(row, 0), label), num_parallel_calls=4).prefetch(100)
        pipeline = Dataset.zip((scaled, generated.prefetch(8))).batch(32).prefetch(2)
        (x, y), offset = tf.data.make_one_shot_iterator(pipeline).get_next()
        hidden = tf.layers.dense(x + offset[:, None] * 0.001, 64, tf.nn.relu)
        loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(hidden, 10))
        step = tf.train.AdamOptimizer().minimize(loss)
        session.run(tf.global_variables_initializer())
        count = 0
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            session.run(step)
            time.sleep(pause)
            count += 1
        return count


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--pause", type=float, default=0, help="seconds between steps")
    options = parser.parse_args()
    rounds = max(10, round(options.minutes))
    samples = []
    for i in range(rounds):
        steps = train(options.minutes * 60 / rounds, options.pause)
        names = threads()
        samples.append(resident())
        print(f"{i + 1}/{rounds}: {steps} steps, {samples[-1]:.1f} MB, {len(names)} threads", flush=True)
        if "kiln-prefetch" in names:
            sys.exit("a prefetching thread is left of a session")
    early, late = max(samples[: max(1, rounds // 10)]), min(samples[-3:])
    if late > 1.05 * early:
        sys.exit(f"memory grew from {early:.1f} to {late:.1f} MB")


if __name__ == "__main__":
    main()
