"""tf.keras: layers and models that train themselves, in graphs of TensorFlow 1.

model = tf.keras.Sequential([
    tf.keras.layers.Dense(32, activation="relu", input_shape=(10,)),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(x, y, epochs=5)
"""

import importlib as _importlib

__version__ = "2.2.4-tf"

_MODULES = {
    "activations", "applications", "backend", "callbacks", "constraints", "datasets", "estimator",
    "experimental", "initializers", "layers", "losses", "metrics", "models", "optimizers",
    "preprocessing", "regularizers", "utils", "wrappers",
}  # fmt: skip
_HOMES = {
    "Input": "layers",
    "Model": "models",
    "Sequential": "models",
}

__all__ = sorted([*_MODULES, *_HOMES])


def __getattr__(name):
    if name in _MODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    if name in _HOMES:
        value = getattr(_importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    from kiln.compat._missing import missing_name

    raise missing_name(__name__, name)


def __dir__():
    return __all__
