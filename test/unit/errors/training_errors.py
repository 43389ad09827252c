# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches, loops, gradients and optimizers."""
import numpy as np
from error_cases import case, free, run, tf

# Control flow.


def branches(true, false, pred=None):
    def program():
        p = tf.placeholder(tf.bool, [], name="p") if pred is None else pred()
        tf.cond(p, true, false)
    return program


one = lambda: tf.constant(1)
case("cond/pred_that_is_known")(branches(one, one, lambda: True))
case("cond/nothing_given")(branches(lambda: None, one))
case("cond/nothing_given_otherwise")(branches(one, lambda: None))
case("cond/dtypes")(branches(one, lambda: tf.constant(1.0)))
case("cond/numbers_of_results")(branches(lambda: [one(), one()], lambda: [one(), one(), one()]))
case("cond/vector_as_pred")(branches(one, one, lambda: tf.placeholder(tf.bool, [2], name="p")))
case("cond/integer_as_pred")(branches(one, one, lambda: tf.placeholder(tf.int32, [], name="p")))


def loop(condition, body, variables, **options):
    return lambda: tf.while_loop(condition, body, variables() if callable(variables) else variables, **options)


case("while/shape_changes")(loop(lambda x: tf.size(x) < 9, lambda x: tf.concat([x, x], 0),
                                 lambda: [tf.constant([1.0])]))
case("while/condition_that_is_no_bool")(loop(lambda i: i + 1, lambda i: i + 1, [0]))
case("while/condition_that_is_a_vector")(loop(lambda i: i < [3, 4], lambda i: i + 1, [0]))
case("while/no_variables")(loop(lambda: True, lambda: None, []))
case("while/more_results")(loop(lambda i: i < 3, lambda i: (i + 1, i), [0]))
case("while/invariant_that_does_not_fit")(loop(
    lambda x: tf.size(x) < 9, lambda x: x, lambda: [tf.constant([1.0, 2.0])],
    shape_invariants=[tf.TensorShape([3])]))


def array(program):
    def run():
        a = tf.TensorArray(tf.float32, 3, clear_after_read=True, infer_shape=False, name="a")
        tf.Session().run(program(a))
    return run


case("arrays/read_twice")(array(lambda a: (
    lambda b: tf.add(b.read(0), 1.0) if not b else tf.identity(b.read(0), name="again"))(
        chained(a.write(0, 1.0)))))


def chained(a):
    """The array behind a read of its element 0."""
    with tf.control_dependencies([a.read(0)]):
        return tf.TensorArray(tf.float32, handle=a.handle, flow=tf.identity(a.flow),
                              infer_shape=False)


case("arrays/write_twice")(array(lambda a: a.write(0, 1.0).write(0, 2.0).flow))
case("arrays/write_beyond")(array(lambda a: a.write(5, 1.0).flow))
case("arrays/read_beyond")(array(lambda a: a.write(0, 1.0).read(5)))
case("arrays/write_before")(array(lambda a: a.write(-1, 1.0).flow))
case("arrays/read_of_nothing")(array(lambda a: a.read(1)))


@case("arrays/shape")
def _():
    tf.TensorArray(tf.float32, 3, element_shape=[2], name="a").write(0, [1.0, 2.0, 3.0])


@case("control/dead")
@run
def _():
    p = tf.placeholder_with_default(False, [])
    return tf.identity(tf.raw_ops.Switch(data=1.0, pred=p)[1], name="i")


# Gradients.

@case("gradients/none_registered")
def _():
    x = tf.constant([1.0], name="x")
    tf.gradients(tf.raw_ops.Bucketize(input=x, boundaries=[0.5], name="b"), x)


@case("gradients/grad_ys")
def _():
    x = tf.constant(1.0)
    tf.gradients(x * 2.0, x, grad_ys=[1.0, 2.0])


@case("gradients/complex_y")
def _():
    y = tf.placeholder(tf.complex64, [], name="y")
    tf.gradients(y, y)


@case("gradients/grad_y_of_another_dtype")
def _():
    x = tf.constant(1.0, name="x")
    tf.gradients(tf.multiply(x, 2.0, name="y"), x, grad_ys=[tf.placeholder(tf.complex64, [], name="g")])


@case("gradients/grad_y_of_another_shape")
def _():
    x = tf.constant([1.0, 2.0], name="x")
    tf.gradients(tf.multiply(x, 2.0, name="y"), x, grad_ys=[tf.constant([1.0, 2.0, 3.0])])


@case("gradients/text")
def _():
    s = tf.constant("s", name="s")
    tf.gradients(s, s)


@case("gradients/shape_of_a_gradient")
def _():
    @tf.RegisterGradient("OfAnotherShape")
    def gradient(op, grad):
        return tf.zeros([5])
    x = tf.constant([1.0, 2.0], name="x")
    with tf.get_default_graph().gradient_override_map({"Square": "OfAnotherShape"}):
        y = tf.square(x, name="y")
    tf.gradients(y, x)


@case("gradients/number_of_gradients")
def _():
    @tf.RegisterGradient("OfAnotherNumber")
    def gradient(op, grad):
        return grad, grad
    x = tf.constant([1.0, 2.0], name="x")
    with tf.get_default_graph().gradient_override_map({"Square": "OfAnotherNumber"}):
        y = tf.square(x, name="y")
    tf.gradients(y, x)


@case("gradients/registered_twice")
def _():
    tf.RegisterGradient("RegisteredTwice")(lambda op, grad: grad)
    tf.RegisterGradient("RegisteredTwice")(lambda op, grad: grad)


@case("gradients/loop_inside_of_its_own")
def _():
    x = tf.constant(1.0, name="x")

    def body(i, v):
        return i + 1, v + tf.gradients(v * v, x)[0]
    tf.while_loop(lambda i, v: i < 3, body, [0, x * 2.0])


@case("gradients/second_of_a_loop")
def _():
    x = tf.constant(1.0, name="x")
    y = tf.while_loop(lambda v: v < 3.0, lambda v: v * x, [x])
    tf.gradients(tf.gradients(y, x), x)


# Optimizers.

def trained(program, optimizer=lambda: tf.train.GradientDescentOptimizer(0.1)):
    def run():
        w = tf.Variable([1.0, 2.0], name="w")
        program(optimizer(), w)
    return run


case("optimizers/no_gradients")(trained(lambda o, w: o.minimize(tf.constant(1.0, name="loss"))))
case("optimizers/no_gradients_applied")(trained(lambda o, w: o.apply_gradients([(None, w)])))
case("optimizers/nothing_to_optimize")(lambda: tf.train.GradientDescentOptimizer(0.1).minimize(
    tf.constant(1.0, name="loss")))
case("optimizers/no_variables")(trained(lambda o, w: o.apply_gradients([])))
case("optimizers/integer_loss")(trained(lambda o, w: o.minimize(
    tf.reduce_sum(tf.constant([1, 2]), name="loss"))))
case("optimizers/integer_variable")(lambda: tf.train.GradientDescentOptimizer(0.1).minimize(
    tf.reduce_sum(tf.cast(tf.Variable([1, 2], name="n"), tf.float32), name="loss")))
case("optimizers/constraint_of_rows")(lambda: tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(
    tf.gather(tf.Variable([1.0, 2.0], name="w", constraint=tf.abs), [1]), name="loss")))
case("optimizers/no_name")(lambda: tf.train.GradientDescentOptimizer(0.1, name="").get_name())


@case("optimizers/global_step_twice")
def _():
    tf.train.create_global_step()
    tf.train.create_global_step()


@case("optimizers/global_step_of_floats")
def _():
    tf.get_variable("global_step", [], tf.float32)
    tf.train.get_global_step()


@case("optimizers/global_step_that_is_a_vector")
def _():
    tf.get_variable("global_step", [2], tf.int64, tf.zeros_initializer)
    tf.train.get_global_step()


case("optimizers/ftrl_power")(lambda: tf.train.FtrlOptimizer(0.1, learning_rate_power=1.0))
case("optimizers/ftrl_l1")(lambda: tf.train.FtrlOptimizer(0.1, l1_regularization_strength=-1.0))
case("optimizers/ftrl_l2")(lambda: tf.train.FtrlOptimizer(0.1, l2_regularization_strength=-1.0))
case("optimizers/ftrl_accumulator")(lambda: tf.train.FtrlOptimizer(0.1, initial_accumulator_value=-1.0))
case("optimizers/ftrl_shrinkage")(lambda: tf.train.FtrlOptimizer(
    0.1, l2_shrinkage_regularization_strength=-1.0))
case("optimizers/adagrad_accumulator")(lambda: tf.train.AdagradOptimizer(0.1, 0.0))
case("optimizers/average_of_integers")(lambda: tf.train.ExponentialMovingAverage(0.9).apply(
    [tf.Variable([1, 2], name="n")]))
case("optimizers/boundaries")(lambda: tf.train.piecewise_constant(tf.constant(1), [1, 2], [0.1, 0.2]))
