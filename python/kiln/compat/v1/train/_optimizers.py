"""TensorFlow's optimizers. Their numbers may be tensors, such as a learning rate that decays, or functions."""

from kiln._kiln import front as _c
from kiln.compat.v1.train._optimizer import BuiltOptimizer, PreparedNumber


class GradientDescentOptimizer(BuiltOptimizer):
    """var -= learning_rate * gradient. Source: tf.train.GradientDescentOptimizer."""

    _NUMBERS = {"learning_rate": "_learning_rate"}
    _learning_rate_tensor = PreparedNumber("learning_rate")

    def __init__(self, learning_rate, use_locking=False, name="GradientDescent"):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        _c.gradient_descent_optimizer(self, use_locking, name)


class ProximalGradientDescentOptimizer(BuiltOptimizer):
    """Gradient descent, then a step towards 0. Source: tf.train.ProximalGradientDescentOptimizer."""

    _NUMBERS = {
        "learning_rate": "_learning_rate",
        "l1_regularization_strength": "_l1_regularization_strength",
        "l2_regularization_strength": "_l2_regularization_strength",
    }
    _learning_rate_tensor = PreparedNumber("learning_rate")
    _l1_regularization_strength_tensor = PreparedNumber("l1_regularization_strength")
    _l2_regularization_strength_tensor = PreparedNumber("l2_regularization_strength")

    def __init__(
        self,
        learning_rate,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        use_locking=False,
        name="ProximalGradientDescent",
    ):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        _c.proximal_gradient_descent_optimizer(self, None, None, use_locking, name)


class MomentumOptimizer(BuiltOptimizer):
    """accumulation = momentum * accumulation + gradient; var -= learning_rate * accumulation.

    use_nesterov: looks ahead, var -= learning_rate * (gradient + momentum * accumulation). The slot is "momentum".
    Source: tf.train.MomentumOptimizer.
    """

    _NUMBERS = {"learning_rate": "_learning_rate", "momentum": "_momentum"}
    _learning_rate_tensor = PreparedNumber("learning_rate")
    _momentum_tensor = PreparedNumber("momentum")

    def __init__(self, learning_rate, momentum, use_locking=False, name="Momentum", use_nesterov=False):
        super().__init__(use_locking, name)
        self._learning_rate, self._momentum, self._use_nesterov = learning_rate, momentum, use_nesterov
        _c.momentum_optimizer(self, use_nesterov, use_locking, name)


class AdamOptimizer(BuiltOptimizer):
    """Means of the gradient and of its square, freed from their start.

    Slots "m" and "v"; beta1_power and beta2_power beside the first variable by name. Rows without a gradient change
    too, as their means shrink. Source: tf.train.AdamOptimizer.
    """

    _NUMBERS = {"learning_rate": "_lr", "beta1": "_beta1", "beta2": "_beta2", "epsilon": "_epsilon"}
    _lr_t = PreparedNumber("learning_rate")
    _beta1_t = PreparedNumber("beta1")
    _beta2_t = PreparedNumber("beta2")
    _epsilon_t = PreparedNumber("epsilon")

    def __init__(
        self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8, use_locking=False, name="Adam"
    ):
        super().__init__(use_locking, name)
        self._lr, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon
        _c.adam_optimizer(self, None, None, None, use_locking, name)

    def _get_beta_accumulators(self):
        return self._get_non_slot_variable("beta1_power"), self._get_non_slot_variable("beta2_power")

    # Subclasses may override these two, which C++ does not call.

    def _apply_sparse_shared(self, grad, var, indices, scatter_add):
        """The update of rows; scatter_add(slot, indices, values) adds to a slot."""
        from kiln.compat.v1._sparse import IndexedSlices

        return _c.optimizer_apply_sparse(self, IndexedSlices(grad, indices), var)

    def _resource_scatter_add(self, x, i, v):
        from kiln._generated import raw_ops

        with x.graph.control_dependencies([raw_ops.resource_scatter_add(x.handle, i, v)]):
            return x.value()

    def _apply_sparse(self, grad, var):
        from kiln._generated import raw_ops

        def add(slot, indices, values):
            return raw_ops.scatter_add(slot.handle, indices, values, use_locking=self._use_locking)

        return self._apply_sparse_shared(grad.values, var, grad.indices, add)

    def _resource_apply_sparse(self, grad, handle, indices):
        return self._apply_sparse_shared(grad, handle, indices, self._resource_scatter_add)


class RMSPropOptimizer(BuiltOptimizer):
    """The gradient by the root of the mean of its square; centered: of its variance.

    Slots "rms", "momentum", and "mg" where it is centered. Source: tf.train.RMSPropOptimizer.
    """

    _NUMBERS = {
        "learning_rate": "_learning_rate", "decay": "_decay", "momentum": "_momentum", "epsilon": "_epsilon",
    }  # fmt: skip
    _learning_rate_tensor = PreparedNumber("learning_rate")
    _decay_tensor = PreparedNumber("decay")
    _momentum_tensor = PreparedNumber("momentum")
    _epsilon_tensor = PreparedNumber("epsilon")

    def __init__(
        self,
        learning_rate,
        decay=0.9,
        momentum=0.0,
        epsilon=1e-10,
        use_locking=False,
        centered=False,
        name="RMSProp",
    ):
        super().__init__(use_locking, name)
        self._learning_rate, self._decay, self._momentum = learning_rate, decay, momentum
        self._epsilon, self._centered = epsilon, centered
        _c.rmsprop_optimizer(self, None, None, None, centered, use_locking, name)


class AdadeltaOptimizer(BuiltOptimizer):
    """Steps in the units of the variable. Slots "accum", "accum_update". Source: tf.train.AdadeltaOptimizer."""

    _NUMBERS = {"lr": "_lr", "rho": "_rho", "epsilon": "_epsilon"}
    _lr_t = PreparedNumber("lr")
    _rho_t = PreparedNumber("rho")
    _epsilon_t = PreparedNumber("epsilon")

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-8, use_locking=False, name="Adadelta"):
        super().__init__(use_locking, name)
        self._lr, self._rho, self._epsilon = learning_rate, rho, epsilon
        _c.adadelta_optimizer(self, None, None, use_locking, name)
