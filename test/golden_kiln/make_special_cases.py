# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's special functions, searches, systems of three diagonals, quantization and other ops of few programs,
with their errors. Run it with a Python that has TensorFlow, with the names of cases or for all of them.
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
SIZES = np.concatenate([[0, -0.0, np.nan, np.inf, -np.inf, 1e-30, 1e-12, 1e-4, 0.01, 0.1, 0.3, 0.372, 0.5, 0.7, 1, 1.5, 1.6, 2, 2.4, 3, 3.8, 5, 7, 9, 12,
                         20, 33, 50, 80, 1000, 4e4, 1e6], -np.array([1e-12, 0.01, 0.25, 0.5, 1, 1.7, 2, 3, 6, 10, 30, 100, 1e5])])
# A zero of the function is as far off as the input's last digit.
TOLERANCE = {"float16": (2e-3, 1e-4), "float32": (2e-6, 5e-7), "float64": (1e-13, 1e-14)}


def functions():
    with Case("special_functions", "functions that are integrals or series", rtol=0, atol=0) as c:
        for t in ("float32", "float64"):
            x = tf.placeholder(t, None, "x_" + t)
            for f in (raw.Dawsn, raw.Expint, raw.FresnelCos, raw.FresnelSin, raw.Spence):
                # TensorFlow's reduction of large angles to one turn is not exact.
                atol = {"float32": 3e-5, "float64": 1e-12}[t] if f in (raw.FresnelCos, raw.FresnelSin) else TOLERANCE[t][1]
                c.run(f(x=x), {x: SIZES}, rtol=TOLERANCE[t][0], atol=atol)
        for t in ("float16", "float32", "float64"):
            x = tf.placeholder(t, None, "b_" + t)
            near = SIZES[np.abs(SIZES) <= 100]
            for f in (raw.BesselJ0, raw.BesselJ1, raw.BesselY0, raw.BesselY1, raw.BesselK0, raw.BesselK0e, raw.BesselK1, raw.BesselK1e):
                c.run(f(x=x), {x: near}, rtol=TOLERANCE[t][0], atol=TOLERANCE[t][1])
        c.run(raw.BesselJ0(x=x), {x: np.zeros([0, 3])})


def pairs():
    with Case("special_pairs", "functions of two and three numbers", rtol=0, atol=0) as c:
        numbers = np.array([0, 0.1, 0.5, 1, 2.5, 7, 40, 1e4])
        for t in ("float32", "float64"):
            a, b, x = (tf.placeholder(t, None, n + t) for n in "abx")
            rtol = {"float32": 3e-6, "float64": 2e-13}[t]
            beta = raw.Betainc(a=a, b=b, x=x)
            # TensorFlow's float32 loses its digits where both are large.
            some = numbers[:-1] if t == "float32" else numbers
            grid = [v.ravel() for v in np.meshgrid(some, some, [0, 1e-3, 0.2, 0.5, 0.9, 1, -0.1, 1.1, np.nan])]
            c.run(beta, dict(zip((a, b, x), grid)), rtol=rtol if t == "float64" else 3e-5, atol=1e-30 if t == "float64" else 1e-12)
            c.run(beta, {a: 2, b: [[1, 2], [3, 4]], x: 0.5}, rtol=rtol)
            c.run(beta, {a: 2, b: 3, x: 0.5}, rtol=rtol)
            c.run(beta, {a: [2], b: 3, x: np.zeros([0])})
            c.run(beta, {a: [2, 3], b: 3, x: [0.1, 0.2, 0.3]})
            c.run(beta, {a: [2, 3], b: [[1]], x: 0.5})
            gamma = [raw.IgammaGradA(a=a, x=x), raw.RandomGammaGrad(alpha=a, sample=x)]
            values = np.array([0.1, 0.5, 1, 2.5, 7])
            c.run(gamma, {a: values[:, None], x: values}, rtol=1e-4 if t == "float32" else 1e-10)
            c.run(gamma, {a: [[1], [2]], x: [1, 2, 3]}, rtol=1e-5)
            c.run(gamma[0], {a: [1, 2], x: [1, 2, 3]})
            c.run(gamma[1], {a: [1, 2], x: [1, 2, 3]})
            after = raw.NextAfter(x1=a, x2=b)
            ends = np.array([0, -0.0, 1, -1, 1.5, np.inf, -np.inf, np.nan, 2e38, 1e-37, -1e-37])
            c.run(after, {a: ends[:, None], b: ends})
            c.run(after, {a: [1, 2], b: [1, 2, 3]})


def searches():
    with Case("special_searches", "places in sorted rows, coordinates and counts", rtol=0, atol=0) as c:
        rows = np.array([[1, 3, 3, 5, 9], [0, 0, 2, 2, 4]])
        for t in ("float16", "bfloat16", "float32", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"):
            s, v = tf.placeholder(t, None, "s_" + t), tf.placeholder(t, None, "v_" + t)
            both = [f(sorted_inputs=s, values=v, out_type=o) for f in (raw.LowerBound, raw.UpperBound) for o in ("int32", "int64")]
            c.run(both, {s: rows, v: [[0, 1, 3, 4, 9, 10], [0, 1, 2, 3, 4, 5]]})
            c.run(both[:2], {s: np.zeros([2, 0]), v: [[0, 1], [2, 3]]})
            c.run(both[:2], {s: rows, v: np.zeros([2, 0])})
        c.run(both[0], {s: rows, v: [[1]]})
        c.run(both[0], {s: rows, v: [1]})
        c.run(both[0], {s: [1], v: [[1]]})
        for t in ("int32", "int64"):
            i, d = tf.placeholder(t, None, "i_" + t), tf.placeholder(t, None, "d_" + t)
            coordinates = raw.UnravelIndex(indices=i, dims=d)
            c.run(coordinates, {i: [0, 5, 22, 59, -1], d: [3, 4, 5]})
            c.run(coordinates, {i: 22, d: [3, 4, 5]})
            for wrong in ((60, [3, 4, 5]), ([3], [3, 0]), ([3], [3, -2]), ([3], [2**30, 2**30, 2**30]), ([[3]], [3]), (3, 3)):
                c.run(coordinates, {i: wrong[0], d: wrong[1]})
        for t in ("int32", "int64", "float32", "float64"):
            x, r, n = tf.placeholder(t, None, "x_" + t), tf.placeholder(t, None, "r_" + t), tf.placeholder("int32", None, "n_" + t)
            counts = [raw.HistogramFixedWidth(values=x, value_range=r, nbins=n, dtype=o) for o in ("int32", "int64")]
            for bins in (5, 1, 7):
                c.run(counts, {x: [-1, 0, 1.5, 2, 5, 15, 100, 9], r: [0, 10], n: bins})
            c.run(counts, {x: np.zeros([0, 2]), r: [0, 10], n: 3})
            for wrong in ({r: [5, 5]}, {r: [1]}, {r: 1}, {n: 0}, {n: [1]}, {n: -2}):
                c.run(counts[0], {x: [[1, 2]], r: [0, 10], n: 3, **wrong})
        c.run(counts[0], {x: [1, np.nan], r: [0, 10], n: 3})


def diagonals():
    with Case("special_diagonals", "systems and products of three diagonals", rtol=1e-5, atol=1e-6) as c:
        rng = np.random.RandomState(3)
        for t in ("float32", "float64"):
            d, rhs = tf.placeholder(t, None, "d_" + t), tf.placeholder(t, None, "rhs_" + t)
            solved = [raw.TridiagonalSolve(diagonals=d, rhs=rhs, partial_pivoting=p, perturb_singular=s) for p, s in ((True, False), (False, False), (True, True))]
            for batch, n, k in (([], 6, 2), ([2, 3], 5, 1), ([], 1, 3), ([], 2, 2), ([4], 3, 0), ([], 0, 2)):
                c.run(solved if n * k else solved[:2], {d: rng.randn(*batch, 3, n), rhs: rng.randn(*batch, n, k)}, rtol=1e-3 if t == "float32" else 1e-10)
            easy = np.array([[1, 2, 0.5, 9], [4, 5, 6, 7], [9, 1, 2, 1.0]])
            c.run(solved, {d: easy, rhs: np.eye(4)})
            singular = np.array([[0, 0, 0], [0, 0, 1.0], [0, 0, 0]])
            c.run(solved[:2], {d: singular, rhs: np.ones([3, 1])})
            c.run(solved[:2], {d: np.zeros([3, 1]), rhs: np.ones([1, 1])})
            swapped = np.array([[2, 3, 9], [0, 0, 1.0], [9, 4, 5]])
            c.run([solved[0], solved[2]], {d: swapped, rhs: np.ones([3, 2])})
            for wrong in (([2, 4], [4, 1]), ([3, 4], [5, 1]), ([3], [3, 1]), ([2, 3, 4], [3, 4, 1])):
                c.run(solved[0], {d: np.ones(wrong[0]), rhs: np.ones(wrong[1])})
            parts = [tf.placeholder(t, None, "p%d_%s" % (i, t)) for i in range(3)]
            product = raw.TridiagonalMatMul(superdiag=parts[0], maindiag=parts[1], subdiag=parts[2], rhs=rhs)
            for batch, n, k in (([], 5, 3), ([2], 4, 1), ([], 1, 2), ([3], 2, 0)):
                c.run(product, {**{p: rng.randn(*batch, 1, n) for p in parts}, rhs: rng.randn(*batch, n, k)})
            c.run(product, {**{p: np.ones([1, 4]) for p in parts}, rhs: np.ones([5, 2])})
            c.run(product, {**{p: np.ones([4]) for p in parts}, rhs: np.ones([4, 2])})


def others():
    with Case("special_others", "norms, cross products, layouts and what is nearly equal", rtol=1e-6, atol=0) as c:
        for t in ("float16", "bfloat16", "float32", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"):
            x = tf.placeholder(t, None, "x_" + t)
            rtol = {"float16": 2e-3, "bfloat16": 2e-2}.get(t, 1e-6)
            c.run([raw.EuclideanNorm(input=x, axis=[1]), raw.EuclideanNorm(input=x, axis=[0, 1], keep_dims=True), raw.EuclideanNorm(input=x, axis=[])],
                  {x: np.arange(6).reshape(2, 3)}, rtol=rtol)
            y = tf.placeholder(t, None, "y_" + t)
            cross = raw.Cross(a=x, b=y)
            c.run(cross, {x: [[1, 2, 3], [4, 5, 6]], y: [[7, 1, 2], [1, 3, 2]]}, rtol=rtol)
        c.run(raw.EuclideanNorm(input=x, axis=[3]), {x: [[1]]})
        c.run(cross, {x: [1, 2, 3], y: [[1, 2, 3]]})
        c.run(cross, {x: [1, 2], y: [1, 2]})
        c.run(cross, {x: 1, y: 1})
        c.run(cross, {x: np.zeros([0, 3]), y: np.zeros([0, 3])})
        for t in ("float32", "float64"):
            a, b = tf.placeholder(t, None, "a_" + t), tf.placeholder(t, None, "b_" + t)
            near = raw.ApproximateEqual(x=a, y=b, tolerance=0.25)
            c.run(near, {a: [1, 2, 3, np.nan, np.inf, 1], b: [1.2, 2.25, 4, 1, np.inf, 0.8]})
            c.run(near, {a: [1, 2], b: [1, 2, 3]})
        turned = tf.placeholder("float32", None, "turned")
        c.run(raw.ConjugateTranspose(x=turned, perm=[2, 0, 1]), {turned: np.arange(24).reshape(2, 3, 4)})
        for t in ("int32", "int64"):
            v = tf.placeholder(t, None, "v_" + t)
            for source, target, rank in (("NHWC", "NCHW", 4), ("NCHW", "HWNC", 4), ("NDHWC", "NCDHW", 5)):
                formats = dict(src_format=source, dst_format=target)
                c.run(raw.DataFormatDimMap(x=v, **formats), {v: np.arange(-rank, rank + 2)})
                c.run(raw.DataFormatDimMap(x=v, **formats), {v: 1})
                permuted = raw.DataFormatVecPermute(x=v, **formats)
                c.run(permuted, {v: np.arange(rank) + 7})
                c.run(permuted, {v: np.arange(rank - 2) + 7})
                c.run(permuted, {v: np.arange(2 * rank).reshape(rank, 2)})
                c.run(permuted, {v: np.arange(2 * rank - 4).reshape(rank - 2, 2)})
            c.run(permuted, {v: np.arange(7)})
            c.run(permuted, {v: np.zeros([5, 3])})
            c.run(permuted, {v: 1})
            c.run(raw.DataFormatDimMap(x=v, src_format="NHWC", dst_format="NHWH"), {v: 1})
            c.run(raw.DataFormatVecPermute(x=v, src_format="NH", dst_format="NH"), {v: [1, 2]})
        fixed = tf.constant([[-3, 4, -(2**31)]])
        c.run([raw.EuclideanNorm(input=fixed, axis=axis) for axis in ([], [0], [1])])


def quantized():
    with Case("special_quantized", "floats rounded to what few bits would hold", rtol=1e-6, atol=1e-7) as c:
        values = np.array([[-1.7, -0.5, 0, 0.3, 0.8], [1.2, 2.5, 0.05, -0.33, 7]])
        for t in ("float32", "float64"):
            x, low, high, bits = (tf.placeholder(t if n != "bits" else "int32", None, n + "_" + t) for n in ("x", "low", "high", "bits"))
            # A fed range: what a shape may not be, the shape function cannot see.
            feed = {x: values, low: -1, high: 2}
            for signed in (True, False):
                for narrow in (True, False):
                    for given in (True, False):
                        for mode in ("HALF_TO_EVEN", "HALF_UP"):
                            for number in (8, 3):
                                both = [f(input=x, input_min=low, input_max=high, signed_input=signed, num_bits=number, range_given=given, narrow_range=narrow,
                                          round_mode=mode) for f in (raw.QuantizeAndDequantizeV2, raw.QuantizeAndDequantizeV4)]
                                c.run(both, feed)
                        c.run(raw.QuantizeAndDequantizeV3(input=x, input_min=low, input_max=high, num_bits=bits, signed_input=signed, range_given=given,
                                                          narrow_range=narrow), {**feed, bits: 5})
            ranges = {low: [-1, -0.1, -2, 0, 0], high: [1, 2, 3, 4, 5]}
            c.run(raw.QuantizeAndDequantizeV3(input=x, input_min=low, input_max=high, num_bits=bits, range_given=False, axis=1), {x: values, bits: 6, **ranges})
            c.run(raw.QuantizeAndDequantizeV3(input=x, input_min=low, input_max=high, num_bits=bits, range_given=True, axis=1), {x: values, bits: 6, **ranges})
            c.run(raw.QuantizeAndDequantizeV3(input=x, input_min=low, input_max=high, num_bits=bits), {**feed, bits: 63})
            plain = raw.QuantizeAndDequantizeV2(input=x, input_min=low, input_max=high, range_given=True)
            c.run(plain, {**feed, low: 3})
            c.run(plain, {**feed, low: 0, high: 0})
            gradient = raw.QuantizeAndDequantizeV4Grad(gradients=2 * x, input=x, input_min=low, input_max=high)
            c.run(list(gradient), feed)
        f, low, high = (tf.placeholder("float32", None, n) for n in ("f", "least", "most"))
        for settings in ({}, {"num_bits": 4}, {"num_bits": 5, "narrow_range": True}):
            c.run(raw.FakeQuantWithMinMaxArgs(inputs=f, min=-1, max=2, **settings), {f: values})
            c.run(raw.FakeQuantWithMinMaxArgs(inputs=f, min=0.1, max=2, **settings), {f: values})
            c.run(raw.FakeQuantWithMinMaxArgsGradient(gradients=2 * f, inputs=f, min=-1, max=2, **settings), {f: values})
            one = raw.FakeQuantWithMinMaxVars(inputs=f, min=low, max=high, **settings)
            slope = list(raw.FakeQuantWithMinMaxVarsGradient(gradients=2 * f + 1, inputs=f, min=low, max=high, **settings))
            for ends in ((-1, 2), (0, 0), (-0.1, 1.7), (0.2, 3), (-4, -1)):
                c.run([one] + slope, {f: values, low: ends[0], high: ends[1]})
            each = raw.FakeQuantWithMinMaxVarsPerChannel(inputs=f, min=low, max=high, **settings)
            slopes = list(raw.FakeQuantWithMinMaxVarsPerChannelGradient(gradients=2 * f + 1, inputs=f, min=low, max=high, **settings))
            c.run([each] + slopes, {f: values, low: [-1, 0, -0.1, 0.2, -3], high: [2, 0, 1, 3, 4]})
            c.run([each] + slopes, {f: values[0], low: [-1, 0, -0.1, 0.2, -3], high: [2, 0, 1, 3, 4]})
        c.run(each, {f: values, low: [-1], high: [2]})
        c.run(one, {f: values, low: [-1], high: [2]})
        c.run(raw.FakeQuantWithMinMaxArgs(inputs=f, num_bits=17), {f: values})
        c.run(raw.FakeQuantWithMinMaxArgs(inputs=f, min=3, max=2), {f: values})


def integers():
    """QuantizeV2 and Dequantize: floats as the integers that stand for them. Values at halves of steps; none that are no numbers."""
    every = [tf.qint8, tf.quint8, tf.qint16, tf.quint16, tf.qint32]
    values = np.array([[-1.7, -0.5, 0, 0.3, 0.8], [1.2, 2.5, 0.05, -0.33, 7], [-0.0, 1 / 3, -2.5, 0.5, 100]])
    with Case("special_integers", "floats as integers of a range, and back, of all types and modes", rtol=0, atol=0) as c:
        x, n = tf.placeholder(tf.float32, [None, None], "x"), tf.placeholder(tf.int32, [None, None], "n")
        low, high = (tf.placeholder(tf.float32, None, name) for name in ("low", "high"))
        modes = [("MIN_COMBINED", {}), ("MIN_FIRST", {}), ("SCALED", {}), ("SCALED", {"narrow_range": True})]
        there = modes + [("SCALED", {"round_mode": "HALF_TO_EVEN"}), ("MIN_COMBINED", {"ensure_minimum_range": 0.5})]

        def integers_of(axis):
            parts = [raw.QuantizeV2(input=x, min_range=low, max_range=high, T=q, mode=mode, axis=axis, **settings)
                     for q in every for mode, settings in there if axis < 0 or mode != "MIN_FIRST"]
            return [tf.stack([tf.cast(y, tf.int32) for y, _, _ in parts]), tf.stack([p[1] for p in parts]), tf.stack([p[2] for p in parts])]

        def floats_of(axis):
            parts = [raw.Dequantize(input=tf.cast(n, q), min_range=low, max_range=high, mode=mode, axis=axis, **settings)
                     for q in every for mode, settings in modes if axis < 0 or mode != "MIN_FIRST"]
            narrow = [raw.Dequantize(input=tf.cast(n, q), min_range=low, max_range=high, axis=axis, dtype=tf.bfloat16) for q in every]
            return [tf.stack(parts), tf.stack(narrow)]

        numbers = np.array([[0, 1, -1, 127, -128], [255, 5, 77, 32767, -32768], [65535, 2**31 - 1, -2**31, 1000, 2**24 + 1]])
        whole, back = integers_of(-1), floats_of(-1)
        for first, last in ((-1, 2), (0, 0), (-0.1, 1.7), (0.2, 3), (-4, -1), (0, 255), (-128, 127)):
            c.run(whole, {x: values * (1 if last < 100 else 50), low: first, high: last})
            c.run(back, {n: numbers, low: first, high: last})
        ranges = {low: [-1, -0.1, -2, 0.25, 0], high: [1, 2, 3, 4, 0]}
        c.run(integers_of(1), {x: values, **ranges})
        c.run(floats_of(1), {n: numbers, **ranges})
        c.run(raw.QuantizeV2(input=x, min_range=low, max_range=high, T=tf.qint8).output_min, {x: values, low: 3, high: 2})
    for name, wrong in (("round_mode", lambda: raw.QuantizeV2(input=x, min_range=0, max_range=1, T=tf.qint8, round_mode="HALF_TO_EVEN").output_min),
                        ("first_of_many", lambda: raw.QuantizeV2(input=x, min_range=[0, 0], max_range=[1, 1], T=tf.qint8, mode="MIN_FIRST", axis=1).output_min),
                        ("back_of_many", lambda: raw.Dequantize(input=tf.cast(x, tf.qint8), min_range=[0, 0], max_range=[1, 1], mode="MIN_FIRST", axis=1)),
                        ("bfloat16", lambda: raw.Dequantize(input=tf.cast(x, tf.qint8), min_range=0, max_range=1, mode="SCALED", dtype=tf.bfloat16))):
        with Case("special_integers_" + name, "a mode that TensorFlow has no code for", rtol=0, atol=0) as c:
            x = tf.placeholder(tf.float32, [None, 2], "x")
            c.run(wrong(), {x: np.ones([3, 2])})


def variants():
    with Case("special_variants", "ops that another one has replaced, and products of two types", rtol=1e-6, atol=0) as c:
        ends = np.array([0, -0.0, 1, -2, 1.5, np.inf, -np.inf, np.nan])
        for t in ("float16", "bfloat16", "float32", "float64"):
            a, b = tf.placeholder(t, None, "a_" + t), tf.placeholder(t, None, "b_" + t)
            product = raw.MulNoNan(x=a, y=b)
            c.run(product, {a: ends[:, None], b: ends}, rtol=0)
            c.run(tf.gradients(product, [a, b]), {a: [[1, 2, np.nan]], b: [[0], [np.inf], [3]]}, rtol=1e-2 if "16" in t else 0)
        c.run(product, {a: [1, 2], b: [1, 2, 3]})
        for t in ("float32", "float64", "int32", "uint8", "int64", "float16"):
            v, b = tf.placeholder(t, None, "v_" + t), tf.placeholder(t, None, "bias_" + t)
            moved = raw.BiasAddV1(value=v, bias=b)
            c.run(moved, {v: np.arange(12).reshape(2, 2, 3), b: [1, 2, 3]})
        c.run(moved, {v: np.zeros([0, 3]), b: [1, 2, 3]})
        for wrong in (([2, 3], [2]), ([3], [3]), ([2, 3], [1, 3])):
            c.run(moved, {v: np.ones(wrong[0]), b: np.ones(wrong[1])})
        for x, y, out in (("int8", "int8", "int32"), ("uint8", "int8", "int32"), ("int8", "uint8", "int32"), ("uint8", "uint8", "int32"),
                          ("float32", "float32", "float32"), ("int32", "int32", "int32"), ("bfloat16", "bfloat16", "bfloat16")):
            a, b = tf.placeholder(x, None, "_".join(("left", x, y, out))), tf.placeholder(y, None, "_".join(("right", x, y, out)))
            product = raw.BatchMatMulV3(x=a, y=b, Tout=out, adj_y=True)
            c.run(product, {a: np.arange(24).reshape(2, 3, 4) * 5, b: np.arange(8).reshape(1, 2, 4) + 120}, rtol=1e-2 if out == "bfloat16" else 0)
        c.run(product, {a: np.ones([2, 3]), b: np.ones([2, 4])})
        for t in ("float32", "int32", "float64"):
            parts = [tf.placeholder(t, None, "part%d_%s" % (i, t)) for i in range(3)]
            total = raw.AccumulateNV2(inputs=parts, shape=[2, None])
            c.run(total, {p: np.arange(6).reshape(2, 3) + i for i, p in enumerate(parts)})
        slope = tf.gradients(raw.AccumulateNV2(inputs=[parts[0] * 2, parts[1] * parts[2], parts[1]], shape=[2, 3]), parts)
        c.run(slope, {p: np.arange(6).reshape(2, 3) + i for i, p in enumerate(parts)})


def early_quantized():
    """QuantizeAndDequantize, which TensorFlow runs in graphs of before version 22 and does not build."""
    graph = tf.GraphDef()
    graph.versions.producer = 20
    settings = [(t, signed, bits, given, low, high) for t in (tf.float32, tf.float64) for signed in (True, False) for bits in (8, 3)
                for given, low, high in ((True, -1.0, 2.0), (False, 0.0, 0.0))] + [(tf.float32, True, 8, True, 3.0, 2.0), (tf.float32, True, 63, True, -1.0, 2.0)]
    for t in (tf.float32, tf.float64):
        graph.node.add(name="x_" + t.name, op="Placeholder").attr["dtype"].type = t.as_datatype_enum
    for i, (t, signed, bits, given, low, high) in enumerate(settings):
        attrs = graph.node.add(name="quantized%d" % i, op="QuantizeAndDequantize", input=["x_" + t.name]).attr
        attrs["T"].type = t.as_datatype_enum
        attrs["signed_input"].b, attrs["range_given"].b, attrs["num_bits"].i = signed, given, bits
        attrs["input_min"].f, attrs["input_max"].f = low, high
    with Case("special_quantized_early", "QuantizeAndDequantize of version 1", rtol=1e-6, atol=1e-7) as c:
        tf.import_graph_def(graph, name="")
        values = np.array([[-1.7, -0.5, 0, 0.3, 0.8], [1.2, 2.5, 0.05, -0.33, 7]])
        for i, (t, *_) in enumerate(settings):
            c.run("quantized%d:0" % i, {c.graph.get_tensor_by_name("x_%s:0" % t.name): values})


if __name__ == "__main__":
    for record in (functions, pairs, searches, diagonals, others, quantized, integers, variants, early_quantized):
        if len(sys.argv) == 1 or record.__name__ in sys.argv[1:]:
            record()
