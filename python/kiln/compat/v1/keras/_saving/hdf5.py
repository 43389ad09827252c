"""Weights and models in files of HDF5, as Keras has them; h5py reads and writes them.

The weights of a layer are the data sets of a group of its name; the attributes layer_names,
weight_names give their order. A whole model has its configuration as JSON in the attributes
model_config and training_config, its weights in the group model_weights, and those of the
optimizer in optimizer_weights.
"""

import contextlib
import json

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K

# What an attribute may have in one piece, in bytes.
_LIMIT = 64512


def is_path(path):
    """Whether a path ends as files of HDF5 do."""
    return str(path).endswith((".h5", ".keras", ".hdf5"))


def module(words):
    """The module h5py. Errors: ImportError with these words where there is none."""
    try:
        import h5py
    except ImportError as error:
        raise ImportError(words) from error
    return h5py


@contextlib.contextmanager
def opened(path, mode):
    """A file; one that is open already as it is."""
    h5py = module("`save_model` requires h5py.")
    if isinstance(path, h5py.File):
        yield path
    else:
        with h5py.File(path, mode) as file:
            yield file


def set_texts(group, name, texts):
    """Sets an attribute to texts, in pieces where they are long. Errors: RuntimeError."""
    texts = [text.encode("utf8") if isinstance(text, str) else text for text in texts]
    too_long = [text for text in texts if len(text) > _LIMIT]
    if too_long:
        raise RuntimeError(
            "The following attributes cannot be saved to HDF5 file because they are larger than "
            f"{_LIMIT} bytes: {too_long}"
        )
    array, count = np.asarray(texts), 1
    while any(piece.nbytes > _LIMIT for piece in np.array_split(array, count)):
        count += 1
    if count == 1:
        group.attrs[name] = texts
    else:
        for i, piece in enumerate(np.array_split(array, count)):
            group.attrs[f"{name}{i}"] = piece


def get_texts(group, name):
    """The texts that set_texts() wrote."""
    if name in group.attrs:
        return [_text(each) for each in group.attrs[name]]
    texts, i = [], 0
    while f"{name}{i}" in group.attrs:
        texts += [_text(each) for each in group.attrs[f"{name}{i}"]]
        i += 1
    return texts


def _text(value):
    return value.decode("utf8") if isinstance(value, bytes) else value


# Weights.


def save_weights(model, path):
    with opened(path, "w") as file:
        write_layers(file, model.layers)


def write_layers(group, layers):
    """Writes the weights of layers."""
    set_texts(group, "layer_names", [layer.name for layer in layers])
    group.attrs["backend"] = b"tensorflow"
    group.attrs["keras_version"] = b"2.2.4-tf"
    for layer in layers:
        _write_weights(group.create_group(layer.name), _weights_of(layer))


def _weights_of(layer):
    """The weights in the order of the files: those that are trained first."""
    return [*layer.trainable_weights, *layer.non_trainable_weights]


def _write_weights(group, variables):
    names = [variable.name for variable in variables]
    set_texts(group, "weight_names", names)
    for name, value in zip(names, K.batch_get_value(variables)):
        data = group.create_dataset(name, np.shape(value), dtype=np.asarray(value).dtype)
        data[()] = value


def load_weights(model, path, by_name):
    with opened(path, "r") as file:
        if "layer_names" not in file.attrs and "model_weights" in file:
            file = file["model_weights"]
        (read_layers_by_name if by_name else read_layers)(file, model.layers)


def _values_of(group, name):
    return [np.asarray(group[name][each]) for each in get_texts(group[name], "weight_names")]


def read_layers(group, layers):
    """Gives layers the weights of a file, in their order. Errors: ValueError."""
    own = [layer for layer in layers if _weights_of(layer)]
    names = [
        name for name in get_texts(group, "layer_names") if get_texts(group[name], "weight_names")
    ]
    if len(names) != len(own):
        raise ValueError(
            f"You are trying to load a weight file containing {len(names)} layers into a model "
            f"with {len(own)} layers."
        )
    pairs = []
    for i, (name, layer) in enumerate(zip(names, own)):
        variables, values = _weights_of(layer), _values_of(group, name)
        if len(variables) != len(values):
            raise ValueError(
                f'Layer #{i} (named "{layer.name}" in the current model) was found to correspond '
                f"to layer {name} in the save file. However the new layer {layer.name} expects "
                f"{len(variables)} weights, but the saved weights have {len(values)} elements."
            )
        pairs += zip(variables, values)
    K.batch_set_value(pairs)


def read_layers_by_name(group, layers):
    """Gives layers the weights of the layers of the same names. Errors: ValueError."""
    pairs = []
    for i, name in enumerate(get_texts(group, "layer_names")):
        for layer in layers:
            if layer.name != name:
                continue
            variables, values = _weights_of(layer), _values_of(group, name)
            if len(variables) != len(values):
                raise ValueError(
                    f'Layer #{i} (named "{layer.name}") expects {len(variables)} weight(s), but '
                    f"the saved weights have {len(values)} element(s)."
                )
            for variable, value in zip(variables, values):
                if variable.shape.as_list() != list(value.shape):
                    raise ValueError(
                        f'Layer #{i} (named "{layer.name}"), weight {variable} has shape '
                        f"{variable.shape}, but the saved weight has shape {value.shape}."
                    )
            pairs += zip(variables, values)
    K.batch_set_value(pairs)


# Models.


def save_model(model, path, include_optimizer):
    """Writes a model that has a configuration."""
    from kiln.compat.v1.keras._engine._configs import json_value
    from kiln.compat.v1.keras._saving import models

    with opened(path, "w") as file:
        for name, value in models.metadata(model, include_optimizer).items():
            is_text = isinstance(value, str)
            text = value if is_text else json.dumps(value, default=json_value)
            file.attrs[name] = text.encode("utf8")
        write_layers(file.create_group("model_weights"), model.layers)
        weights = getattr(getattr(model, "optimizer", None), "weights", None)
        if include_optimizer and weights:
            _write_weights(file.create_group("optimizer_weights"), weights)
        file.flush()


def load_model(path, custom_objects, compile):
    """The model of a file. Errors: ValueError."""
    from kiln.compat.v1.keras import models as public
    from kiln.compat.v1.keras._saving import models

    with opened(path, "r") as file:
        config = file.attrs.get("model_config")
        if config is None:
            raise ValueError("No model found in config file.")
        model = public.model_from_config(json.loads(_text(config)), custom_objects)
        read_layers(file["model_weights"], model.layers)
        training = file.attrs.get("training_config")
        if not compile:
            return model
        if training is None:
            tf.logging.warning(
                "No training configuration found in save file: the model was *not* compiled. "
                "Compile it manually."
            )
            return model
        models.compile_from(model, json.loads(_text(training)), custom_objects)
        if "optimizer_weights" in file:
            group = file["optimizer_weights"]
            values = [group[name] for name in get_texts(group, "weight_names")]
            models.set_optimizer_weights(model, [np.asarray(each) for each in values])
        return model
