"""The optimizers of Keras."""

from kiln._generated import raw_ops
from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K, initializers
from kiln.compat.v1.keras.optimizers._optimizer import Optimizer


def _scattered(var, indices, values):
    """The variable's value after rows were added to."""
    added = raw_ops.resource_scatter_add(var.handle, indices, values)
    with tf.control_dependencies([added]):
        return var.read_value()


class SGD(Optimizer):
    """Goes against the gradient; with momentum it goes on in the direction.

    Source: tf.keras.optimizers.SGD.
    """

    def __init__(self, learning_rate=0.01, momentum=0.0, nesterov=False, name="SGD", **kwargs):
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._momentum = isinstance(momentum, tf.Tensor) or callable(momentum) or momentum > 0
        if isinstance(momentum, (int, float)) and not 0 <= momentum <= 1:
            raise ValueError("`momentum` must be between [0, 1].")
        self._set_hyper("momentum", momentum)
        self.nesterov = nesterov

    def _create_slots(self, var_list):
        if self._momentum:
            for var in var_list:
                self.add_slot(var, "momentum")

    def _coefficients(self, dtype):
        given = super()._coefficients(dtype)
        return {**given, "momentum": tf.identity(self._get_hyper("momentum", dtype))}

    def _dense(self, grad, var, given):
        if not self._momentum:
            return raw_ops.resource_apply_gradient_descent(var.handle, given["lr_t"], grad)
        return raw_ops.resource_apply_keras_momentum(
            var.handle,
            self.get_slot(var, "momentum").handle,
            given["lr_t"],
            grad,
            given["momentum"],
            use_nesterov=self.nesterov,
        )

    def _sparse(self, grad, var, indices, given):
        if not self._momentum:
            return raw_ops.resource_scatter_add(var.handle, indices, -grad * given["lr_t"])
        return raw_ops.resource_sparse_apply_keras_momentum(
            var.handle,
            self.get_slot(var, "momentum").handle,
            given["lr_t"],
            grad,
            indices,
            given["momentum"],
            use_nesterov=self.nesterov,
        )

    def get_config(self):
        return {**super().get_config(), "nesterov": self.nesterov}


class _WithEpsilon(Optimizer):
    """One with a learning rate, more options that are numbers, and a small number."""

    def __init__(self, name, learning_rate, epsilon, given, **options):
        super().__init__(name, **given)
        self._set_hyper("learning_rate", given.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        for option, value in options.items():
            self._set_hyper(option, value)
        self.epsilon = epsilon or K.epsilon()

    def _coefficients(self, dtype):
        given = super()._coefficients(dtype)
        for option in self._hyper:
            if option not in ("learning_rate", "decay"):
                given[option] = tf.identity(self._get_hyper(option, dtype))
        return {**given, "epsilon": tf.convert_to_tensor(self.epsilon, dtype)}

    def get_config(self):
        return {**super().get_config(), "epsilon": self.epsilon}


class RMSprop(_WithEpsilon):
    """Divides gradients by the root of a moving mean of their squares.

    centered: by the deviation instead. Source: tf.keras.optimizers.RMSprop.
    """

    def __init__(
        self,
        learning_rate=0.001,
        rho=0.9,
        momentum=0.0,
        epsilon=1e-7,
        centered=False,
        name="RMSprop",
        **kwargs,
    ):
        self_momentum = isinstance(momentum, tf.Tensor) or callable(momentum) or momentum > 0
        if isinstance(momentum, (int, float)) and not 0 <= momentum <= 1:
            raise ValueError("`momentum` must be between [0, 1].")
        super().__init__(name, learning_rate, epsilon, kwargs, rho=rho, momentum=momentum)
        self._momentum, self.centered = self_momentum, centered

    def _create_slots(self, var_list):
        for slot, wanted in (("rms", True), ("momentum", self._momentum), ("mg", self.centered)):
            for var in var_list if wanted else ():
                self.add_slot(var, slot)

    def _slots_of(self, var):
        names = (["mg"] if self.centered else []) + ["rms", "momentum"]
        return [self.get_slot(var, name).handle for name in names]

    def _dense(self, grad, var, given):
        if self._momentum:
            kind = "centered_rms_prop" if self.centered else "rms_prop"
            numbers = (given[name] for name in ("lr_t", "rho", "momentum", "epsilon"))
            apply = getattr(raw_ops, f"resource_apply_{kind}")
            return apply(var.handle, *self._slots_of(var), *numbers, grad)
        rms = self._moved(var, "rms", given["rho"], tf.square(grad))
        if self.centered:
            rms = rms - tf.square(self._moved(var, "mg", given["rho"], grad))
        step = given["lr_t"] * grad / (tf.sqrt(rms) + given["epsilon"])
        return var.assign(var - step).op

    def _moved(self, var, slot, rho, value):
        slot = self.get_slot(var, slot)
        return tf.assign(slot, rho * slot + (1.0 - rho) * value)

    def _sparse(self, grad, var, indices, given):
        if self._momentum:
            kind = "centered_rms_prop" if self.centered else "rms_prop"
            numbers = (given[name] for name in ("lr_t", "rho", "momentum", "epsilon"))
            apply = getattr(raw_ops, f"resource_sparse_apply_{kind}")
            return apply(var.handle, *self._slots_of(var), *numbers, grad, indices)
        rms = tf.gather(self._moved_rows(var, "rms", given["rho"], grad * grad, indices), indices)
        if self.centered:
            mean = self._moved_rows(var, "mg", given["rho"], grad, indices)
            rms = rms - tf.square(tf.gather(mean, indices))
        step = -given["lr_t"] * grad / (tf.sqrt(rms) + given["epsilon"])
        return raw_ops.resource_scatter_add(var.handle, indices, step)

    def _moved_rows(self, var, slot, rho, values, indices):
        slot = self.get_slot(var, slot)
        with tf.control_dependencies([tf.assign(slot, slot * rho)]):
            return _scattered(slot, indices, values * (1.0 - rho))

    def get_config(self):
        return {**super().get_config(), "centered": self.centered}


class Adagrad(_WithEpsilon):
    """Divides gradients by the root of the sum of their squares.

    Source: tf.keras.optimizers.Adagrad.
    """

    def __init__(
        self,
        learning_rate=0.001,
        initial_accumulator_value=0.1,
        epsilon=1e-7,
        name="Adagrad",
        **kwargs,
    ):
        if initial_accumulator_value < 0.0:
            raise ValueError(
                f"initial_accumulator_value must be non-negative: {initial_accumulator_value}"
            )
        super().__init__(name, learning_rate, epsilon, kwargs)
        self._initial_accumulator_value = initial_accumulator_value

    def _create_slots(self, var_list):
        for var in var_list:
            first = initializers.constant(self._initial_accumulator_value)
            self.add_slot(var, "accumulator", first)

    def _given(self, var, given):
        slot = self.get_slot(var, "accumulator").handle
        return var.handle, slot, given["lr_t"], given["epsilon"]

    def _dense(self, grad, var, given):
        return raw_ops.resource_apply_adagrad_v2(*self._given(var, given), grad)

    def _sparse(self, grad, var, indices, given):
        return raw_ops.resource_sparse_apply_adagrad_v2(*self._given(var, given), grad, indices)

    def get_config(self):
        own = {"initial_accumulator_value": self._initial_accumulator_value}
        return {**super().get_config(), **own}


class Adadelta(_WithEpsilon):
    """Adagrad over a moving window. Source: tf.keras.optimizers.Adadelta."""

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-7, name="Adadelta", **kwargs):
        super().__init__(name, learning_rate, epsilon, kwargs, rho=rho)

    def _create_slots(self, var_list):
        for slot in ("accum_grad", "accum_var"):
            for var in var_list:
                self.add_slot(var, slot)

    def _given(self, var, given):
        slots = (self.get_slot(var, slot).handle for slot in ("accum_grad", "accum_var"))
        return var.handle, *slots, given["lr_t"], given["rho"], given["epsilon"]

    def _dense(self, grad, var, given):
        return raw_ops.resource_apply_adadelta(*self._given(var, given), grad)

    def _sparse(self, grad, var, indices, given):
        return raw_ops.resource_sparse_apply_adadelta(*self._given(var, given), grad, indices)


class Ftrl(Optimizer):
    """Follows the regularized leader. Source: tf.keras.optimizers.Ftrl."""

    def __init__(
        self,
        learning_rate=0.001,
        learning_rate_power=-0.5,
        initial_accumulator_value=0.1,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        name="Ftrl",
        l2_shrinkage_regularization_strength=0.0,
        **kwargs,
    ):
        super().__init__(name, **kwargs)
        for option, value, holds, words in (
            ("initial_accumulator_value", initial_accumulator_value,
             initial_accumulator_value >= 0.0, "positive or zero"),
            ("learning_rate_power", learning_rate_power, learning_rate_power <= 0.0,
             "negative or zero"),
            ("l1_regularization_strength", l1_regularization_strength,
             l1_regularization_strength >= 0.0, "positive or zero"),
            ("l2_regularization_strength", l2_regularization_strength,
             l2_regularization_strength >= 0.0, "positive or zero"),
            ("l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength,
             l2_shrinkage_regularization_strength >= 0.0, "positive or zero"),
        ):  # fmt: skip
            if not holds:
                raise ValueError(f"{option} {value} needs to be {words}")
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("learning_rate_power", learning_rate_power)
        self._set_hyper("l1_regularization_strength", l1_regularization_strength)
        self._set_hyper("l2_regularization_strength", l2_regularization_strength)
        self._initial_accumulator_value = initial_accumulator_value
        self._l2_shrinkage = l2_shrinkage_regularization_strength

    def _create_slots(self, var_list):
        for var in var_list:
            first = initializers.constant(self._initial_accumulator_value)
            self.add_slot(var, "accumulator", first)
            self.add_slot(var, "linear")

    def _coefficients(self, dtype):
        given = super()._coefficients(dtype)
        for option in ("learning_rate_power", "l1_regularization_strength",
                       "l2_regularization_strength"):  # fmt: skip
            given[option] = tf.identity(self._get_hyper(option, dtype))
        given["l2_shrinkage"] = tf.cast(self._l2_shrinkage, dtype)
        return given

    def _applied(self, kind, var, given, grads):
        slots = (self.get_slot(var, slot).handle for slot in ("accumulator", "linear"))
        numbers = [given["lr_t"], given["l1_regularization_strength"],
                   given["l2_regularization_strength"]]  # fmt: skip
        version = ""
        if self._l2_shrinkage > 0.0:
            numbers.append(given["l2_shrinkage"])
            version = "_v2"
        numbers.append(given["learning_rate_power"])
        return getattr(raw_ops, kind + version)(var.handle, *slots, *grads, *numbers)

    def _dense(self, grad, var, given):
        return self._applied("resource_apply_ftrl", var, given, [grad])

    def _sparse(self, grad, var, indices, given):
        return self._applied("resource_sparse_apply_ftrl", var, given, [grad, indices])

    def get_config(self):
        return {
            **super().get_config(),
            "initial_accumulator_value": self._initial_accumulator_value,
            "l2_shrinkage_regularization_strength": self._l2_shrinkage,
        }
