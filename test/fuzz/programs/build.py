"""Builds a program's graph, statement by statement."""

import tensorflow.compat.v1 as tf

import plain
import regions
import switches
from order import Order
from program import PLACEHOLDERS, TYPES


class Scope:
    """The values that a block sees, by name, and its order of effects."""

    def __init__(self, values, order):
        self.values = dict(values)
        self.order = order

    def inside(self, start=(), values=()):
        """That of a block inside, whose first effects run behind the ops `start`."""
        scope = Scope(self.values, Order(self.order.one_chain, start))
        scope.values.update(values)
        return scope


class Builder:
    """A program in the default graph: `scope` has the values of its own statements."""

    def __init__(self, program):
        self.program = program
        self.functions = {}
        self.variables = {variable.name: make_variable(variable) for variable in program.variables}
        self.queue = tf.FIFOQueue(8, [tf.float32], [[]])
        values = {name: tf.placeholder(TYPES[name[0]].dtype, TYPES[name[0]].shape, name) for name in PLACEHOLDERS}
        self.scope = Scope(values, Order(program.one_chain))
        self.statements(self.scope, program.body)

    def value(self, scope, name):
        if name in scope.values:
            return scope.values[name]
        return tf.constant(TYPES[name[0]].constant, TYPES[name[0]].dtype)

    def arguments(self, scope, statement):
        return [self.value(scope, name) for name in statement.arguments]

    def statements(self, scope, block):
        for statement in block.statements:
            results = BUILD[statement.kind](self, scope, statement) or []
            for name, tensor in zip(statement.results, results):
                if isinstance(tensor, tf.Tensor) and tensor.shape.rank is None:
                    tensor.set_shape(TYPES[name[0]].shape)
                scope.values[name] = tensor

    def returns(self, scope, block):
        """What a block gives, computed behind all of its effects."""
        with scope.order.after_all():
            return [tf.identity(self.value(scope, name)) for name in block.returns]


def make_variable(variable):
    initial = tf.constant(TYPES[variable.type].constant)
    return tf.get_variable(variable.name, initializer=initial, use_resource=variable.resource, trainable=False)


# Kind of statement: the function build_KIND(builder, scope, statement) that gives the tensors of its results.
BUILD = {name.removeprefix("build_"): function for module in (plain, regions, switches)
         for name, function in vars(module).items() if name.startswith("build_")}
