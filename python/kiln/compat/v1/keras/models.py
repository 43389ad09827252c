"""tf.keras.models: models, their copies and files."""

import json as _json

from kiln.compat.v1.keras._engine._configs import clone_model as clone_model
from kiln.compat.v1.keras._engine._model import Model as Model
from kiln.compat.v1.keras._engine._sequential import Sequential as Sequential


def save_model(
    model, filepath, overwrite=True, include_optimizer=True, save_format=None, signatures=None
):
    """Writes a whole model. Source: tf.keras.models.save_model."""
    from kiln.compat.v1.keras._saving import models

    models.save_model(model, filepath, overwrite, include_optimizer, save_format, signatures)


def load_model(filepath, custom_objects=None, compile=True):
    """A model that save_model() wrote. Source: tf.keras.models.load_model."""
    from kiln.compat.v1.keras._saving import models

    return models.load_model(filepath, custom_objects, compile)


def model_from_config(config, custom_objects=None):
    """A model of a configuration. Errors: TypeError."""
    from kiln.compat.v1.keras.layers import deserialize

    if isinstance(config, list):
        raise TypeError(
            "`model_from_config` expects a dictionary, not a list. Maybe you meant to use "
            "`Sequential.from_config(config)`?"
        )
    return deserialize(config, custom_objects)


def model_from_json(json_string, custom_objects=None):
    """A model of what to_json() gave."""
    return model_from_config(_json.loads(json_string), custom_objects)


def model_from_yaml(yaml_string, custom_objects=None):
    """A model of what to_yaml() gave. Errors: ImportError without PyYAML."""
    try:
        import yaml
    except ImportError as error:
        raise ImportError("Requires yaml module installed (`pip install pyyaml`).") from error
    return model_from_config(yaml.load(yaml_string, Loader=yaml.SafeLoader), custom_objects)
