"""Metrics of right and wrong decisions at thresholds."""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras.losses._reductions import squeezed
from kiln.compat.v1.keras.metrics._base import Metric

_KINDS = {  # whether the prediction and the label are positive
    "true_positives": (True, True),
    "false_positives": (True, False),
    "true_negatives": (False, False),
    "false_negatives": (False, True),
}


def _counts(kinds, y_true, y_pred, thresholds, sample_weight=None, top_k=None, class_id=None):
    """How many decisions of each kind there are at each threshold: a list of vectors."""
    y_pred, y_true = tf.convert_to_tensor(y_pred), tf.convert_to_tensor(y_true)
    y_pred, y_true, sample_weight = squeezed(y_pred, y_true, sample_weight)
    if top_k is not None:
        # Only the k largest count; the others are below any threshold.
        least = tf.nn.top_k(y_pred, top_k, sorted=True).values[..., -1:]
        y_pred = tf.where(y_pred >= least, y_pred, tf.fill(tf.shape(y_pred), -np.inf))
    if class_id is not None:
        y_true, y_pred = y_true[..., class_id], y_pred[..., class_id]
    limits = tf.constant(thresholds, dtype=y_pred.dtype)
    predictions = tf.reshape(y_pred, [1, -1])
    predicted = tf.greater(predictions, tf.expand_dims(limits, 1))
    actual = tf.tile(tf.reshape(tf.cast(y_true, tf.bool), [1, -1]), [len(thresholds), 1])
    weights = None
    if sample_weight is not None:
        sample_weight = tf.cast(sample_weight, K.floatx())
        for _ in range(y_pred.shape.ndims - sample_weight.shape.ndims):
            sample_weight = tf.expand_dims(sample_weight, -1)
        weights = tf.reshape(sample_weight * tf.ones_like(y_pred), [1, -1])
    result = []
    for kind in kinds:
        positive, label = _KINDS[kind]
        found = tf.logical_and(
            predicted if positive else tf.logical_not(predicted),
            actual if label else tf.logical_not(actual),
        )
        found = tf.cast(found, K.floatx())
        result.append(tf.reduce_sum(found if weights is None else found * weights, 1))
    return result


def _as_list(thresholds, default):
    if thresholds is None:
        return [default]
    thresholds = list(thresholds) if isinstance(thresholds, (list, tuple)) else [thresholds]
    invalid = [each for each in thresholds if each is None or not 0 <= each <= 1]
    if invalid:
        raise ValueError(
            f"`thresholds` argument or any of its values must be in [0, 1]. Invalid: {invalid}"
        )
    return thresholds


class _Count(Metric):
    """How many decisions are of one kind."""

    def __init__(self, thresholds=None, name=None, dtype=None):
        super().__init__(name=name, dtype=dtype)
        self.init_thresholds, self.thresholds = thresholds, _as_list(thresholds, 0.5)
        self.accumulator = self.add_weight("accumulator", (len(self.thresholds),))

    def update_state(self, y_true, y_pred, sample_weight=None):
        """Adds a batch. sample_weight: of each example."""
        y_pred = tf.cast(y_pred, self.dtype)
        (found,) = _counts([self._kind], y_true, y_pred, self.thresholds, sample_weight)
        return self.accumulator.assign_add(found).op

    def result(self):
        if len(self.thresholds) == 1:
            return tf.identity(self.accumulator)[0]
        return tf.identity(self.accumulator)

    def get_config(self):
        return {"thresholds": self.init_thresholds, **super().get_config()}


class FalsePositives(_Count):
    """How many predictions are positive and wrong."""

    _kind = "false_positives"


class FalseNegatives(_Count):
    """How many predictions are negative and wrong."""

    _kind = "false_negatives"


class TrueNegatives(_Count):
    """How many predictions are negative and right."""

    _kind = "true_negatives"


class TruePositives(_Count):
    """How many predictions are positive and right."""

    _kind = "true_positives"


class _Share(Metric):
    """True positives divided by those and the others of some kind.

    thresholds: from which predictions are positive, 0.5 where it is None. top_k: only the k
    largest predictions count. class_id: only one class counts.
    """

    def __init__(self, thresholds=None, top_k=None, class_id=None, name=None, dtype=None):
        super().__init__(name=name, dtype=dtype)
        self.init_thresholds, self.top_k, self.class_id = thresholds, top_k, class_id
        self.thresholds = _as_list(thresholds, 0.5 if top_k is None else -np.inf)
        shape = (len(self.thresholds),)
        self.true_positives = self.add_weight("true_positives", shape)
        self._others = self.add_weight(self._kind, shape)
        setattr(self, self._kind, self._others)

    def update_state(self, y_true, y_pred, sample_weight=None):
        """Adds a batch. sample_weight: of each example."""
        y_pred = tf.cast(y_pred, self.dtype)
        kinds = ["true_positives", self._kind]
        right, others = _counts(
            kinds, y_true, y_pred, self.thresholds, sample_weight, self.top_k, self.class_id
        )
        return tf.group(
            self.true_positives.assign_add(right).op, self._others.assign_add(others).op
        )

    def result(self):
        right, others = tf.identity(self.true_positives), tf.identity(self._others)
        share = tf.div_no_nan(right, right + others)
        return share[0] if len(self.thresholds) == 1 else share

    def get_config(self):
        own = {"thresholds": self.init_thresholds, "top_k": self.top_k, "class_id": self.class_id}
        return {**own, **super().get_config()}


class Precision(_Share):
    """How many of the positive predictions are right."""

    _kind = "false_positives"


class Recall(_Share):
    """How many of the positive examples are found."""

    _kind = "false_negatives"


class _Curve(Metric):
    """The four counts at many thresholds."""

    def __init__(self, thresholds, name, dtype):
        super().__init__(name=name, dtype=dtype)
        self.thresholds = thresholds
        for kind in _KINDS:
            setattr(self, kind, self.add_weight(kind, (len(thresholds),)))

    def update_state(self, y_true, y_pred, sample_weight=None):
        """Adds a batch. sample_weight: of each example."""
        y_pred = tf.cast(y_pred, self.dtype)
        found = _counts(list(_KINDS), y_true, y_pred, self.thresholds, sample_weight)
        return tf.group(
            *[getattr(self, kind).assign_add(each).op for kind, each in zip(_KINDS, found)]
        )

    def _values(self):
        return [tf.identity(getattr(self, kind)) for kind in _KINDS]


def _between(count):
    """Thresholds between 0 and 1, and one beyond each."""
    inner = [(i + 1) / (count - 1) for i in range(count - 2)]
    return [0.0 - K.epsilon(), *inner, 1.0 + K.epsilon()]


class AUC(_Curve):
    """The area under a curve, "ROC" or "PR", by num_thresholds points.

    summation_method: "interpolation", "majoring", "minoring". Errors: ValueError. Source:
    tf.keras.metrics.AUC.
    """

    def __init__(
        self,
        num_thresholds=200,
        curve="ROC",
        summation_method="interpolation",
        name=None,
        dtype=None,
        thresholds=None,
    ):
        if curve not in ("ROC", "PR"):
            raise ValueError(f'Invalid curve: "{curve}". Valid options are: "ROC", "PR"')
        if summation_method not in ("interpolation", "majoring", "minoring"):
            raise ValueError(f'Invalid summation_method: "{summation_method}"')
        if thresholds is not None:
            inner = sorted(_as_list(list(thresholds), 0.5))
            points = [0.0 - K.epsilon(), *inner, 1.0 + K.epsilon()]
        elif num_thresholds <= 1:
            raise ValueError("`num_thresholds` must be > 1.")
        else:
            points = _between(num_thresholds)
        super().__init__(points, name, dtype)
        self.num_thresholds, self.curve = len(points), curve
        self.summation_method = summation_method

    def result(self):
        right, wrong, true_negatives, missed = self._values()
        if self.curve == "PR" and self.summation_method == "interpolation":
            return self._interpolated(right, wrong, missed)
        recall = tf.div_no_nan(right, right + missed)
        if self.curve == "ROC":
            x, y = tf.div_no_nan(wrong, wrong + true_negatives), recall
        else:
            x, y = recall, tf.div_no_nan(right, right + wrong)
        first, second = y[:-1], y[1:]
        heights = {
            "interpolation": (first + second) / 2.0,
            "minoring": tf.minimum(first, second),
            "majoring": tf.maximum(first, second),
        }[self.summation_method]
        return tf.reduce_sum(tf.multiply(x[:-1] - x[1:], heights), name=self.name)

    def _interpolated(self, right, wrong, missed):
        """Davis and Goadrich's area: precision is not linear between two points."""
        positive = right + wrong
        steps = right[:-1] - right[1:]
        slope = tf.div_no_nan(steps, tf.maximum(positive[:-1] - positive[1:], 0))
        intercept = right[1:] - tf.multiply(slope, positive[1:])
        both = tf.logical_and(positive[:-1] > 0, positive[1:] > 0)
        ratio = tf.where(
            both,
            tf.div_no_nan(positive[:-1], tf.maximum(positive[1:], 0)),
            tf.ones_like(positive[1:]),
        )
        area = slope * (steps + intercept * tf.log(ratio))
        all_positive = tf.maximum(right[1:] + missed[1:], 0)
        return tf.reduce_sum(tf.div_no_nan(area, all_positive), name=self.name)

    def get_config(self):
        own = {
            "num_thresholds": self.num_thresholds,
            "curve": self.curve,
            "summation_method": self.summation_method,
        }
        return {**own, **super().get_config()}


class _AtValue(_Curve):
    """One rate at the threshold where another is nearest to a value."""

    def __init__(self, value, num_thresholds, name, dtype):
        if num_thresholds <= 0:
            raise ValueError("`num_thresholds` must be > 0.")
        points = [0.5] if num_thresholds == 1 else [0.0, *_between(num_thresholds)[1:-1], 1.0]
        super().__init__(points, name, dtype)
        self.value, self.num_thresholds = value, num_thresholds

    def _rates(self):
        right, wrong, true_negatives, missed = self._values()
        sensitivity = tf.div_no_nan(right, right + missed)
        specificity = tf.div_no_nan(true_negatives, true_negatives + wrong)
        return sensitivity, specificity

    def _at_nearest(self, searched, wanted):
        nearest = tf.cast(tf.argmin(tf.abs(searched - self.value), axis=0), tf.int32)
        return wanted[nearest]


class SensitivityAtSpecificity(_AtValue):
    """The share of positives that are found, where that of negatives is given."""

    def __init__(self, specificity, num_thresholds=200, name=None, dtype=None):
        if not 0 <= specificity <= 1:
            raise ValueError("`specificity` must be in the range [0, 1].")
        super().__init__(specificity, num_thresholds, name, dtype)

    def result(self):
        sensitivity, specificity = self._rates()
        return self._at_nearest(specificity, sensitivity)


class SpecificityAtSensitivity(_AtValue):
    """The share of negatives that are found, where that of positives is given."""

    def __init__(self, sensitivity, num_thresholds=200, name=None, dtype=None):
        if not 0 <= sensitivity <= 1:
            raise ValueError("`sensitivity` must be in the range [0, 1].")
        super().__init__(sensitivity, num_thresholds, name, dtype)

    def result(self):
        sensitivity, specificity = self._rates()
        return self._at_nearest(sensitivity, specificity)


class MeanIoU(Metric):
    """The mean over classes of what labels and predictions have in common, of all that one has."""

    def __init__(self, num_classes, name=None, dtype=None):
        super().__init__(name=name, dtype=dtype)
        self.num_classes = num_classes
        self.total_cm = self.add_weight("total_confusion_matrix", (num_classes, num_classes))

    def update_state(self, y_true, y_pred, sample_weight=None):
        """Adds a batch of numbers of classes. sample_weight: of each."""
        y_true, y_pred = (tf.reshape(tf.cast(each, tf.int64), [-1]) for each in (y_true, y_pred))
        if sample_weight is not None:
            sample_weight = tf.reshape(tf.cast(sample_weight, self.dtype), [-1])
        found = tf.confusion_matrix(
            y_true, y_pred, self.num_classes, weights=sample_weight, dtype=self.dtype
        )
        return self.total_cm.assign_add(found).op

    def result(self):
        matrix = tf.identity(self.total_cm)
        common = tf.diag_part(matrix)
        either = tf.reduce_sum(matrix, axis=0) + tf.reduce_sum(matrix, axis=1) - common
        there = tf.reduce_sum(tf.cast(tf.not_equal(either, 0), self.dtype))
        shares = tf.div_no_nan(common, either)
        return tf.div_no_nan(tf.reduce_sum(shares, name="mean_iou"), there)

    def get_config(self):
        return {"num_classes": self.num_classes, **super().get_config()}
