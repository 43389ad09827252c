# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records the cases of this folder: what TensorFlow computes on the narrow types. Run it with a Python that has TensorFlow.

Where rtol is 0 the bits must be TensorFlow's; EXACT is that but for the signs of zeros, which TensorFlow's vectors and
its rests of vectors choose differently. Sizes are multiples of 16 where the two also associate differently. Sums, products of matrices and what is made of them have a tolerance of a
few units of the narrow type's rounding: TensorFlow adds some of them up in the narrow type, Kiln in float32.
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
SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTS = SIGNED + UNSIGNED
EXACT = 1e-9
NARROW = {"float16": 1e-3, "bfloat16": 8e-3}


def numpy_type(name):
    return tf.as_dtype(name).as_numpy_dtype


def integer_edges(name):
    info = np.iinfo(name)
    pool = [0, 1, 2, 3, 7, 64, info.max, info.max - 1, info.min, info.min + 1, info.max // 2 + 1, info.max // 3]
    if info.min < 0:
        pool += [-1, -2, -3, -7, info.min // 2]
    return np.array(pool, name)


def pairs(values, nonzero=False):
    """Every value beside every other, in rows of 17 less a few: no multiple of a vector."""
    x, y = np.meshgrid(values, values)
    x, y = x.ravel(), y.ravel()
    if nonzero:
        x, y = x[y != 0], y[y != 0]
    return x, y


def integer_arithmetic():
    for t in INTS:
        with Case("dtype_arithmetic_" + t, "arithmetic, comparisons and bits of " + t, rtol=0, atol=0) as c:
            a, b = tf.placeholder(t, [None], "a"), tf.placeholder(t, [None], "b")
            x, y = pairs(integer_edges(t))
            ops = [raw.AddV2, raw.Sub, raw.Mul, raw.Maximum, raw.Minimum, raw.Less, raw.LessEqual, raw.Greater, raw.GreaterEqual,
                   raw.Equal, raw.NotEqual, raw.BitwiseAnd, raw.BitwiseOr, raw.BitwiseXor, raw.LeftShift, raw.RightShift]
            c.run([op(x=a, y=b) for op in ops], {a: x, b: y})
            x, y = pairs(integer_edges(t), nonzero=True)
            divisions = [raw.FloorDiv(x=a, y=b), raw.FloorMod(x=a, y=b), raw.TruncateDiv(x=a, y=b), raw.Div(x=a, y=b)]
            c.run(divisions, {a: x, b: y})
            c.run(divisions[0], {a: np.array([5, 6, 7], t), b: np.array([1, 0, 2], t)})
            unary = [raw.Square(x=a), raw.Invert(x=a), raw.Relu(features=a), raw.Relu6(features=a), raw.OnesLike(x=a),
                     raw.ZerosLike(x=a), raw.AddN(inputs=[a, b, a]), raw.BiasAdd(value=a[:, None] * tf.ones([1, 2], t), bias=b[:2])]
            if t in SIGNED:
                unary += [raw.Neg(x=a), raw.Abs(x=a), raw.Sign(x=a)]
                c.run(raw.Pow(x=a, y=b), {a: integer_edges(t)[:9], b: np.arange(9).astype(t)})
                c.run(raw.Pow(x=a, y=b), {a: np.array([1, 2], t), b: np.array([1, -1], t)})
            c.run(unary, {a: x, b: y})


def integer_moves():
    for t in INTS + ["float16", "bfloat16"]:
        with Case("dtype_moves_" + t, "rearrangements and reductions of " + t, rtol=0, atol=0) as c:
            a = tf.placeholder(t, [None, 5], "a")
            rows = np.arange(35).reshape(7, 5) % 11 * (3 if t == "bfloat16" else 9)
            rows = rows.astype(numpy_type(t))
            mask = a > tf.constant(20, t)
            c.run([tf.transpose(a), a[1:6:2, ::-1], tf.concat([a, a], 1), tf.pad(a, [[1, 2], [0, 3]]), tf.tile(a, [2, 3]) if t != "uint16" else a, tf.stack([a, a], 1),
                   tf.gather(a, np.array([3, 0, 6], np.int16)), tf.reverse(a, [0]), tf.where(mask, a, tf.zeros_like(a)),
                   tf.fill([3, 2], a[0, 4]), raw.BroadcastTo(input=a[:, None, :], shape=[7, 2, 5]), raw.Identity(input=a),
                   raw.SplitV(value=a, size_splits=tf.constant([2, 3], tf.int64), axis=1, num_split=2)[1]], {a: rows})
            c.run([raw.Max(input=a, axis=[0]), raw.Min(input=a, axis=[1]), raw.Max(input=a, axis=[0, 1]), raw.ArgMax(input=a, dimension=1),
                   raw.ArgMin(input=a, dimension=0, output_type=tf.int32), raw.ArgMax(input=a, dimension=0, output_type=tf.int16),
                   raw.ClipByValue(t=a, clip_value_min=tf.constant(3, t), clip_value_max=tf.constant(50, t)) if t not in ("uint32", "uint64") else a],
                  {a: rows})
            if t in INTS:
                c.run([raw.Sum(input=a, axis=[0]), raw.Sum(input=a, axis=[1]), raw.Sum(input=a, axis=[0, 1]), raw.Prod(input=a, axis=[0]),
                       raw.Mean(input=a, axis=[0]), raw.Mean(input=a, axis=[0, 1])], {a: rows})
                c.run([raw.Sum(input=a, axis=[0]), raw.Max(input=a, axis=[0]), raw.Min(input=a, axis=[0]), raw.Mean(input=a, axis=[0])], {a: rows[:0]})
            if t in ("uint8", "int8", "int32", "int64"):
                indices = np.array([0, 1, 4, 5, 3], t)
                c.run(tf.one_hot(tf.placeholder(t, [None], "i"), 5, on_value=tf.constant(2, tf.int8), off_value=tf.constant(-1, tf.int8), dtype=tf.int8),
                      {"i:0": indices})
                c.run(tf.one_hot(tf.get_default_graph().get_tensor_by_name("i:0"), 300), {"i:0": np.array([-1 % 256 if t == "uint8" else -1, 0], t)})


def narrow_values(name, count, seed, scale=4.0):
    return (np.random.default_rng(seed).standard_normal(count) * scale).astype(np.float32).astype(numpy_type(name))


def lowest():
    """Where ArgMax starts: the lowest finite number of the type, at index 0. And ranges of bfloat16."""
    with Case("dtype_lowest", "extreme elements that are infinite or the last finite ones; ranges", rtol=0, atol=0) as c:
        for t in list(NARROW) + ["float32"]:
            last = float(np.array(np.finfo(numpy_type(t)).max, np.float64)) if t.startswith("float") else 3.3895313892515355e38
            inf, nan = np.inf, np.nan
            rows = [[-last] * 4, [-inf, -last, -last, -last], [nan, -last, -last, 1], [nan] * 4, [inf, last, last, nan], [-inf] * 4,
                    [last, inf, last, inf], [-inf, -last, -last / 2, -last]]
            a = tf.placeholder(t, [None, 4], "a_" + t)
            c.run([raw.ArgMax(input=a, dimension=1), raw.ArgMin(input=a, dimension=1), raw.ArgMax(input=tf.transpose(a), dimension=0),
                   raw.ArgMin(input=-a, dimension=1)], {a: np.array(rows).astype(numpy_type(t))})
        for start, limit, delta in ((0, 1, 0.1), (1, 2, 0.3), (5, 0, -1.5), (2048, 2060, 1), (0, 300, 1)):
            c.run(tf.range(*(tf.constant(x, tf.bfloat16) for x in (start, limit, delta))))


def narrow_edges(name):
    numbers = [0.0, -0.0, 1, -1, 0.1, -2.5, 3.5, 1e-3, 65504, -65504, 1e-5, np.inf, -np.inf, np.nan, 255.5, -127, 2.5, 0.5, 6, 7]
    return np.array(numbers, np.float32).astype(numpy_type(name))


def narrow_arithmetic():
    for t in NARROW:
        with Case("dtype_arithmetic_" + t, "arithmetic of " + t + ", rounded at each op", rtol=0, atol=0) as c:
            a, b = tf.placeholder(t, [None], "a"), tf.placeholder(t, [None], "b")
            ex, ey = pairs(narrow_edges(t))
            x = np.concatenate([narrow_values(t, 200, 1), ex])
            y = np.concatenate([narrow_values(t, 200, 2), ey])
            ops = [raw.AddV2, raw.Sub, raw.Mul, raw.RealDiv, raw.Div, raw.Maximum, raw.Minimum, raw.Less, raw.GreaterEqual, raw.Equal, raw.NotEqual,
                   raw.SquaredDifference, raw.DivNoNan]
            c.run([op(x=a, y=b) for op in ops], {a: x, b: y}, rtol=EXACT)
            c.run([a * b + a, (a + b) * (a - b) / b, tf.add_n([a, b, a * b])], {a: x, b: y})
            x, y = narrow_values(t, 300, 3), narrow_values(t, 300, 4)
            c.run([raw.FloorDiv(x=a, y=b), raw.FloorMod(x=a, y=b)], {a: x, b: y})
            x = np.concatenate([narrow_values(t, 204, 5), narrow_edges(t)])
            c.run([f(x=a) for f in (raw.Neg, raw.Abs, raw.Sign, raw.Square, raw.Sqrt, raw.Floor, raw.Ceil, raw.Round, raw.Reciprocal, raw.IsNan,
                                    raw.IsInf, raw.IsFinite, raw.OnesLike, raw.ZerosLike)], {a: x})
            c.run([raw.Relu(features=a), raw.Relu6(features=a)], {a: x}, rtol=EXACT)
            g = narrow_values(t, x.size, 6)
            c.run([raw.ReluGrad(gradients=b, features=a), raw.TanhGrad(y=a, dy=b), raw.SigmoidGrad(y=a, dy=b), raw.SqrtGrad(y=a, dy=b),
                   raw.ReciprocalGrad(y=a, dy=b)], {a: x, b: g})


def narrow_casts():
    for t in NARROW:
        with Case("dtype_casts_" + t, "casts from and to " + t, rtol=0, atol=0) as c:
            a = tf.placeholder(t, [None], "a")
            c.run([tf.cast(a, other) for other in INTS + ["bool", "float32", "float64", "float16", "bfloat16"]], {a: narrow_edges(t)[:7]})
            for other in INTS:
                b = tf.placeholder(other, [None], "from_" + other)
                c.run(tf.cast(b, t), {b: integer_edges(other)})
            wide = np.array([65504, 65519.996, 65520, 1e-8, 2.98e-8, 5.96e-8, 3.05e-5, 6.1e-5, 0.1, 1 / 3, 1e38, 3.4e38, np.nan, -np.inf, 2049, 2051, 257, 259])
            for other in ("float32", "float64"):
                b = tf.placeholder(other, [None], "from_" + other)
                c.run(tf.cast(b, t), {b: wide})


def narrow_functions():
    for t, unit in NARROW.items():
        with Case("dtype_functions_" + t, "functions of " + t, rtol=unit, atol=1e-7) as c:
            a, b = tf.placeholder(t, [None], "a"), tf.placeholder(t, [None], "b")
            x = np.concatenate([narrow_values(t, 100, 7), narrow_values(t, 100, 8, 0.1)])
            c.run([f(x=a) for f in (raw.Exp, raw.Expm1, raw.Sin, raw.Cos, raw.Tan, raw.Atan, raw.Sinh, raw.Cosh, raw.Tanh, raw.Sigmoid, raw.Erf)],
                  {a: x})
            c.run(raw.Softplus(features=a), {a: x}, rtol=4 * unit)  # TensorFlow takes exp(x) for it from about -3 down
            positive = np.abs(x)
            c.run([f(x=a) for f in (raw.Log, raw.Log1p, raw.Rsqrt)], {a: positive})
            c.run(raw.Pow(x=a, y=b), {a: np.abs(narrow_values(t, 100, 9, 2)), b: narrow_values(t, 100, 10, 1)})


def narrow_sums():
    for t, unit in NARROW.items():
        # TensorFlow rounds sums of rows in the narrow type as it goes; see the docstring of this file.
        with Case("dtype_sums_" + t, "sums, products of matrices and softmax of " + t, rtol=4 * unit, atol=4 * unit) as c:
            a, b = tf.placeholder(t, [None, 33], "a"), tf.placeholder(t, [33, None], "b")
            x, y = narrow_values(t, (19, 33), 11, 1), narrow_values(t, (33, 21), 12, 1)
            c.run([raw.Sum(input=a, axis=[0]), raw.Sum(input=a, axis=[1]), raw.Mean(input=a, axis=[0]), raw.Mean(input=a, axis=[0, 1]),
                   raw.Prod(input=a[:, :3], axis=[1])], {a: x})
            c.run([tf.matmul(a, b), tf.matmul(a, a, transpose_b=True), tf.matmul(a, b[:, :1])], {a: x, b: y})
            c.run([raw.Softmax(logits=a), raw.LogSoftmax(logits=a), raw.BiasAdd(value=a, bias=a[0]), raw.BiasAddGrad(out_backprop=a),
                   raw.L2Loss(t=a)], {a: x})
            z = raw.BatchMatMulV2(x=tf.reshape(a, [1, -1, 33]), y=tf.reshape(b, [1, 33, -1]))
            c.run(z, {a: x, b: y})


def variables():
    with Case("dtype_variables", "variables of every type: assigned, added to, read", rtol=0, atol=0) as c:
        every = INTS + ["float16", "bfloat16", "float32", "float64", "bool"]
        values = {t: tf.Variable(np.array([1, 0, 3], numpy_type(t)), name="v_" + t) for t in every}
        c.init()
        c.run(list(values.values()))
        numbers = [t for t in every if t != "bool"]
        c.run([tf.assign_add(values[t], tf.constant([100, 100, 120], t)) for t in numbers])
        c.run([tf.assign_sub(values[t], tf.constant([1, 2, 3], t)) for t in numbers])
        fed = tf.placeholder(tf.bfloat16, [3], "fed")
        c.run(tf.assign(values["bfloat16"], fed), {fed: np.array([0.1, -5, 1e9])})
        step = [tf.raw_ops.ApplyGradientDescent(var=values[t]._ref(), alpha=tf.constant(0.1, t), delta=tf.constant([1, 2, 3], t)) for t in NARROW]
        c.run(step)
        c.run(list(values.values()))


def randoms():
    with Case("dtype_random", "random numbers of the narrow floats", rtol=0, atol=0, seed=5) as c:
        n = tf.placeholder(tf.int32, [1], "n")
        c.run([tf.random.uniform(n, dtype=t, seed=3) for t in NARROW], {n: [37]})
        c.run([raw.RandomUniform(shape=n, dtype=t, seed=1, seed2=2) for t in NARROW], {n: [5]}, repeat=2)
        c.run([raw.RandomStandardNormal(shape=n, dtype=t, seed=1, seed2=2) for t in NARROW], {n: [29]}, rtol=8e-3, atol=1e-4)
        c.run([raw.TruncatedNormal(shape=n, dtype=t, seed=1, seed2=2) for t in NARROW], {n: [29]}, rtol=8e-3, atol=1e-4)


def random_ranges():
    with Case("dtype_random_ranges", "integers from ranges that are fed, empty ones too", rtol=0, atol=0, seed=5) as c:
        n = tf.placeholder(tf.int32, [1], name="n")
        for t in ("int32", "int64"):
            low, high = tf.placeholder(t, [], name="low_" + t), tf.placeholder(t, [], name="high_" + t)
            drawn = tf.random_uniform(n, low, high, t, seed=3)
            for a, b, count in ((5, 3, 4), (3, 3, 4), (5, 3, 0), (3, 5, 4), (-9, 1000, 3)):
                c.run(drawn, {low: a, high: b, n: [count]})


def missing_kernels():
    """Types that the op's definition allows and no CPU kernel has: each in its graph, since such a node fails all runs of one."""
    bad = [lambda: raw.RealDiv(x=tf.constant([4], tf.int32), y=tf.placeholder(tf.int32, [1])),
           lambda: raw.MatMul(a=tf.placeholder(tf.uint8, [1, 1]), b=tf.constant([[1]], tf.uint8)),
           lambda: raw.Rint(x=tf.placeholder(tf.float16, [1])),
           lambda: raw.Round(x=tf.placeholder(tf.int8, [1]))]
    for make in bad:
        with tf.Graph().as_default():
            name = make().op.type
        with Case("dtype_missing_kernel_" + name, "a type that " + name + " has no kernel for", rtol=0, atol=0) as c:
            node = make()
            feed = next(i for i in node.op.inputs if i.op.type == "Placeholder")
            c.run(node, {feed: np.ones(feed.shape.as_list(), numpy_type(feed.dtype.name))})


def denormals():
    """What flushes and what moves: bits beside the smallest normal number, each beside each other. Not Sign, which gives a denormal for
    itself, nor bfloat16 as bool, where it counts as true; and no reductions, where it depends on the position whether TensorFlow flushes."""
    for t, integer in {"float16": np.uint16, "bfloat16": np.uint16, "float32": np.uint32, "float64": np.uint64}.items():
        with Case("dtype_denormals_" + t, "denormals of " + t, rtol=0, atol=0) as c:
            a, b = tf.placeholder(t, [None], "a"), tf.placeholder(t, [None], "b")
            smallest = int(np.array(np.finfo(numpy_type(t)).smallest_normal if t.startswith("float") else 2.0**-126, numpy_type(t)).view(integer))
            sign = 1 << (8 * np.dtype(integer).itemsize - 1)
            bits = [0, 1, smallest // 2 + 1, smallest - 1, smallest, smallest + 1, int(np.array(1, numpy_type(t)).view(integer))]
            x, y = (np.tile(z, 4) for z in pairs(np.array(bits + [sign | n for n in bits], integer).view(numpy_type(t))))
            one = tf.constant(1, t)
            c.run([raw.Maximum(x=a, y=b), raw.Minimum(x=a, y=b), raw.AddV2(x=a, y=b), raw.Sub(x=a, y=b), raw.Mul(x=a, y=b)], {a: x, b: y},
                  rtol=EXACT if t in NARROW else 0)
            c.run([raw.Less(x=a, y=b), raw.GreaterEqual(x=a, y=b), raw.Equal(x=a, y=b), raw.NotEqual(x=a, y=b)], {a: x, b: y})
            c.run([tf.where(a < b, a, b), tf.where(a >= b, a, b), tf.where(a < one, a, tf.ones_like(a)), tf.where(a > tf.zeros_like(a), a, b)],
                  {a: x, b: y})
            c.run([raw.Neg(x=a), raw.Abs(x=a), raw.Square(x=a), raw.Floor(x=a), raw.Ceil(x=a), tf.stack([a, b]), raw.Identity(input=a)],
                  {a: x, b: y})
            c.run([raw.Relu(features=a), raw.Relu6(features=a), tf.clip_by_value(a, -one, one)], {a: x}, rtol=EXACT)
            c.run([tf.cast(a, other) for other in ("int32", "float64" if t == "bfloat16" else "bool")], {a: x})


def quantized():
    with Case("dtype_quantized", "conversions and comparisons of quantized types, which are integers to them, and moves of their elements", rtol=0, atol=0) as c:
        x, n = tf.placeholder(tf.float32, [None], "x"), tf.placeholder(tf.int32, [None], "n")
        every = [tf.qint8, tf.quint8, tf.qint16, tf.quint16, tf.qint32]
        fetches = []
        for q in every:
            a, b = tf.cast(n, q), tf.cast(n + 1 - n % 2, q)
            fetches += [tf.cast(a, t) for t in (tf.float32, tf.float16, tf.bfloat16, tf.int64, tf.uint8, tf.int8, tf.uint16, tf.bool)]
            fetches += [tf.cast(tf.cast(a, other), tf.int32) for other in every]
            fetches += [tf.cast(y, tf.int32) for y in (tf.stack([a, b]), tf.ones([2], q))]
            if q not in (tf.qint16, tf.quint16):
                fetches += [tf.equal(a, b), tf.not_equal(a, b), tf.equal(a, a[0])]
                fetches += [tf.cast(y, tf.int32) for y in (tf.gather(b, [1, 0]), tf.dynamic_stitch([[1, 2, 4], [0, 3, 5]], [a, b]))]
        for numbers in ([0, 1, -1], [127, 128, 255], [-128, 256, 65535], [-32768, 2**31 - 1, -65536]):
            c.run(fetches, {n: numbers})
        inside = [tf.cast(tf.cast(x, q), tf.int32) for q in every]
        c.run(inside, {x: [0.0, 1.75, 100.5]})


for record in (denormals, lowest, integer_arithmetic, integer_moves, narrow_arithmetic, narrow_casts, narrow_functions, narrow_sums, quantized, variables,
               randoms, random_ranges, missing_kernels):
    record()
