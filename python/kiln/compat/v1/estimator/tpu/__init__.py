"""tf.estimator.tpu: estimators for TPUs, which run on CPUs here (use_tpu=False)."""

from kiln.compat.v1.estimator.tpu._config import (
    InputPipelineConfig as InputPipelineConfig,
    RunConfig as RunConfig,
    TPUConfig as TPUConfig,
)
from kiln.compat.v1.estimator.tpu._estimator import TPUEstimator as TPUEstimator
from kiln.compat.v1.estimator.tpu._spec import TPUEstimatorSpec as TPUEstimatorSpec


def __getattr__(name):
    from kiln.compat._missing import missing_name

    raise missing_name(__name__, name, f"tpu.{name}")
