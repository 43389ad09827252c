"""What exports a model after evaluations: the last one, each, or the best ones."""

import os

from kiln.compat import v1 as tf
from kiln.compat._python.util.function_utils import fn_args


class Exporter:
    """What exports a model: a subclass has a name and export(). Source: tf.estimator.Exporter."""

    @property
    def name(self):
        """The name of the folder below MODEL_DIR/export."""
        raise NotImplementedError

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        """Exports a checkpoint; gives the path, or None where it does nothing."""
        raise NotImplementedError


class _SavedModelExporter(Exporter):
    def __init__(
        self, name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep=None
    ):
        self._name, self._receiver_fn = name, serving_input_receiver_fn
        self._assets_extra, self._as_text, self._keep = assets_extra, as_text, exports_to_keep

    @property
    def name(self):
        return self._name

    def _export(self, estimator, export_path, checkpoint_path):
        result = estimator.export_saved_model(
            export_path,
            self._receiver_fn,
            assets_extra=self._assets_extra,
            as_text=self._as_text,
            checkpoint_path=checkpoint_path,
        )
        if self._keep is not None:
            _delete_old(export_path, self._keep)
        return result


def _delete_old(folder, keep):
    """Deletes all exports but the newest ones."""
    names = (tf.compat.as_str_any(name).rstrip("/") for name in tf.gfile.ListDirectory(folder))
    versions = sorted((name for name in names if len(name) == 10 and name.isdigit()), key=int)
    for name in versions[: max(len(versions) - keep, 0)]:
        path = os.path.join(tf.compat.as_str_any(folder), name)
        try:
            tf.gfile.DeleteRecursively(path)
        except tf.errors.NotFoundError as error:
            tf.logging.warn("Can not delete %s recursively: %s", path, error)


class FinalExporter(_SavedModelExporter):
    """Exports at the end of the training. Source: tf.estimator.FinalExporter."""

    def __init__(self, name, serving_input_receiver_fn, assets_extra=None, as_text=False):
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        if not is_the_final_export:
            return None
        tf.logging.info("Performing the final export in the end of training.")
        return self._export(estimator, export_path, checkpoint_path)


class LatestExporter(_SavedModelExporter):
    """Exports after each evaluation and keeps the newest ones.

    exports_to_keep: how many; None for all. Errors: ValueError. Source:
    tf.estimator.LatestExporter.
    """

    def __init__(
        self, name, serving_input_receiver_fn, assets_extra=None, as_text=False, exports_to_keep=5
    ):
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError("`exports_to_keep`, if provided, must be positive number")
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep)

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        return self._export(estimator, export_path, checkpoint_path)


def _loss_smaller(best_eval_result, current_eval_result):
    """Whether the loss of the current evaluation is smaller. Errors: ValueError."""
    for name, result in (
        ("best_eval_result", best_eval_result),
        ("current_eval_result", current_eval_result),
    ):
        if not result or "loss" not in result:
            raise ValueError(f"{name} cannot be empty or no loss is found in it.")
    return best_eval_result["loss"] > current_eval_result["loss"]


class BestExporter(_SavedModelExporter):
    """Exports after evaluations that are better than those before.

    event_file_pattern: where earlier evaluations are found, below the estimator's folder.
    compare_fn(best_eval_result, current_eval_result): whether the current one is better. Errors:
    ValueError. Source: tf.estimator.BestExporter.
    """

    def __init__(
        self,
        name="best_exporter",
        serving_input_receiver_fn=None,
        event_file_pattern="eval/*.tfevents.*",
        compare_fn=_loss_smaller,
        assets_extra=None,
        as_text=False,
        exports_to_keep=5,
    ):
        if compare_fn is None:
            raise ValueError("`compare_fn` must not be None.")
        given, wanted = set(fn_args(compare_fn)), {"best_eval_result", "current_eval_result"}
        for argument in sorted(wanted):
            if argument not in given:
                raise ValueError(f"compare_fn ({compare_fn}) must include {argument} argument.")
        if given - wanted:
            raise ValueError(
                f"compare_fn ({compare_fn}) has following not expected args: {list(given - wanted)}"
            )
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError(
                f"`exports_to_keep`, if provided, must be a positive number. Got {exports_to_keep}"
            )
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep)
        self._compare_fn, self._pattern = compare_fn, event_file_pattern
        self._model_dir, self._best, self._has_exported = None, None, False

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        if self._model_dir != estimator.model_dir and self._pattern:
            tf.logging.info("Loading best metric from event files.")
            self._model_dir = estimator.model_dir
            self._best = self._best_before(os.path.join(self._model_dir, self._pattern))
        if (
            self._best is not None
            and self._has_exported
            and not self._compare_fn(best_eval_result=self._best, current_eval_result=eval_result)
        ):
            return None
        tf.logging.info("Performing best model export.")
        self._best = eval_result
        result = self._export(estimator, export_path, checkpoint_path)
        self._has_exported = True
        return result

    def _best_before(self, pattern):
        best = None
        for path in tf.gfile.Glob(pattern):
            for event in tf.train.summary_iterator(path):
                if not event.HasField("summary"):
                    continue
                values = (each for each in event.summary.value if each.HasField("simple_value"))
                result = {value.tag: value.simple_value for value in values}
                if result and (best is None or self._compare_fn(best, result)):
                    best = result
        return best
