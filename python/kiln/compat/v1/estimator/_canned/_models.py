"""The models themselves: logits of features, linear and deep."""

from kiln.compat import v1 as tf
from kiln.compat._python.util.function_utils import fn_args
from kiln.compat.v1.estimator._modes import ModeKeys
from kiln.compat.v1.feature_column._base import is_feature_column_v2
from kiln.compat.v1.feature_column._layers import InputLayer, OldLinearModel, list_of
from kiln.compat.v1.feature_column._models import DenseFeatures, LinearModel


def check_features(features):
    """Errors: ValueError for what is no dict."""
    if not isinstance(features, dict):
        raise ValueError(
            f"features should be a dictionary of `Tensor`s. Given type: {type(features)}"
        )


def optimizer_of(optimizer, learning_rate):
    """An optimizer by its name, of a function, or as it is. Errors: ValueError."""
    kinds = {
        "Adagrad": "AdagradOptimizer",
        "Adam": "AdamOptimizer",
        "Ftrl": "FtrlOptimizer",
        "RMSProp": "RMSPropOptimizer",
        "SGD": "GradientDescentOptimizer",
    }
    if isinstance(optimizer, str):
        if optimizer not in kinds:
            raise ValueError(
                f"Unsupported optimizer name: {optimizer}. "
                f"Supported names are: {tuple(sorted(kinds))}"
            )
        return getattr(tf.train, kinds[optimizer])(learning_rate=learning_rate)
    if callable(optimizer):
        optimizer = optimizer()
    if not isinstance(optimizer, tf.train.Optimizer):
        raise ValueError(f"The given object is not an Optimizer instance. Given: {optimizer}")
    return optimizer


def large_slices(config):
    """A partitioner for large variables; it cuts nothing without parameter servers."""
    return tf.min_max_variable_partitioner(
        max_partitions=config.num_ps_replicas if config else 0, min_slice_size=64 << 20
    )


def slices(config):
    return tf.min_max_variable_partitioner(max_partitions=config.num_ps_replicas if config else 0)


def add_summary(value, tag):
    """Summaries of a layer's results."""
    tf.summary.scalar(f"{tag}/fraction_of_zero_values", tf.nn.zero_fraction(value))
    tf.summary.histogram(f"{tag}/activation", value)


def dnn_logit_fn_builder(
    units,
    hidden_units,
    feature_columns,
    activation_fn,
    dropout,
    input_layer_partitioner,
    batch_norm,
):
    """A function of features and mode that gives the logits of a deep network.

    Source: tf.estimator.experimental.dnn_logit_fn_builder.
    """
    if not isinstance(units, int):
        raise ValueError(f"units must be an int.  Given type: {type(units)}")

    def dnn_logit_fn(features, mode):
        layers = _DeepLayers(hidden_units, activation_fn, dropout, batch_norm)
        with tf.variable_scope("logits", use_resource=True) as logits_scope:
            logits_layer = _dense(units, None, logits_scope)
        if is_feature_column_v2(feature_columns):
            input_layer = DenseFeatures(feature_columns, "input_layer")
        else:
            input_layer = InputLayer(feature_columns, name="input_layer", create_scope_now=False)
        with tf.variable_scope("input_from_feature_columns", partitioner=input_layer_partitioner):
            net = input_layer(features)
        net = layers(net, mode == ModeKeys.TRAIN)
        logits = logits_layer(net)
        add_summary(logits, logits_scope.name)
        return logits

    return dnn_logit_fn


def _dense(units, activation, scope):
    return tf.layers.Dense(
        units=units,
        activation=activation,
        kernel_initializer=tf.glorot_uniform_initializer(),
        name=scope,
        _scope=scope,
    )


class _DeepLayers:
    """The hidden layers, each with a scope of its own."""

    def __init__(self, hidden_units, activation, dropout, batch_norm):
        self._dropout, self._layers = dropout, []
        for i, units in enumerate(hidden_units):
            norm = None
            with tf.variable_scope(f"hiddenlayer_{i}", use_resource=True) as scope:
                dense = _dense(units, activation, scope)
                drop = None if dropout is None else tf.layers.Dropout(rate=dropout)
                if batch_norm:
                    norm = tf.layers.BatchNormalization(
                        momentum=0.999,
                        trainable=True,
                        name=f"batchnorm_{i}",
                        _scope=f"batchnorm_{i}",
                    )
            self._layers.append((dense, drop, norm, scope.name))

    def __call__(self, net, is_training):
        for dense, dropout, norm, name in self._layers:
            net = dense(net)
            if dropout is not None and is_training:
                net = dropout(net, training=True)
            if norm is not None:
                net = norm(net, training=is_training)
            add_summary(net, name)
        return net


def linear_logit_fn_builder(units, feature_columns, sparse_combiner="sum"):
    """A function of features that gives the logits of a linear model.

    Source: tf.estimator.experimental.linear_logit_fn_builder.
    """

    def linear_logit_fn(features):
        if is_feature_column_v2(feature_columns):
            model = LinearModel(feature_columns, units, sparse_combiner)
            logits = model(features)
            bias, weights = list_of(model.bias), model.variables
        else:
            model = OldLinearModel(
                feature_columns, units, sparse_combiner, None, True, "linear_model"
            )
            logits = model(features)
            variables = model.cols_to_vars()
            bias, weights = variables.pop("bias"), list(variables.values())
        if units > 1:
            tf.summary.histogram("bias", bias)
        else:
            tf.summary.scalar("bias", bias[0][0])
        tf.summary.scalar("fraction_of_zero_weights", _fraction_of_zero(weights))
        return logits

    return linear_logit_fn


def _fraction_of_zero(variables):
    with tf.name_scope("zero_fraction"):
        parts = [part for each in tf.nest.flatten(variables) for part in list_of(each)]
        with tf.name_scope("total_size"):
            sizes = [tf.size(part, out_type=tf.int64) for part in parts]
            total = tf.add_n(sizes)
        with tf.name_scope("total_zero"):
            zeros = tf.add_n([_zeros_of(part, size) for part, size in zip(parts, sizes)])
        with tf.name_scope("compute"):
            fraction = zeros / tf.cast(total, tf.float32, name="float32_size")
        return tf.identity(fraction, name="zero_fraction_or_nan")


def _zeros_of(part, size):
    return tf.cond(
        tf.equal(size, tf.constant(0, dtype=tf.int64)),
        true_fn=lambda: tf.constant(0, dtype=tf.float32),
        false_fn=lambda: tf.nn.zero_fraction(part) * tf.cast(size, tf.float32),
        name="zero_count",
    )


def call_logit_fn(logit_fn, features, mode, params, config):
    """The logits of a function with any of these arguments.

    Errors: ValueError for what is no tensor or dict of tensors. Source:
    tf.estimator.experimental.call_logit_fn.
    """
    names = fn_args(logit_fn)
    given = {"mode": mode, "params": params, "config": config}
    result = logit_fn(
        features=features, **{name: value for name, value in given.items() if name in names}
    )
    is_dict = isinstance(result, dict) and all(
        isinstance(key, str) and isinstance(value, tf.Tensor) for key, value in result.items()
    )
    if not is_dict and not isinstance(result, tf.Tensor):
        raise ValueError(
            "logit_fn should return a Tensor or a dictionary mapping strings to Tensors.  "
            f"logit_fn returned: {result}"
        )
    return result
