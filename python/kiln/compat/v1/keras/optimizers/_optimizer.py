"""What the optimizers of Keras share: options that are variables, slots, the step."""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K, initializers
from kiln.compat.v1.keras.optimizers.schedules import LearningRateSchedule

_NUMBERS = (int, float, np.number)


class Optimizer:
    """An optimizer. A subclass has _create_slots(), _dense() and _sparse().

    clipnorm, clipvalue: what gradients are cut to. decay: of the learning rate with the steps. lr:
    another name of the learning rate. Options that are numbers become variables. Source:
    tf.keras.optimizers.Optimizer.
    """

    def __init__(self, name, **kwargs):
        for option, value in kwargs.items():
            if option not in {"clipnorm", "clipvalue", "lr", "decay"}:
                raise TypeError(f"Unexpected keyword argument passed to optimizer: {option}")
            if value is not None and value < 0:
                raise ValueError(f"Expected {option} >= 0, received: {value}")
        self.__dict__.update(_hyper={}, _created={}, _name=name, _weights=[], _slots={})
        self._slot_names, self._iterations = [], None
        decay = kwargs.pop("decay", 0.0)
        if decay < 0.0:
            raise ValueError(f"decay cannot be less than 0: {decay}")
        self._initial_decay = decay
        for option in ("clipnorm", "clipvalue"):
            if option in kwargs:
                setattr(self, option, kwargs[option])

    # Options.

    def _set_hyper(self, name, value):
        """Sets an option; where it is a variable already, its value."""
        created = self._created.get(name)
        if created is not None and not isinstance(value, LearningRateSchedule):
            K.set_value(created, value)
        else:
            self._hyper[name] = value
            self._created.pop(name, None)

    def _get_hyper(self, name, dtype=None):
        """An option as a tensor or variable; schedules as they are."""
        value = self._created.get(name)
        if value is None:
            value = self._hyper[name]
            if isinstance(value, LearningRateSchedule):
                return value
            if callable(value) and not isinstance(value, (tf.Tensor, tf.Variable)):
                value = value()
            elif isinstance(value, _NUMBERS):
                value = self._created[name] = self.add_weight(
                    name, shape=[], initializer=initializers.constant(value), trainable=False
                )
        return tf.cast(value, dtype) if dtype else value

    def __getattr__(self, name):
        if name in ("_hyper", "_created"):
            raise AttributeError(name)
        name = "learning_rate" if name == "lr" else name
        if name in self._hyper:
            return self._get_hyper(name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name, value):
        name = "learning_rate" if name == "lr" else name
        if name in self.__dict__.get("_hyper", ()):
            self._set_hyper(name, value)
        else:
            object.__setattr__(self, name, value)

    def _decayed_lr(self, dtype):
        rate = self._get_hyper("learning_rate", dtype)
        if isinstance(rate, LearningRateSchedule):
            rate = tf.cast(rate(tf.cast(self.iterations, dtype)), dtype)
        if self._initial_decay > 0.0:
            step = tf.cast(self.iterations, dtype)
            rate = rate / (1.0 + tf.cast(self._initial_decay, dtype) * step)
        return rate

    @property
    def iterations(self):
        """The variable that counts the steps."""
        if self._iterations is None:
            self._iterations = self.add_weight(
                "iter", shape=[], dtype=tf.int64, trainable=False, initializer="zeros"
            )
            self._weights.append(self._iterations)
        return self._iterations

    @iterations.setter
    def iterations(self, variable):
        if self._iterations is not None:
            raise RuntimeError(
                "Cannot set `iterations` to a new Variable after the Optimizer weights have been "
                "created"
            )
        self._iterations = variable
        self._weights.append(variable)

    # Variables.

    def add_weight(
        self,
        name,
        shape,
        dtype=None,
        initializer="zeros",
        trainable=None,
        synchronization=None,
        aggregation=None,
    ):
        """A variable of the optimizer."""
        initializer = initializers.get(initializer)
        dtype = tf.as_dtype(dtype or tf.float32)
        variable = tf.Variable(
            lambda: initializer(list(shape), dtype=dtype),
            trainable=False,
            dtype=dtype,
            name=f"{self._name}/{name}",
            use_resource=True,
        )
        K.track(variable)
        return variable

    def add_slot(self, var, slot_name, initializer="zeros"):
        """A variable of the shape of another one; found again by its name."""
        if slot_name not in self._slot_names:
            self._slot_names.append(slot_name)
        slots = self._slots.setdefault(id(var), {})
        if slot_name not in slots:
            initializer, dtype = initializers.get(initializer), var.dtype.base_dtype
            shape = var.shape.as_list()
            with tf.name_scope(f"{self._name}/"):
                variable = tf.Variable(
                    lambda: initializer(shape, dtype=dtype),
                    trainable=False,
                    dtype=dtype,
                    name=f"{var.op.name}/{slot_name}",
                    use_resource=True,
                )
            K.track(variable)
            slots[slot_name] = variable
            self._weights.append(variable)
        return slots[slot_name]

    def get_slot(self, var, slot_name):
        return self._slots[id(var)][slot_name]

    def get_slot_names(self):
        return self._slot_names

    @property
    def weights(self):
        """The counter and the slots."""
        return list(self._weights)

    def variables(self):
        """The counter and the slots, too."""
        return self.weights

    def get_weights(self):
        return K.batch_get_value(self._weights)

    def set_weights(self, weights):
        """Gives the counter and the slots values. Errors: ValueError."""
        params = self.weights
        if len(params) != len(weights):
            raise ValueError(
                f"You called `set_weights(weights)` on optimizer {self._name} with a  weight list "
                f"of length {len(weights)}, but the optimizer was expecting {len(params)} weights. "
                f"Provided weights: {str(weights)[:50]}..."
            )
        for param, value in zip(params, weights):
            if tuple(param.shape.as_list()) != np.shape(value):
                raise ValueError(
                    f"Optimizer weight shape {tuple(param.shape.as_list())} not compatible with "
                    f"provided weight shape {np.shape(value)}"
                )
        K.batch_set_value(list(zip(params, weights)))

    # Steps.

    def get_gradients(self, loss, params):
        """The gradients, cut as the options say. Errors: ValueError where one is missing."""
        with tf.name_scope(f"{self._name}/gradients"):
            grads = tf.gradients(loss, params)
            for grad, param in zip(grads, params):
                if grad is None:
                    raise ValueError(
                        f"Variable {param} has `None` for gradient. Please make sure that all of "
                        "your ops have a gradient defined (i.e. are differentiable). Common ops "
                        "without gradient: K.argmax, K.round, K.eval."
                    )
            return self._clipped(grads)

    def _clipped(self, grads):
        if hasattr(self, "clipnorm"):
            grads = [tf.clip_by_norm(grad, self.clipnorm) for grad in grads]
        if hasattr(self, "clipvalue"):
            limit = self.clipvalue
            grads = [tf.clip_by_value(grad, -limit, limit) for grad in grads]
        return grads

    def get_updates(self, loss, params):
        """The operations of a step: a list."""
        grads = self.get_gradients(loss, params)
        return [self.apply_gradients(list(zip(grads, params)))]

    def minimize(self, loss, var_list, grad_loss=None, name=None):
        """The operation of a step. loss: a tensor, or a function that gives one."""
        var_list = var_list() if callable(var_list) else var_list
        var_list = tf.nest.flatten(var_list)
        loss = loss() if callable(loss) and not isinstance(loss, tf.Tensor) else loss
        with tf.name_scope(f"{self._name}/gradients"):
            grads = tf.gradients(loss, var_list, grad_loss)
        there = [(grad, var) for grad, var in zip(grads, var_list) if grad is not None]
        clipped = self._clipped([grad for grad, _ in there])
        return self.apply_gradients(list(zip(clipped, [var for _, var in there])), name=name)

    def apply_gradients(self, grads_and_vars, name=None):
        """The operation that changes variables by gradients. Errors: ValueError without any."""
        grads_and_vars = [(grad, var) for grad, var in grads_and_vars if grad is not None]
        if not grads_and_vars:
            raise ValueError("No gradients provided for any variable.")
        variables = [var for _, var in grads_and_vars]
        with tf.init_scope():
            self.iterations
            for option in list(self._hyper):
                self._get_hyper(option)
            self._create_slots(variables)
        with tf.name_scope(name or self._name):
            self._before(variables)
            coefficients, updates = {}, []
            for grad, var in grads_and_vars:
                dtype = var.dtype.base_dtype
                if dtype not in coefficients:
                    coefficients[dtype] = self._coefficients(dtype)
                with tf.name_scope(f"update_{var.op.name}"):
                    updates.append(self._update(grad, var, coefficients[dtype]))
            with tf.control_dependencies(updates):
                return self.iterations.assign_add(1).op

    def _update(self, grad, var, given):
        if isinstance(grad, tf.IndexedSlices):
            if var.constraint is not None:
                raise RuntimeError("Cannot use a constraint function on a sparse variable.")
            indices, place = tf.unique(grad.indices)
            values = tf.unsorted_segment_sum(grad.values, place, tf.shape(indices)[0])
            return self._sparse(values, var, indices, given)
        update = self._dense(grad, var, given)
        if var.constraint is None:
            return update
        with tf.control_dependencies([update]):
            return var.assign(var.constraint(var.read_value())).op

    def _before(self, variables):
        """What a subclass needs once for all variables."""

    def _coefficients(self, dtype):
        """The options as tensors, for variables of a type."""
        return {"lr_t": tf.identity(self._decayed_lr(dtype))}

    def _create_slots(self, var_list):
        """Makes the slots of variables."""

    def _dense(self, grad, var, given):
        """An operation that changes a variable by a gradient."""
        raise NotImplementedError

    def _sparse(self, grad, var, indices, given):
        """An operation that changes some rows of a variable."""
        raise NotImplementedError

    # Configurations.

    def _serialize_hyperparameter(self, name):
        value = self._hyper[name]
        if isinstance(value, LearningRateSchedule):
            return {"class_name": type(value).__name__, "config": value.get_config()}
        if name in self._created:
            return K.get_value(self._created[name])
        if callable(value):
            return value()
        return K.get_value(value) if isinstance(value, (tf.Tensor, tf.Variable)) else value

    def get_config(self):
        """The arguments that make the same optimizer."""
        config = {"name": self._name}
        for option in ("clipnorm", "clipvalue"):
            if hasattr(self, option):
                config[option] = getattr(self, option)
        for name in self._hyper:
            if name != "decay":
                config[name] = self._serialize_hyperparameter(name)
        config["decay"] = self._initial_decay
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        from kiln.compat.v1.keras.optimizers import schedules

        config = dict(config)
        if "lr" in config:
            config["learning_rate"] = config.pop("lr")
        if isinstance(config.get("learning_rate"), dict):
            config["learning_rate"] = schedules.deserialize(config["learning_rate"], custom_objects)
        return cls(**config)
