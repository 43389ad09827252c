"""tf.contrib.learn.learn_runner: runs an experiment that a function makes."""

from kiln.compat import v1 as tf
from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.contrib.learn.estimators import run_config as _run_config
from kiln.compat.v1.contrib.learn.experiment import Experiment

_MODULE = "tensorflow.contrib.learn.python.learn.learn_runner"


def _execute(experiment, schedule):
    task = getattr(experiment, schedule, None)
    if callable(task):
        return task()
    what = "non-callable member" if hasattr(experiment, schedule) else "non-existent task"
    valid = [
        each
        for each in dir(experiment)
        if each[0] != "_" and callable(getattr(experiment, each))
    ]
    tf.logging.error("Schedule references %s %s", what, schedule)
    tf.logging.error("Allowed values for this experiment are: %s", valid)
    error = TypeError if hasattr(experiment, schedule) else ValueError
    raise error(f"Schedule references {what} {schedule}")


def _made_with_config(experiment_fn, config, hparams):
    """The experiment of a configuration, which its estimator must have. Errors: ValueError,
    TypeError, RuntimeError.
    """
    if not isinstance(config, _run_config.RunConfig):
        raise ValueError("`run_config` must be `tf.contrib.learn.RunConfig` instance")
    if not config.model_dir:
        raise ValueError("Must specify a model directory `model_dir` in `run_config`.")
    if hparams is not None and not isinstance(hparams, tf.contrib.training.HParams):
        raise ValueError("`hparams` must be `HParams` instance")
    uid = config.uid()
    experiment = _checked(experiment_fn(config, hparams))
    if not hasattr(experiment.estimator.config, "uid"):
        raise RuntimeError(
            "Pass `run_config` argument of the `experiment_fn` to the Estimator in Experiment. It "
            "is likely a different `RunConfig` is passed to `Estimator` or the `config` "
            "constructor argument in `Estimator` is not set."
        )
    if experiment.estimator.config.uid() != uid:
        raise RuntimeError(
            "`RunConfig` instance is expected to be used by the `Estimator` inside the "
            f"`Experiment`. expected {uid}, but got {experiment.estimator.config.uid()}"
        )
    return experiment


def _checked(experiment):
    if not isinstance(experiment, Experiment):
        raise TypeError(
            "Experiment builder did not return an Experiment instance, got "
            f"{type(experiment)} instead."
        )
    return experiment


@deprecated(None, "Use tf.estimator.train_and_evaluate.", module=_MODULE)
def run(experiment_fn, output_dir=None, schedule=None, run_config=None, hparams=None):
    """Runs a method of the experiment that a function makes, train_and_evaluate() by default.

    experiment_fn: a function of output_dir, or of run_config and hparams. Errors: ValueError,
    TypeError. Source: tf.contrib.learn.learn_runner.run.
    """
    if output_dir is not None and run_config is not None:
        raise ValueError("Cannot provide both `output_dir` and `run_config`")
    if output_dir is None and run_config is None:
        raise ValueError("Must set value for `output_dir` or `run_config`")
    if not callable(experiment_fn):
        raise TypeError(f'Experiment builder "{experiment_fn}" is not callable.')
    if run_config is not None:
        experiment = _made_with_config(experiment_fn, run_config, hparams)
    else:
        if not output_dir:
            raise ValueError("Must specify an output directory")
        if hparams is not None:
            raise ValueError(
                "Must set `hparams` as None for `experiment_fn` with `output_dir`."
            )
        experiment = _checked(experiment_fn(output_dir=output_dir))
    return _execute(experiment, schedule or "train_and_evaluate")
