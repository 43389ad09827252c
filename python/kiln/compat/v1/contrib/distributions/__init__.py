"""tf.contrib.distributions: tf.distributions, and normal distributions of vectors."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.distributions._multivariate_normal import (
    MultivariateNormalDiag as MultivariateNormalDiag,
    MultivariateNormalDiagWithSoftplusScale as MultivariateNormalDiagWithSoftplusScale,
)
from kiln.compat.v1.distributions import *
from kiln.compat.v1.distributions.beta import (
    BetaWithSoftplusConcentration as BetaWithSoftplusConcentration,
)
from kiln.compat.v1.distributions.gamma import (
    GammaWithSoftplusConcentrationRate as GammaWithSoftplusConcentrationRate,
)
from kiln.compat.v1.distributions.normal import NormalWithSoftplusScale as NormalWithSoftplusScale

__getattr__, __dir__ = _forwarding(__name__, "")
