"""tf.feature_column: what becomes of features, what is parsed, and errors."""

import os
import tempfile

import numpy as np
from keras_cases import error_of


def _run(tf, *tensors):
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        return session.run(list(tensors))


def _layer(make, features):
    """A case of what input_layer() makes of columns."""

    def case(tf):
        columns = make(tf.feature_column, tf)
        columns = columns if isinstance(columns, list) else [columns]
        given = {
            name: value(tf) if callable(value) else tf.constant(value)
            for name, value in features.items()
        }
        layer = tf.feature_column.input_layer(given, columns)
        return {
            "values": _run(tf, layer)[0],
            "width": layer.shape.as_list()[1:],
            "variables": [(each.name, each.shape.as_list()) for each in tf.global_variables()],
            "parsed": _spec(tf.feature_column.make_parse_example_spec(columns)),
        }

    return case


def _spec(spec):
    return {name: [type(each).__name__, each.dtype.name, str(getattr(each, "shape", ""))]
            for name, each in spec.items()}  # fmt: skip


def _ones(tf):
    return tf.ones_initializer()


def _ramp(shape, dtype=None, partition_info=None):
    return np.arange(np.prod(shape), dtype="f4").reshape(shape) / 10


def _sparse(tf):
    return tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["x", "y", "x"], [3, 2])


def _weights(tf):
    return tf.SparseTensor([[0, 0], [1, 0], [1, 1]], [0.5, 1.0, 2.0], [3, 2])


_WORDS = [["x"], ["y"], ["none"]]
TABLE = {
    "numeric": _layer(
        lambda fc, tf: [fc.numeric_column("b", shape=2), fc.numeric_column("a")],
        {"a": [[1.0], [2.0]], "b": [[3.0, 4.0], [5.0, 6.0]]},
    ),
    "numeric_normalized": _layer(
        lambda fc, tf: fc.numeric_column("a", normalizer_fn=lambda x: x * 2 - 1),
        {"a": [1.0, 2.0]},
    ),
    "bucketized": _layer(
        lambda fc, tf: fc.bucketized_column(fc.numeric_column("a"), [0.0, 1.5, 3.0]),
        {"a": [[-1.0], [1.0], [1.5], [7.0]]},
    ),
    "indicator_of_vocabulary": _layer(
        lambda fc, tf: fc.indicator_column(
            fc.categorical_column_with_vocabulary_list("w", ["x", "y"], default_value=0)
        ),
        {"w": _WORDS},
    ),
    "indicator_with_other_buckets": _layer(
        lambda fc, tf: fc.indicator_column(
            fc.categorical_column_with_vocabulary_list("w", ["x", "y"], num_oov_buckets=2)
        ),
        {"w": _WORDS},
    ),
    "indicator_of_sparse": _layer(
        lambda fc, tf: fc.indicator_column(
            fc.categorical_column_with_vocabulary_list("w", ["x", "y"])
        ),
        {"w": _sparse},
    ),
    "identity": _layer(
        lambda fc, tf: fc.indicator_column(fc.categorical_column_with_identity("i", 4, 0)),
        {"i": [[1], [3], [9]]},
    ),
    "hashed": _layer(
        lambda fc, tf: fc.indicator_column(fc.categorical_column_with_hash_bucket("w", 5)),
        {"w": _WORDS},
    ),
    "hashed_integers": _layer(
        lambda fc, tf: fc.indicator_column(
            fc.categorical_column_with_hash_bucket("i", 5, tf.int64)
        ),
        {"i": np.array([[1], [3], [9]])},
    ),
    "weighted": _layer(
        lambda fc, tf: fc.indicator_column(
            fc.weighted_categorical_column(
                fc.categorical_column_with_vocabulary_list("w", ["x", "y"]), "weight"
            )
        ),
        {"w": _sparse, "weight": _weights},
    ),
    "crossed": _layer(
        lambda fc, tf: fc.indicator_column(
            fc.crossed_column(["w", fc.bucketized_column(fc.numeric_column("a"), [0.0])], 7)
        ),
        {"w": _WORDS, "a": [[-1.0], [1.0], [2.0]]},
    ),
    "embedding": _layer(
        lambda fc, tf: fc.embedding_column(
            fc.categorical_column_with_vocabulary_list("w", ["x", "y"], num_oov_buckets=1),
            3, initializer=_ramp,
        ),
        {"w": _sparse},
    ),
    "embedding_sum": _layer(
        lambda fc, tf: fc.embedding_column(
            fc.categorical_column_with_hash_bucket("w", 4), 2, combiner="sum", initializer=_ramp,
            max_norm=0.5,
        ),
        {"w": _sparse},
    ),
    "shared_embeddings": _layer(
        lambda fc, tf: fc.shared_embedding_columns(
            [fc.categorical_column_with_identity(key, 3) for key in ("i", "j")], 2,
            initializer=_ramp,
        ),
        {"i": [[1], [2]], "j": [[0], [1]]},
    ),
}  # fmt: skip


def _linear(make, features, **kwargs):
    """A case of what linear_model() makes of columns."""

    def case(tf):
        columns = make(tf.feature_column, tf)
        given = {
            name: value(tf) if callable(value) else tf.constant(value)
            for name, value in features.items()
        }
        logits = tf.feature_column.linear_model(given, columns, **kwargs)
        variables = tf.global_variables()
        starts = [
            each.assign(np.arange(np.prod(each.shape.as_list())).reshape(each.shape.as_list()) / 10)
            for each in variables
        ]
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.tables_initializer()])
            session.run(starts)
            values = session.run(logits)
        return {
            "values": values,
            "variables": [(each.name, each.shape.as_list()) for each in variables],
        }

    return case


TABLE["linear_dense"] = _linear(
    lambda fc, tf: [fc.numeric_column("a", shape=2), fc.bucketized_column(fc.numeric_column("b"), [0.0])],
    {"a": [[1.0, 2.0], [3.0, 4.0]], "b": [[1.0], [-1.0]]},
)
TABLE["linear_sparse"] = _linear(
    lambda fc, tf: [fc.categorical_column_with_hash_bucket("w", 5)], {"w": _sparse}, units=2
)
TABLE["linear_mean"] = _linear(
    lambda fc, tf: [fc.categorical_column_with_vocabulary_list("w", ["x", "y"])],
    {"w": _sparse},
    sparse_combiner="mean",
)
TABLE["linear_weighted_crossed"] = _linear(
    lambda fc, tf: [
        fc.weighted_categorical_column(
            fc.categorical_column_with_vocabulary_list("w", ["x", "y"]), "weight"
        ),
        fc.crossed_column(["w", "v"], 6),
    ],
    {"w": _sparse, "weight": _weights, "v": [["a"], ["b"], ["c"]]},
)


def vocabulary_file(tf):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "words.txt")
        with open(path, "w") as file:
            file.write("x\ny\nz\n")
        column = tf.feature_column.categorical_column_with_vocabulary_file(
            "w", path, num_oov_buckets=1
        )
        layer = tf.feature_column.input_layer(
            {"w": tf.constant(_WORDS)}, tf.feature_column.indicator_column(column)
        )
        return {"values": _run(tf, layer)[0]}


def names_and_kinds(tf):
    fc = tf.feature_column
    a, w = fc.numeric_column("a"), fc.categorical_column_with_hash_bucket("w", 5)
    columns = [
        a, fc.bucketized_column(a, [0, 1]), w, fc.indicator_column(w), fc.embedding_column(w, 2),
        fc.crossed_column(["x", w], 4), fc.categorical_column_with_identity("i", 3),
        fc.weighted_categorical_column(w, "n"),
    ]  # fmt: skip
    return {"names": [each.name for each in columns],
            "kinds": [type(each).__name__ for each in columns]}  # fmt: skip


def errors(tf):
    fc = tf.feature_column
    a, w = fc.numeric_column("a"), fc.categorical_column_with_hash_bucket("w", 5)
    return {
        "errors": [
            error_of(lambda: fc.numeric_column(3)),
            error_of(lambda: fc.numeric_column("a", shape=0)),
            error_of(lambda: fc.bucketized_column(w, [0])),
            error_of(lambda: fc.bucketized_column(a, [1, 0])),
            error_of(lambda: fc.bucketized_column(a, [])),
            error_of(lambda: fc.categorical_column_with_hash_bucket("w", 0)),
            error_of(lambda: fc.categorical_column_with_vocabulary_list("w", [])),
            error_of(lambda: fc.categorical_column_with_vocabulary_list("w", ["a", "a"])),
            error_of(lambda: fc.categorical_column_with_identity("i", 3, 5)),
            error_of(lambda: fc.embedding_column(w, 0)),
            error_of(lambda: fc.embedding_column(w, 2, initializer="no")),
            error_of(lambda: fc.crossed_column(["x"], 4)),
            error_of(lambda: fc.crossed_column(["x", a], 4)),
            error_of(lambda: fc.indicator_column(a).variable_shape),
            error_of(lambda: fc.input_layer({"w": tf.constant(_WORDS)}, [w])),
            error_of(lambda: fc.input_layer({}, [a])),
            error_of(lambda: fc.input_layer({"a": tf.constant([[1.0]])}, [])),
            error_of(lambda: fc.linear_model({"a": tf.constant([[1.0]])}, ["a"])),
            error_of(lambda: fc.make_parse_example_spec(["a"])),
        ]
    }
