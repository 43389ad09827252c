"""Adagrad and what came of it."""

from kiln._kiln import front as _c
from kiln.compat.v1.train._optimizer import BuiltOptimizer, PreparedNumber


class AdagradOptimizer(BuiltOptimizer):
    """accumulator += gradient ** 2; var -= learning_rate * gradient / sqrt(accumulator).

    The slot is "accumulator". Errors: ValueError for an initial_accumulator_value that is not above 0. Source:
    tf.train.AdagradOptimizer.
    """

    _NUMBERS = {"learning_rate": "_learning_rate"}
    _learning_rate_tensor = PreparedNumber("learning_rate")

    def __init__(self, learning_rate, initial_accumulator_value=0.1, use_locking=False, name="Adagrad"):
        super().__init__(use_locking, name)
        self._learning_rate, self._initial_accumulator_value = learning_rate, initial_accumulator_value
        _c.adagrad_optimizer(self, initial_accumulator_value, use_locking, name)


class AdagradDAOptimizer(BuiltOptimizer):
    """Adagrad by dual averaging, for sparse linear models.

    global_step: a variable or tensor that counts the steps. Slots "gradient_accumulator",
    "gradient_squared_accumulator". Errors: ValueError. Source: tf.train.AdagradDAOptimizer.
    """

    _NUMBERS = {
        "learning_rate": "_learning_rate",
        "global_step": "_global_step",
        "l1_regularization_strength": "_l1_regularization_strength",
        "l2_regularization_strength": "_l2_regularization_strength",
    }
    _learning_rate_tensor = PreparedNumber("learning_rate")
    _global_step_on_worker = PreparedNumber("global_step")

    def __init__(
        self,
        learning_rate,
        global_step,
        initial_gradient_squared_accumulator_value=0.1,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        use_locking=False,
        name="AdagradDA",
    ):
        super().__init__(use_locking, name)
        self._learning_rate, self._global_step = learning_rate, global_step
        self._initial_gradient_squared_accumulator_value = initial_gradient_squared_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        _c.adagrad_da_optimizer(
            self, initial_gradient_squared_accumulator_value, None, None, use_locking, name
        )


class ProximalAdagradOptimizer(BuiltOptimizer):
    """Adagrad, then a step towards 0. The slot is "accumulator". Source: tf.train.ProximalAdagradOptimizer."""

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
        initial_accumulator_value=0.1,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        use_locking=False,
        name="ProximalAdagrad",
    ):
        super().__init__(use_locking, name)
        self._learning_rate, self._initial_accumulator_value = learning_rate, initial_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        _c.proximal_adagrad_optimizer(self, initial_accumulator_value, None, None, use_locking, name)


class FtrlOptimizer(BuiltOptimizer):
    """Follow the regularized leader. Slots "accum", "linear".

    learning_rate_power: at most 0; the strengths: at least 0; beta: a part of l2 by the
    learning rate. accum_name, linear_name: of the slots, the optimizer's where they are None. Errors: ValueError. Source: tf.train.FtrlOptimizer.
    """

    _NUMBERS = {
        "learning_rate": "_learning_rate",
        "learning_rate_power": "_learning_rate_power",
        "l1_regularization_strength": "_l1_regularization_strength",
        "l2_regularization_strength": "_l2_regularization_strength",
    }
    _learning_rate_tensor = PreparedNumber("learning_rate")
    _learning_rate_power_tensor = PreparedNumber("learning_rate_power")
    _l1_regularization_strength_tensor = PreparedNumber("l1_regularization_strength")
    _l2_regularization_strength_tensor = PreparedNumber("adjusted_l2_regularization_strength")
    _adjusted_l2_regularization_strength_tensor = PreparedNumber("adjusted_l2_regularization_strength")
    _l2_shrinkage_regularization_strength_tensor = PreparedNumber("l2_shrinkage_regularization_strength")

    def __init__(
        self,
        learning_rate,
        learning_rate_power=-0.5,
        initial_accumulator_value=0.1,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        use_locking=False,
        name="Ftrl",
        accum_name=None,
        linear_name=None,
        l2_shrinkage_regularization_strength=0.0,
        beta=None,
    ):
        super().__init__(use_locking, name)
        self._learning_rate, self._learning_rate_power = learning_rate, learning_rate_power
        self._initial_accumulator_value = initial_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength
        self._accum_name, self._linear_name = accum_name, linear_name
        _c.ftrl_optimizer(
            self, learning_rate_power, initial_accumulator_value, l1_regularization_strength,
            l2_regularization_strength, accum_name, linear_name, l2_shrinkage_regularization_strength, beta,
            use_locking, name,
        )  # fmt: skip
