"""Builds statements without blocks: formulas, effects, and a bare Switch with its Merge."""

import numpy as np
import tensorflow.compat.v1 as tf

from formulas import FORMULAS, bounded
from program import TYPES


def build_formula(builder, scope, statement):
    """A value, computed behind the effects before (`after`), or waited for by those that follow (`joins`)."""
    _, compute = FORMULAS[statement.options["formula"]]
    arguments = builder.arguments(scope, statement)
    if statement.options["after"]:
        with scope.order.after_all():
            result = compute(*arguments)
    else:
        result = compute(*arguments)
    if statement.options["joins"]:
        scope.order.record_all(scope.order.ends() + [result.op])
    return [result]


def read(builder, variable):
    """A value of its own: what an identity gives of a reference may change with it. A read that nobody uses does not
    fail in Kiln, so one of a variable that may not be there is looked at."""
    result = builder.variables[variable.name].read_value()
    result = result if variable.resource else result + 0.0
    if variable.initialized:
        return result
    with tf.control_dependencies([tf.Assert(tf.reduce_all(result < 100.0), [result])]):
        return tf.identity(result)


def build_read(builder, scope, statement):
    variable = builder.program.variable(statement.options["variable"])
    return [scope.order.next(variable.name, lambda: read(builder, variable))]


def assign(builder, variable, how, value):
    """The assignment's op, or the variable behind it."""
    tensor = builder.variables[variable.name]
    if how == "halve_and_add":
        return tf.assign(tensor, read(builder, variable) * 0.5 + value)
    if how in ("scatter_add", "scatter_update"):
        return getattr(tf, how)(tensor, tf.constant([0, 2]), value[:2])
    return getattr(tf, how)(tensor, value)


def build_write(builder, scope, statement):
    """An assignment; what it is asked for is the value behind it, of the assignment itself where that gives one."""
    variable = builder.program.variable(statement.options["variable"])
    value, = builder.arguments(scope, statement)
    assigned = scope.order.next(variable.name, lambda: assign(builder, variable, statement.options["how"], bounded(value)))
    if not statement.results:
        return []
    gives = not isinstance(assigned, tf.Operation)
    return [scope.order.next(variable.name, lambda: tf.identity(assigned) + 0.0 if gives else read(builder, variable))]


def build_view(builder, scope, statement):
    """What an identity gave of a variable before an assignment, used behind it: a reference's is the new value. The
    assignment may be in a branch."""
    variable = builder.program.variable(statement.options["variable"])
    value, *predicate = builder.arguments(scope, statement)

    def add():
        return tf.assign_add(builder.variables[variable.name], bounded(value))

    def add_in_branch():
        with tf.control_dependencies([add().op]):
            return tf.constant(1)

    view = scope.order.next(variable.name, lambda: builder.variables[variable.name].read_value())
    scope.order.next(variable.name, lambda: tf.cond(tf.identity(predicate[0]), add_in_branch, lambda: tf.constant(0)) if predicate else add())
    return [scope.order.next(variable.name, lambda: view + 0.0)]


def build_host(builder, scope, statement):
    """A function of Python."""
    operand, = builder.arguments(scope, statement)

    def call():
        return tf.py_func(lambda a: (a * 0.5 + 1).astype(np.float32), [operand], tf.float32, stateful=statement.options["stateful"])

    result = scope.order.next("host", call)
    result.set_shape(TYPES[statement.arguments[0][0]].shape)
    return [result]


def build_queue(builder, scope, statement):
    """One element in, how many there are, one out: no run waits."""
    value, = builder.arguments(scope, statement)
    scope.order.next("queue", lambda: builder.queue.enqueue(value))
    size = scope.order.next("queue", builder.queue.size)
    return [scope.order.next("queue", builder.queue.dequeue), size]


def build_assert(builder, scope, statement):
    number, = builder.arguments(scope, statement)
    with scope.order.after_all():
        checked = tf.Assert(number < 3, [number])
    scope.order.record_all([checked])


def build_switch(builder, scope, statement):
    """A bare Switch, an assignment on one side of it, and the Merge of both sides."""
    data, predicate = builder.arguments(scope, statement)
    with scope.order.after_all():
        sides = tf.raw_ops.Switch(data=data, pred=predicate)
    below, above = sides.output_false * 3.0, tf.identity(sides.output_true) - 1.0
    if statement.options["variable"]:
        variable = builder.program.variable(statement.options["variable"])
        with tf.control_dependencies([above.op]):
            assigned = assign(builder, variable, "assign_add", tf.constant(TYPES[variable.type].constant))
        with tf.control_dependencies([assigned.op]):
            above = tf.identity(above)
    merged = tf.raw_ops.Merge(inputs=[above, below] if statement.options["crossed"] else [below, above])
    scope.order.record_all([merged.output.op])
    return [merged.output, merged.value_index, below, above]
