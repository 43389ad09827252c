"""Constraints: objects that bring variables back within limits after a step of an optimizer."""

from kiln._kiln import front as _c


class Constraint:
    """Called with a variable, it gives what the variable becomes. Source: tf.keras.constraints.Constraint."""

    def __call__(self, w):
        return w

    def get_config(self):
        return {}

    @classmethod
    def from_config(cls, config):
        return cls(**config)


class MaxNorm(Constraint):
    """Norms over the axes of at most max_value. Source: tf.keras.constraints.MaxNorm."""

    def __init__(self, max_value=2, axis=0):
        self.max_value, self.axis = max_value, axis

    def __call__(self, w):
        return _c.max_norm_constraint(w, self.max_value, self.axis)

    def get_config(self):
        return {"max_value": self.max_value, "axis": self.axis}


class NonNeg(Constraint):
    """Zeros for what is below 0. Source: tf.keras.constraints.NonNeg."""

    def __call__(self, w):
        return _c.non_neg_constraint(w)


class UnitNorm(Constraint):
    """Norms over the axes of 1. Source: tf.keras.constraints.UnitNorm."""

    def __init__(self, axis=0):
        self.axis = axis

    def __call__(self, w):
        return _c.unit_norm_constraint(w, self.axis)

    def get_config(self):
        return {"axis": self.axis}


class MinMaxNorm(Constraint):
    """Norms between the limits, or with a rate below 1 nearer to them. Source: tf.keras.constraints.MinMaxNorm."""

    def __init__(self, min_value=0.0, max_value=1.0, rate=1.0, axis=0):
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w):
        return _c.min_max_norm_constraint(w, self.min_value, self.max_value, self.rate, self.axis)

    def get_config(self):
        return {"min_value": self.min_value, "max_value": self.max_value, "rate": self.rate, "axis": self.axis}


max_norm, non_neg, unit_norm, min_max_norm = MaxNorm, NonNeg, UnitNorm, MinMaxNorm
