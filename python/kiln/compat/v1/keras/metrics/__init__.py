"""tf.keras.metrics: what training reports."""

from kiln.compat.v1.keras import _objects
from kiln.compat.v1.keras.metrics._base import (
    Mean as Mean,
    MeanRelativeError as MeanRelativeError,
    MeanTensor as MeanTensor,
    Metric as Metric,
    RootMeanSquaredError as RootMeanSquaredError,
    Sum as Sum,
)
from kiln.compat.v1.keras.metrics._confusion import (
    AUC as AUC,
    FalseNegatives as FalseNegatives,
    FalsePositives as FalsePositives,
    MeanIoU as MeanIoU,
    Precision as Precision,
    Recall as Recall,
    SensitivityAtSpecificity as SensitivityAtSpecificity,
    SpecificityAtSensitivity as SpecificityAtSensitivity,
    TrueNegatives as TrueNegatives,
    TruePositives as TruePositives,
)
from kiln.compat.v1.keras.metrics._functions import *
from kiln.compat.v1.keras.metrics._means import *

serialize = _objects.serialize_keras_object


def deserialize(config, custom_objects=None):
    """The metric of a name or a configuration."""
    return _objects.deserialize_keras_object(config, globals(), custom_objects, "metric function")


def get(identifier):
    """A metric by its name or configuration, or as it is. Errors: ValueError."""
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        return deserialize(str(identifier))
    if callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret metric function identifier: {identifier}")


for _name in ("tf", "K"):
    globals().pop(_name, None)
