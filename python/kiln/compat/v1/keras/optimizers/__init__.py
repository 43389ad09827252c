"""tf.keras.optimizers: how training changes weights."""

from kiln.compat import v1 as _tf
from kiln.compat.v1.keras import _objects
from kiln.compat.v1.keras.optimizers import schedules as schedules
from kiln.compat.v1.keras.optimizers._adam import Adam as Adam, Adamax as Adamax, Nadam as Nadam
from kiln.compat.v1.keras.optimizers._classes import (
    SGD as SGD,
    Adadelta as Adadelta,
    Adagrad as Adagrad,
    Ftrl as Ftrl,
    RMSprop as RMSprop,
)
from kiln.compat.v1.keras.optimizers._optimizer import Optimizer as Optimizer

serialize = _objects.serialize_keras_object
_NAMED = {
    "adadelta": Adadelta, "adagrad": Adagrad, "adam": Adam, "adamax": Adamax, "nadam": Nadam,
    "rmsprop": RMSprop, "sgd": SGD, "ftrl": Ftrl,
}  # fmt: skip


def deserialize(config, custom_objects=None):
    """The optimizer of a name or a configuration."""
    if isinstance(config, dict) and config["class_name"].lower() in _NAMED:
        config = {**config, "class_name": config["class_name"].lower()}
    return _objects.deserialize_keras_object(config, _NAMED, custom_objects, "optimizer")


class TFOptimizer:
    """An optimizer of tf.train in a model of Keras."""

    def __init__(self, optimizer):
        self.optimizer, self._iterations, self.weights = optimizer, None, []

    @property
    def iterations(self):
        """The graph's global step, or a variable of its own."""
        if self._iterations is None:
            from kiln.compat.v1.keras import backend as K

            self._iterations = K.variable(0, dtype="int64", name="iterations")
        return self._iterations

    def get_grads(self, loss, params):
        return self.optimizer.compute_gradients(loss, params)

    def get_updates(self, loss, params):
        """The operations of a step: a list."""
        if not params:
            return [_tf.assign_add(self.iterations, 1).op]
        step = _tf.train.get_global_step()
        step = self.iterations if step is None else step
        from kiln.compat.v1.keras import backend as K

        before = set(map(id, self.optimizer.variables()))
        update = self.optimizer.apply_gradients(self.get_grads(loss, params), step)
        for variable in self.optimizer.variables():
            if id(variable) not in before:
                K.track(variable)
        return [update]

    def get_config(self):
        raise NotImplementedError

    def from_config(self, config):
        raise NotImplementedError


def get(identifier):
    """An optimizer by its name or configuration, or as it is; one of tf.train in a TFOptimizer.

    Errors: ValueError.
    """
    if isinstance(identifier, (Optimizer, TFOptimizer)):
        return identifier
    if isinstance(identifier, _tf.train.Optimizer):
        return TFOptimizer(identifier)
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        return deserialize({"class_name": identifier, "config": {}})
    raise ValueError("Could not interpret optimizer identifier:", identifier)
