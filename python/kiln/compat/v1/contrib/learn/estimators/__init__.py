"""tf.contrib.learn.estimators: estimators older than tf.estimator, and what their functions give.

| looking for | it is in |
| --- | --- |
| Estimator, SKCompat | `estimator.py` |
| ModeKeys, ModelFnOps | `model_fn.py` |
| RunConfig | `run_config.py` |
| DNNClassifier, LinearRegressor and their kin | `_canned.py` |
"""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding

_HOMES = {
    "estimator": "BaseEstimator Estimator NotFittedError SKCompat infer_real_valued_columns_from_input",
    "model_fn": "ModeKeys ModelFnOps",
    "run_config": "ClusterConfig Environment RunConfig TaskType",
    "_canned": "DNNClassifier DNNLinearCombinedClassifier DNNLinearCombinedRegressor DNNRegressor "
    "LinearClassifier LinearRegressor",
    "constants": "ProblemType",
    "metric_key": "MetricKey",
    "prediction_key": "PredictionKey",
}
_words = [
    f"{name}=contrib.learn.estimators.{module}.{name}"
    for module, names in _HOMES.items()
    for name in names.split()
]

__getattr__, __dir__ = _forwarding(__name__, " ".join(_words))
