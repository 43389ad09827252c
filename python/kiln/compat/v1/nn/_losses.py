"""Cross entropies and other losses of logits."""

from kiln._kiln import front as _c
from kiln.compat.v1._deprecations import deprecated, renamed

__all__ = [
    "log_poisson_loss", "nce_loss", "sampled_softmax_loss", "sigmoid_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits", "softmax_cross_entropy_with_logits_v2",
    "sparse_softmax_cross_entropy_with_logits", "weighted_cross_entropy_with_logits",
]  # fmt: skip


def _require_named(function, sentinel, labels, logits):
    """Errors: ValueError for arguments by position, which would be taken for one another."""
    if sentinel is not None:
        raise ValueError(f"Only call `{function}` with named arguments (labels=..., logits=..., ...)")
    if labels is None or logits is None:
        raise ValueError("Both labels and logits must be provided.")


def softmax_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, dim=-1, name=None, axis=None):
    """The cross entropy of each row of probabilities. No gradient goes to the labels.

    Errors: ValueError for arguments by position. Source: tf.nn.softmax_cross_entropy_with_logits.
    """
    deprecated(
        "ops.nn_ops.softmax_cross_entropy_with_logits",
        "\nFuture major versions of TensorFlow will allow gradients to flow\ninto the labels input on backprop by "
        "default.\n\nSee `tf.nn.softmax_cross_entropy_with_logits_v2`.\n",
    )
    if axis is not None:
        raise ValueError("Cannot specify both 'axis' and 'dim'")
    _require_named("softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    return _c.softmax_cross_entropy_with_logits(labels, logits, dim, name)


def softmax_cross_entropy_with_logits_v2(labels, logits, axis=None, name=None, dim=None):
    """The cross entropy of each row of probabilities; gradients go to the labels, too.

    dim: the older name of axis. Source: tf.nn.softmax_cross_entropy_with_logits_v2.
    """
    function, notice = "ops.nn_ops.softmax_cross_entropy_with_logits_v2", "dim is deprecated, use axis instead"
    axis = renamed(function, "axis", axis, "dim", dim, notice)
    return _c.softmax_cross_entropy_with_logits_v2(labels, logits, axis, name)


def sparse_softmax_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, name=None):
    """The cross entropy of each row, whose label is the number of a class.

    Errors: ValueError for arguments by position and for shapes that do not fit. Source:
    tf.nn.sparse_softmax_cross_entropy_with_logits.
    """
    _require_named("sparse_softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    return _c.sparse_softmax_cross_entropy_with_logits(labels, logits, name)


def sigmoid_cross_entropy_with_logits(_sentinel=None, labels=None, logits=None, name=None):
    """The cross entropy of each element.

    Errors: ValueError for arguments by position and for shapes that differ. Source:
    tf.nn.sigmoid_cross_entropy_with_logits.
    """
    _require_named("sigmoid_cross_entropy_with_logits", _sentinel, labels, logits)
    return _c.sigmoid_cross_entropy_with_logits(labels, logits, name)


def weighted_cross_entropy_with_logits(labels=None, logits=None, pos_weight=None, name=None, targets=None):
    """The same with what is true weighted. targets: the older name of labels.

    Source: tf.nn.weighted_cross_entropy_with_logits.
    """
    function = "ops.nn_impl.weighted_cross_entropy_with_logits"
    labels = renamed(function, "labels", labels, "targets", targets, "targets is deprecated, use labels instead")
    return _c.weighted_cross_entropy_with_logits(labels, logits, pos_weight, name)


def log_poisson_loss(targets, log_input, compute_full_loss=False, name=None):
    """exp(log_input) - log_input * targets; compute_full_loss: with what only depends on the targets.

    Source: tf.nn.log_poisson_loss.
    """
    return _c.log_poisson_loss(targets, log_input, compute_full_loss, name)


def _parts(parameters):
    """Parameters in parts as a list of these."""
    if isinstance(parameters, _c.PartitionedVariable):
        return list(parameters)
    return parameters


def nce_loss(
    weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, sampled_values=None,
    remove_accidental_hits=False, partition_strategy="mod", name="nce_loss",
):  # fmt: skip
    """Noise-contrastive estimation: a loss for each row of the inputs.

    weights: [classes, dim], biases: [classes], or lists of parts; labels: [batch, num_true]; inputs:
    [batch, dim]. sampled_values: what a sampler of tf.nn gave; drawn by Zipf's law where it is None.
    Source: tf.nn.nce_loss.
    """
    return _c.nce_loss(
        _parts(weights), _parts(biases), labels, inputs, num_sampled, num_classes, num_true, sampled_values,
        remove_accidental_hits, None, partition_strategy, name,
    )  # fmt: skip


def sampled_softmax_loss(
    weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, sampled_values=None,
    remove_accidental_hits=True, partition_strategy="mod", name="sampled_softmax_loss", seed=None,
):  # fmt: skip
    """The cross entropy over the true classes and those drawn: a loss for each row of the inputs.

    Source: tf.nn.sampled_softmax_loss.
    """
    return _c.sampled_softmax_loss(
        _parts(weights), _parts(biases), labels, inputs, num_sampled, num_classes, num_true, sampled_values,
        remove_accidental_hits, seed, partition_strategy, name,
    )  # fmt: skip
