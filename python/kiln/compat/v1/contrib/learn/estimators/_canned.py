"""DNNClassifier, LinearRegressor and their kin: estimators of feature columns.

feature_columns: of tf.contrib.layers or tf.feature_column. weight_column_name: the feature with
weights of the examples. optimizer: an optimizer, its name, or a function that makes it.
gradient_clip_norm: longer gradients are scaled. enable_centered_bias: a bias is trained on the
labels alone. embedding_lr_multipliers: a dict from embedding columns to factors of their gradients.
input_layer_min_slice_size: of variables on several servers, which Kiln does not have. The other
arguments are those of Estimator. Each model function gets the arguments by their names.
"""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.learn.estimators import _heads, _models
from kiln.compat.v1.contrib.learn.estimators.estimator import Estimator
from kiln.compat.v1.contrib.learn.estimators.prediction_key import PredictionKey
from kiln.compat.v1.contrib.learn.metric_spec import MetricSpec

# What an estimator takes itself, and what its head does.
_OF_ESTIMATORS = ("model_dir", "config", "feature_engineering_fn")
_OF_HEADS = (
    "n_classes", "weight_column_name", "enable_centered_bias", "label_keys", "label_dimension",
)  # fmt: skip
_COLUMNS = ("feature_columns", "linear_feature_columns", "dnn_feature_columns")


class _Canned(Estimator):
    """An estimator of a model function. given: the arguments by their names."""

    _default_output = None

    def __init__(self, model_fn, given):
        given = {key: value for key, value in given.items() if key not in ("self", "__class__")}
        params = {"head": self._head(**{key: given[key] for key in _OF_HEADS if key in given})}
        for key, value in given.items():
            if key in _COLUMNS:
                value = tuple(value or ())
            if key not in _OF_ESTIMATORS and key not in _OF_HEADS:
                params["joint_weights" if key == "_joint_weight" else key.lstrip("_")] = value
        if params.get("feature_columns") == ():
            raise ValueError("feature_columns must be a non-empty list or tuple.")
        own = {key: given[key] for key in _OF_ESTIMATORS}
        super().__init__(model_fn=model_fn, params=params, **own)

    def predict(self, x=None, input_fn=None, batch_size=None, outputs=None, as_iterable=True):
        """The classes or numbers, or a dict of the outputs that are named, of each example."""
        if not outputs:
            return self._predict_one(self._default_output, x, input_fn, batch_size, as_iterable)
        return super().predict(
            x=x, input_fn=input_fn, batch_size=batch_size, outputs=outputs, as_iterable=as_iterable
        )

    def _predict_one(self, key, x, input_fn, batch_size, as_iterable):
        found = Estimator.predict(
            self, x=x, input_fn=input_fn, batch_size=batch_size, outputs=[key],
            as_iterable=as_iterable,
        )  # fmt: skip
        return (each[key] for each in found) if as_iterable else found[key]


class _Classifier(_Canned):
    _default_output = PredictionKey.CLASSES
    _head = staticmethod(_heads.class_head)

    def predict_classes(self, x=None, input_fn=None, batch_size=None, as_iterable=True):
        """The class of each example."""
        return self._predict_one(PredictionKey.CLASSES, x, input_fn, batch_size, as_iterable)

    def predict_proba(self, x=None, input_fn=None, batch_size=None, as_iterable=True):
        """The probabilities of the classes."""
        return self._predict_one(
            PredictionKey.PROBABILITIES, x, input_fn, batch_size, as_iterable
        )


class _Regressor(_Canned):
    _default_output = PredictionKey.SCORES
    _head = staticmethod(_heads.RegressionHead)

    def _get_eval_ops(self, features, labels, metrics):
        # A metric that is a function is one of the scores.
        chosen = {
            key if isinstance(metric, MetricSpec) or isinstance(key, tuple)
            else (key, PredictionKey.SCORES): metric
            for key, metric in (metrics or {}).items()
        }  # fmt: skip
        return super()._get_eval_ops(features, labels, chosen)

    def predict_scores(self, x=None, input_fn=None, batch_size=None, as_iterable=True):
        """The number of each example."""
        return self._predict_one(PredictionKey.SCORES, x, input_fn, batch_size, as_iterable)


class DNNClassifier(_Classifier):
    """A network that classifies. Source: tf.contrib.learn.DNNClassifier."""

    def __init__(
        self,
        hidden_units,
        feature_columns,
        model_dir=None,
        n_classes=2,
        weight_column_name=None,
        optimizer=None,
        activation_fn=tf.nn.relu,
        dropout=None,
        gradient_clip_norm=None,
        enable_centered_bias=False,
        config=None,
        feature_engineering_fn=None,
        embedding_lr_multipliers=None,
        input_layer_min_slice_size=None,
        label_keys=None,
    ):
        super().__init__(_models.dnn_model_fn, locals())


class DNNRegressor(_Regressor):
    """A network that predicts numbers. Source: tf.contrib.learn.DNNRegressor."""

    def __init__(
        self,
        hidden_units,
        feature_columns,
        model_dir=None,
        weight_column_name=None,
        optimizer=None,
        activation_fn=tf.nn.relu,
        dropout=None,
        gradient_clip_norm=None,
        enable_centered_bias=False,
        config=None,
        feature_engineering_fn=None,
        label_dimension=1,
        embedding_lr_multipliers=None,
        input_layer_min_slice_size=None,
    ):
        super().__init__(_models.dnn_model_fn, locals())


class LinearClassifier(_Classifier):
    """A linear model that classifies. Source: tf.contrib.learn.LinearClassifier."""

    def __init__(
        self,
        feature_columns,
        model_dir=None,
        n_classes=2,
        weight_column_name=None,
        optimizer=None,
        gradient_clip_norm=None,
        enable_centered_bias=False,
        _joint_weight=False,
        config=None,
        feature_engineering_fn=None,
        label_keys=None,
    ):
        super().__init__(_models.linear_model_fn, locals())


class LinearRegressor(_Regressor):
    """A linear model that predicts numbers. Source: tf.contrib.learn.LinearRegressor."""

    def __init__(
        self,
        feature_columns,
        model_dir=None,
        weight_column_name=None,
        optimizer=None,
        gradient_clip_norm=None,
        enable_centered_bias=False,
        label_dimension=1,
        _joint_weights=False,
        config=None,
        feature_engineering_fn=None,
    ):
        super().__init__(_models.linear_model_fn, locals())


class DNNLinearCombinedClassifier(_Classifier):
    """A network beside a linear model. Source: tf.contrib.learn.DNNLinearCombinedClassifier.

    fix_global_step_increment_bug: where it is False, each of the two counts a step of its own.
    """

    def __init__(
        self,
        model_dir=None,
        n_classes=2,
        weight_column_name=None,
        linear_feature_columns=None,
        linear_optimizer=None,
        _joint_linear_weights=False,
        dnn_feature_columns=None,
        dnn_optimizer=None,
        dnn_hidden_units=None,
        dnn_activation_fn=tf.nn.relu,
        dnn_dropout=None,
        gradient_clip_norm=None,
        enable_centered_bias=False,
        config=None,
        feature_engineering_fn=None,
        embedding_lr_multipliers=None,
        input_layer_min_slice_size=None,
        label_keys=None,
        fix_global_step_increment_bug=False,
    ):
        super().__init__(_models.combined_model_fn, locals())


class DNNLinearCombinedRegressor(_Regressor):
    """A network beside a linear model. Source: tf.contrib.learn.DNNLinearCombinedRegressor.

    fix_global_step_increment_bug: where it is False, each of the two counts a step of its own.
    """

    def __init__(
        self,
        model_dir=None,
        weight_column_name=None,
        linear_feature_columns=None,
        linear_optimizer=None,
        _joint_linear_weights=False,
        dnn_feature_columns=None,
        dnn_optimizer=None,
        dnn_hidden_units=None,
        dnn_activation_fn=tf.nn.relu,
        dnn_dropout=None,
        gradient_clip_norm=None,
        enable_centered_bias=False,
        label_dimension=1,
        config=None,
        feature_engineering_fn=None,
        embedding_lr_multipliers=None,
        input_layer_min_slice_size=None,
        fix_global_step_increment_bug=False,
    ):
        super().__init__(_models.combined_model_fn, locals())
