"""What an input function or a model function gives, and how they are called."""

from kiln.compat import v1 as tf
from kiln.compat._python.util.function_utils import fn_args
from kiln.compat.v1.estimator._spec import EstimatorSpec

_MODEL_ARGUMENTS = {"features", "labels", "mode", "params", "self", "config"}


def check_model_arguments(model_fn, params):
    """Errors: ValueError for a model function with other arguments than an estimator gives."""
    names = set(fn_args(model_fn))
    if "features" not in names:
        raise ValueError(f"model_fn ({model_fn}) must include features argument.")
    if params is not None and "params" not in names:
        raise ValueError(
            f"model_fn ({model_fn}) does not include params argument, but params ({params}) is "
            "passed to Estimator."
        )
    if params is None and "params" in names:
        tf.logging.warn(
            "Estimator's model_fn (%s) includes params argument, but params are not passed to "
            "Estimator.",
            model_fn,
        )
    others = list(names - _MODEL_ARGUMENTS)
    if others:
        raise ValueError(f"model_fn ({model_fn}) has following not expected args: {others}")


def call_model(model_fn, features, labels, mode, params, config):
    """The EstimatorSpec of a model function."""
    names, given = fn_args(model_fn), {}
    if "labels" in names:
        given["labels"] = labels
    elif labels is not None:
        raise ValueError("model_fn does not take labels, but input_fn returns labels.")
    for name, value in (("mode", mode), ("params", params), ("config", config)):
        if name in names:
            given[name] = value
    tf.logging.info("Calling model_fn.")
    spec = model_fn(features=features, **given)
    tf.logging.info("Done calling model_fn.")
    if not isinstance(spec, EstimatorSpec):
        raise ValueError("model_fn should return an EstimatorSpec.")
    return spec


def call_input(input_fn, mode, params, config):
    """What an input function gives: tensors, a pair, or a data set."""
    names = fn_args(input_fn)
    values = {"mode": mode, "params": params, "config": config}
    with tf.device("/cpu:0"):
        return input_fn(**{name: value for name, value in values.items() if name in names})


def is_dataset(value):
    """Whether it is a data set of tf.data, by the name of its class."""
    return any(each.__name__ in ("DatasetV1", "DatasetV2") for each in type(value).__mro__)


class _InitializeIterator(tf.train.SessionRunHook):
    """Begins a data set when a session begins."""

    def __init__(self, iterator):
        self._iterator = iterator

    def begin(self):
        self._initializer = self._iterator.initializer

    def after_create_session(self, session, coord):
        session.run(self._initializer)


def features_and_labels(result):
    """The features, the labels or None, and the hooks of what an input function gave.

    Errors: ValueError for a tuple of another length than two.
    """
    hooks = []
    if is_dataset(result):
        iterator = tf.data.make_initializable_iterator(result)
        hooks.append(_InitializeIterator(iterator))
        result = iterator.get_next()
    if not isinstance(result, (list, tuple)):
        return result, None, hooks
    if len(result) != 2:
        raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
    return result[0], result[1], hooks


def check_ends(features):
    """Warns where the features of a prediction have no end."""
    tensors = [each for each in tf.nest.flatten(features) if isinstance(each, tf.Tensor)]
    ends = any(each.op.type == "IteratorGetNext" for each in tensors)
    if not ends and not tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS):
        tf.logging.warning(
            "Input graph does not use tf.data.Dataset or contain a QueueRunner. That means predict "
            "yields forever. This is probably a mistake."
        )
