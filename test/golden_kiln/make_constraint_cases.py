# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what optimizers add for variables with constraints, and pieces around variables: assignments, sums, initializers, second
derivatives. test/unit/Train/OptimizersTest.cpp builds the same graphs. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case


def ramp(*shape):
    return np.arange(np.prod(shape)).reshape(shape) / 8 - 0.5


def constraints(kind):
    from tensorflow.python.keras import constraints as c
    from tensorflow.python.keras.legacy_tf_layers import core

    with Case("optimizer_constraints_" + kind, "variables with limits that each step brings them back within: " + kind, rtol=1e-5, atol=1e-6) as case:
        x = tf.placeholder(tf.float32, [None, 3], "x")
        with tf.variable_scope("limited", constraint=c.unit_norm(axis=[0, 1]), use_resource=kind == "handles"):
            rows = tf.get_variable("rows", [2, 3], initializer=tf.ones_initializer())
            free = tf.get_variable("free", [3], initializer=tf.ones_initializer(), constraint=c.min_max_norm(0.5, 1.5, rate=0.7))
            h = core.dense(x, 2, kernel_initializer=tf.constant_initializer(0.75), kernel_constraint=c.max_norm(1.0), bias_constraint=c.non_neg())
        double = tf.Variable([[2.0, 0.5]], dtype=tf.float64, name="double", constraint=c.max_norm(1.25, axis=1), use_resource=kind == "handles")
        plain = tf.Variable([1.0, -1.0], name="plain", constraint=lambda v: tf.clip_by_value(v, -0.5, 0.5), use_resource=kind == "handles")
        loss = tf.reduce_sum(tf.square(h - plain)) - tf.reduce_sum(rows * free) + tf.cast(tf.reduce_sum(tf.square(double)), tf.float32)
        step = tf.train.get_or_create_global_step()
        descent = tf.train.GradientDescentOptimizer(0.25).minimize(loss, global_step=step)
        adam = tf.train.AdamOptimizer(0.5).minimize(loss)
        case.init()
        names = [v.op.name + ("/Read/ReadVariableOp:0" if kind == "handles" and v is not step else ":0") for v in tf.trainable_variables()]
        for _ in range(2):
            for each in (descent, adam):
                case.run([each], {x: ramp(4, 3)})
                case.run(names)


def pieces():
    from tensorflow.python.keras.legacy_tf_layers import core

    with Case("optimizer_pieces", "assignments as functions and as methods, sums with numbers, initializers by fans, second derivatives", seed=2) as case:
        v = tf.Variable([1.0, 2.0], name="v")
        r = tf.Variable([3.0, 4.0], name="r", use_resource=True)
        he, lecun = tf.initializers.he_normal, tf.initializers.lecun_normal
        fans = [tf.get_variable(name, [3, 2], initializer=each) for name, each in [
            ("he_normal", he()), ("he_uniform", tf.initializers.he_uniform(seed=4)), ("lecun_normal", lecun(7)), ("lecun_uniform", tf.initializers.lecun_uniform())]]
        total = tf.add_n([v, r, [1.0, 1.0]])
        core.dense(tf.expand_dims(total, 0), 3)
        shared = core.dense(tf.expand_dims(v, 0), 3, reuse=True)
        cubes = tf.reduce_sum(v * v * v) + tf.reduce_sum(r * r) * v[0]
        tf.reduce_prod(r, name="product")
        both = tf.hessians(cubes, [v, r])
        case.init()
        case.run([v.name for v in fans] + [total, shared] + both)
        for each in (v.assign([5.0, 6.0]), tf.assign(v, [7.0, 8.0]), v.assign_add([1.0, 1.0]), tf.assign_add(v, v), tf.assign_sub(v, [0.5, 0.5], use_locking=True),
                     r.assign([5.0, 6.0]), tf.assign(r, v), tf.assign_add(r, v), r.assign_sub(v)):
            case.run([each.op])
            case.run([v.value(), r.value()])
        case.run(both)
        names = tf.train.match_filenames_once(["/nowhere/*.a", "/nowhere/*.b"])
        case.run([tf.local_variables_initializer()])
        case.run([names.name])


if __name__ == "__main__":
    pieces()
    constraints("references")
    constraints("handles")
