"""tf.estimator.tpu.TPUEstimator, on CPUs."""

import copy
import enum

from kiln.compat import v1 as tf
from kiln.compat._python.util.function_utils import fn_args
from kiln.compat.v1.estimator import _input
from kiln.compat.v1.estimator._estimator import Estimator
from kiln.compat.v1.estimator._modes import ModeKeys
from kiln.compat.v1.estimator.tpu._config import RunConfig
from kiln.compat.v1.estimator.tpu._spec import TPUEstimatorSpec

_RESERVED = ["batch_size", "context"]


class ExportSavedModelApiVersion(enum.Enum):
    """Which functions export a model for TPUs."""

    V1 = 1
    V2 = 2


class TPUEstimator(Estimator):
    """An Estimator whose functions get the size of batches in params["batch_size"].

    use_tpu: False. train_batch_size, eval_batch_size, predict_batch_size: the sizes. model_fn: may
    give a TPUEstimatorSpec. Errors: ValueError. Source: tf.estimator.tpu.TPUEstimator. Difference:
    use_tpu=True is an error, since Kiln has no TPUs.
    """

    def __init__(
        self,
        model_fn=None,
        model_dir=None,
        config=None,
        params=None,
        use_tpu=True,
        train_batch_size=None,
        eval_batch_size=None,
        predict_batch_size=None,
        batch_axis=None,
        eval_on_tpu=True,
        export_to_tpu=True,
        export_to_cpu=True,
        warm_start_from=None,
        embedding_config_spec=None,
        export_saved_model_api_version=ExportSavedModelApiVersion.V1,
    ):
        if config is None or not isinstance(config, RunConfig):
            raise ValueError("`config` must be provided with type `tpu_config.RunConfig`")
        if params is not None and any(name in params for name in _RESERVED):
            raise ValueError(f"{_RESERVED} are reserved keys but existed in params {params}.")
        if use_tpu:
            raise ValueError("Kiln has no TPUs; TPUEstimator(..., use_tpu=False) runs on CPUs")
        _input.check_model_arguments(model_fn, params)
        self._batch_sizes = {
            ModeKeys.TRAIN: train_batch_size,
            ModeKeys.EVAL: eval_batch_size,
            ModeKeys.PREDICT: predict_batch_size,
        }
        self._is_input_fn_invoked = None
        super().__init__(
            self._for_cpus(model_fn),
            model_dir=model_dir,
            config=config,
            params=params or {},
            warm_start_from=warm_start_from,
        )
        if eval_on_tpu:
            tf.logging.warning("eval_on_tpu ignored because use_tpu is False.")

    def _for_cpus(self, model_fn):
        """The model function that gives an EstimatorSpec."""

        def _model_fn(features, labels, mode, config, params):
            is_export = not self._is_input_fn_invoked
            self._is_input_fn_invoked = None
            tf.logging.info("Running %s on CPU", mode)
            params = copy.copy(params)
            if not is_export:
                self._add_size(params, mode)
            _set(params, "use_tpu", False)
            names, given = fn_args(model_fn), {}
            if "labels" in names:
                given["labels"] = labels
            elif labels is not None:
                raise ValueError("model_fn does not take labels, but input_fn returns labels.")
            for name, value in (("mode", mode), ("config", config), ("params", params)):
                if name in names:
                    given[name] = value
            if "params" not in names and self._batch_sizes.get(mode) is not None:
                raise ValueError(
                    f"model_fn ({model_fn}) does not include params argument, required by "
                    'TPUEstimator to pass batch size as params["batch_size"]'
                )
            spec = model_fn(features=features, **given)
            return spec.as_estimator_spec() if isinstance(spec, TPUEstimatorSpec) else spec

        return _model_fn

    def _add_size(self, params, mode):
        # Without sizes of their own evaluations and predictions have that of the training.
        size = self._batch_sizes.get(mode) or self._batch_sizes[ModeKeys.TRAIN]
        if mode == ModeKeys.PREDICT:
            size = self._batch_sizes[mode]
        if size is not None:
            _set(params, "batch_size", size)

    def _call_input_fn(self, input_fn, mode):
        names = fn_args(input_fn)
        if "params" not in names:
            raise ValueError(
                f"input_fn ({input_fn}) does not include params argument, required by "
                'TPUEstimator to pass batch size as params["batch_size"]'
            )
        params = self.params
        self._add_size(params, mode)
        self._is_input_fn_invoked = True
        return _input.call_input(input_fn, mode, params, self.config)


def _set(params, name, value):
    """Sets a parameter in a dict, or in what tf.contrib.training.HParams is."""
    if hasattr(params, "set_hparam"):
        params.set_hparam(name, value) if name in params else params.add_hparam(name, value)
    else:
        params[name] = value
