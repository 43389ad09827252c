# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does with strings. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
TEXTS = np.array([[b"a", b"bb", b"", b"d\0e"], [b"\xff\xfe", "wörter".encode(), b"x" * 40, b"a"]], object)


def moves():
    with Case("string_moves", "every op that moves strings, on constants and on feeds of two sizes") as case:
        s = tf.placeholder(tf.string, [None, 4], name="s")
        v = tf.constant(TEXTS[0], name="v")
        c = tf.placeholder(tf.bool, [None, 4], name="c")
        i = tf.placeholder(tf.int32, [None], name="i")
        fetches = [
            tf.identity(s), raw.IdentityN(input=[s, i])[0], tf.stop_gradient(s), raw.PreventGradient(input=s),
            tf.reshape(s, [-1]), tf.expand_dims(s, 1), tf.squeeze(tf.expand_dims(s, 0)), tf.fill([2, 3], v[1]),
            tf.tile(s, [2, 1]), tf.tile(v, [3]), tf.broadcast_to(v, [3, 4]), tf.stack([s, s], 1), *tf.unstack(v),
            tf.concat([s, s], 0), tf.concat([s, s], 1), raw.Concat(concat_dim=1, values=[s, s]), *tf.split(s, 2, 1),
            *tf.split(v, [1, 3]), tf.slice(s, [0, 1], [-1, 2]), s[::-1, 1:], s[:, 0], v[1:3], v[::2],
            tf.gather(v, i), tf.gather(s, [3, 0], axis=1), raw.Gather(params=v, indices=i), tf.transpose(s),
            tf.reverse(s, [0]), tf.reverse(s, [0, 1]), tf.pad(s, [[1, 0], [0, 2]]),
            tf.pad(v, [[1, 1]], constant_values="z"), tf.one_hot(i, 3, on_value="on", off_value="off"),
            raw.ZerosLike(x=s), tf.where(c, s, tf.reverse(s, [1])), raw.SelectV2(condition=c, t=s, e=v),
            tf.equal(s, v), tf.not_equal(s, "a"), tf.equal(v, tf.reverse(v, [0])), raw.Add(x=s, y=v),
            raw.Add(x=v, y="!"), tf.shape(s), tf.size(s), tf.rank(s),
            tf.constant("", shape=[0, 2]), tf.constant("one", shape=[2, 2]), tf.constant(TEXTS)]
        for rows in (1, 2, 0):
            texts = TEXTS[:rows]
            case.run(fetches, {s: texts, c: np.arange(4 * rows).reshape(rows, 4) % 3 == 0, i: np.arange(rows)})
        many = np.array([[b"%d.%d" % (row, column) for column in range(4)] for row in range(21)], object)
        case.run(fetches, {s: many, c: np.arange(84).reshape(21, 4) % 7 == 0, i: np.arange(21) % 4})
        case.run(tf.gather(v, i), {i: [0, 4]})


def variables(name, use_resource):
    with Case(name, "variables of strings: initialized, assigned, read around an assignment") as case:
        with tf.variable_scope("scope", use_resource=use_resource):
            v = tf.get_variable("v", initializer=tf.constant([b"left", b"", b"r\0ght"]))
            w = tf.get_variable("w", initializer=tf.constant("scalar"))
        p = tf.placeholder(tf.string, [3], name="p")
        set_v = tf.assign(v, p, name="set_v")
        turn = tf.assign(v, tf.reverse(v, [0]), name="turn")
        with tf.control_dependencies([set_v]):
            after = tf.identity(v.read_value() if use_resource else v, name="after")
        case.run(v)
        case.init()
        case.run([v, w])
        case.run(after, {p: np.array([b"1", b"22", b"333"], object)})
        case.run([v, w])
        case.run(turn.op)
        case.run(turn.op)
        case.run([turn, w] if not use_resource else [turn.op, w])
        case.run(v)
        case.run(tf.assign(w, tf.gather(p, 1)).op, {p: np.array([b"x", b"y", b"z"], object)})
        case.run([w, tf.is_variable_initialized(v) if not use_resource else v.is_initialized()])


if __name__ == "__main__":
    moves()
    variables("string_variables", False)
    variables("string_resource_variables", True)
