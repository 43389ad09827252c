# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's scans, its special functions and its counters, with their errors. Run it with a Python that has
TensorFlow, with the names of cases or for all of them.
"""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
FLOATS = {"float16": 4e-3, "bfloat16": 3e-2, "float32": 1e-5, "float64": 1e-12}
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def scans():
    for t in (*FLOATS, *INTEGERS):
        close = FLOATS.get(t, 0)
        with Case("scan_" + t, "sums, products and logarithms of sums along an axis, of " + t, rtol=close, atol=close) as c:
            x, axis, long = (tf.placeholder(k, None, n) for k, n in ((t, "x"), ("int32", "axis"), ("int64", "long")))
            ways = [{"exclusive": e, "reverse": r} for e in (False, True) for r in (False, True)]
            ops = [op(x=x, axis=axis, **way) for op in (raw.Cumsum, raw.Cumprod) for way in ways]
            if t in FLOATS:
                ops += [raw.CumulativeLogsumexp(x=x, axis=axis, **way) for way in ways]
            values = np.random.default_rng(5).integers(-4, 5, size=[2, 3, 4])
            values = np.abs(values) if t[0] == "u" else values if t[0] == "i" else values / 4
            for a in (0, 1, -1) if t in FLOATS else (1,):
                c.run(ops, {x: values, axis: a})
            c.run(raw.Cumsum(x=x, axis=long), {x: values, long: 1})
            for dims in ([0], [3, 0], [0, 3], [1, 1]) if t in FLOATS else ([0],):
                c.run(ops, {x: np.ones(dims), axis: 0})
            if t in FLOATS:
                specials = np.array([[1, np.inf, -np.inf, 2, np.nan, 1], [-np.inf, -np.inf, 1, 500, -500, 0]])
                c.run(ops, {x: specials, axis: 1})
                c.run(ops, {x: specials, axis: 0})
                known = tf.placeholder(t, [None, 3], "known")
                for f in (tf.cumsum, tf.cumprod):
                    c.run(tf.gradients(f(known, axis=1, exclusive=True), known), {known: values[0, :, :3]})
    with Case("scan_errors", "what scans refuse") as c:
        x, axis = tf.placeholder("float32", None, "x"), tf.placeholder("int32", None, "axis")
        for name in ("Cumsum", "Cumprod", "CumulativeLogsumexp"):
            op = getattr(raw, name)(x=x, axis=axis, name=name)
            for dims, a in (([2, 3], 2), ([2, 3], -3), ([], 0), ([3], [0]), ([3], [0, 0]), ([2], 2**31 - 1), ([2], -2**31)):
                c.run(op, {x: np.ones(dims), axis: a})


def functions():
    unary = ("Lgamma", "Digamma", "Erfinv", "Ndtri", "BesselI0", "BesselI0e", "BesselI1", "BesselI1e")
    pairs = ("Igamma", "Igammac", "Zeta", "Polygamma")
    points = np.array([0.0, -0.0, 1e-6, -1e-6, 0.1, 0.25, 0.5, 0.75, 0.999, 1, 1.5, 2, 3.5, 10, 30.25, 80, -0.5, -1, -2.5, -30, np.inf, -np.inf, np.nan])
    for t, close in {"float16": 2e-3, "float32": 1e-5, "float64": 1e-12}.items():
        with Case("special_" + t, "special functions of " + t, rtol=close, atol=close) as c:
            x, y = tf.placeholder(t, None, "x"), tf.placeholder(t, None, "y")
            for name in unary:
                if t != "float16" or name not in ("Erfinv", "Ndtri"):
                    c.run(getattr(raw, name)(x=x), {x: points})
                    c.run(getattr(raw, name)(x=x), {x: np.zeros([2, 0])})
            if t != "float16":
                for name in pairs:
                    first, second = {"Zeta": ("x", "q"), "Polygamma": ("a", "x")}.get(name, ("a", "x"))
                    op = getattr(raw, name)(**{first: x, second: y})
                    c.run(op, {x: [[0.5], [1], [2], [5], [-1], [np.nan], [0]], y: [0.5, 1, 3, 20, 0, -1, -2.5, np.nan]})
                    c.run(op, {x: np.ones([3, 1]), y: np.ones([2, 1, 4])})
                    c.run(op, {x: np.ones([3]), y: np.ones([2])})
                known = tf.placeholder(t, [None], "known")
                c.run(tf.gradients(tf.lgamma(known), known), {known: [0.5, 1, 2.5, -0.5]})


def counters():
    with Case("count_up_to", "counters with a limit", rtol=0, atol=0) as c:
        for kind in (False, True):
            for t in ("int32", "int64"):
                v = tf.get_variable(f"v_{t}_{kind}", initializer=tf.constant(0, t), use_resource=kind)
                c.init()
                op = raw.ResourceCountUpTo(resource=v.handle, limit=2, T=t) if kind else raw.CountUpTo(ref=v._ref(), limit=2)
                for _ in range(3):
                    c.run(op)
                c.run(v.value())
                double = op + op
                c.run(v.assign(-1))
                c.run([double])
                c.run(v.value())
                c.run(v.assign(5))
                c.run(op)
        u = tf.get_variable("u", initializer=0, use_resource=True)
        c.run(raw.ResourceCountUpTo(resource=u.handle, limit=2, T="int32"))
        w = tf.get_variable("w", initializer=[0, 1], use_resource=False)
        c.run(w.initializer)
        shapeless = tf.Variable(np.array([0, 1], np.int32), validate_shape=False, use_resource=False)
        c.run(shapeless.initializer)
        c.run(raw.CountUpTo(ref=shapeless._ref(), limit=4))


if __name__ == "__main__":
    for record in (scans, functions, counters):
        if len(sys.argv) == 1 or record.__name__ in sys.argv[1:]:
            record()
