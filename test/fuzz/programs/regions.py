"""Builds statements with blocks: branches, loops, functions, and gradients through all of them."""

import tensorflow as tf2
import tensorflow.compat.v1 as tf
from tensorflow.python.framework import function as defun

from program import TYPES

WHOLE = ("If", "StatelessIf", "Case", "StatelessCase", "While", "StatelessWhile", "PartitionedCall", "StatefulPartitionedCall")


def whole(operation):
    """The branch, loop or call behind which TensorFlow puts an identity. A control edge from either alone is not
    enough where TensorFlow lowers them: a value that passes through does not wait for the effects before, and effects
    inside run for those values only that somebody uses."""
    if operation.type == "Identity" and operation.inputs[0].op.type in WHOLE:
        return operation.inputs[0].op
    return operation


def in_order(scope, statement, make):
    """The tensors that `make` gives, built behind the effects before. What follows runs behind all of them, by control
    edges of their own (`direct`) or by those of a group."""
    with scope.order.after_all():
        tensors = make()
    tensors = list(tensors) if isinstance(tensors, (list, tuple)) else [tensors]
    operations = list(dict.fromkeys(operation for tensor in tensors for operation in (whole(tensor.op), tensor.op)))
    scope.order.record_all(operations if statement.options["direct"] else [tf.group(*operations)])
    return tensors


def branch(builder, scope, block):
    """A function of no parameters that builds the block."""

    def build():
        inner = scope.inside()
        builder.statements(inner, block)
        return builder.returns(inner, block)

    return build


def decided_in_order(builder, scope, statement):
    """The predicates or the number of a branch: waiting for the effects before, as what is lowered waits for nothing
    else, or as they are."""
    arguments = builder.arguments(scope, statement)
    if statement.options["direct"] and not builder.program.control_flow_v2 and arguments[0].dtype == tf.bool:
        return arguments
    with scope.order.after_all():
        return [tf.identity(tensor) for tensor in arguments]


def build_cond(builder, scope, statement):
    predicate, = decided_in_order(builder, scope, statement)
    branches = [branch(builder, scope, block) for block in statement.blocks]
    return in_order(scope, statement, lambda: tf.cond(predicate, *branches))


def build_case(builder, scope, statement):
    first, second, third = [branch(builder, scope, block) for block in statement.blocks]
    arguments = decided_in_order(builder, scope, statement)

    def make():
        if len(arguments) == 1:
            return tf.switch_case(arguments[0], [first, second, third])
        return tf.case([(arguments[0], first), (arguments[1], second)], default=third, exclusive=False)

    return in_order(scope, statement, make)


def build_loop(builder, scope, statement):
    """Counts to the first argument, modulo 3; `collects` gathers a number of each iteration in a TensorArray."""
    condition_block, body_block = statement.blocks
    limit, *initial = builder.arguments(scope, statement)
    limit = tf.floormod(limit, 3)
    letters = [name[0] for name in body_block.parameters]
    collects = statement.options["collects"]

    def inner_scope(i, values):
        return scope.inside([i.op], zip(body_block.parameters, [i, *values]))

    def condition(i, *values):
        goes_on = i < limit
        if not statement.options["asks"]:
            return goes_on
        inner = inner_scope(i, values)
        builder.statements(inner, condition_block)
        return tf.logical_and(goes_on, builder.returns(inner, condition_block)[0])

    def body(i, *values):
        inner = inner_scope(i, values)
        builder.statements(inner, body_block)
        results = builder.returns(inner, body_block)
        if collects:
            results[-1] = values[-1].write(i, results[-1])
        with inner.order.after_all():
            return [i + 1, *results]

    def make():
        shapes = [tf.TensorShape(TYPES[letter].shape) for letter in letters]
        start = [tf.identity(tensor) for tensor in [tf.constant(0), *initial]]
        if collects:
            start.append(tf.TensorArray(tf.float32, size=limit, element_shape=[]))
            shapes.append(tf.TensorShape(None))
        _, *results = tf.while_loop(condition, body, start, shapes, parallel_iterations=statement.options["parallel"])
        if collects:
            results[-1] = results[-1].stack()
        return results

    return in_order(scope, statement, make)


def build_function(builder, scope, statement):
    """A function that is traced where it is called first; a Defun defines itself."""
    block = statement.blocks[0]

    def build(*values):
        inner = scope.inside((), zip(block.parameters, values))
        builder.statements(inner, block)
        return builder.returns(inner, block)

    if statement.options["defun"]:
        dtypes = [tf.as_dtype(TYPES[name[0]].dtype) for name in block.parameters]
        made = defun.Defun(*dtypes, func_name=f"defun_{statement.options['name']}")(build)
    else:
        signature = [tf2.TensorSpec(TYPES[name[0]].shape, TYPES[name[0]].dtype) for name in block.parameters]
        made = tf2.function(build, input_signature=signature, autograph=False)
    builder.functions[statement.options["name"]] = made
    return []


def build_call(builder, scope, statement):
    function = builder.functions.get(statement.options["function"])
    if function is None:  # its definition was taken away
        return []
    with scope.order.after_all():
        arguments = [tf.identity(tensor) for tensor in builder.arguments(scope, statement)]
    return in_order(scope, statement, lambda: function(*arguments))


def build_gradient(builder, scope, statement):
    """Of a sum of squares by values; zeros where there is none, and where TensorFlow knows none."""
    tensors = builder.arguments(scope, statement)
    of, by = tensors[:statement.options["of"]], tensors[statement.options["of"]:]
    graph = tf.get_default_graph()
    context = graph._get_control_flow_context()
    try:
        found = tf.gradients([tf.reduce_sum(tensor * tensor) for tensor in of], by)
    except (NotImplementedError, TypeError, ValueError, LookupError):
        graph._set_control_flow_context(context)
        found = [None] * len(by)
    return [tf.zeros_like(tensor) if gradient is None else tf.clip_by_value(tf.convert_to_tensor(gradient), -9.0, 9.0)
            for tensor, gradient in zip(by, found)]
