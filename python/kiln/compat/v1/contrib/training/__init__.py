"""tf.contrib.training: hyperparameters, training and evaluation of a graph.

| looking for | it is in |
| --- | --- |
| HParams | `hparam.py` |
| create_train_op, train | `training.py` |
| evaluate_once, evaluate_repeatedly, their hooks | `evaluation.py` |
| bucket_by_sequence_length | `bucket_ops.py` |
| GreedyLoadBalancingStrategy | `device_setter.py` |
"""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.training.hparam import (
    HParams as HParams,
    parse_values as parse_values,
)

_PARTS = {
    "bucket_ops": "bucket bucket_by_sequence_length",
    "device_setter": "GreedyLoadBalancingStrategy RandomStrategy byte_size_load_fn",
    "evaluation": """StopAfterNEvalsHook SummaryAtEndHook checkpoints_iterator evaluate_once
        evaluate_repeatedly get_or_create_eval_step wait_for_new_checkpoint""",
    "training": """add_gradients_summaries clip_gradient_norms clip_gradient_norms_fn
        create_train_op multiply_gradients train""",
}
# Programs that want hyperparameters alone do without the rest.
__getattr__, __dir__ = _forwarding(
    __name__,
    " ".join(
        f"{name}=contrib.training.{part}.{name}"
        for part, names in _PARTS.items()
        for name in names.split()
    ),
)
