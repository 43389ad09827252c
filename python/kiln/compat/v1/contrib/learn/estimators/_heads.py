"""What models of tf.contrib.learn predict of their logits: classes or numbers."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.learn.estimators.constants import ProblemType
from kiln.compat.v1.contrib.learn.estimators.metric_key import MetricKey
from kiln.compat.v1.contrib.learn.estimators.model_fn import ModeKeys, ModelFnOps
from kiln.compat.v1.contrib.learn.estimators.prediction_key import PredictionKey


class Head:
    """logits_dimension: how wide the logits are. weight_column_name: the feature of weights."""

    problem_type = ProblemType.UNSPECIFIED

    def __init__(self, logits_dimension, weight_column_name=None):
        self.logits_dimension, self._weight_name = logits_dimension, weight_column_name

    def create_model_fn_ops(self, features, mode, labels, train_op_fn, logits):
        """The ModelFnOps of a mode. train_op_fn: what trains, of a loss."""
        predictions = self._predictions(logits)
        loss = train_op = None
        metrics = {}
        if mode != ModeKeys.INFER and labels is not None:
            weights = None
            if self._weight_name is not None:
                weights = tf.cast(features[self._weight_name], tf.float32)
                weights = tf.reshape(weights, [-1])
            labels = self._labels(labels)
            loss = self._mean(self._losses(logits, labels), weights)
            if mode == ModeKeys.TRAIN:
                train_op = train_op_fn(loss)
            else:
                metrics = self._metrics(loss, predictions, labels, weights)
        return ModelFnOps(
            mode=mode,
            predictions=predictions,
            loss=loss,
            train_op=train_op,
            eval_metric_ops=metrics,
            output_alternatives={None: (self.problem_type, predictions)},
        )

    @staticmethod
    def _mean(losses, weights):
        losses = tf.reshape(losses, [-1]) if weights is not None else losses
        with tf.name_scope(None, "loss", [losses]):
            if weights is None:
                return tf.reduce_mean(losses, name="loss")
            return tf.div(tf.reduce_sum(losses * weights), tf.reduce_sum(weights), name="loss")

    def _labels(self, labels):
        if isinstance(labels, dict):
            (labels,) = labels.values()
        return labels


class RegressionHead(Head):
    """Numbers, by the square of their distance."""

    problem_type = ProblemType.LINEAR_REGRESSION

    def _labels(self, labels):
        labels = tf.cast(super()._labels(labels), tf.float32)
        return tf.expand_dims(labels, 1) if labels.get_shape().ndims == 1 else labels

    def _predictions(self, logits):
        scores = tf.squeeze(logits, axis=(1,)) if self.logits_dimension == 1 else logits
        return {PredictionKey.SCORES: scores}

    def _losses(self, logits, labels):
        return tf.square(logits - labels)

    def _metrics(self, loss, predictions, labels, weights):
        return {MetricKey.LOSS: tf.metrics.mean(loss)}


class BinaryHead(Head):
    """Two classes, by one logit."""

    problem_type = ProblemType.LOGISTIC_REGRESSION

    def _labels(self, labels):
        labels = super()._labels(labels)
        return tf.expand_dims(labels, 1) if labels.get_shape().ndims == 1 else labels

    def _predictions(self, logits):
        both = tf.concat([tf.zeros_like(logits), logits], 1)
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.LOGISTIC: tf.sigmoid(logits),
            PredictionKey.PROBABILITIES: tf.nn.softmax(both),
            PredictionKey.CLASSES: tf.argmax(both, 1),
        }

    def _losses(self, logits, labels):
        labels = tf.cast(labels, tf.float32)
        return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    def _metrics(self, loss, predictions, labels, weights):
        numbers = tf.cast(labels, tf.float32)
        logistic = predictions[PredictionKey.LOGISTIC]
        column = None if weights is None else tf.expand_dims(weights, 1)
        return {
            MetricKey.LOSS: tf.metrics.mean(loss),
            MetricKey.ACCURACY: tf.metrics.accuracy(
                tf.reshape(labels, [-1]), predictions[PredictionKey.CLASSES], weights
            ),
            MetricKey.PREDICTION_MEAN: tf.metrics.mean(logistic, column),
            MetricKey.LABEL_MEAN: tf.metrics.mean(numbers, column),
            MetricKey.ACCURACY_BASELINE: tf.metrics.mean(numbers, column),
            MetricKey.AUC: tf.metrics.auc(numbers, logistic, column),
            MetricKey.AUC_PR: tf.metrics.auc(numbers, logistic, column, curve="PR"),
        }


class MultiClassHead(Head):
    """Several classes, by a logit each. label_keys: the names of the classes."""

    problem_type = ProblemType.CLASSIFICATION

    def __init__(self, n_classes, weight_column_name=None, label_keys=None):
        super().__init__(n_classes, weight_column_name)
        self._label_keys = label_keys

    def _labels(self, labels):
        labels = super()._labels(labels)
        if self._label_keys:
            table = tf.contrib.lookup.index_table_from_tensor(self._label_keys, name="label_id_lookup")
            labels = table.lookup(labels)
        return tf.reshape(labels, [-1])

    def _predictions(self, logits):
        classes = tf.argmax(logits, 1)
        if self._label_keys:
            table = tf.contrib.lookup.index_to_string_table_from_tensor(
                self._label_keys, name="class_string_lookup"
            )
            classes = table.lookup(classes)
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.PROBABILITIES: tf.nn.softmax(logits),
            PredictionKey.CLASSES: classes,
        }

    def _losses(self, logits, labels):
        return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)

    def _metrics(self, loss, predictions, labels, weights):
        found = tf.argmax(predictions[PredictionKey.LOGITS], 1)
        return {
            MetricKey.LOSS: tf.metrics.mean(loss),
            MetricKey.ACCURACY: tf.metrics.accuracy(labels, found, weights),
        }


def class_head(n_classes, weight_column_name=None, label_keys=None):
    """The head of a classifier. Errors: ValueError for fewer than two classes."""
    if n_classes is None or n_classes < 2:
        raise ValueError(f"n_classes must be > 1 for classification: {n_classes}.")
    if n_classes == 2 and not label_keys:
        return BinaryHead(1, weight_column_name)
    return MultiClassHead(n_classes, weight_column_name, label_keys)
