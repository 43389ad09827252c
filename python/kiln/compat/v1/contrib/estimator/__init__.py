"""tf.contrib.estimator: what programs use of it beside tf.estimator."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding

__getattr__, __dir__ = _forwarding(
    __name__,
    "InMemoryEvaluatorHook=estimator.experimental.InMemoryEvaluatorHook "
    "add_metrics=estimator.add_metrics call_logit_fn=estimator.experimental.call_logit_fn "
    "make_early_stopping_hook=estimator.experimental.make_early_stopping_hook "
    "make_stop_at_checkpoint_step_hook=estimator.experimental.make_stop_at_checkpoint_step_hook "
    "stop_if_higher_hook=estimator.experimental.stop_if_higher_hook "
    "stop_if_lower_hook=estimator.experimental.stop_if_lower_hook "
    "stop_if_no_decrease_hook=estimator.experimental.stop_if_no_decrease_hook "
    "stop_if_no_increase_hook=estimator.experimental.stop_if_no_increase_hook "
    "DNNEstimator=estimator.DNNEstimator LinearEstimator=estimator.LinearEstimator "
    "DNNLinearCombinedEstimator=estimator.DNNLinearCombinedEstimator",
)
