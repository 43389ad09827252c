"""Estimators that look at no feature: what a model has to be better than."""

from kiln.compat import v1 as tf
from kiln.compat.v1.estimator._canned._heads import RegressionHead, classification_head
from kiln.compat.v1.estimator._canned._models import optimizer_of
from kiln.compat.v1.estimator._estimator import Estimator
from kiln.compat.v1.feature_column._numeric import NumericColumn


def _weight_key(weight_column):
    if weight_column is None or isinstance(weight_column, str):
        return weight_column
    if not isinstance(weight_column, NumericColumn):
        raise TypeError(
            "Weight column must be either a string or _NumericColumn. "
            f"Given type: {type(weight_column)}."
        )
    return weight_column.key


def _logits(features, width, weight_column):
    key, checks, batch_size = _weight_key(weight_column), [], None
    for name, feature in features.items():
        if name == key:
            continue
        size = tf.shape(feature)[0]
        if batch_size is None:
            batch_size = size
        else:
            checks.append(tf.assert_equal(batch_size, size))
    with tf.control_dependencies(checks), tf.variable_scope("baseline"):
        bias = tf.get_variable("bias", shape=[width], initializer=tf.zeros_initializer())
        return tf.multiply(bias, tf.ones([batch_size, width]))


def _model_fn(head, optimizer, weight_column=None):
    def model_fn(features, labels, mode, config):
        logits = _logits(features, head.logits_dimension, weight_column)

        def train_op_fn(loss):
            made = optimizer_of(optimizer, learning_rate=0.3)
            return made.minimize(loss, global_step=tf.train.get_global_step())

        return head.create_estimator_spec(features, mode, logits, labels, train_op_fn=train_op_fn)

    return model_fn


class BaselineEstimator(Estimator):
    """A bias with any head. Source: tf.estimator.BaselineEstimator."""

    def __init__(self, head, model_dir=None, optimizer="Ftrl", config=None):
        super().__init__(_model_fn(head, optimizer), model_dir, config)


class BaselineClassifier(Estimator):
    """Learns how frequent each class is. Source: tf.estimator.BaselineClassifier."""

    def __init__(
        self,
        model_dir=None,
        n_classes=2,
        weight_column=None,
        label_vocabulary=None,
        optimizer="Ftrl",
        config=None,
        loss_reduction=tf.losses.Reduction.SUM,
    ):
        head = classification_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(_model_fn(head, optimizer, weight_column), model_dir, config)


class BaselineRegressor(Estimator):
    """Learns the mean of the labels. Source: tf.estimator.BaselineRegressor."""

    def __init__(
        self,
        model_dir=None,
        label_dimension=1,
        weight_column=None,
        optimizer="Ftrl",
        config=None,
        loss_reduction=tf.losses.Reduction.SUM,
    ):
        head = RegressionHead(label_dimension, weight_column, loss_reduction)
        super().__init__(_model_fn(head, optimizer, weight_column), model_dir, config)
