"""Feature columns of tf.contrib.layers, and the layers of them."""

import pytest

import kiln.compat.v1 as tf

layers = tf.contrib.layers


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def run(fetches):
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        return session.run(fetches)


def words(*rows):
    """A sparse tensor of lists of words."""
    places = [[i, j] for i, row in enumerate(rows) for j in range(len(row))]
    shape = [len(rows), max(map(len, rows))]
    return tf.SparseTensor(places, [word for row in rows for word in row], shape)


def test_crossed_columns_hash_all_combinations():
    color = layers.sparse_column_with_keys("color", ["red", "green"])
    shape = layers.sparse_column_with_hash_bucket("shape", 10)
    crossed = layers.crossed_column([shape, color], hash_bucket_size=50, hash_key=123)
    features = {"color": words(["red", "green"]), "shape": words(["round"])}
    found = layers.transform_features(features, [crossed])[crossed]
    plain = tf.sparse.cross_hashed(
        [features["color"], features["shape"]], num_buckets=50, hash_key=123
    )
    values = run([found, plain])
    assert values[0].values.tolist() == values[1].values.tolist() and len(values[0].values) == 2
    assert crossed.name == "color_X_shape"


def test_numbers_are_found_out():
    columns = layers.infer_real_valued_columns({"x": tf.zeros([4, 2, 3])})
    assert columns == [layers.real_valued_column("x", dimension=6)]


@pytest.mark.parametrize(
    "make,error,message",
    [
        (lambda: layers.real_valued_column("x", dimension=0), ValueError, "dimension must be greater"),
        (lambda: layers.real_valued_column("x", 2, [1.0]), ValueError, "The length of default_value"),
        (lambda: layers.real_valued_column("x", 1, "a"), TypeError, "must be compatible with dtype"),
        (
            lambda: layers.bucketized_column(layers.real_valued_column("x"), [2, 1]),
            ValueError,
            "boundaries must be a sorted list",
        ),
        (
            lambda: layers.sparse_column_with_hash_bucket("x", 0),
            ValueError,
            "bucket_size must be at least 1",
        ),
        (
            lambda: layers.crossed_column([layers.sparse_column_with_hash_bucket("x", 2)], 5),
            ValueError,
            "columns must contain at least 2 elements",
        ),
        (
            lambda: layers.check_feature_columns([layers.real_valued_column("x")] * 2),
            ValueError,
            "Duplicate feature column key found for column: x.",
        ),
    ],
)
def test_mistakes(make, error, message):
    with pytest.raises(error, match=message):
        make()
