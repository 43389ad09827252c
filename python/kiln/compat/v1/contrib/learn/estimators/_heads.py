"""What models of tf.contrib.learn predict of their logits: classes or numbers."""

from kiln.compat import v1 as tf
from kiln.compat.v1._losses import broadcast_weights
from kiln.compat.v1.contrib.learn.estimators.constants import ProblemType
from kiln.compat.v1.contrib.learn.estimators.metric_key import MetricKey
from kiln.compat.v1.contrib.learn.estimators.model_fn import ModeKeys, ModelFnOps
from kiln.compat.v1.contrib.learn.estimators.prediction_key import PredictionKey

_THRESHOLD = 0.5


class Head:
    """logits_dimension: how wide the logits are. weight_column_name: the feature of weights.

    enable_centered_bias: a bias of the logits is trained beside the model, on the labels alone.
    """

    problem_type, scope_name = ProblemType.UNSPECIFIED, None

    def __init__(self, logits_dimension, weight_column_name=None, enable_centered_bias=False):
        self.logits_dimension, self._weight_name = logits_dimension, weight_column_name
        self._has_bias = enable_centered_bias

    def create_model_fn_ops(self, features, mode, labels, train_op_fn, logits):
        """The ModelFnOps of a mode. train_op_fn: what trains, of a loss."""
        bias = loss = train_op = metrics = None
        with tf.variable_scope(None, self.scope_name, (*features.values(), labels, logits)):
            if self._has_bias:
                bias = _centered_bias(self.logits_dimension)
                logits = tf.nn.bias_add(logits, bias)
            with tf.name_scope(None, "predictions", (logits,)):
                predictions = self._predictions(logits)
            if mode != ModeKeys.INFER and labels is not None:
                labels, weights = self._labels(_only(labels)), self._weights(features)
                loss, average = self._loss(labels, logits, weights)
                with tf.name_scope(""):
                    tf.summary.scalar(MetricKey.LOSS, tf.identity(average))
                if mode == ModeKeys.TRAIN:
                    train_op = self._train_op(loss, labels, logits, weights, bias, train_op_fn)
                with tf.name_scope("metrics"):
                    metrics = {MetricKey.LOSS: tf.metrics.mean(average)}
                    metrics.update(self._metrics(predictions, labels, weights))
            return ModelFnOps(
                mode=mode,
                predictions=predictions,
                loss=loss,
                train_op=train_op,
                eval_metric_ops=metrics,
                output_alternatives={None: (self.problem_type, self._exported(predictions))},
            )

    def _weights(self, features):
        """The weights of the examples, a column where the feature has one number for each."""
        if self._weight_name is None:
            return None
        if self._weight_name not in features:
            raise ValueError(f"Weights {self._weight_name} missing from features.")
        weights = tf.cast(features[self._weight_name], tf.float32)
        return tf.reshape(weights, (-1, 1)) if weights.shape.ndims == 1 else weights

    def _loss(self, labels, logits, weights):
        """The loss that is trained, and the one that is shown: both means, of what is weighted by the
        number of examples and by the sum of their weights.
        """
        losses = self._losses(labels, logits)
        with tf.name_scope("loss", values=(losses, weights)) as scope:
            if weights is None:
                mean = tf.reduce_mean(losses, name=scope)
                return mean, mean
            weights = broadcast_weights(weights, losses)
            weighted = tf.multiply(losses, weights, name="weighted_loss")
            average = tf.div(
                tf.reduce_sum(weighted), tf.reduce_sum(weights), name="weighted_average_loss"
            )
            return tf.reduce_mean(weighted, name=scope), average

    def _train_op(self, loss, labels, logits, weights, bias, train_op_fn):
        step = None
        if bias is not None:
            with tf.name_scope(None, "centered_bias_step", (labels,)) as name:
                constant = tf.zeros_like(logits) + bias
                only_bias, _ = self._loss(labels, constant, weights)
                optimizer = tf.train.AdagradOptimizer(0.1)
                step = optimizer.minimize(only_bias, var_list=(bias,), name=name)
        with tf.name_scope(None, "train_op", (loss, labels)):
            train_op = train_op_fn(loss)
            return train_op if step is None else tf.group(train_op, step)

    def _metrics(self, predictions, labels, weights):
        """The metrics beside the loss."""
        return {}

    def _exported(self, predictions):
        """What a SavedModel gives."""
        return predictions


class RegressionHead(Head):
    """Numbers, by the square of their distance."""

    problem_type, scope_name = ProblemType.LINEAR_REGRESSION, "regression_head"

    def __init__(self, label_dimension=1, weight_column_name=None, enable_centered_bias=False):
        super().__init__(label_dimension, weight_column_name, enable_centered_bias)

    def _labels(self, labels):
        return _column(tf.cast(labels, tf.float32))

    def _predictions(self, logits):
        scores = logits
        if self.logits_dimension == 1:
            scores = tf.squeeze(logits, axis=(1,), name=PredictionKey.SCORES)
        return {PredictionKey.SCORES: scores}

    def _losses(self, labels, logits):
        # Else one label would count for each of the numbers.
        logits.shape.assert_is_compatible_with(labels.shape)
        return tf.squared_difference(logits, labels, name="mean_squared_loss")


class _ClassificationHead(Head):
    """Classes, by the logits of a softmax."""

    def _class_predictions(self, logits):
        return {
            PredictionKey.PROBABILITIES: tf.nn.softmax(logits, name=PredictionKey.PROBABILITIES),
            PredictionKey.CLASSES: tf.argmax(logits, 1, name=PredictionKey.CLASSES),
        }

    def _exported(self, predictions):
        """Beside each probability the name of its class."""
        probabilities = predictions[PredictionKey.PROBABILITIES]
        with tf.name_scope(None, "_classification_output_alternatives", (probabilities,)):
            batch_size, count = tf.unstack(tf.shape(probabilities))
            names = self._class_names(count)
            classes = tf.tile(tf.expand_dims(names, 0), [batch_size, 1], name="classes_tensor")
        return {PredictionKey.PROBABILITIES: probabilities, PredictionKey.CLASSES: classes}

    def _class_names(self, count):
        return tf.as_string(tf.range(count))


class BinaryHead(_ClassificationHead):
    """Two classes, by one logit."""

    problem_type, scope_name = ProblemType.LOGISTIC_REGRESSION, "binary_logistic_head"

    def _labels(self, labels):
        return _column(labels)

    def _predictions(self, logits):
        return {
            PredictionKey.LOGITS: logits,
            PredictionKey.LOGISTIC: tf.sigmoid(logits, name=PredictionKey.LOGISTIC),
            **self._class_predictions(tf.concat([tf.zeros_like(logits), logits], 1)),
        }

    def _losses(self, labels, logits):
        return tf.nn.sigmoid_cross_entropy_with_logits(
            labels=tf.cast(labels, tf.float32), logits=logits, name="log_loss_with_two_classes"
        )

    def _metrics(self, predictions, labels, weights):
        numbers, metrics = tf.cast(labels, tf.float32), tf.metrics
        logistic = predictions[PredictionKey.LOGISTIC]
        spread = None if weights is None else broadcast_weights(weights, numbers)
        label_mean = metrics.mean(numbers, spread)
        given = labels, logistic, (_THRESHOLD,), spread
        above = tf.cast(tf.greater_equal(logistic, _THRESHOLD), labels.dtype)
        return {
            MetricKey.ACCURACY: metrics.accuracy(
                labels, tf.expand_dims(predictions[PredictionKey.CLASSES], 1), spread
            ),
            MetricKey.PREDICTION_MEAN: metrics.mean(logistic, spread),
            MetricKey.LABEL_MEAN: label_mean,
            MetricKey.ACCURACY_BASELINE: label_mean,
            MetricKey.AUC: metrics.auc(numbers, logistic, spread),
            MetricKey.AUC_PR: metrics.auc(numbers, logistic, spread, curve="PR"),
            MetricKey.ACCURACY_MEAN % _THRESHOLD: metrics.accuracy(labels, above, spread),
            MetricKey.PRECISION_MEAN
            % _THRESHOLD: _each_of(tf.squeeze, metrics.precision_at_thresholds(*given)),
            MetricKey.RECALL_MEAN
            % _THRESHOLD: _each_of(tf.squeeze, metrics.recall_at_thresholds(*given)),
        }


class MultiClassHead(_ClassificationHead):
    """Several classes, by a logit each. label_keys: the names of the classes."""

    problem_type, scope_name = ProblemType.CLASSIFICATION, "multi_class_head"

    def __init__(
        self, n_classes, weight_column_name=None, enable_centered_bias=False, label_keys=None
    ):
        super().__init__(n_classes, weight_column_name, enable_centered_bias)
        if label_keys and len(label_keys) != n_classes:
            raise ValueError("Length of label_keys must equal n_classes.")
        self._label_keys = label_keys

    def _labels(self, labels):
        if self._label_keys:
            table = tf.contrib.lookup.index_table_from_tensor(
                self._label_keys, name="label_id_lookup"
            )
            labels = table.lookup(labels)
        if not labels.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer Instead got {labels.dtype}.")
        return _column(labels)

    def _predictions(self, logits):
        found = {PredictionKey.LOGITS: logits, **self._class_predictions(logits)}
        if self._label_keys:
            table = tf.contrib.lookup.index_to_string_table_from_tensor(
                self._label_keys, name="class_string_lookup"
            )
            found[PredictionKey.CLASSES] = table.lookup(found[PredictionKey.CLASSES])
        return found

    def _losses(self, labels, logits):
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=tf.squeeze(labels, axis=(1,)), logits=logits, name="softmax_cross_entropy_loss"
        )
        return tf.expand_dims(losses, 1)

    def _metrics(self, predictions, labels, weights):
        found = tf.expand_dims(tf.argmax(predictions[PredictionKey.LOGITS], 1), 1)
        return {MetricKey.ACCURACY: tf.metrics.accuracy(labels, found, weights)}

    def _class_names(self, count):
        if self._label_keys:
            return tf.constant(self._label_keys)
        return super()._class_names(count)


def class_head(
    n_classes, weight_column_name=None, enable_centered_bias=False, label_keys=None
):
    """The head of a classifier. Errors: ValueError for fewer than two classes, and for two that
    have names.
    """
    if n_classes is None or n_classes < 2:
        raise ValueError(f"n_classes must be > 1 for classification: {n_classes}.")
    if n_classes > 2:
        return MultiClassHead(n_classes, weight_column_name, enable_centered_bias, label_keys)
    if label_keys:
        raise ValueError("label_keys is not supported for n_classes=2.")
    return BinaryHead(1, weight_column_name, enable_centered_bias)


def _each_of(function, pair):
    """A metric's value and update, each changed by a function."""
    value, update = pair
    return function(value), function(update)


def _only(labels):
    """The labels as a tensor, also of a dict of one. Errors: ValueError."""
    if isinstance(labels, dict):
        if len(labels) != 1:
            raise ValueError(f"labels has several tensors, of which one is wanted: {labels}")
        (labels,) = labels.values()
    labels = tf.convert_to_tensor_or_sparse_tensor(labels)
    if isinstance(labels, tf.SparseTensor):
        raise ValueError("SparseTensor is not supported.")
    return labels


def _column(labels):
    return tf.expand_dims(labels, 1) if labels.shape.ndims == 1 else labels


def _centered_bias(dimension):
    bias = tf.Variable(tf.zeros((dimension,)), name="centered_bias_weight")
    for place in range(dimension):
        tf.summary.scalar(f"centered_bias/bias_{place}", bias[place])
    return bias
