"""The optimizers that keep moving means of gradients and of their squares."""

from kiln._generated import raw_ops
from kiln.compat import v1 as tf
from kiln.compat.v1.keras.optimizers._classes import _scattered, _WithEpsilon


class _TwoMeans(_WithEpsilon):
    """One with the slots m and v."""

    def _create_slots(self, var_list):
        for slot in ("m", "v"):
            for var in var_list:
                self.add_slot(var, slot)

    def _coefficients(self, dtype):
        given = super()._coefficients(dtype)
        step = tf.cast(self.iterations + 1, dtype)
        given["beta_1_power"] = tf.pow(given["beta_1"], step)
        given["beta_2_power"] = tf.pow(given["beta_2"], step)
        return given

    def _moved_rows(self, slot, beta, values, indices):
        """The slot's value after it was multiplied and rows were added to."""
        with tf.control_dependencies([tf.assign(slot, slot * beta)]):
            return _scattered(slot, indices, values)


class Adam(_TwoMeans):
    """Kingma and Ba's optimizer. amsgrad: with the largest mean of squares so far.

    Source: tf.keras.optimizers.Adam.
    """

    def __init__(
        self,
        learning_rate=0.001,
        beta_1=0.9,
        beta_2=0.999,
        epsilon=1e-7,
        amsgrad=False,
        name="Adam",
        **kwargs,
    ):
        super().__init__(name, learning_rate, epsilon, kwargs, beta_1=beta_1, beta_2=beta_2)
        self.amsgrad = amsgrad

    def _create_slots(self, var_list):
        super()._create_slots(var_list)
        if self.amsgrad:
            for var in var_list:
                self.add_slot(var, "vhat")

    def set_weights(self, weights):
        # Older files have vhat of optimizers without it.
        count = len(self.weights)
        if len(weights) == 3 * ((count - 1) // 2) + 1:
            weights = weights[:count]
        super().set_weights(weights)

    def _dense(self, grad, var, given):
        slots = ["m", "v", "vhat"] if self.amsgrad else ["m", "v"]
        apply = (
            raw_ops.resource_apply_adam_with_amsgrad
            if self.amsgrad
            else raw_ops.resource_apply_adam
        )
        numbers = ("beta_1_power", "beta_2_power", "lr_t", "beta_1", "beta_2", "epsilon")
        return apply(
            var.handle,
            *[self.get_slot(var, slot).handle for slot in slots],
            *[given[name] for name in numbers],
            grad,
        )

    def _sparse(self, grad, var, indices, given):
        rate = given["lr_t"] * tf.sqrt(1 - given["beta_2_power"]) / (1 - given["beta_1_power"])
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_t = self._moved_rows(m, given["beta_1"], grad * (1 - given["beta_1"]), indices)
        v_t = self._moved_rows(v, given["beta_2"], grad * grad * (1 - given["beta_2"]), indices)
        if self.amsgrad:
            largest = self.get_slot(var, "vhat")
            v_t = tf.assign(largest, tf.maximum(largest, v_t))
        step = rate * m_t / (tf.sqrt(v_t) + given["epsilon"])
        return tf.assign_sub(var, step).op

    def get_config(self):
        return {**super().get_config(), "amsgrad": self.amsgrad}


class Adamax(_TwoMeans):
    """Adam with the largest gradient in place of the mean of squares.

    Source: tf.keras.optimizers.Adamax.
    """

    def __init__(
        self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, name="Adamax", **kwargs
    ):
        super().__init__(name, learning_rate, epsilon, kwargs, beta_1=beta_1, beta_2=beta_2)

    def _dense(self, grad, var, given):
        return raw_ops.resource_apply_ada_max(
            var.handle,
            self.get_slot(var, "m").handle,
            self.get_slot(var, "v").handle,
            *[given[name] for name in ("beta_1_power", "lr_t", "beta_1", "beta_2", "epsilon")],
            grad,
        )

    def _sparse(self, grad, var, indices, given):
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        old = tf.gather(m, indices)
        m_rows = old * given["beta_1"] + grad * (1 - given["beta_1"])
        m_t = raw_ops.resource_scatter_update(m.handle, indices, m_rows)
        v_rows = tf.maximum(tf.gather(v, indices) * given["beta_2"], tf.abs(grad))
        v_t = raw_ops.resource_scatter_update(v.handle, indices, v_rows)
        rate = -given["lr_t"] / (1 - given["beta_1_power"])
        step = rate * (m_rows / (v_rows + given["epsilon"]))
        update = raw_ops.resource_scatter_add(var.handle, indices, step)
        return tf.group(m_t, v_t, update)


class Nadam(_TwoMeans):
    """Adam with Nesterov's momentum. Source: tf.keras.optimizers.Nadam."""

    def __init__(
        self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, name="Nadam", **kwargs
    ):
        kwargs["decay"] = kwargs.pop("schedule_decay", 0.004)
        if hasattr(learning_rate, "get_config"):
            raise ValueError(
                "The Nadam optimizer does not support tf.keras.optimizers.LearningRateSchedules as "
                "the learning rate."
            )
        super().__init__(name, learning_rate, epsilon, kwargs, beta_1=beta_1, beta_2=beta_2)
        self._cache = None

    def _create_slots(self, var_list):
        if self._cache is None:
            self._cache = self.add_weight("momentum_cache", shape=[], initializer="ones")
            self._weights.append(self._cache)
        super()._create_slots(var_list)

    def _before(self, variables):
        self._cache_read = tf.identity(self._cache)

    def _coefficients(self, dtype):
        given = super()._coefficients(dtype)
        given["lr_t"] = tf.identity(self._get_hyper("learning_rate", dtype))
        step, base = tf.cast(self.iterations + 1, dtype), tf.cast(0.96, dtype)

        def momentum(steps):
            return given["beta_1"] * (1.0 - 0.5 * tf.pow(base, self._initial_decay * steps))

        given["m_t"], given["m_t_1"] = momentum(step), momentum(step + 1)
        new = tf.cast(self._cache_read, dtype) * given["m_t"]
        if dtype == self._cache.dtype.base_dtype:
            new = tf.identity(tf.assign(self._cache, new))
        given["schedule"], given["next_schedule"] = new, new * given["m_t_1"]
        return given

    def _step(self, grad, m_t, v_t, given):
        now = grad / (1.0 - given["schedule"])
        later = m_t / (1.0 - given["next_schedule"])
        mean = (1.0 - given["m_t"]) * now + given["m_t_1"] * later
        scale = tf.sqrt(v_t / (1.0 - given["beta_2_power"])) + given["epsilon"]
        return given["lr_t"] * mean / scale

    def _dense(self, grad, var, given):
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_t = tf.assign(m, given["beta_1"] * m + (1 - given["beta_1"]) * grad)
        v_t = tf.assign(v, given["beta_2"] * v + (1 - given["beta_2"]) * tf.square(grad))
        return var.assign(var - self._step(grad, m_t, v_t, given)).op

    def _sparse(self, grad, var, indices, given):
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_t = self._moved_rows(m, given["beta_1"], grad * (1 - given["beta_1"]), indices)
        v_t = self._moved_rows(v, given["beta_2"], grad * grad * (1 - given["beta_2"]), indices)
        rows = (tf.gather(each, indices) for each in (m_t, v_t))
        step = self._step(grad, *rows, given)
        return raw_ops.resource_scatter_add(var.handle, indices, -step)

