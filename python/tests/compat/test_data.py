"""Datasets and iterators of tf.data. What elements are in which order, golden_kiln/dataset_* has from TensorFlow."""

import collections

import kiln.compat.v1 as tf
import numpy as np
import pytest

Dataset = tf.data.Dataset


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def elements(dataset, make=tf.data.make_initializable_iterator, most=50):
    iterator = make(dataset)
    element = iterator.get_next()
    found = []
    with tf.Session() as session:
        if make is tf.data.make_initializable_iterator:
            session.run(iterator.initializer)
        while len(found) < most:
            try:
                found.append(session.run(element))
            except tf.errors.OutOfRangeError:
                break
    return found


def numbers(dataset, **options):
    return [np.asarray(element).tolist() for element in elements(dataset, **options)]


def test_elements_keep_their_structure():
    Point = collections.namedtuple("Point", "x y")
    dataset = Dataset.from_tensor_slices({"b": [1.0, 2.0], "a": Point([[1], [2]], ["p", "q"])})
    assert dataset.output_types == {"b": tf.float32, "a": Point(tf.int32, tf.string)}
    assert dataset.output_shapes["a"].x.as_list() == [1]
    assert dataset.output_classes["b"] is tf.Tensor
    first = elements(dataset)[0]
    assert first["b"] == 1 and first["a"].x.tolist() == [1] and first["a"].y == b"p"
    swapped = dataset.map(lambda element: (element["a"].y, {"z": element["b"] * 2}))
    assert tf.data.get_output_types(swapped) == (tf.string, {"z": tf.float32})
    assert elements(swapped.map(lambda text, rest: rest["z"])) == [2, 4]


@pytest.mark.parametrize("make", [tf.data.make_initializable_iterator, tf.data.make_one_shot_iterator])
def test_pipelines(make):
    assert numbers(Dataset.range(10).shuffle(4, seed=3), make=make) == [0, 3, 2, 1, 4, 7, 6, 5, 8, 9]
    assert numbers(Dataset.range(5).filter(lambda i: i % 2 > 0).repeat(2), make=make) == [1, 3, 1, 3]
    assert numbers(Dataset.range(1, 4).flat_map(Dataset.range), make=make) == [0, 0, 1, 0, 1, 2]
    batches = Dataset.range(1, 4).map(lambda i: tf.fill([i], i)).padded_batch(2, [None], np.int64(-1))
    assert numbers(batches, make=make) == [[[1, -1], [2, 2]], [[3, 3, 3]]]
    assert numbers(Dataset.zip((Dataset.range(2), Dataset.range(5, 9))), make=make) == [[0, 5], [1, 6]]
    assert numbers(Dataset.range(7).batch(3, drop_remainder=True), make=make) == [[0, 1, 2], [3, 4, 5]]


def test_what_is_known_of_shapes():
    rows = Dataset.from_tensor_slices(np.zeros([6, 2], np.float32))
    assert rows.batch(4).output_shapes.as_list() == [None, 2]
    assert rows.batch(4, drop_remainder=True).output_shapes.as_list() == [4, 2]
    assert rows.concatenate(Dataset.from_tensors(np.zeros([3], np.float32))).output_shapes.as_list() == [None]
    assert rows.padded_batch(4, [5]).output_shapes.as_list() == [None, 5]
    assert rows.batch(4).make_one_shot_iterator().get_next().shape.as_list() == [None, 2]


def test_generators_begin_with_each_walk():
    dataset = Dataset.from_generator(lambda n: iter(range(n)), tf.int64, [], args=(3,))
    assert numbers(dataset.repeat(2)) == [0, 1, 2, 0, 1, 2]
    pairs = Dataset.from_generator(lambda: iter([(1, [2.0, 3.0]), (4, [])]), (tf.int32, tf.float32), ([], [None]))
    assert [(int(a), b.tolist()) for a, b in elements(pairs)] == [(1, [2, 3]), (4, [])]
    wrong = Dataset.from_generator(lambda: iter([[1, 2]]), tf.int64, [])
    with pytest.raises(tf.errors.OpError, match="shape"):
        elements(wrong)
    with pytest.raises(TypeError):
        Dataset.from_generator(3, tf.int32)


def test_iterators_of_all_kinds():
    three, two = Dataset.range(3), Dataset.range(10, 12)
    again = tf.data.Iterator.from_structure(three.output_types, three.output_shapes)
    first, second, element = again.make_initializer(three), again.make_initializer(two), again.get_next()
    handle = tf.placeholder(tf.string, [])
    named = tf.data.Iterator.from_string_handle(handle, tf.int64, []).get_next()
    once = tf.data.make_one_shot_iterator(Dataset.range(100, 103))
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="has not been initialized"):
            session.run(element)
        session.run(first)
        assert session.run(element) == 0
        session.run(second)
        assert [session.run(element), session.run(element)] == [10, 11]
        for _ in range(2):
            with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
                session.run(element)
        session.run(first)
        handles = session.run([once.string_handle(), again.string_handle()])
        assert [session.run(named, {handle: each}) for each in handles + handles] == [100, 0, 101, 1]
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(named, {handle: "nothing"})
    with pytest.raises(TypeError, match="output types"):
        again.make_initializer(Dataset.from_tensors(1.0))
    with pytest.raises(ValueError, match="initializer"):
        once.initializer


def test_a_one_shot_iterator_takes_no_placeholder():
    with pytest.raises(ValueError, match="one-shot"):
        tf.data.make_one_shot_iterator(Dataset.from_tensors(tf.placeholder(tf.float32)))


def test_functions_read_variables_as_they_run():
    v = tf.get_variable("v", initializer=2.0, use_resource=True)
    iterator = tf.data.make_initializable_iterator(Dataset.range(4).map(lambda i: tf.cast(i, tf.float32) * v))
    element = iterator.get_next()
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), iterator.initializer])
        assert [session.run(element), session.run(element)] == [0, 2]
        session.run(v.assign(10.0))
        assert session.run(element) == 20


def test_files(tmp_path):
    lines = tmp_path / "lines"
    lines.write_bytes(b"a\nbc\n")
    assert elements(tf.data.TextLineDataset(str(lines))) == [b"a", b"bc"]
    records = tmp_path / "records"
    with tf.python_io.TFRecordWriter(str(records)) as writer:
        writer.write(b"one")
        writer.write(b"")
    assert elements(tf.data.TFRecordDataset([str(records)]).repeat(2)) == [b"one", b""] * 2
    assert elements(tf.data.FixedLengthRecordDataset(str(lines), 1, 1, 1)) == [b"\n", b"b", b"c"]
    with pytest.raises(tf.errors.NotFoundError):
        elements(tf.data.TextLineDataset(str(tmp_path / "missing")))
    assert elements(Dataset.list_files(str(tmp_path / "*"), shuffle=False)) == [str(lines).encode(), str(records).encode()]


def test_transformations():
    experimental = tf.data.experimental
    totals = Dataset.range(5).apply(experimental.scan(np.int64(0), lambda state, i: (state + i, state * 10 + i)))
    assert numbers(totals) == [0, 1, 12, 33, 64]
    assert numbers(Dataset.range(9).apply(experimental.take_while(lambda i: i < 3))) == [0, 1, 2]
    bad = Dataset.range(4).map(lambda i: tf.check_numerics(1 / tf.cast(i - 1, tf.float32), "bad"))
    assert numbers(bad.apply(experimental.ignore_errors())) == [-1, 1, 0.5]
    assert numbers(Dataset.range(4).apply(experimental.map_and_batch(lambda i: i + 1, 3))) == [[1, 2, 3], [4]]
    with tf.Session() as session:
        assert session.run(experimental.get_single_element(Dataset.range(5).skip(4))) == 4


def test_datasets_of_datasets():
    experimental = tf.data.experimental
    windows = Dataset.range(7).window(3, shift=2)
    assert numbers(windows.flat_map(lambda window: window.batch(3))) == [[0, 1, 2], [2, 3, 4], [4, 5, 6], [6]]
    pairs = Dataset.zip((Dataset.range(4), Dataset.range(10, 14))).window(2)
    assert numbers(pairs.flat_map(lambda a, b: Dataset.zip((b, a)))) == [[10, 0], [11, 1], [12, 2], [13, 3]]
    grouped = Dataset.range(7).apply(experimental.group_by_window(lambda i: i % 3, lambda key, group: group.batch(2), 2))
    assert numbers(grouped) == [[0, 3], [1, 4], [2, 5], [6]]
    rows = Dataset.range(1, 6).map(lambda i: tf.fill([i], i))
    buckets = rows.apply(tf.contrib.data.bucket_by_sequence_length(tf.size, [3], [2, 2]))
    assert numbers(buckets) == [[[1, 0], [2, 2]], [[3, 3, 3, 0], [4, 4, 4, 4]], [[5, 5, 5, 5, 5]]]
    chosen = experimental.choose_from_datasets([Dataset.range(3), Dataset.range(10, 12)], Dataset.range(2).repeat(3))
    assert numbers(chosen) == [0, 10, 1, 11, 2]
    assert numbers(Dataset.range(3).enumerate(5)) == [[5, 0], [6, 1], [7, 2]]
    assert numbers(tf.contrib.data.Counter(3, 2), most=3) == [3, 5, 7]
    assert numbers(Dataset.from_tensor_slices([1, 2, 1, 3]).apply(experimental.unique())) == [1, 2, 3]
    with tf.Session() as session:
        assert session.run(Dataset.range(5).reduce(np.int64(1), lambda state, i: state + i)) == 11


def test_mistakes_are_found_when_a_graph_is_built():
    with pytest.raises(ValueError):
        Dataset.from_tensor_slices(1.0)
    with pytest.raises(ValueError):
        Dataset.from_tensor_slices(([1, 2], [1, 2, 3]))
    with pytest.raises(ValueError, match="scalar boolean"):
        Dataset.range(3).filter(lambda i: i)
    with pytest.raises(TypeError, match="Dataset"):
        Dataset.range(3).flat_map(lambda i: i)
    with pytest.raises(TypeError, match="Dataset"):
        Dataset.range(3).apply(lambda dataset: 3)
    with pytest.raises(AttributeError, match="tf.data"):
        tf.data.experimental.SqlDataset


def test_a_walk_through_an_endless_dataset_ends_with_its_run():
    endless = Dataset.range(3).repeat()
    total = endless.reduce(np.int64(0), lambda total, element: total + element)
    single = tf.data.experimental.get_single_element(endless.filter(lambda element: element > 5))
    options = tf.RunOptions(timeout_in_ms=100)
    with tf.Session() as session:
        for fetch in (total, single):
            with pytest.raises(tf.errors.DeadlineExceededError):
                session.run(fetch, options=options)


def test_a_function_of_a_dataset_ends_with_its_run():
    def endless(element):
        return tf.while_loop(lambda i: i >= 0, lambda i: i % 7, [element])

    options = tf.RunOptions(timeout_in_ms=200)
    for dataset in (Dataset.range(3).map(endless), Dataset.range(3).map(endless).prefetch(2)):
        element = tf.data.make_one_shot_iterator(dataset).get_next()
        session = tf.Session()
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(element, options=options)
        session.close()


def test_a_chain_of_maps_fails_where_its_parts_do():
    around = tf.constant(100, tf.int64)
    checked = Dataset.range(4).map(lambda i: (i, 6 // (i - 1)), num_parallel_calls=2)
    # The quotient is not used, and its error stays.
    chain = checked.map(lambda i, _: i * 2 + around).map(lambda i: (i, i + around)).map(lambda i, j: j - i + i)
    element = tf.data.make_one_shot_iterator(chain).get_next()
    with tf.Session() as session:
        assert session.run(element) == 200
        with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
            session.run(element)
        assert [session.run(element) for _ in range(2)] == [204, 206]
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(element)


def test_a_prefetched_generator_ends_with_its_session():
    given = []

    def numbers():
        try:
            for i in range(1000):
                given.append(i)
                yield i
        finally:
            given.append("end")

    dataset = Dataset.from_generator(numbers, tf.int64, []).map(lambda i: i + 1).prefetch(3)
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    with tf.Session() as session:
        assert [session.run(element) for _ in range(5)] == [1, 2, 3, 4, 5]
    assert given[:5] == [0, 1, 2, 3, 4] and given[-1] == "end" and len(given) < 15


def test_a_session_does_not_find_the_iterator_of_another():
    iterator = tf.data.make_initializable_iterator(Dataset.range(3))
    handle = iterator.string_handle()
    fed = tf.placeholder(tf.string, [])
    element = tf.data.Iterator.from_string_handle(fed, tf.int64, []).get_next()
    with tf.Session() as session, tf.Session() as other:
        session.run(iterator.initializer)
        name = session.run(handle)
        assert session.run(element, {fed: name}) == 0
        with pytest.raises(tf.errors.NotFoundError):
            other.run(element, {fed: name})
        with pytest.raises(tf.errors.InvalidArgumentError):
            other.run(element, {fed: "no handle"})
        assert session.run(element, {fed: name}) == 1
