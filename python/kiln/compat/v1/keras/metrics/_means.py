"""Metrics that are means of functions."""

from kiln.compat.v1.keras.losses import _functions as losses
from kiln.compat.v1.keras.metrics import _functions
from kiln.compat.v1.keras.metrics._base import MeanMetricWrapper

__all__ = []


def _class(class_name, function, name, first="", **defaults):
    """A class of a function. first: the arguments before the name; defaults: those behind."""
    keys = [part.split("=")[0] for part in first.split(", ") if part] + list(defaults)
    before = f"{first}, " if first else ""
    behind = "".join(f", {key}={value!r}" for key, value in defaults.items())
    passed = "".join(f", {key}={key}" for key in keys)
    space = {"Base": MeanMetricWrapper, "function": function, "__name__": __name__}
    exec(
        f"class {class_name}(Base):\n"
        f"    def __init__(self, {before}name={name!r}, dtype=None{behind}):\n"
        f"        super().__init__(function, name, dtype=dtype{passed})\n",
        space,
    )
    made = space[class_name]
    made.__doc__ = f"The mean of {function.__name__}(). Source: tf.keras.metrics.{class_name}."
    globals()[class_name] = made
    __all__.append(class_name)


_class("Accuracy", _functions.accuracy, "accuracy")
_class("BinaryAccuracy", _functions.binary_accuracy, "binary_accuracy", threshold=0.5)
_class("CategoricalAccuracy", _functions.categorical_accuracy, "categorical_accuracy")
_class(
    "SparseCategoricalAccuracy",
    _functions.sparse_categorical_accuracy,
    "sparse_categorical_accuracy",
)
_class(
    "TopKCategoricalAccuracy",
    _functions.top_k_categorical_accuracy,
    "top_k_categorical_accuracy",
    "k=5",
)
_class(
    "SparseTopKCategoricalAccuracy",
    _functions.sparse_top_k_categorical_accuracy,
    "sparse_top_k_categorical_accuracy",
    "k=5",
)
_class("CosineSimilarity", _functions.cosine_proximity, "cosine_similarity", axis=-1)
for _name, _function in (
    ("MeanAbsoluteError", losses.mean_absolute_error),
    ("MeanAbsolutePercentageError", losses.mean_absolute_percentage_error),
    ("MeanSquaredError", losses.mean_squared_error),
    ("MeanSquaredLogarithmicError", losses.mean_squared_logarithmic_error),
    ("Hinge", losses.hinge),
    ("SquaredHinge", losses.squared_hinge),
    ("CategoricalHinge", losses.categorical_hinge),
    ("Poisson", losses.poisson),
    ("KLDivergence", losses.kullback_leibler_divergence),
):
    _class(_name, _function, _function.__name__)
_class("LogCoshError", losses.logcosh, "logcosh")
for _name, _function in (
    ("BinaryCrossentropy", losses.binary_crossentropy),
    ("CategoricalCrossentropy", losses.categorical_crossentropy),
):
    _class(_name, _function, _function.__name__, from_logits=False, label_smoothing=0)
_class(
    "SparseCategoricalCrossentropy",
    losses.sparse_categorical_crossentropy,
    "sparse_categorical_crossentropy",
    from_logits=False,
    axis=-1,
)
