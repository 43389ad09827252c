"""DNNClassifier, LinearRegressor and their kin: estimators of feature columns.

feature_columns: of tf.contrib.layers or tf.feature_column. weight_column_name: the feature with
weights of the examples. optimizer: an optimizer, its name, or a function that makes it.
gradient_clip_norm: longer gradients are scaled. The other arguments are those of Estimator.
"""

from kiln.compat.v1.contrib.learn.estimators import _heads, _models
from kiln.compat.v1.contrib.learn.estimators.estimator import Estimator
from kiln.compat.v1.contrib.learn.estimators.prediction_key import PredictionKey



def _only(found, key):
    """The predictions with a key, of a generator or of a batch."""
    if isinstance(found, dict):
        return found[key]
    return (each[key] for each in found)


class _Predictions(Estimator):
    """Predictions of one kind."""

    def _predict_one(self, key, x, input_fn, batch_size, as_iterable):
        found = Estimator.predict(
            self, x=x, input_fn=input_fn, batch_size=batch_size, outputs=[key],
            as_iterable=as_iterable,
        )  # fmt: skip
        return _only(found, key)


class _Classifier(_Predictions):
    def predict(self, x=None, input_fn=None, batch_size=None, outputs=None, as_iterable=True):
        """The classes, or the outputs that are named."""
        if not outputs:
            return self.predict_classes(x, input_fn, batch_size, as_iterable)
        return super().predict(
            x=x, input_fn=input_fn, batch_size=batch_size, outputs=outputs, as_iterable=as_iterable
        )

    def predict_classes(self, x=None, input_fn=None, batch_size=None, as_iterable=True):
        """The class of each example."""
        return self._predict_one(PredictionKey.CLASSES, x, input_fn, batch_size, as_iterable)

    def predict_proba(self, x=None, input_fn=None, batch_size=None, as_iterable=True):
        """The probabilities of the classes."""
        return self._predict_one(
            PredictionKey.PROBABILITIES, x, input_fn, batch_size, as_iterable
        )


class _Regressor(_Predictions):
    def predict(self, x=None, input_fn=None, batch_size=None, outputs=None, as_iterable=True):
        """The numbers, or the outputs that are named."""
        if not outputs:
            return self.predict_scores(x, input_fn, batch_size, as_iterable)
        return super().predict(
            x=x, input_fn=input_fn, batch_size=batch_size, outputs=outputs, as_iterable=as_iterable
        )

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
        activation_fn=None,
        dropout=None,
        gradient_clip_norm=None,
        enable_centered_bias=False,
        config=None,
        feature_engineering_fn=None,
        embedding_lr_multipliers=None,
        input_layer_min_slice_size=None,
        label_keys=None,
    ):
        _refuse(enable_centered_bias, embedding_lr_multipliers)
        super().__init__(
            model_fn=_models.dnn_model_fn,
            model_dir=model_dir,
            config=config,
            params={
                "head": _heads.class_head(n_classes, weight_column_name, label_keys),
                "hidden_units": hidden_units,
                "feature_columns": _checked(feature_columns),
                "optimizer": optimizer,
                "activation_fn": activation_fn,
                "dropout": dropout,
                "gradient_clip_norm": gradient_clip_norm,
            },
            feature_engineering_fn=feature_engineering_fn,
        )


class DNNRegressor(_Regressor):
    """A network that predicts numbers. Source: tf.contrib.learn.DNNRegressor."""

    def __init__(
        self,
        hidden_units,
        feature_columns,
        model_dir=None,
        weight_column_name=None,
        optimizer=None,
        activation_fn=None,
        dropout=None,
        gradient_clip_norm=None,
        enable_centered_bias=False,
        config=None,
        feature_engineering_fn=None,
        label_dimension=1,
        embedding_lr_multipliers=None,
        input_layer_min_slice_size=None,
    ):
        _refuse(enable_centered_bias, embedding_lr_multipliers)
        super().__init__(
            model_fn=_models.dnn_model_fn,
            model_dir=model_dir,
            config=config,
            params={
                "head": _heads.RegressionHead(label_dimension, weight_column_name),
                "hidden_units": hidden_units,
                "feature_columns": _checked(feature_columns),
                "optimizer": optimizer,
                "activation_fn": activation_fn,
                "dropout": dropout,
                "gradient_clip_norm": gradient_clip_norm,
            },
            feature_engineering_fn=feature_engineering_fn,
        )


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
        _refuse(enable_centered_bias)
        super().__init__(
            model_fn=_models.linear_model_fn,
            model_dir=model_dir,
            config=config,
            params={
                "head": _heads.class_head(n_classes, weight_column_name, label_keys),
                "linear_columns": _checked(feature_columns),
                "optimizer": optimizer,
                "gradient_clip_norm": gradient_clip_norm,
                "joint_weights": _joint_weight,
            },
            feature_engineering_fn=feature_engineering_fn,
        )


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
        _refuse(enable_centered_bias)
        super().__init__(
            model_fn=_models.linear_model_fn,
            model_dir=model_dir,
            config=config,
            params={
                "head": _heads.RegressionHead(label_dimension, weight_column_name),
                "linear_columns": _checked(feature_columns),
                "optimizer": optimizer,
                "gradient_clip_norm": gradient_clip_norm,
                "joint_weights": _joint_weights,
            },
            feature_engineering_fn=feature_engineering_fn,
        )


def _combined(head, given):
    return {
        "head": head,
        "linear_columns": tuple(given["linear_feature_columns"] or ()),
        "linear_optimizer": given["linear_optimizer"],
        "joint_weights": given["_joint_linear_weights"],
        "feature_columns": tuple(given["dnn_feature_columns"] or ()),
        "dnn_optimizer": given["dnn_optimizer"],
        "hidden_units": given["dnn_hidden_units"],
        "activation_fn": given["dnn_activation_fn"],
        "dropout": given["dnn_dropout"],
        "gradient_clip_norm": given["gradient_clip_norm"],
    }


class DNNLinearCombinedClassifier(_Classifier):
    """A network beside a linear model. Source: tf.contrib.learn.DNNLinearCombinedClassifier."""

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
        dnn_activation_fn=None,
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
        _refuse(enable_centered_bias, embedding_lr_multipliers)
        head = _heads.class_head(n_classes, weight_column_name, label_keys)
        params = _combined(head, locals())
        super().__init__(
            model_fn=_models.combined_model_fn,
            model_dir=model_dir,
            config=config,
            params=params,
            feature_engineering_fn=feature_engineering_fn,
        )


class DNNLinearCombinedRegressor(_Regressor):
    """A network beside a linear model. Source: tf.contrib.learn.DNNLinearCombinedRegressor."""

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
        dnn_activation_fn=None,
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
        _refuse(enable_centered_bias, embedding_lr_multipliers)
        head = _heads.RegressionHead(label_dimension, weight_column_name)
        params = _combined(head, locals())
        super().__init__(
            model_fn=_models.combined_model_fn,
            model_dir=model_dir,
            config=config,
            params=params,
            feature_engineering_fn=feature_engineering_fn,
        )


def _checked(feature_columns):
    if not feature_columns:
        raise ValueError("feature_columns must be a non-empty list or tuple.")
    return tuple(feature_columns)


def _refuse(enable_centered_bias, embedding_lr_multipliers=None):
    if enable_centered_bias:
        raise ValueError("Kiln has no centered bias: leave out enable_centered_bias")
    if embedding_lr_multipliers:
        raise ValueError("Kiln trains all embeddings alike: leave out embedding_lr_multipliers")
