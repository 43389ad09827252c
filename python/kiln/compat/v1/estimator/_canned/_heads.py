"""What stands on the logits of a canned model: losses, predictions, metrics, exports."""

import collections

from kiln.compat import v1 as tf
from kiln.compat.v1.estimator._canned import _checks, _metrics
from kiln.compat.v1.estimator._modes import MetricKeys, ModeKeys, PredictionKeys
from kiln.compat.v1.estimator._spec import EstimatorSpec
from kiln.compat.v1.estimator.export._outputs import (
    SERVING,
    ClassificationOutput,
    PredictOutput,
    RegressionOutput,
)

LossSpec = collections.namedtuple(
    "LossSpec", ["training_loss", "unreduced_loss", "weights", "processed_labels"]
)


class Head:
    """A subclass has logits_dimension, create_loss() and what _spec() asks for."""

    def __init__(self, weight_column, loss_reduction, loss_fn, name):
        _checks.check_reduction(loss_reduction)
        if loss_fn:
            _checks.check_loss_fn(loss_fn)
        self._weight_column, self._loss_reduction = weight_column, loss_reduction
        self._loss_fn, self._name = loss_fn, name

    @property
    def name(self):
        return self._name

    def create_estimator_spec(
        self,
        features,
        mode,
        logits,
        labels=None,
        optimizer=None,
        train_op_fn=None,
        regularization_losses=None,
    ):
        """The EstimatorSpec of a model with these logits.

        optimizer: minimizes the loss; train_op_fn(loss): gives the operation itself. Errors:
        ValueError where both or none are given to train.
        """
        with tf.name_scope(self._name or "head") as scope:
            logits, predictions, more = self._predicted(logits)
            if mode == ModeKeys.PREDICT:
                exported = self._exported(predictions, more)
                return EstimatorSpec(mode, predictions, export_outputs=exported)
            loss = self.create_loss(features, mode, logits, labels)
            total, regularization = loss.training_loss, None
            if regularization_losses:
                regularization = tf.add_n(regularization_losses)
                total = tf.add_n([loss.training_loss, regularization])
        if mode == ModeKeys.EVAL:
            metrics = self._metrics(loss, labels, logits, more, regularization)
            return EstimatorSpec(mode, predictions, total, eval_metric_ops=metrics)
        with tf.name_scope(scope):
            train_op = _train_op(total, optimizer, train_op_fn)
            mean = None
            if self._loss_reduction == tf.losses.Reduction.SUM:
                counted = tf.reduce_sum(loss.weights * tf.ones_like(loss.unreduced_loss))
                mean = loss.training_loss / counted
        with tf.name_scope(""):
            for key, value in (
                (MetricKeys.LOSS, total),
                (MetricKeys.LOSS_MEAN, mean),
                (MetricKeys.LOSS_REGULARIZATION, regularization),
            ):
                if value is not None:
                    tf.summary.scalar(self._key(key), value)
        return EstimatorSpec(mode, predictions, total, train_op)

    def _key(self, key):
        return f"{key}/{self._name}" if self._name else key

    def _loss_spec(self, unweighted, features, logits, labels, per_logit=False):
        weights = _checks.weights_of(features, self._weight_column, logits, per_logit)
        loss = tf.losses.compute_weighted_loss(
            unweighted, weights=weights, reduction=self._loss_reduction
        )
        return LossSpec(loss, unweighted, weights, labels)

    def _regularization_metric(self, metrics, regularization):
        if regularization is not None:
            name = MetricKeys.LOSS_REGULARIZATION
            metrics[self._key(name)] = tf.metrics.mean(values=regularization, name=name)


def _train_op(loss, optimizer, train_op_fn):
    if optimizer is not None:
        if train_op_fn is not None:
            raise ValueError("train_op_fn and optimizer cannot both be set.")
        train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    elif train_op_fn is not None:
        train_op = train_op_fn(loss)
    else:
        raise ValueError("train_op_fn and optimizer cannot both be None.")
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    return tf.group(train_op, *updates) if updates else train_op


def _side_by_side(values, batch_of):
    """A row for each example."""
    batch_size = tf.shape(batch_of)[0]
    return tf.tile(tf.expand_dims(values(), axis=0), multiples=[batch_size, 1])


class _Classifier(Head):
    """What classifiers share: names of classes, their scores."""

    def _class_ids(self, logits):
        def ids():
            return tf.range(self._n_classes)

        return _side_by_side(ids, logits)

    def _classes(self, like):
        def names():
            vocabulary = self._label_vocabulary
            return vocabulary if vocabulary else tf.as_string(tf.range(self._n_classes))

        return _side_by_side(names, like)

    def _class_names(self, class_ids):
        if not self._label_vocabulary:
            return tf.as_string(class_ids, name="str_classes")
        from kiln.compat.v1.contrib import lookup

        table = lookup.index_to_string_table_from_tensor(
            self._label_vocabulary, name="class_string_lookup"
        )
        return table.lookup(class_ids)

    def _looked_up(self, labels):
        from kiln.compat.v1.contrib import lookup

        table = lookup.index_table_from_tensor(
            tuple(self._label_vocabulary), name="class_id_lookup"
        )
        return table.lookup(labels)

    def _exported(self, predictions, more):
        scores = predictions[PredictionKeys.PROBABILITIES]
        classification = ClassificationOutput(scores=scores, classes=self._classes(scores))
        outputs = {SERVING: classification, "classification": classification}
        if self._n_classes == 2:
            logistic = predictions[PredictionKeys.LOGISTIC]
            outputs["regression"] = RegressionOutput(value=logistic)
        outputs["predict"] = PredictOutput(predictions)
        return outputs


class MultiClassHead(_Classifier):
    """More than two classes, by the cross entropy of a softmax."""

    def __init__(
        self,
        n_classes,
        weight_column=None,
        label_vocabulary=None,
        loss_reduction="weighted_sum",
        loss_fn=None,
        name=None,
    ):
        if label_vocabulary is not None and not isinstance(label_vocabulary, (list, tuple)):
            raise ValueError(
                "label_vocabulary should be a list or a tuple. "
                f"Given type: {type(label_vocabulary)}"
            )
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        if n_classes is None or n_classes <= 2:
            raise ValueError(f"n_classes must be > 2: {n_classes}.")
        self._n_classes, self._label_vocabulary = n_classes, label_vocabulary

    @property
    def logits_dimension(self):
        return self._n_classes

    def _predicted(self, logits):
        logits = _checks.checked_logits(logits, self.logits_dimension)
        keys = PredictionKeys
        with tf.name_scope(None, "predictions", (logits,)):
            all_ids, all_classes = self._class_ids(logits), self._classes(logits)
            class_ids = tf.argmax(logits, axis=-1, name=keys.CLASS_IDS)
            class_ids = tf.expand_dims(class_ids, axis=-1)
            classes = self._class_names(class_ids)
            predictions = {
                keys.LOGITS: logits,
                keys.PROBABILITIES: tf.nn.softmax(logits, name=keys.PROBABILITIES),
                keys.CLASS_IDS: class_ids,
                keys.CLASSES: classes,
                keys.ALL_CLASS_IDS: all_ids,
                keys.ALL_CLASSES: all_classes,
            }
        return logits, predictions, class_ids

    def create_loss(self, features, mode, logits, labels):
        """A LossSpec. Errors: ValueError."""
        logits = tf.convert_to_tensor(logits)
        labels = _checks.checked_labels(labels, logits, 1)
        ids = self._label_ids(labels)
        if self._loss_fn:
            loss = _checks.own_loss(self._loss_fn, ids, logits, features)
        else:
            loss = tf.losses.sparse_softmax_cross_entropy(
                labels=ids, logits=logits, reduction=tf.losses.Reduction.NONE
            )
            loss = tf.expand_dims(loss, axis=-1)
        return self._loss_spec(loss, features, logits, ids)

    def _label_ids(self, labels):
        if self._label_vocabulary is None:
            if not labels.dtype.is_integer:
                raise ValueError(f"Labels dtype should be integer. Instead got {labels.dtype}.")
        else:
            if labels.dtype != tf.string:
                raise ValueError(
                    "Labels dtype should be string if there is a vocabulary. "
                    f"Instead got {labels.dtype}"
                )
            labels = self._looked_up(labels)
        return _checks.labels_in_range(labels, self._n_classes)

    def _metrics(self, loss, labels, logits, class_ids, regularization):
        keys, ids, weights = MetricKeys, loss.processed_labels, loss.weights
        values = (ids, class_ids, weights, loss.unreduced_loss, regularization)
        with tf.name_scope(None, "metrics", values):
            metrics = {
                self._key(keys.LOSS_MEAN): tf.metrics.mean(
                    values=loss.unreduced_loss, weights=weights, name=keys.LOSS_MEAN
                ),
                self._key(keys.ACCURACY): tf.metrics.accuracy(
                    labels=ids, predictions=class_ids, weights=weights, name=keys.ACCURACY
                ),
            }
            self._regularization_metric(metrics, regularization)
        return metrics


class BinaryHead(_Classifier):
    """Two classes, by the cross entropy of a sigmoid."""

    _n_classes = 2
    logits_dimension = 1

    def __init__(
        self,
        weight_column=None,
        thresholds=None,
        label_vocabulary=None,
        loss_reduction="weighted_sum",
        loss_fn=None,
        name=None,
    ):
        self._thresholds = tuple(thresholds or ())
        if label_vocabulary is not None and not isinstance(label_vocabulary, (list, tuple)):
            raise TypeError(
                f"label_vocabulary should be a list or tuple. Given type: {type(label_vocabulary)}"
            )
        if not all(0.0 < threshold < 1.0 for threshold in self._thresholds):
            raise ValueError(f"thresholds not in (0, 1): {(self._thresholds,)}.")
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._label_vocabulary = label_vocabulary

    def _predicted(self, logits):
        keys = PredictionKeys
        with tf.name_scope(None, "predictions", (logits,)):
            logits = _checks.checked_logits(logits, self.logits_dimension)
            logistic = tf.sigmoid(logits, name=keys.LOGISTIC)
            both = tf.concat((tf.zeros_like(logits), logits), axis=-1, name="two_class_logits")
            probabilities = tf.nn.softmax(both, name=keys.PROBABILITIES)
            class_ids = tf.argmax(both, axis=-1, name=keys.CLASS_IDS)
            class_ids = tf.expand_dims(class_ids, axis=-1)
            all_ids, all_classes = self._class_ids(logits), self._classes(logits)
            predictions = {
                keys.LOGITS: logits,
                keys.LOGISTIC: logistic,
                keys.PROBABILITIES: probabilities,
                keys.CLASS_IDS: class_ids,
                keys.CLASSES: self._class_names(class_ids),
                keys.ALL_CLASS_IDS: all_ids,
                keys.ALL_CLASSES: all_classes,
            }
        return logits, predictions, (logistic, class_ids)

    def create_loss(self, features, mode, logits, labels):
        """A LossSpec. Errors: ValueError."""
        logits = tf.convert_to_tensor(logits)
        labels = _checks.checked_labels(labels, logits, 1)
        if self._label_vocabulary is not None:
            labels = self._looked_up(labels)
        labels = _checks.labels_in_range(tf.cast(labels, tf.float32), n_classes=2)
        if self._loss_fn:
            loss = _checks.own_loss(self._loss_fn, labels, logits, features)
        else:
            loss = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        return self._loss_spec(loss, features, logits, labels)

    def _metrics(self, loss, labels, logits, more, regularization):
        logistic, class_ids = more
        values = (
            loss.processed_labels,
            logits,
            logistic,
            class_ids,
            loss.weights,
            loss.unreduced_loss,
            regularization,
        )
        with tf.name_scope(None, "metrics", values):
            metrics = _metrics.binary(loss, logistic, class_ids)
            metrics = {self._key(name): value for name, value in metrics.items()}
            self._regularization_metric(metrics, regularization)
            for threshold in self._thresholds:
                found = _metrics.at_threshold(loss, logistic, threshold)
                metrics.update((self._key(name), value) for name, value in found.items())
            return metrics


class RegressionHead(Head):
    """Numbers, by the mean of squared errors.

    inverse_link_fn: what makes predictions of logits.
    """

    def __init__(
        self,
        label_dimension=1,
        weight_column=None,
        loss_reduction="weighted_sum",
        loss_fn=None,
        inverse_link_fn=None,
        name=None,
    ):
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        if label_dimension < 1:
            raise ValueError(f"Invalid label_dimension {label_dimension}.")
        self.logits_dimension, self._inverse_link_fn = label_dimension, inverse_link_fn

    def _predicted(self, logits):
        logits = _checks.checked_logits(logits, self.logits_dimension)
        if not self._inverse_link_fn:
            return logits, {PredictionKeys.PREDICTIONS: logits}, logits
        value = self._inverse_link_fn(logits)
        predictions = {PredictionKeys.PREDICTIONS: value, PredictionKeys.LOGITS: logits}
        return logits, predictions, value

    def _exported(self, predictions, value):
        regression = RegressionOutput(value=value)
        predict = PredictOutput(predictions)
        return {SERVING: regression, "regression": regression, "predict": predict}

    def create_loss(self, features, mode, logits, labels):
        """A LossSpec. Errors: ValueError."""
        logits = tf.convert_to_tensor(logits)
        labels = _checks.checked_labels(labels, logits, self.logits_dimension)
        labels = tf.cast(labels, tf.float32)
        if self._loss_fn:
            loss = _checks.own_loss(self._loss_fn, labels, logits, features, self.logits_dimension)
        else:
            loss = tf.losses.mean_squared_error(
                labels=labels, predictions=logits, reduction=tf.losses.Reduction.NONE
            )
        return self._loss_spec(loss, features, logits, labels, per_logit=True)

    def _metrics(self, loss, labels, logits, value, regularization):
        keys, weights = MetricKeys, loss.weights
        metrics = {
            self._key(keys.LOSS_MEAN): tf.metrics.mean(values=loss.unreduced_loss, weights=weights),
            self._key(keys.PREDICTION_MEAN): _metrics.mean_of(
                value, weights, "predictions_mean", "predictions", keys.PREDICTION_MEAN
            ),
            self._key(keys.LABEL_MEAN): tf.metrics.mean(values=labels, weights=weights),
        }
        self._regularization_metric(metrics, regularization)
        return metrics


def classification_head(n_classes, weight_column, label_vocabulary, loss_reduction):
    """The head of a classifier, by the number of classes."""
    if n_classes == 2:
        return BinaryHead(
            weight_column, label_vocabulary=label_vocabulary, loss_reduction=loss_reduction
        )
    return MultiClassHead(n_classes, weight_column, label_vocabulary, loss_reduction)
