"""What exported models are fed."""

import collections

from kiln.compat import v1 as tf
from kiln.compat.v1._util.deprecation import deprecated

_MODULE = "tensorflow.contrib.learn.python.learn.utils.input_fn_utils"


class InputFnOps(
    collections.namedtuple("InputFnOps", ["features", "labels", "default_inputs"])
):
    """Features, labels and what is fed, dicts of tensors. Source: tf.contrib.learn.InputFnOps."""


@deprecated(
    None, "Please use tf.estimator.export.build_parsing_serving_input_receiver_fn.", module=_MODULE
)
def build_parsing_serving_input_fn(feature_spec, default_batch_size=None):
    """A function that gives what serialized Examples have.

    Source: tf.contrib.learn.build_parsing_serving_input_fn.
    """

    def input_fn():
        serialized = tf.placeholder(
            dtype=tf.string, shape=[default_batch_size], name="input_example_tensor"
        )
        features = tf.parse_example(serialized, feature_spec)
        return InputFnOps(features, None, {"examples": serialized})

    return input_fn


@deprecated(
    None, "Please use tf.estimator.export.build_raw_serving_input_receiver_fn.", module=_MODULE
)
def build_default_serving_input_fn(features, default_batch_size=None):
    """A function that gives placeholders for features.

    Source: tf.contrib.learn.utils.build_default_serving_input_fn.
    """

    def input_fn():
        placeholders = {}
        for name, tensor in features.items():
            shape = tensor.get_shape().as_list()
            shape[0] = default_batch_size
            placeholders[name] = tf.placeholder(
                dtype=tensor.dtype, shape=shape, name=tensor.op.name
            )
        return InputFnOps(placeholders, None, placeholders)

    return input_fn
