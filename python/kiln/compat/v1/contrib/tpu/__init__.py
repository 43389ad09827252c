"""tf.contrib.tpu: what programs for TPUs need on CPUs: estimators, their options, optimizers."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.tpu._optimizer import CrossShardOptimizer as CrossShardOptimizer
from kiln.compat.v1.contrib.tpu._types import bfloat16_scope as bfloat16_scope

__getattr__, __dir__ = _forwarding(
    __name__,
    "InputPipelineConfig=estimator.tpu.InputPipelineConfig RunConfig=estimator.tpu.RunConfig "
    "TPUConfig=estimator.tpu.TPUConfig TPUEstimator=estimator.tpu.TPUEstimator "
    "TPUEstimatorSpec=estimator.tpu.TPUEstimatorSpec",
)
