"""Estimators made of others."""

from kiln.compat._python.util.function_utils import fn_args
from kiln.compat.v1.estimator._estimator import Estimator
from kiln.compat.v1.estimator._modes import ModeKeys


def add_metrics(estimator, metric_fn):
    """An estimator like another one, with more metrics.

    metric_fn: gives a dict of metrics; it may have the arguments features, labels, predictions and
    config. Errors: ValueError for others. Source: tf.estimator.add_metrics.
    """
    names = set(fn_args(metric_fn))
    others = list(names - {"features", "labels", "predictions", "config"})
    if others:
        raise ValueError(f"metric_fn ({metric_fn}) has following not expected args: {others}")

    def model_fn(features, labels, mode, config):
        spec = estimator.model_fn(features, labels, mode, config)
        if mode != ModeKeys.EVAL:
            return spec
        given = {
            "features": features,
            "labels": labels,
            "predictions": spec.predictions,
            "config": config,
        }
        more = metric_fn(**{name: value for name, value in given.items() if name in names})
        return spec._replace(eval_metric_ops={**spec.eval_metric_ops, **more})

    return Estimator(
        model_fn,
        model_dir=estimator.model_dir,
        config=estimator.config,
        warm_start_from=estimator._warm_start_settings,
    )
