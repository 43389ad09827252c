"""What TensorFlow 1.15 says of its distributions."""

from kiln.compat.v1._util.deprecation import deprecated


def moved(module, name="tf.distributions", date="2019-01-01", package="tensorflow.python.ops.distributions"):
    """The notice that distributions stand elsewhere."""
    words = (
        "The TensorFlow Distributions library has moved to TensorFlow Probability "
        "(https://github.com/tensorflow/probability). You should update all references to use "
        f"`tfp.distributions` instead of `{name}`."
    )
    return deprecated(date, words, module=f"{package}.{module}")
