"""Deep estimators: fully connected layers."""

from kiln.compat import v1 as tf
from kiln.compat.v1.estimator._canned._heads import RegressionHead, classification_head
from kiln.compat.v1.estimator._canned._models import (
    check_features,
    dnn_logit_fn_builder,
    large_slices,
    optimizer_of,
    slices,
)
from kiln.compat.v1.estimator._estimator import Estimator


def _model_fn(
    head, hidden_units, feature_columns, optimizer, activation_fn, dropout, partitioner, batch_norm
):
    columns = tuple(feature_columns or [])

    def model_fn(features, labels, mode, config):
        made = optimizer_of(optimizer, learning_rate=0.05)
        check_features(features)
        with tf.variable_scope("dnn", values=tuple(features.values()), partitioner=slices(config)):
            logit_fn = dnn_logit_fn_builder(
                head.logits_dimension,
                hidden_units,
                columns,
                activation_fn,
                dropout,
                partitioner or large_slices(config),
                batch_norm,
            )
            logits = logit_fn(features, mode)
            return head.create_estimator_spec(features, mode, logits, labels, optimizer=made)

    return model_fn


class DNNEstimator(Estimator):
    """A deep network with any head. Source: tf.estimator.DNNEstimator."""

    def __init__(
        self,
        head,
        hidden_units,
        feature_columns,
        model_dir=None,
        optimizer="Adagrad",
        activation_fn=tf.nn.relu,
        dropout=None,
        input_layer_partitioner=None,
        config=None,
        warm_start_from=None,
        batch_norm=False,
    ):
        model_fn = _model_fn(
            head, hidden_units, feature_columns, optimizer, activation_fn, dropout,
            input_layer_partitioner, batch_norm,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


class DNNClassifier(Estimator):
    """A deep network of classes.

    hidden_units: the sizes of the hidden layers. feature_columns: columns of numbers of
    tf.feature_column. n_classes: how many. weight_column: the name of a feature of weights, or a
    column. label_vocabulary: the labels where they are strings. optimizer: a name, an optimizer or
    a function that makes one. dropout: the share of results that are dropped. Source:
    tf.estimator.DNNClassifier.
    """

    def __init__(
        self,
        hidden_units,
        feature_columns,
        model_dir=None,
        n_classes=2,
        weight_column=None,
        label_vocabulary=None,
        optimizer="Adagrad",
        activation_fn=tf.nn.relu,
        dropout=None,
        input_layer_partitioner=None,
        config=None,
        warm_start_from=None,
        loss_reduction=tf.losses.Reduction.SUM,
        batch_norm=False,
    ):
        head = classification_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        model_fn = _model_fn(
            head, hidden_units, feature_columns, optimizer, activation_fn, dropout,
            input_layer_partitioner, batch_norm,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


class DNNRegressor(Estimator):
    """A deep network of numbers. label_dimension: how many for each example; otherwise as
    DNNClassifier. Source: tf.estimator.DNNRegressor.
    """

    def __init__(
        self,
        hidden_units,
        feature_columns,
        model_dir=None,
        label_dimension=1,
        weight_column=None,
        optimizer="Adagrad",
        activation_fn=tf.nn.relu,
        dropout=None,
        input_layer_partitioner=None,
        config=None,
        warm_start_from=None,
        loss_reduction=tf.losses.Reduction.SUM,
        batch_norm=False,
    ):
        head = RegressionHead(label_dimension, weight_column, loss_reduction)
        model_fn = _model_fn(
            head, hidden_units, feature_columns, optimizer, activation_fn, dropout,
            input_layer_partitioner, batch_norm,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)
