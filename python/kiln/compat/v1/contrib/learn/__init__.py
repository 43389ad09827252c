"""tf.contrib.learn: estimators older than tf.estimator, experiments, and what goes with them.

| looking for | it is in |
| --- | --- |
| estimators, ModeKeys, RunConfig | `estimators/` |
| Experiment, learn_runner | `experiment.py`, `learn_runner.py` |
| MetricSpec, ExportStrategy, monitors | files of their names |
| datasets, io, preprocessing, utils | folders of their names |
"""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding

_ESTIMATORS = (
    "BaseEstimator ClusterConfig DNNClassifier DNNLinearCombinedClassifier "
    "DNNLinearCombinedRegressor DNNRegressor Environment Estimator LinearClassifier "
    "LinearRegressor MetricKey ModeKeys ModelFnOps NotFittedError PredictionKey "
    "ProblemType RunConfig SKCompat TaskType infer_real_valued_columns_from_input"
).split()
_IO = (
    "extract_pandas_data extract_pandas_labels extract_pandas_matrix numpy_input_fn pandas_input_fn "
    "read_batch_examples read_batch_features read_batch_record_features "
    "read_keyed_batch_examples read_keyed_batch_features"
).split()
_words = [f"{name}=contrib.learn.estimators.{name}" for name in _ESTIMATORS]
_words += [f"{name}=contrib.learn.io.{name}" for name in _IO]
_words += [
    "Experiment=contrib.learn.experiment.Experiment",
    "ExportStrategy=contrib.learn.export_strategy.ExportStrategy",
    "InputFnOps=contrib.learn.utils.input_fn_utils.InputFnOps",
    "MetricSpec=contrib.learn.metric_spec.MetricSpec",
    "NanLossDuringTrainingError=train.NanLossDuringTrainingError",
    "build_parsing_serving_input_fn=contrib.learn.utils.input_fn_utils.build_parsing_serving_input_fn",
    "make_export_strategy=contrib.learn.utils.saved_model_export_utils.make_export_strategy",
]

__getattr__, __dir__ = _forwarding(__name__, " ".join(_words))
