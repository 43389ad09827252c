"""tf.contrib.compiler.xla: a part of a graph that is compiled. Kiln compiles every graph."""

import collections.abc

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib._forward import forwarding as _forwarding

_WORDS = (
    "XLA computation function return values must all either be Operations or convertible to "
    'Tensors. Got error: "{}"'
)


def compile(computation, inputs=None):
    """What a function makes of inputs, as tensors of a list; a structure where it gives one.

    computation: takes the items of inputs; gives tensors, then operations that are run with any of
    them. An operation where it gives None or operations alone. Variables that it makes are
    resource variables. Errors: TypeError, ValueError. Source: tf.contrib.compiler.xla.compile.
    Difference: the operations are plain ones, without attributes of a cluster.
    """
    inputs = [] if inputs is None else inputs
    if not isinstance(inputs, collections.abc.Sequence):
        raise TypeError("inputs must be a list")
    flat = [tf.convert_to_tensor(each) for each in tf.nest.flatten(inputs)]
    with tf.name_scope("cluster"):
        flat = [tf.identity(each, name=f"input_{i}") for i, each in enumerate(flat)]
    given = tf.nest.pack_sequence_as(inputs, flat)
    scope = tf.get_variable_scope()
    before = scope.use_resource
    scope.set_use_resource(True)
    try:
        outputs = computation(*given)
    finally:
        scope.set_use_resource(before)
    if _is_flat(outputs):
        return _flat_results(outputs)
    results = [_named(_tensor(each), i) for i, each in enumerate(tf.nest.flatten(outputs))]
    return tf.nest.pack_sequence_as(outputs, results)


def _is_flat(outputs):
    if isinstance(outputs, collections.abc.Sequence):
        return not any(isinstance(each, (collections.abc.Sequence, dict)) for each in outputs)
    return not isinstance(outputs, dict)


def _tensor(value):
    if isinstance(value, tf.Operation):
        raise ValueError(
            "xla.compile does not support Operation as return value in non-flat output structure. "
            "You can set returned Operations as control dependencies of returned Tensors so "
            f'Operations are triggered when Tensors are evaluated. Operation found: "{value.name}"'
        )
    try:
        return tf.convert_to_tensor(value)
    except Exception as error:
        raise ValueError(_WORDS.format(error)) from error


def _named(tensor, i):
    with tf.device(tensor.device or ""):
        return tf.identity(tensor, name=f"output_{i}")


def _flat_results(outputs):
    outputs = () if outputs is None else outputs
    if not isinstance(outputs, collections.abc.Sequence):
        outputs = (outputs,)
    values = [each if isinstance(each, tf.Operation) else _tensor(each) for each in outputs]
    operations = [each for each in values if isinstance(each, tf.Operation)]
    tensors = [each for each in values if not isinstance(each, tf.Operation)]
    if values != tensors + operations:
        raise ValueError(
            "XLA computation function must return zero or more Tensor values followed by zero or "
            "more Operations."
        )
    if not tensors:
        return tf.group(operations, name="output_0")
    with tf.control_dependencies(operations):
        return [_named(each, i) for i, each in enumerate(tensors)]


def estimator_model_fn(target_model_fn=None):
    """Decorates a model function of an estimator, whose steps are to be compiled.

    Source: tf.contrib.compiler.xla.estimator_model_fn. Difference: every step is.
    """

    return target_model_fn or (lambda function: function)


__getattr__, __dir__ = _forwarding(__name__, "")
