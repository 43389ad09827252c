"""Input functions of arrays and frames."""

from kiln.compat import v1 as tf
from kiln.compat.v1._util.deprecation import deprecated


@deprecated(
    None,
    "Use tf.compat.v1.estimator.inputs.numpy_input_fn.",
    module="tensorflow.contrib.learn.python.learn.learn_io.numpy_io",
)
def numpy_input_fn(
    x, y=None, batch_size=128, num_epochs=1, shuffle=True, queue_capacity=1000, num_threads=1
):
    """As tf.estimator.inputs.numpy_input_fn(). Source: tf.contrib.learn.io.numpy_input_fn."""
    return tf.estimator.inputs.numpy_input_fn(
        x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads
    )


@deprecated(
    None,
    "Please use tf.compat.v1.estimator.inputs.pandas_input_fn",
    module="tensorflow.contrib.learn.python.learn.learn_io.pandas_io",
)
def pandas_input_fn(
    x,
    y=None,
    batch_size=128,
    num_epochs=1,
    shuffle=True,
    queue_capacity=1000,
    num_threads=1,
    target_column="target",
):
    """As tf.estimator.inputs.pandas_input_fn(). Source: tf.contrib.learn.io.pandas_input_fn."""
    return tf.estimator.inputs.pandas_input_fn(
        x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads, target_column
    )


def extract_pandas_matrix(data):
    """The array of a frame; anything else as it is. Source: tf.contrib.learn.io.extract_pandas_matrix."""
    return data.to_numpy() if hasattr(data, "iloc") else data


def _check_numbers(data):
    kinds = getattr(data, "dtypes", None)
    columns = [] if kinds is None else list(getattr(kinds, "items", lambda: [])())
    wrong = [f"'{name}' type='{kind.name}'" for name, kind in columns if kind.kind not in "biuf"]
    if wrong:
        raise ValueError(
            "Data types for extracting pandas data must be int, float, or bool. Found: "
            + ", ".join(wrong)
        )


def extract_pandas_data(data):
    """The array of a frame of numbers; anything else as it is. Errors: ValueError.

    Source: tf.contrib.learn.io.extract_pandas_data.
    """
    if not hasattr(data, "columns"):
        return data
    _check_numbers(data)
    return data.to_numpy().astype("float")


def extract_pandas_labels(labels):
    """The array of a frame of one column, or of a series. Errors: ValueError.

    Source: tf.contrib.learn.io.extract_pandas_labels.
    """
    if hasattr(labels, "columns"):
        if len(labels.columns) > 1:
            raise ValueError("Only one column for labels is allowed.")
        _check_numbers(labels)
    return labels.to_numpy() if hasattr(labels, "iloc") else labels
