"""tf.saved_model: models with their variables, signatures and assets, as other programs load them."""

import importlib

from kiln.compat.v1.saved_model import (
    constants as constants,
    signature_constants as signature_constants,
    tag_constants as tag_constants,
)
from kiln.compat.v1.saved_model.constants import *
from kiln.compat.v1.saved_model.signature_constants import *
from kiln.compat.v1.saved_model.tag_constants import *

_MODULES = ("builder", "loader", "main_op", "signature_def_utils", "utils")
# Name: where it is.
_NAMES = {
    "Builder": ("builder", "SavedModelBuilder"),
    "build_signature_def": ("signature_def_utils", "build_signature_def"),
    "build_tensor_info": ("utils", "build_tensor_info"),
    "classification_signature_def": ("signature_def_utils", "classification_signature_def"),
    "contains_saved_model": ("loader", "contains_saved_model"),
    "get_tensor_from_tensor_info": ("utils", "get_tensor_from_tensor_info"),
    "is_valid_signature": ("signature_def_utils", "is_valid_signature"),
    "load": ("loader", "load"),
    "main_op_with_restore": ("main_op", "main_op_with_restore"),
    "maybe_saved_model_directory": ("loader", "maybe_saved_model_directory"),
    "predict_signature_def": ("signature_def_utils", "predict_signature_def"),
    "regression_signature_def": ("signature_def_utils", "regression_signature_def"),
    "simple_save": ("_simple_save", "simple_save"),
}


def __getattr__(name):
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, own = _NAMES[name]
    globals()[name] = value = getattr(importlib.import_module(f"{__name__}.{module}"), own)
    return value


def __dir__():
    return sorted({*globals(), *_MODULES, *_NAMES})
