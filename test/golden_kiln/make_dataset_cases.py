# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow's datasets and iterators give, in which order, and what they say. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow as tf2
import tensorflow.compat.v1 as tf
from recorder import Case
from tensorflow.python.ops import lookup_ops

Dataset = tf.data.Dataset
ROWS = np.arange(24, dtype=np.float32).reshape(12, 2)


def walk(case, dataset, rounds=2, most=60):
    """Initializes an iterator and takes all elements, as often as that."""
    iterator = tf.data.make_initializable_iterator(dataset)
    element = tf.nest.flatten(iterator.get_next(), expand_composites=True)
    for _ in range(rounds):
        case.run(iterator.initializer)
        for _ in range(most):
            if isinstance(case.run(element), Exception):
                break


def fed(value, dtype):
    return tf.placeholder_with_default(np.asarray(value, dtype), None)


def sequences():
    with Case("dataset_sequences", "parts, repetitions and neighbours of datasets", rtol=0, atol=0) as case:
        rows = Dataset.from_tensor_slices((ROWS, np.arange(12)))
        walk(case, rows.take(3).concatenate(rows.skip(10)))
        walk(case, rows.shard(5, 2).repeat(2))
        walk(case, Dataset.zip((Dataset.range(3), Dataset.range(10, 20, 3), rows)))
        walk(case, Dataset.range(5, 0, -2).concatenate(Dataset.from_tensors(np.int64(7))))
        walk(case, Dataset.range(4).repeat(0))
        walk(case, Dataset.range(3).take(0).repeat())
        walk(case, Dataset.range(4).skip(-1))
        walk(case, Dataset.range(4).take(-1).cache().repeat(2))
        walk(case, rows.batch(5).unbatch().take(7))
        walk(case, Dataset.from_tensor_slices(np.array([b"a", b"", b"c\0d"], object)).repeat().take(5))


def batches():
    with Case("dataset_batches", "elements put together, as they are and padded", rtol=0, atol=0) as case:
        walk(case, Dataset.from_tensor_slices((ROWS, np.arange(12))).batch(5))
        walk(case, Dataset.range(10).batch(4, drop_remainder=True))
        walk(case, Dataset.range(1, 8).map(lambda i: tf.fill([i], i)).padded_batch(3, [None]))
        grids = Dataset.range(1, 6).map(lambda i: (tf.fill([i, 2], i), tf.strings.as_string(tf.range(i))))
        walk(case, grids.padded_batch(2, ([None, 3], [6]), (np.int64(-1), "none")))
        walk(case, Dataset.range(1, 4).map(lambda i: tf.fill([i], i)).batch(2), rounds=1)
        walk(case, Dataset.range(1, 4).map(lambda i: tf.fill([i], i)).padded_batch(3, [2]), rounds=1)
        walk(case, Dataset.range(1, 4).map(lambda i: tf.zeros(tf.ones([i], tf.int64))).padded_batch(3, [None]), rounds=1)


def shuffles():
    with Case("dataset_shuffles", "the order of TensorFlow's seeds", rtol=0, atol=0) as case:
        walk(case, Dataset.range(20).shuffle(7, seed=3))
        walk(case, Dataset.range(10).shuffle(4, seed=3).repeat(3))
        walk(case, Dataset.range(10).shuffle(100, seed=5).repeat(2).batch(3))
        walk(case, Dataset.range(10).shuffle(4, seed=3, reshuffle_each_iteration=False).repeat(2))
        one = Dataset.range(9).shuffle(5, seed=9)
        walk(case, Dataset.zip((one, one)).repeat(2))
        tf.set_random_seed(17)
        walk(case, Dataset.range(12).shuffle(3).shuffle(6).take(8))
        walk(case, Dataset.range(10).apply(tf2.data.experimental.shuffle_and_repeat(4, 3, seed=2)))


def functions():
    with Case("dataset_functions", "elements that functions make and choose", rtol=0, atol=0) as case:
        rows = Dataset.from_tensor_slices((ROWS, np.arange(12)))
        walk(case, rows.map(lambda a, b: (a * 2, b + 1)).batch(5))
        walk(case, rows.map(lambda a, b: {"x": a[0], "y": tf.strings.as_string(b)}, num_parallel_calls=4).take(4))
        walk(case, rows.filter(lambda a, b: b % 3 > 0).take(5).skip(1))
        walk(case, rows.flat_map(lambda a, b: Dataset.from_tensors((a, b)).repeat(tf.minimum(b, 3))).take(20))
        for cycle, block in ((1, 2), (2, 3), (3, 1), (9, 2)):
            walk(case, Dataset.range(1, 6).interleave(lambda i: Dataset.range(i).map(lambda v: v + 10 * i), cycle, block))
        walk(case, Dataset.range(5).apply(tf2.data.experimental.scan(np.int64(0), lambda s, e: (s + e, s * 10 + e))))
        walk(case, Dataset.range(10).apply(tf2.data.experimental.take_while(lambda i: i < 4)))
        walk(case, Dataset.from_tensor_slices(["a b", "c d e", "f"]).map(lambda s: tf.string_split([s]).values))
        walk(case, Dataset.range(3).map(lambda i: tf.where(i > 1, i * 5, i)).prefetch(2))
        walk(case, Dataset.range(4).map(lambda i: tf.random_uniform([2], seed=7)), rounds=3)
        walk(case, Dataset.range(3).map(lambda i: (tf.random_uniform([], seed=1), tf.random_uniform([], seed=2))).repeat(2))
        bad = Dataset.range(5).map(lambda i: tf.debugging.check_numerics(1.0 / tf.cast(i - 2, tf.float32), "bad"))
        walk(case, bad.apply(tf2.data.experimental.ignore_errors()))


def groups():
    experimental = tf2.data.experimental
    with Case("dataset_groups", "datasets of datasets, groups, and those that choose among others", rtol=0, atol=0) as case:
        walk(case, Dataset.range(10).window(3, shift=2, stride=2).flat_map(lambda w: w.batch(3)))
        walk(case, Dataset.range(7).window(3, drop_remainder=True).flat_map(lambda w: w.map(lambda v: v * 2).batch(3)))
        walk(case, Dataset.range(9).window(2, shift=4).flat_map(lambda w: w))
        rows = Dataset.from_tensor_slices((ROWS, np.arange(12)))
        walk(case, rows.window(4).flat_map(lambda a, b: Dataset.zip((a.batch(2), b.batch(2)))))
        walk(case, Dataset.range(20).apply(experimental.group_by_window(lambda i: i % 3, lambda k, w: w.batch(4), window_size=4)))
        sized = experimental.group_by_window(lambda a, b: b % 2, lambda k, w: w.batch(3), window_size_func=lambda k: k + 2)
        walk(case, rows.apply(sized))
        lists = Dataset.range(25).map(lambda i: tf.fill([i % 7 + 1], i))
        walk(case, lists.apply(experimental.bucket_by_sequence_length(tf.size, [3, 5], [2, 3, 4])))
        three = [Dataset.range(3), Dataset.range(10, 15), Dataset.range(100, 102)]
        walk(case, experimental.choose_from_datasets(three, Dataset.range(3).repeat(6)))
        walk(case, experimental.sample_from_datasets(three[:2], [0.3, 0.7], seed=4))
        walk(case, Dataset.from_tensor_slices([1, 2, 1, 3, 2, 4]).apply(experimental.unique()))
        walk(case, experimental.RandomDataset(seed=3).take(5))
        walk(case, Dataset.range(3).map(lambda i: Dataset.range(10).reduce(np.int64(0), lambda s, v: s + v * i)))
        case.run(tf.nest.flatten(Dataset.range(4).reduce((np.int64(0), 1.0), lambda s, i: (s[0] + i, s[1] * 2))))
        for size, shift, stride in ((0, 1, 1), (1, 0, 1), (1, 1, 0)):
            walk(case, Dataset.range(3).window(*(fed(n, np.int64) for n in (size, shift, stride))).flat_map(lambda w: w), rounds=1)


def captures():
    with Case("dataset_captures", "functions that use variables, tables and what was fed", rtol=0, atol=0) as case:
        v = tf.get_variable("v", initializer=2.0, use_resource=False)
        r = tf.get_variable("r", initializer=3.0, use_resource=True)
        p = tf.placeholder(tf.float32, [])
        table = lookup_ops.StaticHashTable(lookup_ops.KeyValueTensorInitializer(["a", "b"], np.array([1, 2], np.int64)), -1)
        numbers = tf.data.make_initializable_iterator(Dataset.range(6).map(lambda i: tf.cast(i, tf.float32) * v + r + p))
        words = tf.data.make_initializable_iterator(Dataset.from_tensor_slices(["a", "b", "c", "a"]).map(table.lookup).batch(3))
        number, word, grow = numbers.get_next(), words.get_next(), [v.assign(10.0).op, r.assign(100.0)]
        case.run(numbers.initializer, {p: 0.5})
        case.init()
        case.run(numbers.initializer, {p: 0.5})
        case.run(number)
        case.run(number * 2)
        # TensorFlow reads ahead; what the resource variable is now shows behind the next beginning.
        case.run(grow)
        case.run(numbers.initializer, {p: 0.25})
        case.run(number)
        case.run(words.initializer)
        n = tf.get_variable("n", initializer=np.int64(2), use_resource=False)
        taken = tf.raw_ops.TakeDataset(
            input_dataset=Dataset.range(5)._variant_tensor, count=n._ref(), output_types=[tf.int64], output_shapes=[[]]
        )
        case.run(n.initializer)
        walk(case, tf2.data.experimental.from_variant(taken, tf2.TensorSpec([], tf.int64)), rounds=1)
        case.run(tf.tables_initializer())
        for _ in range(3):
            case.run(word)


def iterators():
    with Case("dataset_iterators", "iterators of all kinds, their names and what they say", rtol=0, atol=0) as case:
        three, two = Dataset.range(3), Dataset.range(10, 12)
        late = tf.data.make_initializable_iterator(three)
        again = tf.data.Iterator.from_structure(tf.int64, tf.TensorShape([]))
        first, second = again.make_initializer(three), again.make_initializer(two)
        element, unready = again.get_next(), late.get_next()
        case.run(unready)
        for begin in (first, second, first):
            case.run(begin)
            for _ in range(2):
                case.run(element + 100)
        once = tf.data.make_one_shot_iterator(three)
        there = once.get_next()
        case.run(there)
        case.run(there, session="t")
        case.run([there, there * 2])
        case.run(late.initializer)
        taken = tf.while_loop(lambda i, total: i < 2, lambda i, total: (i + 1, total * 10 + late.get_next()), [0, np.int64(1)], parallel_iterations=1)
        case.run(taken[1])
        case.run(taken[1])
        left, right = (tf.data.make_one_shot_iterator(Dataset.range(n, n + 9)) for n in (0, 100))
        side = tf.placeholder(tf.bool, [])
        chosen = tf.cond(side, left.get_next, right.get_next)
        for value in (True, True, False, True, False):
            case.run(chosen, {side: value})
        for dataset in (Dataset.range(5).skip(4), Dataset.range(0), Dataset.range(2)):
            case.run(tf.nest.flatten(tf2.data.experimental.get_single_element(dataset)))


def mistakes():
    with Case("dataset_mistakes", "what datasets refuse", rtol=0, atol=0) as case:
        for dataset in (
            Dataset.range(3).batch(fed(0, np.int64)),
            Dataset.range(3).padded_batch(fed(-1, np.int64), []),
            Dataset.range(3).shuffle(fed(0, np.int64), seed=1),
            Dataset.range(3).shard(fed(2, np.int64), fed(3, np.int64)),
            Dataset.range(3).shard(fed(0, np.int64), fed(0, np.int64)),
            Dataset.range(0, 5, fed(0, np.int64)),
            Dataset.from_tensor_slices((fed(np.zeros([2, 2]), np.float32), fed(np.zeros([3]), np.float32))),
            Dataset.range(3).interleave(lambda i: Dataset.range(i), fed(0, np.int64), fed(1, np.int64)),
            *(
                Dataset.range(3).interleave(lambda i: Dataset.range(i), fed(cycle, np.int64), fed(block, np.int64), fed(calls, np.int64))
                for cycle, block, calls in ((1, 1, 2), (2, 1, 0), (0, 1, 1), (1, 0, 1))
            ),
            *(
                Dataset.range(3).apply(tf.data.experimental.parallel_interleave(lambda i: Dataset.range(i), cycle, block, buffer_output_elements=buffer))
                for cycle, block, buffer in ((0, 1, 1), (1, 0, 1), (1, 1, -1))
            ),
        ):
            walk(case, dataset, rounds=1)


def records():
    """The graph writes its files first, since a case has no others."""
    with Case("dataset_records", "lines, and records of one length, of files", rtol=0, atol=0) as case:
        lines, empty, fixed = ("dataset_records_%s.tmp" % name for name in ("lines", "empty", "fixed"))
        case.run([tf.write_file(lines, "a\nbc\r\n\nlast"), tf.write_file(empty, ""), tf.write_file(fixed, "HHaaabbbF")])
        walk(case, tf.data.TextLineDataset([lines, empty, lines]))
        walk(case, tf.data.TextLineDataset(lines).map(lambda line: tf.strings.length(line)).filter(lambda n: n > 0))
        walk(case, tf.data.FixedLengthRecordDataset([fixed, fixed], 3, 2, 1))
        walk(case, tf.data.FixedLengthRecordDataset(fixed, 4, 2, 1), rounds=1)
        walk(case, tf.data.TFRecordDataset(fixed), rounds=1)
        walk(case, tf.data.TFRecordDataset(empty))
        walk(case, tf.data.TextLineDataset("dataset_records_missing.tmp"), rounds=1, most=1)
        for name in (lines, empty, fixed):
            os.remove(name)


def training():
    with Case("dataset_training", "steps that take their batch from an iterator", rtol=1e-5, atol=1e-6) as case:
        inputs = np.random.RandomState(0).rand(64, 3).astype(np.float32)
        labels = inputs.sum(1, keepdims=True)
        x, y = tf.data.make_one_shot_iterator(Dataset.from_tensor_slices((inputs, labels)).shuffle(64, seed=1).repeat().batch(8)).get_next()
        w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
        train = tf.train.AdamOptimizer(0.1).minimize(loss)
        case.init()
        for _ in range(12):
            case.run([loss, train])
        case.run(w)


if __name__ == "__main__":
    for make in (sequences, batches, shuffles, functions, groups, captures, iterators, mistakes, records, training):
        make()
