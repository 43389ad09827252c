"""tf.distributions: distributions as objects, with samples, probabilities and divergences."""

from kiln.compat.v1._util import deprecation as _deprecation

with _deprecation.silence():
    from kiln.compat.v1.distributions._distribution import (
        FULLY_REPARAMETERIZED,
        NOT_REPARAMETERIZED,
        Distribution,
        ReparameterizationType,
    )
    from kiln.compat.v1.distributions._kullback_leibler import RegisterKL, kl_divergence
    from kiln.compat.v1.distributions.bernoulli import Bernoulli
    from kiln.compat.v1.distributions.beta import Beta
    from kiln.compat.v1.distributions.categorical import Categorical
    from kiln.compat.v1.distributions.dirichlet import Dirichlet
    from kiln.compat.v1.distributions.gamma import Exponential, Gamma
    from kiln.compat.v1.distributions.laplace import Laplace
    from kiln.compat.v1.distributions.normal import Normal
    from kiln.compat.v1.distributions.uniform import Uniform

__all__ = [
    "Bernoulli",
    "Beta",
    "Categorical",
    "Dirichlet",
    "Distribution",
    "Exponential",
    "FULLY_REPARAMETERIZED",
    "Gamma",
    "Laplace",
    "NOT_REPARAMETERIZED",
    "Normal",
    "RegisterKL",
    "ReparameterizationType",
    "Uniform",
    "kl_divergence",
]
