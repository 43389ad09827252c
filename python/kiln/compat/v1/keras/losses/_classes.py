"""Losses as objects."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras.losses import _functions
from kiln.compat.v1.keras.losses._reductions import Reduction, reduced, squeezed, weighted

__all__ = [
    "BinaryCrossentropy", "CategoricalCrossentropy", "CategoricalHinge", "CosineSimilarity",
    "Hinge", "Huber", "KLDivergence", "LogCosh", "Loss", "MeanAbsoluteError",
    "MeanAbsolutePercentageError", "MeanSquaredError", "MeanSquaredLogarithmicError", "Poisson",
    "SparseCategoricalCrossentropy", "SquaredHinge",
]  # fmt: skip


class Loss:
    """A loss: a subclass has call(y_true, y_pred), which gives a loss of each example.

    reduction: "auto" and "sum_over_batch_size" for the mean, "sum", "none". Errors: ValueError.
    Source: tf.keras.losses.Loss.
    """

    def __init__(self, reduction=Reduction.AUTO, name=None):
        Reduction.validate(reduction)
        self.reduction, self.name = reduction, name

    def __call__(self, y_true, y_pred, sample_weight=None):
        """One number; sample_weight: of each example."""
        scope = "lambda" if self.name == "<lambda>" else self.name
        with tf.name_scope(scope or type(self).__name__):
            return reduced(weighted(self.call(y_true, y_pred), sample_weight), self.reduction)

    def call(self, y_true, y_pred):
        raise NotImplementedError("Must be implemented in subclasses.")

    def get_config(self):
        return {"reduction": self.reduction, "name": self.name}

    @classmethod
    def from_config(cls, config):
        return cls(**config)


class LossFunctionWrapper(Loss):
    """A loss by a function, with more arguments for it."""

    def __init__(self, fn, reduction=Reduction.AUTO, name=None, **kwargs):
        super().__init__(reduction=reduction, name=name)
        self.fn, self._fn_kwargs = fn, kwargs

    def call(self, y_true, y_pred):
        if all(isinstance(each, (tf.Tensor, tf.Variable)) for each in (y_true, y_pred)):
            y_pred, y_true, _ = squeezed(y_pred, y_true)
        return self.fn(y_true, y_pred, **self._fn_kwargs)

    def get_config(self):
        return {**super().get_config(), **self._fn_kwargs}


def _class(class_name, function, name, **defaults):
    """A class of a function; defaults: its more arguments."""
    arguments = "".join(f"{key}={value!r}, " for key, value in defaults.items())
    passed = "".join(f", {key}={key}" for key in defaults)
    space = {"Base": LossFunctionWrapper, "function": function, "__name__": __name__}
    exec(
        f"class {class_name}(Base):\n"
        f"    def __init__(self, {arguments}reduction='auto', name={name!r}):\n"
        f"        super().__init__(function, reduction=reduction, name=name{passed})\n",
        space,
    )
    made = space[class_name]
    made.__doc__ = f"The loss {function.__name__}(). Source: tf.keras.losses.{class_name}."
    return made


MeanSquaredError = _class("MeanSquaredError", _functions.mean_squared_error, "mean_squared_error")
MeanAbsoluteError = _class(
    "MeanAbsoluteError", _functions.mean_absolute_error, "mean_absolute_error"
)
MeanAbsolutePercentageError = _class(
    "MeanAbsolutePercentageError",
    _functions.mean_absolute_percentage_error,
    "mean_absolute_percentage_error",
)
MeanSquaredLogarithmicError = _class(
    "MeanSquaredLogarithmicError",
    _functions.mean_squared_logarithmic_error,
    "mean_squared_logarithmic_error",
)
BinaryCrossentropy = _class(
    "BinaryCrossentropy",
    _functions.binary_crossentropy,
    "binary_crossentropy",
    from_logits=False,
    label_smoothing=0,
)
CategoricalCrossentropy = _class(
    "CategoricalCrossentropy",
    _functions.categorical_crossentropy,
    "categorical_crossentropy",
    from_logits=False,
    label_smoothing=0,
)
SparseCategoricalCrossentropy = _class(
    "SparseCategoricalCrossentropy",
    _functions.sparse_categorical_crossentropy,
    "sparse_categorical_crossentropy",
    from_logits=False,
)
Hinge = _class("Hinge", _functions.hinge, "hinge")
SquaredHinge = _class("SquaredHinge", _functions.squared_hinge, "squared_hinge")
CategoricalHinge = _class("CategoricalHinge", _functions.categorical_hinge, "categorical_hinge")
Poisson = _class("Poisson", _functions.poisson, "poisson")
LogCosh = _class("LogCosh", _functions.logcosh, "logcosh")
KLDivergence = _class(
    "KLDivergence", _functions.kullback_leibler_divergence, "kullback_leibler_divergence"
)
Huber = _class("Huber", _functions.huber_loss, "huber_loss", delta=1.0)
CosineSimilarity = _class(
    "CosineSimilarity", _functions.cosine_similarity, "cosine_similarity", axis=-1
)
