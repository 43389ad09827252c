"""Averages of variables and tensors over the steps of a training."""

from kiln._kiln import front as _c


def assign_moving_average(variable, value, decay, zero_debias=True, name=None):
    """variable -= (1 - decay) * (variable - value).

    zero_debias: frees the average from its start at 0, with two more variables. Source:
    moving_averages.assign_moving_average.
    """
    return _c.assign_moving_average(variable, value, decay, zero_debias, name)


def weighted_moving_average(value, decay, weight, truediv=True, collections=None, name=None):
    """The average of value * weight by the average of weight. Source: moving_averages.weighted_moving_average."""
    from kiln.compat.v1._initializers import Zeros
    from kiln.compat.v1._variable_scope import get_variable, variable_scope

    keys = ["variables"] if collections is None else collections
    with variable_scope(name, "WeightedMovingAvg", [value, weight, decay]) as scope:
        products, weights = (
            get_variable(own, each.shape, each.dtype, Zeros(), trainable=False, collections=keys)
            for own, each in (("value_x_weight", value), ("weight", weight))
        )
        numerator = assign_moving_average(products, value * weight, decay, zero_debias=False)
        denominator = assign_moving_average(weights, weight, decay, zero_debias=False)
        divide = _c.truediv if truediv else _c.divide
        return divide(numerator, denominator, scope.name)


class ExponentialMovingAverage(_c.ExponentialMovingAverage):
    """average = decay * average + (1 - decay) * value, for variables and tensors of floating-point numbers.

    num_updates: makes the decay smaller while it is small, (1 + n) / (10 + n). zero_debias: averages of tensors are
    freed from their start at 0. Averages are variables VARIABLE/NAME that are not trained; those of variables begin
    with their first values. Source: tf.train.ExponentialMovingAverage.
    """

    def __init__(self, decay, num_updates=None, zero_debias=False, name="ExponentialMovingAverage"):
        super().__init__()
        self._decay, self._num_updates, self._zero_debias, self._name = decay, num_updates, zero_debias, name
        _c.make_average(self, decay, num_updates, zero_debias, name)

    @property
    def name(self):
        return self._name

    def apply(self, var_list=None):
        """An operation that brings the averages up to date; makes those that are missing.

        var_list: variables and tensors, the trainable variables where it is None. Errors: TypeError for a type that
        has no averages.
        """
        if var_list is None:
            from kiln.compat.v1._variables import trainable_variables

            var_list = trainable_variables()
        return _c.average_apply(self, list(var_list))

    def average(self, var):
        """The variable that holds the average, or None."""
        return _c.average_of(self, var)

    def average_name(self, var):
        """The name that the average has, or would have."""
        return _c.average_name(self, var)

    def variables_to_restore(self, moving_avg_variables=None):
        """A dict for a Saver: variables by the names of their averages, the others by their own."""
        if moving_avg_variables is not None:
            moving_avg_variables = list(moving_avg_variables)
        return _c.average_variables_to_restore(self, moving_avg_variables)
