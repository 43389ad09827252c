"""tf.contrib.keras: the older name of tf.keras."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding

__getattr__, __dir__ = _forwarding(
    __name__,
    "activations=keras.activations applications=keras.applications backend=keras.backend "
    "callbacks=keras.callbacks constraints=keras.constraints datasets=keras.datasets "
    "initializers=keras.initializers layers=keras.layers losses=keras.losses "
    "metrics=keras.metrics models=keras.models optimizers=keras.optimizers "
    "preprocessing=keras.preprocessing regularizers=keras.regularizers utils=keras.utils "
    "wrappers=keras.wrappers keras Model=keras.Model Sequential=keras.Sequential",
)
