"""Whole models in files: layers, weights, how they are trained."""

import os

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import losses, metrics as metrics_module, optimizers
from kiln.compat.v1.keras._engine._sequential import Sequential
from kiln.compat.v1.keras._saving import hdf5, weights


def save_model(
    model, filepath, overwrite=True, include_optimizer=True, save_format=None, signatures=None
):
    """Writes a model in HDF5.

    Errors: ImportError without h5py; NotImplementedError for models that have no configuration,
    and for SavedModels.
    """
    if save_format == "tf" and not hdf5.is_path(filepath):
        raise NotImplementedError(
            "Keras writes SavedModels of models where TensorFlow runs eagerly. In a graph there are "
            "tf.saved_model.simple_save(tf.keras.backend.get_session(), ...), which writes one, "
            "`save_weights`, and HDF5 (without save_format)."
        )
    if not model._is_graph_network and not isinstance(model, Sequential):
        raise NotImplementedError(
            "Saving the model to HDF5 format requires the model to be a Functional model or a "
            "Sequential model. It does not work for subclassed models, because such models are "
            "defined via the body of a Python method, which isn't safely serializable. Consider "
            'saving to the Tensorflow SavedModel format (by setting save_format="tf") or using '
            "`save_weights`."
        )
    hdf5.module("`save_model` requires h5py.")
    is_path = isinstance(filepath, (str, os.PathLike))
    if is_path and not overwrite and not weights.may_replace(os.fspath(filepath)):
        return
    hdf5.save_model(model, filepath, include_optimizer)


def load_model(filepath, custom_objects=None, compile=True):
    """Reads what save_model() wrote. Errors: ImportError, OSError, NotImplementedError."""
    if isinstance(filepath, (str, os.PathLike)):
        if os.path.isdir(filepath):
            raise NotImplementedError(
                "Keras reads models of SavedModels where TensorFlow runs eagerly; "
                "tf.saved_model.loader.load reads their graphs"
            )
        if not os.path.exists(filepath):
            raise OSError(f"SavedModel file does not exist at: {filepath}")
        with open(filepath, "rb") as file:
            if file.read(8) != b"\x89HDF\r\n\x1a\n":
                raise OSError(
                    "Unable to load model. Filepath is not an hdf5 file (or h5py is not available) "
                    "or SavedModel."
                )
    hdf5.module("`load_model` requires h5py.")
    return hdf5.load_model(filepath, custom_objects, compile)


def metadata(model, include_optimizer):
    """What a file says of a model: a dict of texts, and of what is written as JSON."""
    described = {
        "keras_version": "2.2.4-tf",
        "backend": "tensorflow",
        "model_config": {"class_name": type(model).__name__, "config": model.get_config()},
    }
    optimizer = getattr(model, "optimizer", None)
    if not include_optimizer or not optimizer:
        return described
    if isinstance(optimizer, optimizers.TFOptimizer):
        tf.logging.warning(
            "TensorFlow optimizers do not make it possible to access optimizer attributes or "
            "optimizer state after instantiation. As a result, we cannot save the optimizer as "
            "part of the model save file. You will have to compile your model again after loading "
            "it. Prefer using a Keras optimizer instead (see keras.io/optimizers)."
        )
        return described
    described["training_config"] = {
        "loss": _described(model.loss),
        "metrics": _described(model._compile_metrics),
        "weighted_metrics": _described(model._compile_weighted_metrics),
        "sample_weight_mode": model.sample_weight_mode,
        "loss_weights": model.loss_weights,
        "optimizer_config": {
            "class_name": type(optimizer).__name__,
            "config": optimizer.get_config(),
        },
    }
    return described


def _described(value):
    """Losses and metrics as texts and dicts."""
    if isinstance(value, dict):
        return {name: _described(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_described(each) for each in value]
    if value is None or isinstance(value, str):
        return value
    if hasattr(value, "get_config"):
        return {"class_name": type(value).__name__, "config": value.get_config()}
    return getattr(value, "__name__", None) or type(value).__name__


def compile_from(model, training, custom_objects=None):
    """Compiles a model as a file says."""
    described = training["optimizer_config"]
    optimizer = optimizers.deserialize(described, custom_objects=custom_objects)

    def made(value, deserialize):
        if isinstance(value, dict) and "class_name" in value:
            return deserialize(value, custom_objects=custom_objects)
        if isinstance(value, dict):
            return {name: made(each, deserialize) for name, each in value.items()}
        if isinstance(value, list):
            return [made(each, deserialize) for each in value]
        return (custom_objects or {}).get(value, value) if isinstance(value, str) else value

    model.compile(
        optimizer=optimizer,
        loss=made(training["loss"], losses.deserialize),
        metrics=made(training.get("metrics"), metrics_module.deserialize),
        weighted_metrics=made(training.get("weighted_metrics"), metrics_module.deserialize),
        loss_weights=training.get("loss_weights"),
        sample_weight_mode=training.get("sample_weight_mode"),
    )


def set_optimizer_weights(model, values):
    """Gives the optimizer of a compiled model its weights."""
    model._get_compiled().train_function()
    try:
        model.optimizer.set_weights(values)
    except ValueError:
        tf.logging.warning(
            "Error in loading the saved optimizer state. As a result, your model is starting with "
            "a freshly initialized optimizer."
        )
