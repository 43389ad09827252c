"""Rates for each layer by the norms of weights and gradients."""

from kiln._generated import raw_ops as _raw
from kiln.compat import v1 as tf


class LARSOptimizer(tf.train.Optimizer):
    """Momentum with a rate for each variable: eeta * |weights| / (|gradient| + decay * |weights|).

    skip_list: variables with one of these in their name have the plain rate and no decay. Rows
    of a variable have the plain rate too. Errors: ValueError. Source:
    tf.contrib.opt.LARSOptimizer.
    """

    def __init__(
        self,
        learning_rate,
        momentum=0.9,
        weight_decay=0.0001,
        eeta=0.001,
        epsilon=0.0,
        name="LARSOptimizer",
        skip_list=None,
        use_nesterov=False,
    ):
        if momentum < 0.0:
            raise ValueError(f"momentum should be positive: {momentum}")
        if weight_decay < 0.0:
            raise ValueError(f"weight_decay should be positive: {weight_decay}")
        super().__init__(use_locking=False, name=name)
        self._learning_rate, self._momentum = learning_rate, momentum
        self._weight_decay, self._eeta, self._epsilon = weight_decay, eeta, epsilon
        self._skip_list, self._use_nesterov = skip_list, use_nesterov

    def _create_slots(self, var_list):
        for var in var_list:
            self._zeros_slot(var, "momentum", self._name)

    def _prepare(self):
        rate = self._call_if_callable(self._learning_rate)
        self._learning_rate_tensor = tf.convert_to_tensor(rate, name="learning_rate")
        momentum = self._call_if_callable(self._momentum)
        self._momentum_tensor = tf.convert_to_tensor(momentum, name="momentum")

    def compute_lr(self, grad, var):
        """The rate for a variable, and its gradient with the decay."""
        if self._skip_list is not None and any(each in var.name for each in self._skip_list):
            return self._learning_rate, grad
        weights, gradient = tf.norm(var, ord=2), tf.norm(grad, ord=2)
        has_weights, has_gradient = tf.greater(weights, 0), tf.greater(gradient, 0)
        decay = self._weight_decay
        ratio = self._eeta * weights / (gradient + decay * weights + self._epsilon)
        trust = tf.where(has_weights, tf.where(has_gradient, ratio, 1.0), 1.0)
        rate = self._learning_rate * trust
        return rate, grad + decay * var

    def _apply_dense(self, grad, var):
        rate, grad = self.compute_lr(grad, var)
        momentum = self.get_slot(var, "momentum")
        one = tf.cast(1.0, var.dtype.base_dtype)
        options = {"use_locking": False, "use_nesterov": self._use_nesterov}
        return _raw.apply_momentum(
            var._ref(), momentum._ref(), one, grad * rate, self._momentum, **options
        )

    def _resource_apply_dense(self, grad, var):
        rate, grad = self.compute_lr(grad, var)
        momentum = self.get_slot(var, "momentum")
        one = tf.cast(1.0, var.dtype.base_dtype)
        options = {"use_locking": False, "use_nesterov": self._use_nesterov}
        return _raw.resource_apply_momentum(
            var.handle, momentum.handle, one, grad * rate, self._momentum, **options
        )

    def _sparse_numbers(self, dtype):
        return tf.cast(self._learning_rate_tensor, dtype), tf.cast(self._momentum_tensor, dtype)

    def _apply_sparse(self, grad, var):
        momentum = self.get_slot(var, "momentum")
        rate, factor = self._sparse_numbers(var.dtype.base_dtype)
        options = {"use_locking": self._use_locking, "use_nesterov": self._use_nesterov}
        return _raw.sparse_apply_momentum(
            var._ref(), momentum._ref(), rate, grad.values, grad.indices, factor, **options
        ).op

    def _resource_apply_sparse(self, grad, var, indices):
        momentum = self.get_slot(var, "momentum")
        rate, factor = self._sparse_numbers(grad.dtype)
        options = {"use_locking": self._use_locking, "use_nesterov": self._use_nesterov}
        return _raw.resource_sparse_apply_momentum(
            var.handle, momentum.handle, rate, grad, indices, factor, **options
        )
