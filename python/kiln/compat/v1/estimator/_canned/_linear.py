"""Linear estimators."""

import math

from kiln.compat import v1 as tf
from kiln.compat.v1.estimator._canned._heads import RegressionHead, classification_head
from kiln.compat.v1.estimator._canned._models import (
    check_features,
    large_slices,
    linear_logit_fn_builder,
    optimizer_of,
)
from kiln.compat.v1.estimator._estimator import Estimator


def _model_fn(head, feature_columns, optimizer, partitioner, sparse_combiner):
    columns = tuple(feature_columns or [])

    def model_fn(features, labels, mode, config):
        check_features(features)
        slicing = partitioner or large_slices(config)
        with tf.variable_scope("linear", values=tuple(features.values()), partitioner=slicing):
            logits = linear_logit_fn_builder(head.logits_dimension, columns, sparse_combiner)(
                features
            )
            rate = 0.2 if optimizer else min(0.2, 1.0 / math.sqrt(len(columns)))
            return head.create_estimator_spec(
                features,
                mode,
                logits,
                labels,
                optimizer=optimizer_of(optimizer or "Ftrl", rate),
            )

    return model_fn


class LinearEstimator(Estimator):
    """A linear model with any head. Source: tf.estimator.LinearEstimator."""

    def __init__(
        self,
        head,
        feature_columns,
        model_dir=None,
        optimizer="Ftrl",
        config=None,
        partitioner=None,
        sparse_combiner="sum",
    ):
        model_fn = _model_fn(head, feature_columns, optimizer, partitioner, sparse_combiner)
        super().__init__(model_fn, model_dir, config)


class LinearClassifier(Estimator):
    """A linear model of classes.

    feature_columns: of tf.feature_column. n_classes: how many. weight_column: the name of a feature
    of weights, or a column. label_vocabulary: the labels where they are strings. optimizer: a name,
    an optimizer or a function that makes one. sparse_combiner: of the weights of an example's
    categories. Source: tf.estimator.LinearClassifier.
    """

    def __init__(
        self,
        feature_columns,
        model_dir=None,
        n_classes=2,
        weight_column=None,
        label_vocabulary=None,
        optimizer="Ftrl",
        config=None,
        partitioner=None,
        warm_start_from=None,
        loss_reduction=tf.losses.Reduction.SUM,
        sparse_combiner="sum",
    ):
        head = classification_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        model_fn = _model_fn(head, feature_columns, optimizer, partitioner, sparse_combiner)
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


class LinearRegressor(Estimator):
    """A linear model of numbers. label_dimension: how many for each example; otherwise as
    LinearClassifier. Source: tf.estimator.LinearRegressor.
    """

    def __init__(
        self,
        feature_columns,
        model_dir=None,
        label_dimension=1,
        weight_column=None,
        optimizer="Ftrl",
        config=None,
        partitioner=None,
        warm_start_from=None,
        loss_reduction=tf.losses.Reduction.SUM,
        sparse_combiner="sum",
    ):
        head = RegressionHead(label_dimension, weight_column, loss_reduction)
        model_fn = _model_fn(head, feature_columns, optimizer, partitioner, sparse_combiner)
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)
