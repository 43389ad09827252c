"""Regularizers: objects that make losses of variables and tensors."""

from kiln._kiln import front as _c


class Regularizer:
    """Called with a variable or a tensor, it gives a loss. Source: tf.keras.regularizers.Regularizer."""

    def __call__(self, x):
        return 0.0

    @classmethod
    def from_config(cls, config):
        return cls(**config)


class L1L2(Regularizer):
    """l1 * sum(|x|) + l2 * sum(x * x). Source: tf.keras.regularizers.L1L2."""

    def __init__(self, l1=0.0, l2=0.0):
        self.l1, self.l2 = float(l1), float(l2)

    def __call__(self, x):
        if self.l1 and self.l2:
            return _c.l1_l2_loss(x, self.l1, self.l2)
        if self.l1:
            return _c.l1_loss(x, self.l1)
        return _c.l2_loss(x, self.l2) if self.l2 else _c.constant(0.0)

    def get_config(self):
        return {"l1": self.l1, "l2": self.l2}


def l1(l=0.01):  # noqa: E741, TensorFlow's name
    """Source: tf.keras.regularizers.l1."""
    return L1L2(l1=l)


def l2(l=0.01):  # noqa: E741, TensorFlow's name
    """Source: tf.keras.regularizers.l2."""
    return L1L2(l2=l)


def l1_l2(l1=0.01, l2=0.01):
    """Source: tf.keras.regularizers.l1_l2."""
    return L1L2(l1=l1, l2=l2)
