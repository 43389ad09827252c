"""tf.lookup and tf.contrib.lookup: files, mistakes, saving."""

import pytest

import kiln.compat.v1 as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("emerson\nlake\npalmer\n")
    return str(path)


def run(*fetches):
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        return [value.tolist() for value in session.run(list(fetches))]


def test_words_of_a_file(words):
    lookup = tf.contrib.lookup
    keys = tf.constant(["lake", "palmer", "yes"])
    plain = lookup.index_table_from_file(words)
    buckets = lookup.index_table_from_file(words, num_oov_buckets=1)
    fewer = lookup.index_table_from_file(words, vocab_size=2, default_value=7)
    names = lookup.index_to_string_table_from_file(words, default_value="?")
    assert run(
        plain.lookup(keys),
        buckets.lookup(keys),
        fewer.lookup(keys),
        names.lookup(tf.constant([2, 0, 3], tf.int64)),
    ) == [[1, 2, -1], [1, 2, 3], [1, 7, 7], [b"palmer", b"emerson", b"?"]]
    assert [tensor.name for tensor in tf.get_collection("asset_filepaths")][0].endswith("asset_path:0")


def test_columns_of_a_file(tmp_path):
    path = tmp_path / "columns.txt"
    path.write_text("a 5\nb 6\n")
    initializer = tf.lookup.TextFileInitializer(str(path), tf.string, 0, tf.int64, 1, delimiter=" ")
    table = tf.lookup.StaticHashTable(initializer, -1)
    vocabulary = tf.lookup.StaticVocabularyTable(
        tf.lookup.TextFileInitializer(str(path), tf.string, 0, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER, delimiter=" "), 1
    )
    keys = tf.constant(["b", "z"])
    assert run(table.lookup(keys), vocabulary.lookup(keys), vocabulary.size()) == [[6, -1], [1, 2], 3]


def test_a_table_that_was_not_filled(words):
    table = tf.contrib.lookup.index_table_from_file(words)
    found = table.lookup(tf.constant(["lake"]))
    with tf.Session() as session, pytest.raises(tf.errors.FailedPreconditionError, match="not initialized"):
        session.run(found)


def test_mistakes():
    lookup = tf.contrib.lookup
    for words, make in (
        ("vocabulary_file must be specified and must not be empty.", lambda: lookup.index_table_from_file("")),
        ("mapping must be specified.", lambda: lookup.index_table_from_tensor(None)),
        (
            "num_oov_buckets must be greater or equal than 0, got -1.",
            lambda: lookup.index_table_from_tensor(["a"], num_oov_buckets=-1),
        ),
        ("Expected integer, got <dtype: 'string'>.", lambda: lookup.index_table_from_tensor(["a"], dtype=tf.int64)),
        ("vocab_size must be greater than 0, got 0.", lambda: lookup.index_to_string_table_from_file("f", vocab_size=0)),
        (
            "Signature mismatch. Keys must be dtype <dtype: 'int64'>, got <dtype: 'string'>.",
            lambda: lookup.TextFileInitializer("f", tf.string, -1, tf.int64, -1),
        ),
        ("Filename required for t.", lambda: lookup.TextFileInitializer("", tf.string, -2, tf.int64, -1, name="t")),
        ("key must have size 2, got 1.", lambda: lookup.StrongHashSpec([1])),
        ("oov_buckets must be > 0 if no table is supplied.", lambda: lookup.IdTableWithHashBuckets(None, 0)),
    ):
        with pytest.raises(ValueError) as caught:
            make()
        assert str(caught.value) == words
    with pytest.raises(TypeError, match="Keys must be dtype <dtype: 'string'>, got <dtype: 'int32'>"):
        lookup.index_table_from_tensor(["a"]).lookup(tf.constant([1]))
    with pytest.raises(TypeError, match="Only integer and string keys are supported."):
        lookup.index_table_from_tensor([1.0], dtype=tf.float32)
    with pytest.raises(TypeError, match="Invalid value dtype, expected <dtype: 'int64'> but got <dtype: 'float32'>"):
        lookup.IdTableWithHashBuckets(lookup.HashTable(lookup.KeyValueTensorInitializer(["a"], [1.0]), 0.0), 1)


def test_mutable_tables_are_saved(tmp_path):
    def table():
        return tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, name="saved")

    path = str(tmp_path / "saved")
    made = table()
    add = made.insert(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64))
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(add)
        saver.save(session, path)
    with tf.Graph().as_default():
        found = table().lookup(tf.constant(["b", "c"]))
        with tf.Session() as session:
            tf.train.Saver().restore(session, path)
            assert session.run(found).tolist() == [2, -1]


def test_a_saver_of_tables_alone(tmp_path):
    def table():
        return tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, name="saved", checkpoint=False)

    made, path = table(), str(tmp_path / "saved")
    with tf.Session() as session:
        session.run(made.insert(tf.constant(["a"]), tf.constant([5], tf.int64)))
        tf.train.Saver({"words": made}).save(session, path)
    assert tf.train.NewCheckpointReader(path).get_tensor("words-values").tolist() == [5]
    with tf.Graph().as_default():
        other = table()
        found = other[tf.constant(["a", "b"])]
        with tf.Session() as session:
            tf.train.Saver({"words": other}).restore(session, path)
            assert session.run(found).tolist() == [5, -1]
