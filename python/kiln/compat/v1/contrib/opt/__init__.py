"""tf.contrib.opt: more optimizers.

| looking for | it is in |
| --- | --- |
| LazyAdamOptimizer, NadamOptimizer | `_adam.py` |
| LARSOptimizer | `_lars.py` |
| AdamWOptimizer, MomentumWOptimizer | `_weight_decay.py` |
| MovingAverageOptimizer, VariableClippingOptimizer | `_around.py` |
| ScipyOptimizerInterface | `_external.py` |
"""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.opt._adam import LazyAdamOptimizer, NadamOptimizer
from kiln.compat.v1.contrib.opt._around import MovingAverageOptimizer, VariableClippingOptimizer
from kiln.compat.v1.contrib.opt._external import (
    ExternalOptimizerInterface,
    ScipyOptimizerInterface,
)
from kiln.compat.v1.contrib.opt._lars import LARSOptimizer
from kiln.compat.v1.contrib.opt._weight_decay import (
    AdamWOptimizer,
    DecoupledWeightDecayExtension,
    MomentumWOptimizer,
    extend_with_decoupled_weight_decay,
)

__all__ = [
    "AdamWOptimizer",
    "DecoupledWeightDecayExtension",
    "ExternalOptimizerInterface",
    "LARSOptimizer",
    "LazyAdamOptimizer",
    "MomentumWOptimizer",
    "MovingAverageOptimizer",
    "NadamOptimizer",
    "ScipyOptimizerInterface",
    "VariableClippingOptimizer",
    "extend_with_decoupled_weight_decay",
]

__getattr__, __dir__ = _forwarding(__name__, "")
