# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow's datasets of sparse and ragged tensors, of CSV files and of examples give. Run it with a Python that has TensorFlow."""
import glob
import os

import numpy as np
import tensorflow as tf2
import tensorflow.compat.v1 as tf
from make_dataset_cases import ROWS, Dataset, fed, walk
from recorder import Case

experimental = tf2.data.experimental
ROOT = "/tmp/kiln_golden"  # below which cases write the files that they read


def sparse():
    with Case("dataset_sparse", "elements that are sparse tensors", rtol=0, atol=0) as case:
        matrix = tf.SparseTensor([[0, 0], [1, 2], [1, 3], [3, 1]], np.array([1, 2, 3, 4], np.float32), [4, 5])
        words = tf.SparseTensor([[0, 1], [2, 0]], ["a", "bc"], [3, 2])
        walk(case, Dataset.from_tensors((matrix, np.int64(7))).repeat(2))
        walk(case, Dataset.from_tensor_slices((matrix, ROWS[:4])).map(lambda s, r: (tf.sparse.to_dense(s), s, r)))
        walk(case, Dataset.from_tensor_slices({"w": words, "n": np.arange(3)}).batch(2))
        walk(case, Dataset.from_tensor_slices(matrix).batch(2).batch(2))
        walk(case, Dataset.from_tensor_slices(matrix).batch(3).unbatch().filter(lambda s: tf.size(s.values) > 0))
        walk(case, Dataset.from_tensor_slices((matrix, np.arange(4))).filter(lambda s, i: i % 2 > 0).map(lambda s, i: i))
        walk(case, Dataset.from_tensor_slices(matrix).shuffle(3, seed=2).cache().repeat(2))
        lists = Dataset.range(5).map(lambda i: tf.SparseTensor(tf.expand_dims(tf.range(i), 1), tf.fill([i], i), [i + 2]))
        walk(case, lists.batch(3))
        walk(case, Dataset.range(6).window(3).flat_map(lambda w: w.batch(3)).map(lambda v: tf.sparse.from_dense(v)).batch(2))
        walk(case, Dataset.range(1, 6).map(lambda i: tf.fill([i], i)).apply(experimental.dense_to_sparse_batch(2, [6])))
        walk(case, Dataset.range(1, 6).map(lambda i: tf.fill([i, 2], i)).apply(experimental.dense_to_sparse_batch(4, [None, 3])))
        walk(case, Dataset.range(1, 6).map(lambda i: tf.fill([i], i)).apply(experimental.dense_to_sparse_batch(2, [3])), rounds=1)
        walk(case, tf.data.Dataset.from_sparse_tensor_slices(matrix))
        total = Dataset.from_tensor_slices(matrix).reduce(np.float32(0), lambda s, e: s + tf.sparse.reduce_sum(e))
        case.run(total)
        features = {"n": tf.io.VarLenFeature(tf.int64), "x": tf.io.FixedLenFeature([], tf.float32)}
        examples = [
            tf.train.Example(features=tf.train.Features(feature={
                "n": tf.train.Feature(int64_list=tf.train.Int64List(value=range(i))),
                "x": tf.train.Feature(float_list=tf.train.FloatList(value=[i / 2])),
            })).SerializeToString()
            for i in range(4)
        ]  # fmt: skip
        parsed = Dataset.from_tensor_slices(examples).map(lambda e: tf.io.parse_single_example(e, features))
        walk(case, parsed.batch(3))


def sparse_mistakes():
    raw = tf.raw_ops
    with Case("dataset_sparse_mistakes", "what datasets of sparse tensors refuse", rtol=0, atol=0) as case:
        for indices, values, shape in (
            ([[1, 0], [0, 0]], [1, 2], [2, 2]), ([0, 1], [1, 2], [2]), ([[0]], [1, 2], [2]), ([[0, 0]], [1], [2]),
            (np.zeros([0, 0]), np.zeros([0]), np.zeros([0])),
        ):  # fmt: skip
            rows = raw.SparseTensorSliceDataset(indices=fed(indices, np.int64), values=fed(values, np.int32), dense_shape=fed(shape, np.int64))
            parts = [tf2.TensorSpec(None, dtype) for dtype in (tf.int64, tf.int32, tf.int64)]
            walk(case, experimental.from_variant(rows, tuple(parts)), rounds=1)
        for size, shape in ((0, [3]), (2, [[3]])):
            dense = raw.DenseToSparseBatchDataset(
                input_dataset=Dataset.range(3)._variant_tensor, batch_size=fed(size, np.int64), row_shape=fed(shape, np.int64),
                output_types=[tf.variant], output_shapes=[[3]],
            )  # fmt: skip
            walk(case, experimental.from_variant(dense, tf2.SparseTensorSpec(None, tf.int64)), rounds=1)


def ragged():
    with Case("dataset_ragged", "elements that are ragged tensors", rtol=0, atol=0) as case:
        nested = tf.ragged.constant([[[1, 2], []], [[3]], [], [[4], [5, 6], [7]]], dtype=tf.int32)
        words = tf.ragged.constant([["a"], [], ["b", "cd"], ["e"]])
        walk(case, Dataset.from_tensors((nested, np.int64(7))))
        walk(case, Dataset.from_tensor_slices((nested, words)).batch(3))
        walk(case, Dataset.from_tensor_slices(words).batch(2).batch(2))
        walk(case, Dataset.from_tensor_slices(words).filter(lambda w: tf.size(w) > 0).map(lambda w: tf.strings.join([w, "!"])))
        walk(case, Dataset.range(4).map(lambda i: tf.RaggedTensor.from_row_lengths(tf.range(2 * i), [i, i])).batch(2).unbatch())
        splits = tf.ragged.constant([[1.5], [2.5, 3.5]], row_splits_dtype=tf.int32)
        walk(case, Dataset.from_tensors(splits).repeat(2).batch(2))
        walk(case, Dataset.from_tensor_slices(tf.ragged.constant([[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1)).batch(2))
        raw = tf.raw_ops
        whole = raw.RaggedTensorToVariant(rt_nested_splits=[[0, 1, 3]], rt_dense_values=[1, 2, 3], batched_input=False)
        for rank, out, dtype in ((1, 1, tf.int32), (0, 0, tf.int32), (1, 1, tf.int64), (-1, 1, tf.int32)):
            parts = raw.RaggedTensorFromVariant(
                encoded_ragged=whole, input_ragged_rank=rank, output_ragged_rank=out, Tvalues=dtype, Tsplits=tf.int32
            )
            case.run([*parts.output_nested_splits, parts.output_dense_values])
        for splits in ([1, 3], [0, 2, 1, 3], [0, 2]):
            bad = raw.RaggedTensorToVariant(rt_nested_splits=[fed(splits, np.int32)], rt_dense_values=[1, 2, 3], batched_input=True)
            case.run(raw.RaggedTensorFromVariant(encoded_ragged=bad, input_ragged_rank=0, output_ragged_rank=1, Tvalues=tf.int32, Tsplits=tf.int32).output_dense_values)


CSV = 'a,b,c\n1,2.5,"x, ""y"""\r\n3,,z\n-4,NA,\n5,1e3,"two\nlines"\n6,"7",plain'
BAD = ["1,x,word", ",2,missing", "1,2", "1,2,3,4", '1,"2"3,c', '1,2,un"quoted', "\n9,8,last", '1,2,"open\n', "4294967296,1,big", " 7,+1,plus"]


def csv():
    with Case("dataset_csv", "rows of CSV files", rtol=0, atol=0) as case:
        good, empty = (f"{ROOT}/{name}.csv" for name in ("good", "empty"))
        bad = [f"{ROOT}/bad{i}.csv" for i in range(len(BAD))]
        case.run([tf.write_file(name, text) for name, text in ((good, CSV), (empty, ""), *zip(bad, BAD))])
        kinds = [tf.int32, tf.constant([0.5]), tf.constant(["none"])]
        walk(case, experimental.CsvDataset([good, good], kinds, header=True, na_value="NA"))
        walk(case, experimental.CsvDataset(good, [tf.constant([9.0], tf.float64), tf.string], header=True, select_cols=[1, 2]))
        walk(case, experimental.CsvDataset(good, [tf.int64], header=True, select_cols=[0]).batch(3))
        walk(case, experimental.CsvDataset(good, kinds), rounds=1)
        walk(case, experimental.CsvDataset(good, [tf.string], header=True, field_delim=";", use_quote_delim=False))
        walk(case, experimental.CsvDataset(good, [tf.string, tf.string], header=True, exclude_cols=[1]))
        for name in bad:
            walk(case, experimental.CsvDataset(name, [tf.int32, tf.float32, tf.string]), rounds=1)
        walk(case, experimental.CsvDataset(empty, kinds))
        walk(case, experimental.CsvDataset(empty, kinds, header=True), rounds=1)
        walk(case, experimental.CsvDataset(f"{ROOT}/missing.csv", kinds), rounds=1, most=1)
        v1 = tf.raw_ops.CSVDataset
        for changes in (
            {"field_delim": ",,"}, {"buffer_size": np.int64(0)}, {"compression_type": "X"}, {"select_cols": np.array([1, 1])},
            {"select_cols": np.array([-1])}, {"select_cols": np.array([0, 1])}, {"filenames": [[good]]},
            {"record_defaults": [fed([1, 2], np.int32)]}, {"record_defaults": [fed([[1]], np.int32)]},
        ):  # fmt: skip
            inputs = {
                "filenames": good, "compression_type": "", "buffer_size": np.int64(99), "header": True, "field_delim": ",",
                "use_quote_delim": True, "na_value": "", "select_cols": np.array([0], np.int64), "record_defaults": [np.zeros([0], np.int32)],
            } | changes  # fmt: skip
            rows = v1(output_shapes=[[]], **{name: value if name == "record_defaults" else fed(value, object if isinstance(value, (str, list)) else None) for name, value in inputs.items()})
            walk(case, experimental.from_variant(rows, (tf2.TensorSpec([], tf.int32),)), rounds=1, most=2)
        for name in (good, empty, *bad):
            os.remove(name)


def caches():
    with Case("dataset_caches", "elements that files keep", rtol=0, atol=0) as case:
        name = f"{ROOT}/cache"
        pairs = Dataset.range(4).map(lambda i: (i, tf.strings.as_string(i), tf.fill([2, i], i)))
        walk(case, pairs.cache(name).repeat(2))
        walk(case, Dataset.range(50, 52).map(lambda i: (i, "x", tf.fill([2, i], i))).cache(name))
        half = pairs.cache(name + "2")
        walk(case, half.take(2), rounds=1)
        walk(case, half, rounds=1)
        first, second = (tf.data.make_initializable_iterator(half) for _ in range(2))
        for path in glob.glob(name + "*"):
            os.remove(path)


def lengths():
    cardinality = experimental.cardinality
    with Case("dataset_lengths", "how many elements datasets say that they have", rtol=0, atol=0) as case:
        ten = Dataset.range(10)
        endless = ten.repeat()
        case.run([cardinality(each) for each in (
            ten, endless, ten.repeat(0), ten.repeat(3), Dataset.range(0).repeat(), Dataset.range(5, 0, -2), ten.take(3), ten.take(-1),
            endless.take(4), endless.take(-1), ten.skip(4), ten.skip(20), ten.skip(-1), endless.skip(3), ten.shard(3, 0), ten.shard(3, 1),
            ten.concatenate(ten), ten.concatenate(endless), ten.concatenate(ten.filter(lambda i: i > 1)), Dataset.zip((ten, ten.take(4))),
            Dataset.zip((endless, ten)), Dataset.zip((ten, ten.filter(lambda i: i > 1))), ten.batch(3), ten.batch(3, drop_remainder=True),
            ten.padded_batch(4, []), ten.batch(2, drop_remainder=True).unbatch(), ten.batch(3).unbatch(), ten.shuffle(3, seed=1),
            ten.cache(), ten.prefetch(2), ten.map(lambda i: i + 1), ten.map(lambda i: i + 1, num_parallel_calls=2), ten.filter(lambda i: i > 2),
            ten.flat_map(lambda i: Dataset.range(i)), ten.interleave(lambda i: Dataset.range(i), 2), ten.window(3), ten.window(3, drop_remainder=True),
            ten.window(2, 3, 4, True), ten.enumerate(), ten.apply(experimental.ignore_errors()), endless.apply(experimental.ignore_errors()),
            ten.apply(experimental.assert_cardinality(10)), experimental.RandomDataset(seed=1), Dataset.from_tensors(3),
            Dataset.from_tensor_slices([1, 2, 3]), experimental.choose_from_datasets([ten, endless], ten), experimental.choose_from_datasets([ten, ten], ten),
            ten.apply(experimental.unique()), ten.apply(experimental.take_while(lambda i: i < 3)), tf.data.TextLineDataset("x"),
            Dataset.from_tensor_slices(tf.SparseTensor([[0, 0]], [1], [4, 5])),
        )])  # fmt: skip


def optionals():
    with Case("dataset_optionals", "elements that may be missing", rtol=0, atol=0) as case:
        iterator = tf.data.make_initializable_iterator(Dataset.range(2).map(lambda i: (i, tf.fill([i + 1], 0.5))))
        optional = experimental.get_next_as_optional(iterator)
        has, (number, row) = optional.has_value(), optional.get_value()
        case.run(has)
        case.run(iterator.initializer)
        case.run([has, number])
        case.run([number * 2, row, has])
        case.run(has)
        case.run(number)
        case.run(has)


def lists():
    with Case("dataset_lists", "elements that are given one by one", rtol=0, atol=0) as case:
        walk(case, experimental.from_list([1, 2, 3]))
        walk(case, experimental.from_list([(1, "a"), (2, "b")]).repeat(2))
        case.run(experimental.cardinality(experimental.from_list([[1.5], [2.5]])))


def plain(dataset):
    """Without the prefetch that TensorFlow would add."""
    options = tf2.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    options.autotune.enabled = False
    return dataset.with_options(options)


def saved():
    """An iterator is saved after so many elements, and another one of the same dataset goes there."""
    raw = tf.raw_ops

    def step(case, make, counts):
        first, second = (tf.data.make_initializable_iterator(plain(make())) for _ in range(2))
        elements = [tf.nest.flatten(each.get_next(), expand_composites=True) for each in (first, second)]
        state = raw.SerializeIterator(resource_handle=first._iterator_resource, external_state_policy=2)
        restore = raw.DeserializeIterator(resource_handle=second._iterator_resource, serialized=state)
        for count in counts:
            case.run([first.initializer, second.initializer])
            for _ in range(count):
                case.run(elements[0])
            case.run(restore)
            for _ in range(4):
                case.run(elements[1])

    with Case("dataset_saved", "iterators that go where others were", rtol=0, atol=0) as case:
        rows = Dataset.from_tensor_slices((ROWS, np.arange(12)))
        step(case, lambda: rows.map(lambda a, b: (a * 2, b)).batch(2), (0, 2, 6))
        step(case, lambda: Dataset.range(12).shuffle(5, seed=3).repeat(2), (0, 3, 13, 22))
        step(case, lambda: Dataset.range(10).shuffle(4, seed=3, reshuffle_each_iteration=False).repeat(3), (5, 14))
        step(case, lambda: Dataset.range(5).flat_map(lambda i: Dataset.range(i)), (0, 4))
        step(case, lambda: Dataset.range(1, 6).interleave(lambda i: Dataset.range(i).map(lambda v: v + 10 * i), 3, 2), (0, 5, 12))
        step(case, lambda: Dataset.range(20).filter(lambda i: i % 3 > 0).skip(2).take(8).shard(2, 1), (1, 2))
        step(case, lambda: Dataset.zip((Dataset.range(5), Dataset.range(9).concatenate(Dataset.range(3)).cache().repeat())), (2, 4))
        step(case, lambda: Dataset.range(6).scan(np.int64(0), lambda s, e: (s + e, s * 10 + e)), (0, 3))
        step(case, lambda: Dataset.range(10).take_while(lambda i: i < 5).enumerate(), (2, 6))
        step(case, lambda: Dataset.range(20).apply(experimental.group_by_window(lambda i: i % 3, lambda k, w: w.batch(2), window_size=4)), (0, 1, 3))
        step(case, lambda: Dataset.range(9).window(3, 2).flat_map(lambda w: w.batch(2)), (1, 2))
        three = [Dataset.range(3), Dataset.range(10, 15), Dataset.range(100, 102)]
        step(case, lambda: experimental.choose_from_datasets(three, Dataset.range(3).repeat(6)), (4,))
        step(case, lambda: experimental.RandomDataset(seed=4).take(9), (3,))
        step(case, lambda: Dataset.from_tensor_slices([1, 2, 1, 3, 2, 4]).unique().batch(1).unbatch(), (2,))
        step(case, lambda: Dataset.from_tensor_slices(tf.SparseTensor([[0, 0], [2, 1]], [1, 2], [4, 2])).batch(2), (0, 1))
        drawn = tf.data.make_initializable_iterator(plain(Dataset.range(3).map(lambda i: tf.random_uniform([], seed=1))))
        case.run(drawn.initializer)
        other = tf.data.make_initializable_iterator(plain(Dataset.range(3)))
        move = raw.DeserializeIterator(resource_handle=other._iterator_resource, serialized=raw.SerializeIterator(resource_handle=other._iterator_resource))
        case.run(move)


def reducers():
    with Case("dataset_reducers", "elements of all elements of a key", rtol=0, atol=0) as case:
        sums = experimental.Reducer(lambda key: (np.int64(0), key), lambda s, e: (s[0] + e, s[1]), lambda total, key: (total, key * 10))
        walk(case, Dataset.range(10).apply(experimental.group_by_reducer(lambda i: (7 - i) % 3, sums)))
        rows = Dataset.from_tensor_slices((ROWS, np.arange(12)))
        texts = experimental.Reducer(lambda key: "", lambda s, row: s + tf.strings.as_string(row[1]), lambda s: tf.strings.join(["<", s, ">"]))
        walk(case, rows.apply(experimental.group_by_reducer(lambda a, b: b // 5, texts)).batch(2))
        walk(case, Dataset.range(0).apply(experimental.group_by_reducer(lambda i: i, sums)))


def seeds():
    raw = tf.raw_ops
    with Case("dataset_seeds", "shuffles with a place for seeds", rtol=0, atol=0) as case:
        place = raw.DummySeedGenerator()
        numbers = {"output_types": [tf.int64], "output_shapes": [[]], "seed": np.int64(3), "seed2": np.int64(5), "seed_generator": place}
        spec = tf2.TensorSpec([], tf.int64)
        ten = Dataset.range(10)._variant_tensor
        for again in (True, False):
            once = raw.ShuffleDatasetV3(input_dataset=ten, buffer_size=np.int64(4), reshuffle_each_iteration=again, **numbers)
            walk(case, experimental.from_variant(once, spec).repeat(2))
        twice = raw.ShuffleAndRepeatDatasetV2(input_dataset=ten, buffer_size=np.int64(4), count=np.int64(2), **numbers)
        walk(case, experimental.from_variant(twice, spec))
        for again in (True, False):
            drawn = raw.RandomDatasetV2(rerandomize_each_iteration=again, **numbers)
            walk(case, experimental.from_variant(drawn, spec).take(3).repeat(2))


def rebatches():
    with Case("dataset_rebatches", "batches of other sizes, and ranges of other types", rtol=0, atol=0) as case:
        rows = Dataset.from_tensor_slices((ROWS, np.arange(12)))
        walk(case, rows.batch(5).rebatch(3))
        walk(case, rows.batch(4).rebatch([1, 3], drop_remainder=True))
        walk(case, rows.batch(2).rebatch([5, 0, 1]))
        walk(case, rows.batch(3).rebatch(3).rebatch(100))
        walk(case, Dataset.from_tensor_slices(["a", "bc", "d"]).batch(2).rebatch(1))
        walk(case, Dataset.from_tensor_slices(tf.ragged.constant([[1], [2, 3], [], [4]])).batch(2).rebatch(3))
        for sizes, batch in (([[1]], 2), ([1], None)):
            numbers = Dataset.range(3) if batch is None else Dataset.range(3).batch(batch)
            raw = tf.raw_ops.RebatchDatasetV2(
                input_dataset=numbers._variant_tensor, batch_sizes=fed(sizes, np.int64), drop_remainder=False,
                output_types=[tf.int64], output_shapes=[[None]],
            )  # fmt: skip
            walk(case, experimental.from_variant(raw, tf2.TensorSpec([None], tf.int64)), rounds=1, most=3)
        for dtype in (tf.uint8, tf.int8, tf.int16, tf.uint16, tf.int32, tf.float16, tf.bfloat16, tf.float32, tf.float64):
            walk(case, Dataset.range(200, 420, 100, output_type=dtype).map(lambda i: tf.cast(i, tf.float64)), rounds=1)
        walk(case, Dataset.range(9).shuffle(-2, seed=3))
        case.run([experimental.cardinality(each) for each in (Dataset.range(2**63 - 1), Dataset.range(2**63 - 2), rows.batch(5).rebatch(3))])


def examples():
    messages = [
        tf.train.Example(features=tf.train.Features(feature={
            "z": tf.train.Feature(int64_list=tf.train.Int64List(value=range(i))),
            "a": tf.train.Feature(float_list=tf.train.FloatList(value=[i / 2, i])),
            "m": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"x" * i])),
        })).SerializeToString()
        for i in range(5)
    ]  # fmt: skip
    features = {
        "z": tf.io.VarLenFeature(tf.int64), "a": tf.io.FixedLenFeature([2], tf.float32), "m": tf.io.VarLenFeature(tf.string),
        "d": tf.io.FixedLenFeature([], tf.int64, 7), "v": tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True),
    }  # fmt: skip
    with Case("dataset_examples", "batches of parsed examples", rtol=0, atol=0) as case:
        batches = Dataset.from_tensor_slices(messages).batch(2)
        walk(case, batches.apply(experimental.parse_example_dataset(features)))
        walk(case, batches.apply(experimental.parse_example_dataset(features, num_parallel_calls=2, deterministic=True)))
        lacking = {"q": tf.io.FixedLenFeature([], tf.float32)}
        walk(case, batches.apply(experimental.parse_example_dataset(lacking)), rounds=1, most=1)
        walk(case, Dataset.from_tensors(["\377"]).apply(experimental.parse_example_dataset(features)), rounds=1)
        walk(case, batches.apply(experimental.parse_example_dataset({"z": tf.io.VarLenFeature(tf.int64)})))
        for op in (tf.raw_ops.ParseExampleDataset, tf.raw_ops.ExperimentalParseExampleDataset):
            for calls in (1, 0):
                rows = op(
                    input_dataset=batches._variant_tensor, num_parallel_calls=fed(calls, np.int64), dense_defaults=[np.zeros([0], np.float32)],
                    sparse_keys=["z"], dense_keys=["a"], sparse_types=[tf.int64], dense_shapes=[[2]], output_types=[tf.float32, tf.variant],
                    output_shapes=[[None, 2], [3]],
                )  # fmt: skip
                spec = {"a": tf2.TensorSpec([None, 2]), "z": tf2.SparseTensorSpec([None, None], tf.int64)}
                walk(case, experimental.from_variant(rows, spec), rounds=1)


if __name__ == "__main__":
    os.makedirs(ROOT, exist_ok=True)
    for make in (examples, rebatches, saved, reducers, seeds, lists, sparse, sparse_mistakes, ragged, csv, caches, lengths, optionals):
        make()
