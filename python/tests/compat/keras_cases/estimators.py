"""Estimators: what they train, evaluate, predict, log and write; first values are those of seeds."""

import glob
import logging
import os
import re
import shutil
import tempfile

import numpy as np
from keras_cases import error_of

_X = np.linspace(-1, 1, 24, dtype="f4")
_WORDS = np.array(["a", "b", "c"] * 8)
_LABELS = (_X > 0.2).astype("i8")


def _input(tf, x=None, y=_LABELS, epochs=1, batch_size=8):
    x = {"x": _X, "word": _WORDS} if x is None else x
    return tf.estimator.inputs.numpy_input_fn(
        x, y, batch_size=batch_size, num_epochs=epochs, shuffle=False
    )


def _columns(tf):
    fc = tf.feature_column
    word = fc.categorical_column_with_vocabulary_list("word", ["a", "b", "c"])
    return fc.numeric_column("x"), word, fc.indicator_column(word)


class _Logged(logging.Handler):
    """The lines that TensorFlow logs."""

    def __init__(self, tf):
        super().__init__()
        self.lines, self._tf = [], tf

    def emit(self, record):
        self.lines.append(record.getMessage())

    def __enter__(self):
        self._before = self._tf.logging.get_verbosity()
        self._tf.logging.set_verbosity(self._tf.logging.INFO)
        logging.getLogger("tensorflow").addHandler(self)
        return self

    def __exit__(self, *exception):
        logging.getLogger("tensorflow").removeHandler(self)
        self._tf.logging.set_verbosity(self._before)


def _ones(shape, dtype=None, partition_info=None):
    count = int(np.prod(shape))
    return (np.sin(np.arange(count) * 0.7) * 0.5).reshape(shape).astype("f4")


def _events(tf, folder):
    """Tags and values of the scalars that were written."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "events*"))):
        for event in tf.train.summary_iterator(path):
            for value in event.summary.value:
                kind = value.WhichOneof("value")
                number = value.simple_value if kind == "simple_value" else kind
                # Not how fast it is and how full queues are.
                if not re.search("global_step/sec|fraction_over|path$", value.tag):
                    found.append([event.step, value.tag, number])
    return found


def _used(make, y=_LABELS, steps=20, predict_keys=None):
    """A case of an estimator: it is trained, evaluated and asked to predict."""

    def case(tf):
        folder = tempfile.mkdtemp()
        try:
            config = tf.estimator.RunConfig(
                model_dir=folder, tf_random_seed=3, save_checkpoints_steps=10,
                save_summary_steps=10, log_step_count_steps=10,
            )  # fmt: skip
            estimator = make(tf, config)
            estimator.train(_input(tf, y=y, epochs=None), steps=steps)
            evaluated = estimator.evaluate(_input(tf, y=y))
            predicted = list(estimator.predict(_input(tf, y=None)))
            names = sorted(estimator.get_variable_names())
            return {
                "evaluated": evaluated,
                "predicted": predicted[:3],
                "count": len(predicted),
                "variables": names,
                "values": [estimator.get_variable_value(n) for n in names if "global_step" not in n],
                "checkpoints": sorted(os.path.basename(p) for p in glob.glob(f"{folder}/*.index")),
                "evaluation": _events(tf, os.path.join(folder, "eval")),
            }
        finally:
            shutil.rmtree(folder)

    return case


def _dnn(tf, kind, config, **kwargs):
    x, _, indicator = _columns(tf)
    return getattr(tf.estimator, kind)(
        hidden_units=[4, 3], feature_columns=[x, indicator], config=config, **kwargs
    )


def _linear(tf, kind, config, **kwargs):
    x, word, _ = _columns(tf)
    return getattr(tf.estimator, kind)(feature_columns=[x, word], config=config, **kwargs)


def _combined(tf, kind, config, **kwargs):
    x, word, indicator = _columns(tf)
    return getattr(tf.estimator, kind)(
        linear_feature_columns=[word], dnn_feature_columns=[x, indicator], dnn_hidden_units=[4],
        config=config, **kwargs,
    )  # fmt: skip


_THREE = np.digitize(_X, [-0.4, 0.4])
_NUMBERS = (2 * _X + 1).astype("f4")
TABLE = {
    "linear_classifier": _used(lambda tf, config: _linear(tf, "LinearClassifier", config)),
    "linear_classifier_of_three": _used(
        lambda tf, config: _linear(tf, "LinearClassifier", config, n_classes=3), _THREE
    ),
    "linear_classifier_with_names": _used(
        lambda tf, config: _linear(
            tf, "LinearClassifier", config, label_vocabulary=["no", "yes"]
        ),
        np.where(_LABELS == 1, "yes", "no"),
    ),
    "linear_regressor": _used(
        lambda tf, config: _linear(
            tf, "LinearRegressor", config, optimizer=tf.train.GradientDescentOptimizer(0.01)
        ),
        _NUMBERS,
    ),
    "baseline_classifier": _used(
        lambda tf, config: tf.estimator.BaselineClassifier(config=config, n_classes=3), _THREE
    ),
    "baseline_regressor": _used(
        lambda tf, config: tf.estimator.BaselineRegressor(config=config), _NUMBERS
    ),
    "dnn_classifier": _used(lambda tf, config: _dnn(tf, "DNNClassifier", config)),
    "dnn_classifier_of_three": _used(
        lambda tf, config: _dnn(
            tf, "DNNClassifier", config, n_classes=3, optimizer=tf.train.AdamOptimizer(0.05)
        ),
        _THREE,
    ),
    "dnn_regressor": _used(
        lambda tf, config: _dnn(tf, "DNNRegressor", config, batch_norm=True), _NUMBERS
    ),
    "combined_classifier": _used(
        lambda tf, config: _combined(tf, "DNNLinearCombinedClassifier", config)
    ),
    "combined_regressor": _used(
        lambda tf, config: _combined(tf, "DNNLinearCombinedRegressor", config), _NUMBERS
    ),
}  # fmt: skip


def _model_fn(tf):
    def model_fn(features, labels, mode, params):
        x = tf.reshape(features["x"], [-1, 1])
        y = tf.layers.dense(x, 1, kernel_initializer=_ones, name="dense")
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(mode, predictions={"y": y, "x": x})
        labels = tf.reshape(labels, [-1, 1])
        loss = tf.losses.mean_squared_error(labels, y)
        tf.summary.scalar("own", loss * 2)
        optimizer = tf.train.GradientDescentOptimizer(params["rate"])
        return tf.estimator.EstimatorSpec(
            mode, predictions={"y": y}, loss=loss,
            train_op=optimizer.minimize(loss, tf.train.get_global_step()),
            eval_metric_ops={"error": tf.metrics.mean_absolute_error(labels, y)},
        )  # fmt: skip

    return model_fn


_STARTS = (
    "Saving ch", "Calling", "Done", "loss", "Loss", "Skip", "Restoring", "Graph", "Create", "Running",
)  # fmt: skip


def own_model(tf):
    """What is logged and written, step by step."""
    folder = tempfile.mkdtemp()
    try:
        config = tf.estimator.RunConfig(folder, 1, save_checkpoints_steps=5, log_step_count_steps=5)
        estimator = tf.estimator.Estimator(_model_fn(tf), config=config, params={"rate": 0.1})
        with _Logged(tf) as logged:
            estimator.train(_input(tf, y=_NUMBERS, epochs=None), max_steps=12)
            estimator.train(_input(tf, y=_NUMBERS, epochs=None), max_steps=12)
            evaluated = estimator.evaluate(_input(tf, y=_NUMBERS), name="more")
        # Times are left out, and so are digits of losses beyond the fifth.
        lines = [re.sub(r"\d+\.\d+ sec", "TIME", line) for line in logged.lines]
        lines = [re.sub(r"(\.\d{5})\d+", r"\1", line.replace(folder, "FOLDER")) for line in lines]
        return {
            "evaluated": evaluated,
            "lines": [line for line in lines if line.startswith(_STARTS)],
            "files": sorted(p for p in os.listdir(folder) if not p.startswith("events")),
            "events": _events(tf, folder),
            "evaluation": _events(tf, os.path.join(folder, "eval_more")),
            "predicted": [each["y"] for each in estimator.predict(_input(tf, y=None), ["y"])][:4],
        }
    finally:
        shutil.rmtree(folder)


def exported(tf):
    folder = tempfile.mkdtemp()
    try:
        estimator = tf.estimator.Estimator(
            _model_fn(tf), os.path.join(folder, "model"), params={"rate": 0.1}
        )
        estimator.train(_input(tf, y=_NUMBERS, epochs=None), steps=3)

        def receiver():
            x = tf.placeholder(tf.float32, [None], name="given")
            return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})

        path = estimator.export_savedmodel(os.path.join(folder, "saved"), receiver)
        path = path.decode() if isinstance(path, bytes) else path
        with tf.Graph().as_default(), tf.Session() as session:
            loaded = tf.saved_model.loader.load(session, ["serve"], path)
            signature = loaded.signature_def["serving_default"]
            outputs = {key: each.name for key, each in signature.outputs.items()}
            values = session.run(outputs, {signature.inputs["x"].name: [0.5, -0.5]})
        return {
            "signatures": sorted(loaded.signature_def),
            "method": signature.method_name,
            "inputs": {key: each.name for key, each in signature.inputs.items()},
            "outputs": outputs,
            "values": values,
            "files": sorted(os.listdir(path)),
        }
    finally:
        shutil.rmtree(folder)


def errors(tf):
    modes, spec = tf.estimator.ModeKeys, tf.estimator.EstimatorSpec
    loss, step = tf.constant(1.0), tf.no_op()
    config = tf.estimator.RunConfig
    found = [
        lambda: spec(modes.TRAIN, loss=loss),
        lambda: spec(modes.TRAIN, train_op=step),
        lambda: spec(modes.EVAL),
        lambda: spec(modes.PREDICT),
        lambda: spec(modes.TRAIN, loss=tf.constant([1.0, 2.0]), train_op=step),
        lambda: spec(modes.TRAIN, loss=1.0, train_op=step),
        lambda: spec(modes.EVAL, loss=loss, eval_metric_ops={"a": loss}),
        lambda: spec(modes.PREDICT, predictions={"a": 1.0}),
        lambda: config(save_checkpoints_steps=1, save_checkpoints_secs=1),
        lambda: config(save_summary_steps=-1),
        lambda: config().replace(none=3),
        lambda: tf.estimator.Estimator(lambda x: x),
        lambda: tf.estimator.Estimator(lambda features: features, params={"a": 1}),
        lambda: tf.estimator.TrainSpec(3),
        lambda: tf.estimator.TrainSpec(lambda: 3, max_steps=0),
        lambda: tf.estimator.EvalSpec(lambda: 3, steps=0),
        lambda: tf.estimator.inputs.numpy_input_fn(3, shuffle=False)(),
        lambda: tf.estimator.inputs.numpy_input_fn({"x": _X}, _LABELS[:3], shuffle=False)(),
        lambda: tf.estimator.inputs.numpy_input_fn({"x": _X}, shuffle=None)(),
        lambda: tf.estimator.LinearClassifier([], n_classes=1),
        lambda: tf.estimator.DNNLinearCombinedClassifier(),
        lambda: tf.estimator.export.ServingInputReceiver(None, {}),
        lambda: tf.estimator.export.PredictOutput({"a": 3}),
        lambda: tf.estimator.export.ClassificationOutput(),
    ]
    return {"errors": [error_of(each) for each in found]}
