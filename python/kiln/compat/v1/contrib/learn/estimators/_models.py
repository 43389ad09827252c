"""The model functions of tf.contrib.learn's estimators: linear models and networks of columns.

params: the head, and the arguments of the estimator by their names.
"""

import math

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib import layers
from kiln.compat.v1.contrib.layers._columns import _FeatureColumn
from kiln.compat.v1.contrib.layers._embedding_columns import _EmbeddingColumn
from kiln.compat.v1.contrib.learn.estimators.model_fn import ModeKeys

_LINEAR_RATE = 0.2
_DNN_RATE = 0.05
_ACTIVATIONS = {"relu": tf.nn.relu, "tanh": tf.nn.tanh, "sigmoid": tf.nn.sigmoid}


def _features(features):
    return features if isinstance(features, dict) else {"": features}


def _scope(name, features):
    return tf.variable_scope(name, values=tuple(features.values()))


def _are_old(columns):
    return all(isinstance(each, _FeatureColumn) for each in columns)


def _activation(given):
    """A function, or the one of a name; None for none. Errors: ValueError."""
    if not isinstance(given, str):
        return given
    if given not in _ACTIVATIONS:
        names = ", ".join(_ACTIVATIONS)
        raise ValueError(f"Activation name should be one of [{names}], you provided {given}.")
    return _ACTIVATIONS[given]


def _summary(value, name):
    tf.summary.scalar(f"{name}fraction_of_zero_values", tf.nn.zero_fraction(value))
    tf.summary.histogram(f"{name}activation", value)


def _network(features, mode, columns, hidden_units, activation, dropout, dimension, separator):
    """The logits of a network in the scope "dnn", whose variables are in the collection "dnn", and
    the name of its input's scope. separator: between a layer and what is shown of it.
    """
    with _scope("input_from_feature_columns", features) as input_scope:
        if _are_old(columns):
            net = layers.input_from_feature_columns(
                features, columns, weight_collections=["dnn"], scope=input_scope
            )
        else:
            net = tf.feature_column.input_layer(features, columns, weight_collections=["dnn"])

    keep = None if dropout is None or mode != ModeKeys.TRAIN else 1.0 - dropout
    hidden = [(f"hiddenlayer_{i}", units, activation, keep) for i, units in enumerate(hidden_units)]
    for name, units, activation_fn, keep_prob in (*hidden, ("logits", dimension, None, None)):
        with tf.variable_scope(name, values=(net,)) as scope:
            net = layers.fully_connected(
                net,
                units,
                activation_fn=activation_fn,
                variables_collections=["dnn"],
                scope=scope,
            )
            if keep_prob is not None:
                net = layers.dropout(net, keep_prob=keep_prob)
        _summary(net, scope.name + separator)
    return net, input_scope.name


def _linear_sums(features, columns, joint_weights, dimension, scope):
    """The weighted sums of columns; the variables are in the collection "linear"."""
    if not _are_old(columns):
        return tf.feature_column.linear_model(
            features, columns, units=dimension, weight_collections=["linear"]
        )
    build = layers.weighted_sum_from_feature_columns
    if joint_weights:
        build = layers.joint_weighted_sum_from_feature_columns
    logits, _, _ = build(
        columns_to_tensors=features,
        feature_columns=columns,
        num_outputs=dimension,
        weight_collections=["linear"],
        scope=scope,
    )
    return logits


def _linear_rate(columns):
    return min(_LINEAR_RATE, 1.0 / math.sqrt(len(columns)))


def _made(optimizer):
    """An optimizer or its name; functions without arguments give them."""
    return optimizer() if callable(optimizer) else optimizer


def _multipliers(factors, scope_name):
    """The factors of embeddings' gradients by variables. Errors: ValueError."""
    if not factors:
        return None
    found = {}
    for column, factor in factors.items():
        if not isinstance(column, _EmbeddingColumn):
            raise ValueError(
                "learning rate multipler can only be defined for embedding columns. It is defined "
                f"for {column}"
            )
        variables = tf.get_collection("dnn", f"{scope_name}/{column.name}")
        if not variables:
            raise ValueError(f"Couldn't find a variable for column {column}")
        found.update((variable, factor) for variable in variables)
    return found


def _trained(loss, name, **options):
    """What changes the variables of a part, without summaries: the head has that of the loss."""
    return layers.optimize_loss(
        loss=loss, global_step=tf.train.get_global_step(), name=name, summaries=[], **options
    )


def dnn_model_fn(features, labels, mode, params):
    """A network."""
    features, head = _features(features), params["head"]
    with _scope("dnn", features):
        logits, input_scope = _network(
            features,
            mode,
            params["feature_columns"],
            params["hidden_units"],
            _activation(params["activation_fn"]),
            params["dropout"],
            head.logits_dimension,
            "_",
        )
        return head.create_model_fn_ops(
            features,
            mode,
            labels,
            lambda loss: _trained(
                loss,
                "dnn",
                learning_rate=_DNN_RATE,
                optimizer=_made(params["optimizer"] or "Adagrad"),
                gradient_multipliers=_multipliers(params["embedding_lr_multipliers"], input_scope),
                clip_gradients=params["gradient_clip_norm"],
            ),
            logits,
        )


def linear_model_fn(features, labels, mode, params):
    """A linear model."""
    features, head, columns = _features(features), params["head"], params["feature_columns"]
    with _scope("linear", features) as scope:
        logits = _linear_sums(
            features, columns, params["joint_weights"], head.logits_dimension, scope
        )

        def train_op_fn(loss):
            variables = tf.get_collection("linear")
            gradients = tf.gradients(loss, variables)
            if params["gradient_clip_norm"]:
                gradients, _ = tf.clip_by_global_norm(gradients, params["gradient_clip_norm"])
            optimizer = params["optimizer"]
            if optimizer is None:
                optimizer = tf.train.FtrlOptimizer(_linear_rate(columns))
            elif isinstance(optimizer, str):
                optimizer = layers.OPTIMIZER_CLS_NAMES[optimizer](learning_rate=_LINEAR_RATE)
            return _made(optimizer).apply_gradients(
                zip(gradients, variables), global_step=tf.train.get_global_step()
            )

        return head.create_model_fn_ops(features, mode, labels, train_op_fn, logits)


def combined_model_fn(features, labels, mode, params):
    """A network and a linear model, whose logits are added. Errors: ValueError without columns."""
    features, head = _features(features), params["head"]
    deep, wide = params["dnn_feature_columns"], params["linear_feature_columns"]
    if not wide and not deep:
        raise ValueError(
            "Either linear_feature_columns or dnn_feature_columns must be defined."
        )
    # Else each part counts its own step, and a step of both counts twice.
    counts_once = params["fix_global_step_increment_bug"]
    common = dict(
        clip_gradients=params["gradient_clip_norm"], increment_global_step=not counts_once
    )
    parts, trained = [], []
    if deep:
        if not params["dnn_hidden_units"]:
            raise ValueError(
                "dnn_hidden_units must be defined when dnn_feature_columns is specified."
            )
        with _scope("dnn", features):
            logits, input_scope = _network(
                features,
                mode,
                deep,
                params["dnn_hidden_units"],
                params["dnn_activation_fn"] or tf.nn.relu,
                params["dnn_dropout"],
                head.logits_dimension,
                "/",
            )
        parts.append(logits)
        factors = params["embedding_lr_multipliers"]
        trained.append(
            lambda loss: _trained(
                loss,
                "dnn",
                learning_rate=_DNN_RATE,
                optimizer=_sole(params["dnn_optimizer"] or "Adagrad"),
                gradient_multipliers=_multipliers(factors, input_scope),
                variables=tf.get_collection("dnn"),
                **common,
            )
        )
    if wide:
        with _scope("linear", features) as scope:
            parts.append(
                _linear_sums(
                    features, wide, params["joint_linear_weights"], head.logits_dimension, scope
                )
            )
            _summary(parts[-1], scope.name + "/")
        trained.append(
            lambda loss: _trained(
                loss,
                "linear",
                learning_rate=_linear_rate(wide),
                optimizer=_sole(params["linear_optimizer"] or "Ftrl"),
                variables=tf.get_collection("linear"),
                **common,
            )
        )

    def train_op_fn(loss):
        both = tf.group(*[train(loss) for train in trained])
        if not counts_once:
            return both
        step = tf.train.get_global_step()
        with tf.control_dependencies([both]), tf.colocate_with(step):
            return tf.assign_add(step, 1).op

    logits = parts[0] if len(parts) == 1 else parts[0] + parts[1]
    return head.create_model_fn_ops(features, mode, labels, train_op_fn, logits)


def _sole(optimizer):
    """An optimizer that need not wait for others. Errors: ValueError."""
    optimizer = _made(optimizer)
    if isinstance(optimizer, tf.train.SyncReplicasOptimizer):
        raise ValueError(
            "SyncReplicasOptimizer is not supported in DNNLinearCombined model. If you want to use "
            "this optimizer, please use either DNN or Linear model."
        )
    return optimizer
