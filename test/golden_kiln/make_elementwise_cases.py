# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow (without oneDNN) computes for every elementwise op that Kiln has, at the values where formulas go wrong: zeros of
both signs, infinities, NaN, ties, numbers too large for a fraction. Run it with a Python that has TensorFlow.

One case an element type: ops that round once, or in TensorFlow's steps, must have its bits (rtol 0); the functions have a
tolerance of some units. Denormals are left out: TensorFlow's vectors flush some that their rests do not.
"""
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
EXACT_UNARY = "Neg Abs Sign Square Sqrt Floor Ceil Round IsNan IsInf IsFinite OnesLike ZerosLike Relu Relu6 LeakyRelu Softsign".split()
FUNCTIONS = ("Rsqrt Reciprocal Inv Exp Expm1 Log Log1p Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Sigmoid Erf Erfc "
             "Elu Selu Softplus").split()
SINES = ["Sin", "Cos", "Tan"]
THRESHOLDS = ["Sigmoid", "Elu", "Selu", "Softplus"]  # that TensorFlow has of its own for 16 bits
TIES = "Exp Expm1 Log Log1p Sinh Tanh Asinh Erf Reciprocal Inv".split()  # now and then decided by its error in float32
FEATURES = "Relu Relu6 LeakyRelu Softsign Elu Selu Softplus".split()
COMPARISONS = "Equal NotEqual Less LessEqual Greater GreaterEqual".split()
EXACT_BINARY = ("AddV2 Sub Mul Div RealDiv FloorDiv FloorMod TruncateDiv DivNoNan Maximum Minimum SquaredDifference Xdivy "
                "ReluGrad Relu6Grad LeakyReluGrad SoftsignGrad EluGrad SeluGrad TanhGrad SigmoidGrad SqrtGrad RsqrtGrad "
                "ReciprocalGrad InvGrad").split()
BINARY_FUNCTIONS = "Pow Atan2 Xlogy Xlog1py SoftplusGrad".split()
ZEROS = 1e-30  # the signs of zeros do not count: TensorFlow's vectors and their rests choose them differently


def unary(op, x):
    return getattr(raw, op)(**{"features" if op in FEATURES else "x": x})


def binary(op, x, y):
    if op in ("EluGrad", "SeluGrad"):
        return getattr(raw, op)(gradients=x, outputs=y)
    if op in ("ReluGrad", "Relu6Grad", "LeakyReluGrad", "SoftsignGrad", "SoftplusGrad"):
        return getattr(raw, op)(gradients=x, features=y)
    if op in ("TanhGrad", "SigmoidGrad", "SqrtGrad", "RsqrtGrad", "ReciprocalGrad", "InvGrad"):
        return getattr(raw, op)(y=x, dy=y)
    return getattr(raw, op)(x=x, y=y)


def edges(t):
    numbers = [0, 0.5, 1, 1.5, 2, 2.5, 3.5, 0.3, 0.49999997, 0.75, 1.25, 6, 7, 100.5, 1e-10, 1e10, np.inf]
    numbers += {"float32": [8388607.5, 8388609, 16777216, 1e30, 1e-30], "float64": [4503599627370495.5, 2.0**53, 1e300, 1e-300]}.get(t, [])
    with np.errstate(over="ignore"):
        numbers = np.array(numbers).astype(tf.as_dtype(t).as_numpy_dtype)
    return np.concatenate([numbers, -numbers, np.array([np.nan], numbers.dtype)])


def pairs(values):
    x, y = np.meshgrid(values, values)
    return x.ravel(), y.ravel()


def wide_types():
    rng = np.random.default_rng(20)
    for t, unit in (("float32", 4e-6), ("float64", 1e-14)):
        with Case("elementwise_" + t, "every elementwise op of " + t + " at values where formulas go wrong", rtol=unit, atol=0) as c:
            a, b = tf.placeholder(t, [None], "a"), tf.placeholder(t, [None], "b")
            some = (rng.standard_normal(203) * 5).astype(t)
            x = np.concatenate([edges(t), some])
            c.run([unary(op, a) for op in EXACT_UNARY + ["Rint"]], {a: x}, rtol=ZEROS)
            angles = {a: x[~(np.abs(x) > 1e4)]}  # its sines lose their digits for large angles
            erf = {a: x if t == "float32" else x[~(np.abs(x) > 1e100)]}  # its Erf of float64 is NaN where x * x is infinite
            near = 1e-7 if t == "float32" else 1e-15
            for ops, feeds in ((SINES, angles), (["Erf"], erf), ([op for op in FUNCTIONS if op not in SINES + ["Erf"]], {a: x})):
                c.run([unary(op, a) for op in ops], feeds, atol=near)
            x, y = pairs(edges(t))
            x, y = np.concatenate([x, some]), np.concatenate([y, some[::-1]])
            x, y = x[: x.size // 16 * 16], y[: x.size // 16 * 16]  # rests of vectors are multiplied in another order
            c.run([binary(op, a, b) for op in EXACT_BINARY + COMPARISONS], {a: x, b: y}, rtol=ZEROS)
            c.run([binary(op, a, b) for op in ("Mod", "TruncateMod")], {a: x, b: y}, rtol=ZEROS)
            c.run([binary(op, a, b) for op in BINARY_FUNCTIONS], {a: some, b: some[::-1].copy()})
            c.run([binary(op, a, b) for op in BINARY_FUNCTIONS], {a: x, b: y})


def narrow_types():
    """Every 13th of all numbers; of the four with thresholds of their own, all."""
    every = np.arange(65536, dtype=np.uint16)
    for t, lowest, unit in (("float16", 0x0400, 2.0**-10), ("bfloat16", 0x0080, 2.0**-7)):
        narrow = tf.as_dtype(t).as_numpy_dtype
        normal = every[((every & 0x7FFF) >= lowest) | ((every & 0x7FFF) == 0)]
        with Case("elementwise_" + t, "every elementwise op of " + t + " over its range", rtol=0, atol=0) as c:
            a, b = tf.placeholder(t, [None], "a"), tf.placeholder(t, [None], "b")
            x = normal[::13][:4848].view(narrow)
            c.run([unary(op, a) for op in EXACT_UNARY + FUNCTIONS if op not in TIES + THRESHOLDS], {a: x})
            c.run([unary(op, a) for op in TIES], {a: x}, rtol=unit)
            whole = normal[: normal.size // 16 * 16].view(narrow)
            c.run([unary(op, a) for op in THRESHOLDS], {a: whole})
            rng = np.random.default_rng(21)
            x, y = pairs(edges(t)[: 2 * 16])
            some = (rng.standard_normal((2, 2000)) * 4).astype(np.float32).astype(narrow)
            x, y = np.concatenate([x, some[0]]), np.concatenate([y, some[1]])
            c.run([binary(op, a, b) for op in EXACT_BINARY], {a: x, b: y}, rtol=ZEROS)
            c.run([binary(op, a, b) for op in COMPARISONS], {a: x, b: y})
            c.run([binary(op, a, b) for op in BINARY_FUNCTIONS], {a: x, b: y}, rtol=unit)


def softmaxes():
    """Rows of 2 and of 8, which TensorFlow sums with one rounding, as Kiln does."""
    rng = np.random.default_rng(22)
    with Case("elementwise_softmax", "softmax of 16 bits", rtol=0, atol=0) as c:
        a, b = tf.placeholder("float16", [None, None], "a"), tf.placeholder("bfloat16", [None, None], "b")
        for width in (2, 8):
            x = (rng.standard_normal((200, width)) * 2).astype(np.float32)
            c.run([raw.Softmax(logits=a), raw.LogSoftmax(logits=a), raw.LogSoftmax(logits=b), raw.Softmax(logits=b)], {a: x, b: x})
        c.run(raw.Softmax(logits=b), {b: (rng.standard_normal((100, 33)) * 2).astype(np.float32)}, rtol=1.6e-2)  # sums of another order
        inf, nan = np.inf, np.nan
        rows = [[0.25, 1.5, -2.5, inf, -inf], [nan, 1, 2, 3, 4], [1, 2, 3, 4, nan], [-inf] * 5, [inf, inf, 1, 2, 3], [1, -inf, 2, 3, 4], [nan] * 5,
                [nan, -inf, -inf, -inf, -inf], [nan, inf, 1, 2, 3]]
        c.run([raw.Softmax(logits=a), raw.LogSoftmax(logits=a), raw.Softmax(logits=b), raw.LogSoftmax(logits=b)], {a: rows, b: rows}, rtol=8e-3)


def clips():
    """A NaN leaves a bound open; of zeros of two signs the number stays."""
    some = np.array([-np.inf, -1, -0.0, 0.0, 2, np.inf, np.nan])
    with Case("elementwise_clips", "ClipByValue of NaNs, infinities and zeros of both signs between bounds like them", rtol=0, atol=0) as c:
        x, low, high, one, other = (tf.placeholder(tf.float32, shape, n) for n, shape in (("x", [None]), ("low", [None]), ("high", [None]), ("one", []), ("other", [])))
        fetches, fixed = [], []
        for t in ("float16", "bfloat16", "float32", "float64"):
            of, a, b, p, q = (tf.cast(v, t) for v in (x, low, high, one, other))
            fetches += [raw.ClipByValue(t=of, clip_value_min=a, clip_value_max=b), raw.ClipByValue(t=of, clip_value_min=p, clip_value_max=q),
                        raw.ClipByValue(t=of, clip_value_min=a, clip_value_max=q), raw.ClipByValue(t=of, clip_value_min=p, clip_value_max=b)]
            fixed += [raw.ClipByValue(t=of, clip_value_min=tf.constant(m, t), clip_value_max=tf.constant(n, t)) for m, n in ((-1, np.nan), (np.nan, 2), (0.0, -0.0), (-0.0, 2))]
        numbers, lows, highs = (v.ravel() for v in np.meshgrid(some, some, some, indexing="ij"))
        for m, n in ((-1, 2), (np.nan, 2), (-1, np.nan), (0.0, -0.0)):
            c.run(fetches, {x: numbers, low: lows, high: highs, one: m, other: n})
        c.run(fixed, {x: some})
        i, least, most = (tf.placeholder(tf.int32, shape, n) for n, shape in (("i", [None]), ("least", []), ("most", [])))
        c.run(raw.ClipByValue(t=i, clip_value_min=least, clip_value_max=most), {i: [-9, 0, 9], least: 3, most: -2})


def integers():
    for t in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
        info = np.iinfo(t)
        values = np.array([0, 1, 2, 3, 5, 6, 7, info.max, info.max - 1, info.min, info.min + 1, info.max // 2 + 1], t)
        with Case("elementwise_" + t, "elementwise ops of " + t + " that dtype_arithmetic does not have", rtol=0, atol=0) as c:
            a, b = tf.placeholder(t, [None], "a"), tf.placeholder(t, [None], "b")
            x, y = pairs(values)
            x, y = x[y != 0], y[y != 0]
            c.run([binary(op, a, b) for op in ("ReluGrad", "Relu6Grad")], {a: x, b: y})
            if t in ("int32", "int64"):
                c.run([binary(op, a, b) for op in ("Mod", "TruncateMod", "SquaredDifference")], {a: x, b: y})


for record in (wide_types, narrow_types, softmaxes, clips, integers):
    if not sys.argv[1:] or record.__name__ in sys.argv[1:]:
        record()
