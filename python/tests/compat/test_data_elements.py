"""Datasets of sparse tensors, CSV files and examples. What elements are, golden_kiln/dataset_* has from TensorFlow."""

import glob

import kiln.compat.v1 as tf
import numpy as np
import pytest

from test_data import elements, graph as graph, numbers  # noqa: F401

Dataset = tf.data.Dataset
experimental = tf.data.experimental


def matrix():
    return tf.SparseTensor([[0, 0], [1, 2], [2, 1]], [1.0, 2.0, 3.0], [3, 4])


def dense(element):
    found = np.zeros(element.dense_shape, element.values.dtype)
    for index, value in zip(element.indices, element.values):
        found[tuple(index)] = value
    return found.tolist()


def test_sparse_elements():
    dataset = Dataset.from_tensor_slices((matrix(), [1, 2, 3]))
    assert dataset.output_types == (tf.float32, tf.int32)
    assert dataset.output_classes == (tf.SparseTensor, tf.Tensor)
    assert dataset.output_shapes[0].as_list() == [4]
    assert dense(elements(dataset)[1][0]) == [0, 0, 2, 0]
    batches = dataset.batch(2)
    assert batches.output_shapes[0].as_list() == [None, 4]
    assert [dense(each[0]) for each in elements(batches)] == [[[1, 0, 0, 0], [0, 0, 2, 0]], [[0, 3, 0, 0]]]
    assert numbers(dataset.map(lambda s, n: tf.sparse.reduce_sum(s) * tf.cast(n, tf.float32))) == [1, 4, 9]
    assert [dense(each) for each in elements(Dataset.from_tensors(matrix()).repeat(2))] == 2 * [dense(elements(Dataset.from_tensors(matrix()))[0])]
    assert [dense(each[0]) for each in elements(batches.unbatch())] == [[1, 0, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0]]
    with pytest.raises(TypeError, match="padded sparse"):
        dataset.padded_batch(2, ([None], []))
    parts = elements(Dataset.from_sparse_tensor_slices(matrix()))[1]
    assert parts[0].tolist() == [[2]] and parts[1].tolist() == [2]


def test_sparse_elements_of_an_iterator_with_a_structure():
    iterator = tf.data.Iterator.from_structure(tf.float32, [None], output_classes=tf.SparseTensor)
    begin = iterator.make_initializer(Dataset.from_tensor_slices(matrix()))
    element = iterator.get_next()
    with tf.Session() as session:
        session.run(begin)
        assert dense(session.run(element)) == [1, 0, 0, 0]


def test_dense_to_sparse_batch():
    lists = Dataset.range(1, 4).map(lambda i: tf.fill([i], i))
    batches = elements(lists.apply(experimental.dense_to_sparse_batch(2, [4])))
    assert [dense(each) for each in batches] == [[[1, 0, 0, 0], [2, 2, 0, 0]], [[3, 3, 3, 0]]]


def test_csv(tmp_path):
    path = str(tmp_path / "a.csv")
    with open(path, "w") as file:
        file.write('n,x,w\n1,2.5,"a, b"\n30000000000,,c\n3,7,\n')
    rows = elements(experimental.CsvDataset(path, [tf.int64, tf.constant([0.5]), tf.constant(["none"])], header=True))
    assert rows == [(1, 2.5, b"a, b"), (30000000000, 0.5, b"c"), (3, 7, b"none")]
    dataset = experimental.make_csv_dataset(path, 2, num_epochs=1, shuffle=False, label_name="w")
    features, label = elements(dataset)[0]
    assert features["n"].tolist() == [1, 30000000000] and features["n"].dtype == np.int64
    assert features["x"].tolist() == [2.5, 0] and label.tolist() == [b"a, b", b"c"]
    chosen = experimental.make_csv_dataset([path], 1, select_columns=["x", 0], num_epochs=1, shuffle=False)
    assert list(chosen.output_types) == ["n", "x"]
    for options, message in (
        ({"label_name": "y"}, "one of the columns"), ({"select_columns": ["y"]}, "not a valid index"),
        ({"select_columns": [0, 0]}, "duplicate"), ({"column_names": ["a", "a", "b"]}, "duplicate"),
        ({"header": False}, "without a header"), ({"column_defaults": [0], "select_columns": [0, 1]}, "same length"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            experimental.make_csv_dataset(path, 1, **options)
    with pytest.raises(ValueError, match="No files match"):
        experimental.make_csv_dataset(path + "x", 1)


def test_batched_features(tmp_path):
    path = str(tmp_path / "examples")
    with tf.python_io.TFRecordWriter(path) as writer:
        for i in range(5):
            feature = {
                "n": tf.train.Feature(int64_list=tf.train.Int64List(value=range(i))),
                "x": tf.train.Feature(float_list=tf.train.FloatList(value=[i / 2])),
            }
            writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())
    features = {"n": tf.VarLenFeature(tf.int64), "x": tf.FixedLenFeature([], tf.float32)}
    dataset = experimental.make_batched_features_dataset(path, 3, features, label_key="x", num_epochs=1, shuffle=False)
    batches = elements(dataset)
    assert [label.tolist() for _, label in batches] == [[0, 0.5, 1], [1.5, 2]]
    assert dense(batches[0][0]["n"]) == [[0, 0], [0, 0], [0, 1]]
    assert numbers(tf.data.TFRecordDataset([path, path], num_parallel_reads=2).map(tf.size)) == [1] * 10
    assert len(elements(tf.data.TFRecordDataset(Dataset.from_tensor_slices([path, path])))) == 10


def test_optionals():
    iterator = tf.data.make_initializable_iterator(Dataset.range(1))
    optional = experimental.get_next_as_optional(iterator)
    has, value = optional.has_value(), optional.get_value()
    with tf.Session() as session:
        session.run(iterator.initializer)
        assert session.run([has, value]) == [True, 0]
        assert not session.run(has)
        with pytest.raises(tf.errors.InvalidArgumentError, match="does not have a value"):
            session.run(value)


def test_lengths_and_samples():
    with tf.Session() as session:
        lengths = [experimental.cardinality(each) for each in (Dataset.range(7).batch(3), Dataset.range(2).repeat())]
        assert session.run(lengths) == [3, experimental.INFINITE_CARDINALITY]
    first, second = Dataset.range(4).repeat(), Dataset.range(100, 104).repeat()
    found = numbers(experimental.sample_from_datasets([first, second], [0.3, 0.7], seed=4).take(40))
    assert [each for each in found if each < 100][:5] == [0, 1, 2, 3, 0] and sum(each > 99 for each in found) > 20
    assert len(numbers(experimental.sample_from_datasets([first, second], seed=1).take(9))) == 9
    with pytest.raises(ValueError, match="length"):
        experimental.sample_from_datasets([first, second], [1.0])
    assert len(set(numbers(experimental.RandomDataset(seed=3).take(5)))) == 5


def test_buckets_padded_to_their_boundaries():
    lists = Dataset.range(1, 7).map(lambda i: tf.fill([i % 3 + 1], i))
    buckets = experimental.bucket_by_sequence_length(tf.size, [3, 5], [2, 2, 2], pad_to_bucket_boundary=True)
    assert [each.shape[1] for each in elements(lists.apply(buckets))] == [2, 4, 2]
    long = Dataset.from_tensors(tf.zeros([9])).apply(buckets)
    iterator = tf.data.make_initializable_iterator(long)
    element = iterator.get_next()
    with tf.Session() as session:
        session.run(iterator.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError, match="pad_to_bucket_boundary"):
            session.run(element)


def test_caches_in_files(tmp_path):
    path = str(tmp_path / "cache")
    assert numbers(Dataset.range(3).cache(path).repeat(2)) == [0, 1, 2, 0, 1, 2]
    assert sorted(name[len(path) :] for name in glob.glob(path + "*")) == [".data-00000-of-00001", ".index"]
    assert numbers(Dataset.range(7, 9).cache(path)) == [0, 1, 2]


def test_a_cache_that_is_being_written(tmp_path):
    path = str(tmp_path / "cache")
    pairs = Dataset.range(4).map(lambda i: (i, tf.as_string(i), tf.fill([2, i], i))).cache(path)
    first, second = (tf.data.make_initializable_iterator(pairs) for _ in range(2))
    one, other = first.get_next(), second.get_next()
    with tf.Session() as session:
        session.run([first.initializer, second.initializer])
        session.run(one)
        with pytest.raises(tf.errors.AlreadyExistsError, match="concurrent caching iterator"):
            session.run(other)
        # What is not complete leaves nothing.
        session.run(first.initializer)
        assert not glob.glob(path + "*")
        assert [session.run(other)[1] for _ in range(4)] == [b"0", b"1", b"2", b"3"]
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(other)
        session.run(first.initializer)
        number, text, grid = [session.run(one) for _ in range(4)][3]
        assert (number, text, grid.tolist()) == (3, b"3", [[3] * 3] * 2)
    assert len(glob.glob(path + "*")) == 2


def test_group_by_reducer():
    sums = experimental.Reducer(lambda key: (np.int64(0), np.int64(0)), lambda s, e: (s[0] + e, s[1] + 1), lambda s, n: s * 100 + n)
    assert numbers(Dataset.range(7).apply(experimental.group_by_reducer(lambda i: i % 2, sums))) == [1204, 903]
    wrong = experimental.Reducer(lambda key: np.int64(0), lambda s, e: 0.5, lambda s: s)
    with pytest.raises(TypeError, match="new state"):
        Dataset.range(3).apply(experimental.group_by_reducer(lambda i: i, wrong))


def test_iterators_in_checkpoints(tmp_path):
    path = str(tmp_path / "model")

    def build():
        rows = Dataset.range(20).shuffle(6, seed=3).repeat(2).batch(3)
        pairs = Dataset.zip((rows, Dataset.from_tensor_slices(matrix()).shuffle(3, seed=1).repeat()))
        iterator = tf.data.make_initializable_iterator(pairs)
        tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, experimental.make_saveable_from_iterator(iterator))
        number = tf.get_variable("v", initializer=1.0)
        return iterator, iterator.get_next(), number, tf.train.Saver()

    def taken(session, element, count):
        return [(rows.tolist(), dense(part)) for rows, part in (session.run(element) for _ in range(count))]

    iterator, element, number, saver = build()
    with tf.Session() as session:
        session.run([iterator.initializer, number.initializer])
        taken(session, element, 4)
        saver.save(session, path)
        expected = taken(session, element, 9)
        with pytest.raises(tf.errors.OutOfRangeError):
            taken(session, element, 5)
    with tf.Graph().as_default():
        iterator, element, number, saver = build()
        with tf.Session() as session:
            with pytest.raises(tf.errors.FailedPreconditionError, match="not been initialized"):
                saver.restore(session, path)
            session.run(iterator.initializer)
            saver.restore(session, path)
            assert taken(session, element, 9) == expected
    with tf.Graph().as_default():
        drawn = tf.data.make_initializable_iterator(Dataset.range(3).map(lambda i: tf.random_uniform([])))
        saver = tf.train.Saver([experimental.make_saveable_from_iterator(drawn)])
        with tf.Session() as session:
            session.run(drawn.initializer)
            with pytest.raises(tf.errors.FailedPreconditionError, match="stateful"):
                saver.save(session, path)


def test_iterators_of_other_pipelines_refuse_what_was_saved(tmp_path):
    path = str(tmp_path / "model")
    made = Dataset.range(9).shuffle(3, seed=1).batch(2), Dataset.range(9).batch(2), Dataset.from_tensors(matrix()).repeat()
    iterators = [tf.data.make_initializable_iterator(each) for each in made]
    with tf.variable_scope("saved"):
        first, *others = ({"state": experimental.make_saveable_from_iterator(each)} for each in iterators)
    names = [each["state"].specs[0].name for each in (first, *others)]
    with tf.Session() as session:
        session.run([each.initializer for each in iterators])
        tf.train.Saver(first).save(session, path)
        for other, name in zip(others, names[1:]):
            other["state"].specs[0].name = names[0]
            with pytest.raises(tf.errors.InvalidArgumentError, match="another pipeline"):
                tf.train.Saver(other).restore(session, path)
            other["state"].specs[0].name = name
            assert session.run(iterators[1].get_next()) is not None


def test_one_shot_iterators_are_saved_before_they_begin(tmp_path):
    path = str(tmp_path / "model")
    iterator = tf.data.make_one_shot_iterator(Dataset.range(5))
    element, saver = iterator.get_next(), tf.train.Saver([experimental.make_saveable_from_iterator(iterator)])
    with tf.Session() as session:
        saver.save(session, path)
        assert [session.run(element) for _ in range(3)] == [0, 1, 2]
        saver.restore(session, path)
        assert session.run(element) == 0
        saver.save(session, path)
    with tf.Session() as session:
        saver.restore(session, path)
        assert session.run(element) == 1
