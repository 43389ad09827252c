"""The model functions of tf.contrib.learn's estimators: linear models and networks of columns."""

import math

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.layers._columns import _FeatureColumn
from kiln.compat.v1.contrib.learn.estimators.model_fn import ModeKeys

_LINEAR_RATE = 0.2
_DNN_RATE = 0.05


def _features(features):
    return features if isinstance(features, dict) else {"": features}


def _are_old(columns):
    return all(isinstance(each, _FeatureColumn) for each in columns)


def _summary(value, name):
    tf.summary.scalar(f"{name}/fraction_of_zero_values", tf.nn.zero_fraction(value))
    tf.summary.histogram(f"{name}/activation", value)


def dnn_logits(features, mode, params, dimension):
    """The logits of a network; its variables are in the collection and scope "dnn"."""
    layers, scope_name = tf.contrib.layers, "dnn"
    values, columns = list(features.values()), params["feature_columns"]
    activation = params.get("activation_fn") or tf.nn.relu
    with tf.variable_scope(scope_name, values=values):
        with tf.variable_scope("input_from_feature_columns", values=values) as scope:
            if _are_old(columns):
                net = layers.input_from_feature_columns(
                    features, columns, weight_collections=[scope_name], scope=scope
                )
            else:
                net = tf.feature_column.input_layer(
                    features, columns, weight_collections=[scope_name]
                )
        for i, units in enumerate(params["hidden_units"]):
            with tf.variable_scope(f"hiddenlayer_{i}", values=(net,)) as scope:
                net = layers.fully_connected(
                    net,
                    units,
                    activation_fn=activation,
                    variables_collections=[scope_name],
                    scope=scope,
                )
                if params.get("dropout") is not None and mode == ModeKeys.TRAIN:
                    net = layers.dropout(net, keep_prob=1.0 - params["dropout"])
            _summary(net, scope.name)
        with tf.variable_scope("logits", values=(net,)) as scope:
            logits = layers.fully_connected(
                net,
                dimension,
                activation_fn=None,
                variables_collections=[scope_name],
                scope=scope,
            )
        _summary(logits, scope.name)
        return logits


def linear_logits(features, params, dimension):
    """The weighted sums of columns; the variables are in the collection and scope "linear"."""
    layers, scope_name = tf.contrib.layers, "linear"
    columns = params["linear_columns"]
    values = list(features.values())
    with tf.variable_scope(scope_name, values=values) as scope:
        if not _are_old(columns):
            return tf.feature_column.linear_model(
                features, columns, units=dimension, weight_collections=[scope_name]
            )
        build = layers.weighted_sum_from_feature_columns
        if params.get("joint_weights"):
            build = layers.joint_weighted_sum_from_feature_columns
        logits, _, _ = build(
            columns_to_tensors=features,
            feature_columns=columns,
            num_outputs=dimension,
            weight_collections=[scope_name],
            scope=scope,
        )
        return logits


def _optimizer(given, default):
    if given is None:
        return default()
    return given() if callable(given) and not isinstance(given, tf.train.Optimizer) else given


def _train(loss, optimizer, scope_name, clip_norm, rate, step=True):
    """What changes the variables of a part."""
    return tf.contrib.layers.optimize_loss(
        loss=loss,
        global_step=tf.train.get_global_step(),
        learning_rate=rate,
        optimizer=optimizer,
        clip_gradients=clip_norm,
        name=scope_name,
        variables=tf.get_collection(scope_name),
        summaries=[],
        increment_global_step=step,
    )


def dnn_model_fn(features, labels, mode, params):
    """A network."""
    features, head = _features(features), params["head"]
    logits = dnn_logits(features, mode, params, head.logits_dimension)
    optimizer = _optimizer(params.get("optimizer"), lambda: "Adagrad")
    return head.create_model_fn_ops(
        features,
        mode,
        labels,
        lambda loss: _train(
            loss, optimizer, "dnn", params.get("gradient_clip_norm"), _DNN_RATE
        ),
        logits,
    )


def _ftrl(params):
    count = len(params["linear_columns"])
    return tf.train.FtrlOptimizer(learning_rate=min(_LINEAR_RATE, 1.0 / math.sqrt(count)))


def linear_model_fn(features, labels, mode, params):
    """A linear model."""
    features, head = _features(features), params["head"]
    logits = linear_logits(features, params, head.logits_dimension)
    optimizer = _optimizer(params.get("optimizer"), lambda: _ftrl(params))
    return head.create_model_fn_ops(
        features,
        mode,
        labels,
        lambda loss: _train(
            loss, optimizer, "linear", params.get("gradient_clip_norm"), None
        ),
        logits,
    )


def combined_model_fn(features, labels, mode, params):
    """A network and a linear model, whose logits are added. Errors: ValueError without columns."""
    features, head = _features(features), params["head"]
    if not params["linear_columns"] and not params["feature_columns"]:
        raise ValueError(
            "Either linear_feature_columns or dnn_feature_columns must be defined."
        )
    logits, trained = None, []
    if params["feature_columns"]:
        if not params["hidden_units"]:
            raise ValueError(
                "dnn_hidden_units must be defined when dnn_feature_columns is specified."
            )
        logits = dnn_logits(features, mode, params, head.logits_dimension)
        optimizer = _optimizer(params.get("dnn_optimizer"), lambda: "Adagrad")
        trained.append((optimizer, "dnn", _DNN_RATE))
    if params["linear_columns"]:
        sums = linear_logits(features, params, head.logits_dimension)
        logits = sums if logits is None else logits + sums
        optimizer = _optimizer(params.get("linear_optimizer"), lambda: _ftrl(params))
        trained.append((optimizer, "linear", None))

    def train_op_fn(loss):
        clip_norm = params.get("gradient_clip_norm")
        ops = [
            _train(loss, optimizer, name, clip_norm, rate, step=False)
            for optimizer, name, rate in trained
        ]
        with tf.control_dependencies([tf.group(*ops)]):
            return tf.assign_add(tf.train.get_global_step(), 1).op

    return head.create_model_fn_ops(features, mode, labels, train_op_fn, logits)
