"""tf.estimator: models as functions, trained, evaluated and exported by objects.

def model_fn(features, labels, mode):
    logits = tf.layers.dense(features["x"], 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"y": logits})
    loss = tf.losses.mean_squared_error(labels, logits)
    train_op = tf.train.AdamOptimizer().minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

estimator = tf.estimator.Estimator(model_fn, model_dir="/tmp/model")
estimator.train(input_fn, steps=1000)
"""

import importlib as _importlib

# Module: what it has. Each is imported when a name of it is first asked for.
_MODULES = {
    "_config": "RunConfig",
    "_early_stopping": "",
    "_estimator": "Estimator WarmStartSettings _load_global_step_from_checkpoint_dir",
    "_exporters": "BestExporter Exporter FinalExporter LatestExporter",
    "_extenders": "add_metrics",
    "_modes": "ModeKeys",
    "_parsing": "classifier_parse_example_spec regressor_parse_example_spec",
    "_spec": "EstimatorSpec",
    "_train_and_evaluate": "EvalSpec TrainSpec train_and_evaluate",
    "_canned._baseline": "BaselineClassifier BaselineEstimator BaselineRegressor",
    "_canned._combined": "DNNLinearCombinedClassifier DNNLinearCombinedEstimator "
    "DNNLinearCombinedRegressor",
    "_canned._dnn": "DNNClassifier DNNEstimator DNNRegressor",
    "_canned._linear": "LinearClassifier LinearEstimator LinearRegressor",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}
_FROM_TRAIN = (
    "CheckpointSaverHook CheckpointSaverListener FeedFnHook FinalOpsHook GlobalStepWaiterHook "
    "LoggingTensorHook NanLossDuringTrainingError NanTensorHook ProfilerHook SecondOrStepTimer "
    "SessionRunArgs SessionRunContext SessionRunHook SessionRunValues StepCounterHook "
    "StopAtStepHook SummarySaverHook VocabInfo"
).split()
_PACKAGES = ("experimental", "export", "inputs", "tpu")

__all__ = sorted([name for name in _HOMES if name[0] != "_"] + _FROM_TRAIN)


def __getattr__(name):
    if name in _PACKAGES:
        return _importlib.import_module(f"{__name__}.{name}")
    if name in _HOMES:
        value = getattr(_importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    elif name in _FROM_TRAIN:
        from kiln.compat.v1 import train

        value = getattr(train, name)
    else:
        from kiln.compat._missing import missing_name

        raise missing_name(__name__, name)
    globals()[name] = value
    return value


def __dir__():
    return sorted([*__all__, *_PACKAGES])
