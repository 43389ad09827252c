"""tf.contrib.gan.estimator: GANEstimator, an estimator of a generator and a discriminator."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.gan.estimator._estimator import GANEstimator, SummaryType

__all__ = ["GANEstimator", "SummaryType"]

__getattr__, __dir__ = _forwarding(__name__, "")
