"""Forms of Adam."""

from kiln._generated import raw_ops as _raw
from kiln.compat import v1 as tf


def _numbers(optimizer, var):
    """The rate of this step, beta1, beta2 and epsilon, in a variable's dtype."""
    dtype = var.dtype.base_dtype
    powers = [tf.cast(power, dtype) for power in optimizer._get_beta_accumulators()]
    rate = tf.cast(optimizer._lr_t, dtype)
    betas = tf.cast(optimizer._beta1_t, dtype), tf.cast(optimizer._beta2_t, dtype)
    epsilon = tf.cast(optimizer._epsilon_t, dtype)
    return rate * tf.sqrt(1 - powers[1]) / (1 - powers[0]), *betas, epsilon


class LazyAdamOptimizer(tf.train.AdamOptimizer):
    """Adam that changes only the rows of a variable that have a gradient, and their means.

    Source: tf.contrib.opt.LazyAdamOptimizer.
    """

    def _apply_sparse(self, grad, var):
        rate, beta1, beta2, epsilon = _numbers(self, var)
        indices, values, locking = grad.indices, grad.values, self._use_locking
        m = self.get_slot(var, "m")
        new = beta1 * tf.gather(m, indices) + (1 - beta1) * values
        m_t = tf.scatter_update(m, indices, new, use_locking=locking)
        v = self.get_slot(var, "v")
        new = beta2 * tf.gather(v, indices) + (1 - beta2) * tf.square(values)
        v_t = tf.scatter_update(v, indices, new, use_locking=locking)
        m_slice, v_slice = tf.gather(m_t, indices), tf.gather(v_t, indices)
        divisor = tf.sqrt(v_slice) + epsilon
        update = tf.scatter_sub(var, indices, rate * m_slice / divisor, use_locking=locking)
        return tf.group(update, m_t, v_t)

    def _resource_apply_sparse(self, grad, var, indices):
        rate, beta1, beta2, epsilon = _numbers(self, var)
        m = self.get_slot(var, "m")
        m_slice = beta1 * tf.gather(m, indices) + (1 - beta1) * grad
        m_update = _raw.resource_scatter_update(m.handle, indices, m_slice)
        v = self.get_slot(var, "v")
        v_slice = beta2 * tf.gather(v, indices) + (1 - beta2) * tf.square(grad)
        v_update = _raw.resource_scatter_update(v.handle, indices, v_slice)
        change = rate * m_slice / (tf.sqrt(v_slice) + epsilon)
        update = _raw.resource_scatter_sub(var.handle, indices, change)
        return tf.group(update, m_update, v_update)


class NadamOptimizer(tf.train.AdamOptimizer):
    """Adam with Nesterov's momentum. Source: tf.contrib.opt.NadamOptimizer."""

    def _arguments(self, dtype, grad):
        powers = self._get_beta_accumulators()
        numbers = (*powers, self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t)
        return *(tf.cast(number, dtype) for number in numbers), grad

    def _apply_dense(self, grad, var):
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        arguments = self._arguments(var.dtype.base_dtype, grad)
        options = {"use_locking": self._use_locking, "use_nesterov": True}
        return _raw.apply_adam(var._ref(), m._ref(), v._ref(), *arguments, **options).op

    def _resource_apply_dense(self, grad, var):
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        arguments = self._arguments(grad.dtype.base_dtype, grad)
        options = {"use_locking": self._use_locking, "use_nesterov": True}
        return _raw.resource_apply_adam(var.handle, m.handle, v.handle, *arguments, **options)

    def _apply_sparse_shared(self, grad, var, indices, scatter_add):
        rate, beta1, beta2, epsilon = _numbers(self, var)
        locking = self._use_locking
        m = self.get_slot(var, "m")
        scaled = grad * (1 - beta1)
        m_t = tf.assign(m, m * beta1, use_locking=locking)
        with tf.control_dependencies([m_t]):
            m_t = scatter_add(m, indices, scaled)
            m_bar = scaled + beta1 * tf.gather(m_t, indices)
        v = self.get_slot(var, "v")
        scaled = grad * grad * (1 - beta2)
        v_t = tf.assign(v, v * beta2, use_locking=locking)
        with tf.control_dependencies([v_t]):
            v_t = scatter_add(v, indices, scaled)
        root = tf.sqrt(tf.gather(v_t, indices))
        update = scatter_add(var, indices, -rate * m_bar / (root + epsilon))
        return tf.group(update, m_bar, v_t)
