"""tf.estimator.experimental: early stopping, and the parts of canned models."""

from kiln.compat.v1.estimator._canned._models import (
    call_logit_fn as call_logit_fn,
    dnn_logit_fn_builder as dnn_logit_fn_builder,
    linear_logit_fn_builder as linear_logit_fn_builder,
)
from kiln.compat.v1.estimator._early_stopping import (
    make_early_stopping_hook as make_early_stopping_hook,
    stop_if_higher_hook as stop_if_higher_hook,
    stop_if_lower_hook as stop_if_lower_hook,
    stop_if_no_decrease_hook as stop_if_no_decrease_hook,
    stop_if_no_increase_hook as stop_if_no_increase_hook,
)
from kiln.compat.v1.estimator.export._receivers import (
    build_raw_supervised_input_receiver_fn as build_raw_supervised_input_receiver_fn,
)
