"""Estimators of a linear model and a deep network together."""

import math

from kiln.compat import v1 as tf
from kiln.compat.v1.estimator._canned._heads import RegressionHead, classification_head
from kiln.compat.v1.estimator._canned._models import (
    add_summary,
    check_features,
    dnn_logit_fn_builder,
    large_slices,
    linear_logit_fn_builder,
    optimizer_of,
    slices,
)
from kiln.compat.v1.estimator._estimator import Estimator


class _Part:
    """One of the two models: its logits, its optimizer, the scope of its variables."""

    def __init__(self, optimizer, logits, scope):
        self.optimizer, self.logits, self.scope = optimizer, logits, scope

    def minimize(self, loss):
        variables = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope=self.scope)
        return self.optimizer.minimize(loss, var_list=variables)


def _model_fn(head, given):
    linear_columns = tuple(given["linear_feature_columns"] or [])
    dnn_columns = tuple(given["dnn_feature_columns"] or [])
    if not linear_columns and not dnn_columns:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")

    def model_fn(features, labels, mode, config):
        check_features(features)
        partitioner = given.get("input_layer_partitioner") or large_slices(config)
        parts = []
        if dnn_columns:
            parts.append(_deep_part(head, given, dnn_columns, features, mode, config, partitioner))
        if linear_columns:
            parts.append(_linear_part(head, given, linear_columns, features, partitioner))
        logits = parts[0].logits
        if len(parts) == 2:
            logits = logits + parts[1].logits

        def train_op_fn(loss):
            step = tf.train.get_global_step()
            train_op = tf.group(*[part.minimize(loss) for part in parts])
            with tf.control_dependencies([train_op]):
                return tf.assign_add(step, 1).op

        return head.create_estimator_spec(features, mode, logits, labels, train_op_fn=train_op_fn)

    return model_fn


def _checked_optimizer(optimizer, learning_rate):
    made = optimizer_of(optimizer, learning_rate)
    if type(made).__name__ == "SyncReplicasOptimizer":
        raise ValueError(
            "SyncReplicasOptimizer does not support multi optimizers case. Therefore, it is not "
            "supported in DNNLinearCombined model. If you want to use this optimizer, please use "
            "either DNN or Linear model."
        )
    return made


def _deep_part(head, given, columns, features, mode, config, partitioner):
    optimizer = _checked_optimizer(given["dnn_optimizer"], 0.001)
    if not given["dnn_hidden_units"]:
        raise ValueError("dnn_hidden_units must be defined when dnn_feature_columns is specified.")
    with tf.variable_scope(
        "dnn", values=tuple(features.values()), partitioner=slices(config)
    ) as scope:
        logit_fn = dnn_logit_fn_builder(
            head.logits_dimension,
            given["dnn_hidden_units"],
            columns,
            given["dnn_activation_fn"],
            given["dnn_dropout"],
            partitioner,
            given.get("batch_norm", False),
        )
        return _Part(optimizer, logit_fn(features, mode), scope.name)


def _linear_part(head, given, columns, features, partitioner):
    optimizer = _checked_optimizer(
        given["linear_optimizer"], min(0.005, 1.0 / math.sqrt(len(columns)))
    )
    with tf.variable_scope(
        "linear", values=tuple(features.values()), partitioner=partitioner
    ) as scope:
        logit_fn = linear_logit_fn_builder(
            head.logits_dimension, columns, given["linear_sparse_combiner"]
        )
        logits = logit_fn(features)
        add_summary(logits, scope.name)
        return _Part(optimizer, logits, scope.name)


class DNNLinearCombinedEstimator(Estimator):
    """Both models with any head. Source: tf.estimator.DNNLinearCombinedEstimator."""

    def __init__(
        self,
        head,
        model_dir=None,
        linear_feature_columns=None,
        linear_optimizer="Ftrl",
        dnn_feature_columns=None,
        dnn_optimizer="Adagrad",
        dnn_hidden_units=None,
        dnn_activation_fn=tf.nn.relu,
        dnn_dropout=None,
        input_layer_partitioner=None,
        config=None,
        linear_sparse_combiner="sum",
    ):
        super().__init__(_model_fn(head, dict(locals())), model_dir, config)


class DNNLinearCombinedClassifier(Estimator):
    """The sum of a linear model's logits and a deep network's, for classes.

    The arguments are those of LinearClassifier and DNNClassifier. Errors: ValueError without any
    columns. Source: tf.estimator.DNNLinearCombinedClassifier.
    """

    def __init__(
        self,
        model_dir=None,
        linear_feature_columns=None,
        linear_optimizer="Ftrl",
        dnn_feature_columns=None,
        dnn_optimizer="Adagrad",
        dnn_hidden_units=None,
        dnn_activation_fn=tf.nn.relu,
        dnn_dropout=None,
        n_classes=2,
        weight_column=None,
        label_vocabulary=None,
        input_layer_partitioner=None,
        config=None,
        warm_start_from=None,
        loss_reduction=tf.losses.Reduction.SUM,
        batch_norm=False,
        linear_sparse_combiner="sum",
    ):
        given = dict(locals())
        head = classification_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        model_fn = _model_fn(head, given)
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


class DNNLinearCombinedRegressor(Estimator):
    """As DNNLinearCombinedClassifier, for numbers.

    Source: tf.estimator.DNNLinearCombinedRegressor.
    """

    def __init__(
        self,
        model_dir=None,
        linear_feature_columns=None,
        linear_optimizer="Ftrl",
        dnn_feature_columns=None,
        dnn_optimizer="Adagrad",
        dnn_hidden_units=None,
        dnn_activation_fn=tf.nn.relu,
        dnn_dropout=None,
        label_dimension=1,
        weight_column=None,
        input_layer_partitioner=None,
        config=None,
        warm_start_from=None,
        loss_reduction=tf.losses.Reduction.SUM,
        batch_norm=False,
        linear_sparse_combiner="sum",
    ):
        given = dict(locals())
        head = RegressionHead(label_dimension, weight_column, loss_reduction)
        model_fn = _model_fn(head, given)
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)
