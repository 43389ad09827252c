# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Grows random graphs, op by op, from the tensors that are there."""
import os

import numpy as np
import tensorflow.compat.v1 as tf

CONTROL = os.environ.get("KILN_RANDOM_CONTROL", "1") == "1"
raw = tf.raw_ops
FLOATS, INTS = [tf.float32, tf.float64], [tf.int32, tf.int64]
SMOOTH = [tf.tanh, tf.sigmoid, tf.sin, tf.cos, tf.atan, tf.asinh, tf.nn.softplus, tf.nn.softsign, tf.nn.elu, tf.nn.selu, tf.erf, tf.erfc,
          lambda x: tf.exp(tf.tanh(x)), lambda x: tf.expm1(tf.tanh(x)), lambda x: tf.sinh(tf.tanh(x)), lambda x: tf.cosh(tf.tanh(x)),
          lambda x: tf.tan(tf.tanh(x)), lambda x: tf.log(1 + tf.abs(x)), lambda x: tf.log1p(tf.abs(x)), lambda x: tf.sqrt(tf.abs(x)),
          lambda x: tf.rsqrt(1 + tf.abs(x)), lambda x: tf.reciprocal(1 + tf.abs(x)), lambda x: tf.acosh(1 + tf.abs(x)),
          lambda x: tf.atanh(0.9 * tf.tanh(x)), lambda x: tf.asin(0.9 * tf.tanh(x)), lambda x: tf.acos(0.9 * tf.tanh(x)),
          lambda x: tf.pow(1 + tf.abs(tf.tanh(x)), 1.5), lambda x: tf.atan2(x, 2 + tf.tanh(x))]
EXACT = [tf.negative, tf.abs, tf.sign, tf.square, tf.nn.relu, tf.identity, tf.stop_gradient, tf.zeros_like, tf.ones_like]
ROUNDED = [tf.floor, tf.ceil, tf.rint, tf.round, tf.is_nan, tf.is_finite, tf.is_inf]
STEEP = SMOOTH + [tf.nn.relu, tf.nn.relu6, tf.nn.leaky_relu, tf.abs, tf.square, lambda x: tf.multiply(x, x + 1), lambda x: x / 3]
BINARY = [tf.add, tf.subtract, tf.multiply, tf.maximum, tf.minimum, tf.math.squared_difference]
COMPARE = [tf.equal, tf.not_equal, tf.less, tf.less_equal, tf.greater, tf.greater_equal]
LOGIC = [tf.logical_and, tf.logical_or, tf.logical_xor]
OPTIMIZERS = [tf.train.GradientDescentOptimizer, lambda rate: tf.train.MomentumOptimizer(rate, 0.9), tf.train.AdamOptimizer,
              lambda rate: tf.train.MomentumOptimizer(rate, 0.5, use_nesterov=True)]
BITS = [tf.bitwise.bitwise_and, tf.bitwise.bitwise_or, tf.bitwise.bitwise_xor]
DIVIDE = [tf.floordiv, tf.floormod, tf.truncatediv, tf.truncatemod]


class Grower:
    """Adds random ops to the default graph. `known` are pairs of a tensor and whether it is exact; in a branch or a body
    only shapes that are static are relied on."""

    def __init__(self, rng, known, variables=(), depth=0):
        self.rng, self.known, self.variables, self.depth, self.effects = rng, list(known), list(variables), depth, []

    def chance(self, percent):
        return self.rng.randint(100) < percent

    def one_of(self, things):
        return things[self.rng.randint(len(things))]

    def pick(self, dtypes=None, exact=False, rank=None):
        fit = [k for k in self.known if (dtypes is None or k[0].dtype in dtypes) and (k[1] or not exact)
               and (rank is None or k[0].shape.rank in rank)]
        return self.one_of(fit) if fit else None

    def numbers(self, shape, dtype):
        if dtype == tf.bool:
            return tf.constant(self.rng.randint(0, 2, shape).astype(bool))
        values = self.rng.randint(-3, 4, shape)
        return tf.constant(values if self.chance(60) else np.full(shape, values.ravel()[0] if values.size else 0), dtype, shape)

    def operand(self, x):
        """A value that x broadcasts with to its own shape."""
        fit = [k for k in self.known if k[0].dtype == x.dtype and k[0].shape.is_fully_defined() and x.shape.is_fully_defined()
               and (k[0].shape.as_list() == x.shape.as_list() or k[0].shape.rank == 0)]
        if fit and self.chance(70):
            return self.one_of(fit)
        last = x.shape.as_list()[-1:] if x.shape.rank else []
        if not last or last[0] is None or self.chance(30):
            return self.numbers([], x.dtype), True
        return self.numbers(last if self.chance(70) else [1] * (x.shape.rank - 1) + last, x.dtype), True

    def add(self, tensor, exact):
        for t in tensor if isinstance(tensor, (list, tuple)) else [tensor]:
            self.known.append((t, exact))

    # One op each; what finds no operands adds nothing.

    def elementwise(self):
        x = self.pick(FLOATS + INTS)
        if x[0].dtype in FLOATS and self.chance(45):
            self.add(self.one_of(SMOOTH)(x[0]), False)
        elif self.chance(30):
            self.add(self.one_of(EXACT)(x[0]), x[1])
        else:
            y = self.operand(x[0])
            self.add(self.one_of(BINARY)(x[0], y[0]), x[1] and y[1])

    def discrete(self):
        x = self.pick(exact=True)
        y = self.operand(x[0]) if x else None
        if not x or not y[1]:
            return
        if x[0].dtype == tf.bool:
            self.add(self.one_of(LOGIC)(x[0], y[0]), True)
        elif self.chance(50):
            self.add(self.one_of(COMPARE)(x[0], y[0]), True)
        elif x[0].dtype in FLOATS:
            self.add(self.one_of(ROUNDED)(x[0]), True)
        else:
            divisor = tf.constant(self.one_of([-3, -1, 2, 5]), x[0].dtype)
            self.add(self.one_of(BITS)(x[0], y[0]) if self.chance(40) else self.one_of(DIVIDE)(x[0], divisor), True)

    def cast(self):
        x = self.pick(exact=True)
        if x:
            to = self.one_of([d for d in FLOATS + INTS + [tf.bool] if d != x[0].dtype])
            small = x[0] if x[0].dtype == tf.bool or to in FLOATS else tf.clip_by_value(x[0], -1000, 1000)
            self.add(tf.cast(small, to), True)

    def select(self):
        c, x = self.pick([tf.bool]), self.pick()
        if c and c[0].shape.rank == 0:
            y = self.operand(x[0])
            self.add(tf.where_v2(c[0], x[0], y[0]), x[1] and y[1])

    def reduce(self):
        x = self.pick(rank=(1, 2, 3))
        if not x:
            return
        axis = self.one_of([None, -1, 0])
        if x[0].dtype == tf.bool:
            self.add(self.one_of([tf.reduce_all, tf.reduce_any])(x[0], axis, keepdims=self.chance(30)), True)
        elif x[1] and self.chance(25):
            extent = x[0].shape.as_list()[axis or 0]
            if extent:
                self.add(self.one_of([tf.argmax, tf.argmin])(x[0], axis or 0, output_type=self.one_of(INTS)), True)
        else:
            total = self.one_of([tf.reduce_sum, tf.reduce_max, tf.reduce_min] + [tf.reduce_mean] * (x[0].dtype in FLOATS))
            self.add(total(x[0], axis, keepdims=self.chance(30)), x[1] and x[0].dtype in INTS)

    def move(self):
        x = self.pick(rank=(1, 2, 3))
        if not x:
            return
        t, rank = x[0], x[0].shape.rank
        axis = self.rng.randint(-rank, rank)
        extent = t.shape.as_list()[axis]
        moves = [lambda: tf.reshape(t, [-1]), lambda: tf.expand_dims(t, axis), lambda: tf.transpose(t), lambda: tf.reverse(t, [axis]),
                 lambda: tf.concat([t, t], axis), lambda: tf.stack([t, t], axis), lambda: tf.tile(t, [1] * (rank - 1) + [2]),
                 lambda: tf.pad(t, [[1, 2]] * rank), lambda: tf.reshape(t, tf.shape(t)), lambda: tf.broadcast_to(t, tf.concat([[2], tf.shape(t)], 0)),
                 lambda: tf.squeeze(tf.expand_dims(t, 0), [0]), lambda: tf.concat([t, self.numbers([3] + [1] * 0, t.dtype)], 0) if rank == 1 else tf.identity(t),
                 lambda: t[::-1], lambda: t[..., tf.newaxis], lambda: t[1:] if rank > 1 else t[:-1], lambda: tf.slice(t, [0] * rank, [-1] * rank)]
        if extent:
            at = self.rng.randint(0, extent, [2])
            moves += [lambda: tf.gather(t, at, axis=axis), lambda: tf.unstack(t, axis=axis)[:2], lambda: tf.split(t, [1, extent - 1], axis),
                      lambda: tf.split(t, extent, axis)[:2], lambda: tf.gather(t, tf.constant(at[0]), axis=axis)]
        self.add(self.one_of(moves)(), x[1])

    def shapes(self):
        x = self.pick()
        self.add(self.one_of([tf.shape, tf.size, tf.rank])(x[0]), True)
        if x[0].shape.rank == 2 and self.chance(50):
            self.add(raw.ConcatOffset(concat_dim=0, shape=[tf.shape(x[0])] * (2 + self.rng.randint(2))), True)
        if self.chance(30):
            self.add(tf.range(0, tf.size(x[0]), 1), True)
        if self.chance(30):
            self.add(tf.one_hot(tf.constant(self.rng.randint(-1, 4, [3])), 4, dtype=self.one_of(FLOATS + INTS)), True)

    def matmul(self):
        x = self.pick(FLOATS, rank=(2, 3))
        if x:
            t = tf.tanh(x[0])
            self.add(self.one_of([lambda: tf.matmul(t, t, transpose_b=True), lambda: tf.matmul(t, t, transpose_a=True),
                                  lambda: tf.nn.softmax(t), lambda: tf.nn.log_softmax(t)])(), False)
            columns = t.shape.as_list()[-1]
            if columns and t.shape.rank == 2:
                self.add(tf.nn.bias_add(tf.matmul(t, self.numbers([columns, 3], t.dtype)), self.numbers([3], t.dtype)), False)

    def more(self):
        x = self.pick(FLOATS + INTS)
        t, exact = x
        ops = [lambda: tf.add_n([t, t, tf.ones_like(t)]), lambda: tf.identity_n([t, t]), lambda: tf.clip_by_value(t, -2, 2),
               lambda: tf.where(tf.ones_like(t, tf.bool), t, tf.zeros_like(t)), lambda: tf.fill([2, 3], tf.cast(7, t.dtype)),
               lambda: tf.placeholder_with_default(t, t.shape), lambda: raw.Snapshot(input=t)]
        self.add(self.one_of(ops)(), exact)
        if t.dtype in INTS:
            self.add(self.one_of([lambda: tf.bitwise.invert(t), lambda: tf.bitwise.left_shift(t, tf.cast(3, t.dtype)),
                                  lambda: tf.bitwise.right_shift(t, tf.cast(2, t.dtype)), lambda: tf.pow(tf.clip_by_value(t, -9, 9), 2),
                                  lambda: tf.strings.length(tf.as_string(t)) if exact else t])(), exact)
        elif exact:
            self.add(tf.nn.l2_loss(t), False)
            self.add(self.one_of([lambda: tf.math.xdivy(t, 2.0 + tf.abs(t)), lambda: tf.math.xlogy(t, 2.0 + tf.abs(t)),
                                  lambda: tf.math.divide_no_nan(t, tf.abs(t)), lambda: tf.floormod(t, 3.0)])(), False)
        square = tf.tanh(self.numbers([3, 3], tf.float32))
        self.add(self.one_of([lambda: tf.matrix_inverse(square + 4 * tf.constant(np.eye(3, dtype=np.float32))), lambda: tf.reduce_prod(square, 1)])(), False)
        self.add(tf.broadcast_dynamic_shape(tf.shape(t), tf.shape(t)[-1:]), True)

    def gradients(self):
        x = self.pick(FLOATS)
        if x and self.depth == 0:
            w = self.operand(x[0])[0]
            y = self.one_of(STEEP)(self.one_of(STEEP)(x[0] * 0.5) + w)
            self.add([g for g in tf.gradients(tf.nn.l2_loss(y), [x[0], w]) if g is not None], False)

    def train(self):
        fit = [v for v in self.variables if v.shape.rank == 2]
        if not fit or self.depth:
            return
        v = self.one_of(fit)
        with tf.control_dependencies(self.effects):
            logits = tf.nn.bias_add(tf.matmul(self.numbers([4, 3], tf.float32), v.read_value()), self.numbers([2], tf.float32))
            loss = tf.nn.l2_loss(self.one_of(STEEP)(logits))
            gradient = tf.gradients(loss, [logits])[0]
            step = self.one_of(OPTIMIZERS)(0.1).apply_gradients([(tf.matmul(tf.ones([3, 4]), gradient), v)])
        self.read(v, [step])

    def constants(self):
        self.add(self.numbers([self.one_of([1, 2, 3, 3])] * self.rng.randint(3), self.one_of(FLOATS + INTS + [tf.bool])), True)

    def random(self):
        seed = int(self.rng.randint(1, 1000))
        if self.depth == 0:
            self.add(self.one_of([lambda: tf.random_uniform([3, 2], seed=seed), lambda: tf.random_uniform([3], 0, 9, tf.int32, seed=seed)])(), True)
            self.add(self.one_of([tf.random_normal, tf.truncated_normal])([2, 3], seed=seed), False)

    def read(self, variable, after):
        """A copy, in order: a mere view of a reference would show later writes to whom nothing orders before them."""
        with tf.control_dependencies(after):
            self.add(variable.read_value() + 0, False)
        self.effects = [self.known[-1][0].op]

    def state(self):
        if not self.variables:
            return
        v = self.one_of(self.variables)
        if self.chance(40):
            return self.read(v, self.effects)
        x = self.operand(v)[0] if self.chance(50) else self.numbers(v.shape.as_list(), v.dtype.base_dtype)
        value = tf.broadcast_to(tf.clip_by_value(x, -9, 9), v.shape.as_list())
        with tf.control_dependencies(self.effects):
            write = self.one_of([tf.assign, tf.assign_add, tf.assign_sub])(v, value)
        self.read(v, [write])

    def same_as(self, tensors, grown):
        """For each tensor a value of its type: one that was grown, where there is one."""
        out = []
        for t in tensors:
            fit = [k[0] for k in grown.known if k[0].dtype == t.dtype and k[0].shape.as_list() == t.shape.as_list()]
            one = self.one_of(fit[-4:]) if fit else t
            out.append(tf.tanh(one) if one.dtype in FLOATS else tf.clip_by_value(one, -1000, 1000) if one.dtype in INTS else tf.identity(one))
        return out

    def inner(self, known):
        grown = Grower(self.rng, known, self.variables, self.depth + 1)
        return grown

    def carried(self):
        fit = [k[0] for k in self.known if k[0].shape.is_fully_defined()]
        return [self.one_of(fit) for _ in range(1 + self.rng.randint(3))] if fit else []

    def cond(self):
        c, carried = self.pick([tf.bool, tf.int32], exact=True), self.carried()
        if not c or not carried or self.depth > 1:
            return
        flag = tf.reduce_any(c[0]) if c[0].dtype == tf.bool else tf.reduce_sum(c[0]) > 2

        def branch():
            grown = self.inner(self.known)
            grown.grow(2 + self.rng.randint(5))
            with tf.control_dependencies(grown.effects):
                return [tf.identity(t) for t in self.same_as(carried, grown)]

        with tf.control_dependencies(self.effects):
            results = tf.cond(flag, branch, branch)
        results = results if isinstance(results, list) else [results]
        for t, like in zip(results, carried):
            t.set_shape(like.shape)
            self.add(t, False)
        self.effects = [results[0].op]

    def loop(self):
        carried = self.carried()
        if not carried or self.depth > 1:
            return
        turns = self.rng.randint(0, 5)

        def body(i, *values):
            grown = self.inner(self.known + [(v, False) for v in values] + [(i, True)])
            grown.grow(2 + self.rng.randint(5))
            with tf.control_dependencies(grown.effects):
                new = [tf.identity(t) for t in self.same_as(values, grown)]
            if len(new) > 1 and new[0].shape.as_list() == new[1].shape.as_list() and new[0].dtype == new[1].dtype:
                new[0], new[1] = new[1], new[0]
            return [i + 1, *new]

        with tf.control_dependencies(self.effects):
            results = tf.while_loop(lambda i, *values: i < turns, body, [tf.constant(0), *carried])
        for t, like in zip(results[1:], carried):
            t.set_shape(like.shape)
            self.add(t, False)
        self.effects = [results[0].op]

    def grow(self, count):
        ops = [self.elementwise] * 10 + [self.discrete] * 4 + [self.move] * 7 + [self.reduce] * 4 + [self.shapes] * 2 + [self.cast] * 3
        ops += [self.matmul] * 2 + [self.constants] * 2 + [self.random] + [self.select] * 2 + [self.state] * 3 + [self.more] * 2
        ops += [self.gradients, self.train]
        if CONTROL:
            ops += [self.cond] * 3 + [self.loop] * 3
        for _ in range(count):
            self.one_of(ops)()
