"""What heads demand of labels, logits and weights, with checks in the graph."""

from kiln.compat import v1 as tf
from kiln.compat._python.util.function_utils import fn_args
from kiln.compat.v1.feature_column import _base


def checked_labels(labels, logits, width):
    """Labels as `[D0, ..., DN, width]`. Errors: ValueError."""
    if labels is None:
        raise ValueError(
            "You must provide a labels Tensor. Given: None. Suggested troubleshooting steps: Check "
            "that your data contain your label feature. Check that your input_fn properly parses "
            "and returns labels."
        )
    with tf.name_scope(None, "labels", (labels, logits)) as scope:
        labels = tf.convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, tf.SparseTensor):
            raise ValueError(
                "SparseTensor labels are not supported. labels must be a Tensor of shape "
                f"[D0, D1, ..., DN, {width}], e.g. [batch_size, {width}]. Suggested Fix (1): Check "
                "the label feature in your data. Each example must contain "
                f"{width} value(s). If not, your choice of label was probably incorrect. Suggested "
                "Fix (2): In your input_fn, use tf.sparse_tensor_to_dense() to turn labels into a "
                "Tensor."
            )
        if _lacks_last_axis(labels, logits):
            labels = tf.expand_dims(labels, -1)
        labels_shape, logits_shape = tf.shape(labels), tf.shape(logits)
        message = (
            f"labels shape must be [D0, D1, ... DN, {width}]. Suggested Fix: check your n_classes "
            "argument to the estimator and/or the shape of your label."
        )
        with tf.control_dependencies([tf.assert_rank_at_least(labels, 2, message=message)]):
            last = labels.shape[-1].value if labels.shape.ndims is not None else None
            if last is not None and last != width:
                raise ValueError(
                    f"Mismatched label shape. Expected labels dimension={width}.  Received {last}. "
                    "Suggested Fix:If your classifier expects one-hot encoding label,check your "
                    "n_classes argument to the estimator and/or the shape of your label. "
                    "Otherwise, "
                    "check the shape of your label."
                )
            expected = tf.concat([logits_shape[:-1], [width]], axis=0)
            check = tf.assert_equal(
                expected,
                labels_shape,
                message=message,
                data=["expected_labels_shape: ", expected, "labels_shape: ", labels_shape],
            )
            with tf.control_dependencies([check]):
                return tf.identity(labels, name=scope)


def _lacks_last_axis(tensor, logits):
    ranks = tensor.shape.ndims, logits.shape.ndims
    return None not in ranks and ranks[0] == ranks[1] - 1


def checked_logits(logits, width):
    """Logits as float32 `[D0, ..., DN, width]`. Errors: ValueError."""
    with tf.name_scope(None, "logits", (logits,)) as scope:
        logits = tf.cast(logits, tf.float32)
        shape = tf.shape(logits)
        check = tf.assert_rank_at_least(
            logits,
            2,
            data=[shape],
            message="logits shape must be [D0, D1, ... DN, logits_dimension]",
        )
        message = f"logits shape must be [D0, D1, ... DN, logits_dimension={width}]"
        with tf.control_dependencies([check]):
            static = logits.shape
            if static.ndims is not None and static[-1].value is not None:
                if static[-1].value != width:
                    raise ValueError(f"{message}, got {static}.")
                return logits
            check = tf.assert_equal(width, shape[-1], data=[shape], message=message)
            with tf.control_dependencies([check]):
                return tf.identity(logits, name=scope)


def weights_of(features, weight_column, logits, per_logit=False):
    """The weights of examples, `[D0, ..., DN, 1]`; 1.0 without a column.

    per_logit: whether they may have the logits' shape. Errors: TypeError, ValueError.
    """
    message = "weights shape must be [D0, D1, ... DN] or [D0, D1, ... DN, 1]"
    if per_logit:
        message = (
            "weights shape must be [D0, D1, ... DN], [D0, D1, ... DN, 1] or "
            "[D0, D1, ... DN, logits_dimension]"
        )
    with tf.name_scope(None, "weights", values=(*features.values(), logits)) as scope:
        if weight_column is None:
            return 1.0
        if isinstance(weight_column, str):
            weight_column = tf.feature_column.numeric_column(key=weight_column, shape=(1,))
        if not isinstance(weight_column, _base._DenseColumn):
            raise TypeError(
                "Weight column must be either a string or _DenseColumn. "
                f"Given type: {type(weight_column)}."
            )
        weights = weight_column._get_dense_tensor(_base.FeatureTransformationCache(features))
        if not (weights.dtype.is_floating or weights.dtype.is_integer):
            raise ValueError(
                f"Weight column should be castable to float. Given dtype: {weights.dtype}"
            )
        weights = tf.cast(weights, name="weights", dtype=tf.float32)
        shape = tf.shape(weights, name="weights_shape")
        logits_shape = tf.shape(logits, name="logits_shape")
        shown = ["logits_shape: ", logits_shape, "weights_shape: ", shape]
        if _lacks_last_axis(weights, logits):
            check = tf.assert_equal(logits_shape[:-1], shape, message=message, data=shown)
            with tf.control_dependencies([check]):
                return tf.expand_dims(weights, -1, name=scope)
        supported = tf.concat([logits_shape[:-1], [1]], axis=0)
        if per_logit:
            fits = [
                tf.reduce_all(tf.equal(logits_shape, shape)),
                tf.reduce_all(tf.equal(supported, shape)),
            ]
            check = tf.Assert(condition=tf.reduce_any(fits), data=[message, *shown])
        else:
            check = tf.assert_equal(supported, shape, message=message, data=shown)
        with tf.control_dependencies([check]):
            return tf.identity(weights, name=scope)


def labels_in_range(labels, n_classes, message=None):
    """The labels, behind a check that they are from 0 to n_classes - 1."""
    with tf.name_scope(None, "assert_range", (labels,)):
        limit = tf.convert_to_tensor(n_classes - 1, dtype=labels.dtype)
        less = tf.assert_less_equal(
            labels, limit, message=message or "Labels must <= n_classes - 1"
        )
        greater = tf.assert_non_negative(labels, message=message or "Labels must >= 0")
        with tf.control_dependencies((less, greater)):
            return tf.identity(labels)


def check_loss_fn(loss_fn):
    """Errors: ValueError for a function with other arguments."""
    names = fn_args(loss_fn)
    for name in ("labels", "logits"):
        if name not in names:
            raise ValueError(f"loss_fn must contain argument: {name}. Given arguments: {names}")
    others = list(set(names) - {"labels", "logits", "features"})
    if others:
        raise ValueError(f"loss_fn has unexpected args: {others}")


def own_loss(loss_fn, labels, logits, features, width=1):
    """What a loss function gives, behind a check of its shape."""
    given = {"features": features} if "features" in fn_args(loss_fn) else {}
    with tf.name_scope(None, "call_loss_fn", values=[labels, logits, *features.values()]):
        loss = loss_fn(labels=labels, logits=logits, **given)
        logits_shape = tf.shape(logits, name="logits_shape")
        expected = tf.concat([logits_shape[:-1], [width]], axis=0, name="expected_loss_shape")
        shape = tf.shape(loss, name="loss_shape")
        check = tf.Assert(
            tf.reduce_all(tf.equal(shape, expected)),
            data=[
                f"loss_fn must return Tensor of shape [D0, D1, ... DN, {width}]. ",
                "logits_shape: ",
                logits_shape,
                "loss_shape: ",
                shape,
            ],
            name="check_loss_shape",
        )
        with tf.control_dependencies([check]):
            return tf.identity(loss)


def check_reduction(loss_reduction):
    """Errors: ValueError for what is no reduction to a scalar."""
    kinds = tf.losses.Reduction
    if loss_reduction not in kinds.all() or loss_reduction == kinds.NONE:
        raise ValueError(f"Invalid loss_reduction: {loss_reduction}")
