# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's arithmetic on complex numbers, its gradients, and Fourier transforms, with their errors. Run it with a
Python that has TensorFlow, with the names of cases or for all of them.
"""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
TYPES = {"complex64": "float32", "complex128": "float64"}
CLOSE = {"complex64": (2e-6, 1e-6), "complex128": (1e-13, 1e-14)}
rng = np.random.RandomState(39)
SOME = np.array([0, 1, -1, 1j, -1j, 3 + 4j, -3 + 4j, 0.5 - 2j, -0.25 - 0.75j, 1e-3 + 2e-3j, 7 - 0.1j, 2.5 + 1j])
# Of numbers whose parts are tiny, huge, infinite or none.
EDGES = np.array([0, complex(-0.0, 0), complex(0, -0.0), complex(-1, -0.0), complex(-1, 0), 1e30 + 2e30j, -1e-30 + 1e-30j, 3e20 - 1e-20j,
                  complex(np.inf, 1), complex(-np.inf, 1), complex(1, np.inf), complex(2, -np.inf), complex(np.nan, 1), complex(1, np.nan)])


def normal(*dims):
    return rng.randn(*dims) + 1j * rng.randn(*dims)


def near(c, t, fetches, feeds=None, scale=1):
    return c.run(fetches, feeds, rtol=CLOSE[t][0] * scale, atol=CLOSE[t][1] * scale)


def part_ops():
    with Case("complex_parts", "complex numbers made and taken apart", rtol=0, atol=0) as c:
        for t, p in TYPES.items():
            x, re, im = tf.placeholder(t, None, "x_" + t), tf.placeholder(p, None, "re_" + t), tf.placeholder(p, None, "im_" + t)
            whole = raw.Complex(real=re, imag=im, Tout=t)
            c.run(whole, {re: [[1, -2], [np.nan, np.inf]], im: [[-0.0, 5], [3, -np.inf]]})
            c.run(whole, {re: [[1], [2]], im: [3, 4, 5]})
            c.run(whole, {re: 1, im: 2})
            c.run(whole, {re: np.zeros([0, 2]), im: np.zeros([2])})
            c.run(whole, {re: [1, 2], im: [3, 4, 5]})
            parts = [raw.Real(input=x, Tout=p), raw.Imag(input=x, Tout=p), raw.Conj(input=x)]
            for value in (EDGES, normal(5, 7), normal(33), 2 - 3j, np.zeros([2, 0])):
                c.run(parts, {x: value})
            polar = [raw.ComplexAbs(x=x, Tout=p), raw.Angle(input=x, Tout=p)]
            for value in (EDGES, SOME, normal(5, 7), 2 - 3j):
                near(c, t, polar, {x: value})
            # What is only moved: joined, sliced, chosen, and then computed with.
            y = tf.concat([tf.reverse(x, [0]), x[1:]], 0) * tf.constant(1j, t)
            near(c, t, [y, tf.where(raw.Real(input=y, Tout=p) > 0, y, -y), tf.transpose(tf.reshape(y[:6], [2, 3]), conjugate=True)], {x: SOME})


def arithmetic():
    with Case("complex_arithmetic", "sums, products and quotients of complex numbers", rtol=2e-6, atol=1e-6) as c:
        for t in TYPES:
            x, y = tf.placeholder(t, None, "x_" + t), tf.placeholder(t, None, "y_" + t)
            two = [raw.Add, raw.AddV2, raw.Sub, raw.Mul, raw.Div, raw.RealDiv, raw.SquaredDifference]
            results = [f(x=x, y=y) for f in two]
            guarded = [raw.DivNoNan(x=x, y=y), raw.MulNoNan(x=x, y=y), raw.Xdivy(x=x, y=y)]
            for a, b in ((SOME, SOME[::-1] + 2), (normal(3, 4), normal(4)), (normal(5, 1), normal(7)), (2 + 1j, normal(2, 3)), (normal(37), 1j), (np.zeros([0, 3]), normal(3))):
                near(c, t, results + guarded, {x: a, y: b})
            near(c, t, guarded, {x: [0, 1, 1j, 0], y: [0, 0, 0, 2]})
            c.run(results[0], {x: [1, 2], y: [1, 2, 3]})
            one = [raw.Neg(x=x), raw.Square(x=x), raw.Sign(x=x), raw.Reciprocal(x=x), raw.Inv(x=x), raw.ZerosLike(x=x), raw.OnesLike(x=x)]
            for a in (SOME[1:], normal(6, 5), 3 - 4j, np.zeros([0])):
                near(c, t, one, {x: a})
            near(c, t, raw.Reciprocal(x=x), {x: [1e30 + 2e30j, 3e-30 - 1e-30j, 3e20 - 1e-10j]})
            equal = [raw.Equal(x=x, y=y), raw.NotEqual(x=x, y=y)]
            c.run(equal, {x: [1 + 1j, 2 + 1j, complex(np.nan, 1), 0, 1j], y: [1 + 1j, 2 - 1j, complex(np.nan, 1), complex(-0.0, -0.0), 1j]})
            c.run(equal, {x: normal(2, 3), y: 1})
            near(c, t, [tf.add_n([x, y, x, x]), tf.accumulate_n([x, y, y])], {x: normal(4, 3), y: normal(4, 3)})
            near(c, t, tf.nn.bias_add(x, y), {x: normal(4, 3), y: normal(3)})
            grads = [raw.ReciprocalGrad(y=x, dy=y), raw.InvGrad(y=x, dy=y), raw.SqrtGrad(y=x, dy=y), raw.RsqrtGrad(y=x, dy=y), raw.TanhGrad(y=x, dy=y), raw.SigmoidGrad(y=x, dy=y)]
            near(c, t, grads, {x: normal(5), y: normal(5)}, 20)


def casts():
    with Case("complex_casts", "complex numbers from and to others", rtol=0, atol=0) as c:
        for t, p in TYPES.items():
            x = tf.placeholder(t, None, "x_" + t)
            to = [tf.cast(x, d) for d in ("complex64", "complex128", "float16", "bfloat16", "float32", "float64", "int8", "uint8", "int16", "int32", "int64", "bool")]
            c.run(to, {x: [0, 1.5 + 2j, -3 + 1j, 100.75, 2j]})
            c.run(to[:6], {x: [complex(np.inf, 1), complex(np.nan, np.nan), 1e-3 + 1e3j]})
            for d in ("bool", "float16", "bfloat16", "float32", "float64", "int8", "uint8", "int16", "int32", "int64"):
                y = tf.placeholder(d, None, "y_%s_%s" % (d, t))
                c.run(tf.cast(y, t), {y: [[0, 1], [3, 100]]})
        c.run([tf.constant([1 + 2j, 3], "complex64"), tf.fill([2, 3], tf.constant(1 - 1j, "complex128")), tf.zeros([2], "complex64"), tf.ones([3], "complex128"), tf.one_hot([1, 0], 3, tf.constant(1j, "complex64"), tf.constant(2, "complex64"))])


def functions():
    with Case("complex_functions", "elementary functions of complex numbers", rtol=1e-5, atol=1e-6) as c:
        for t in TYPES:
            x, y = tf.placeholder(t, None, "x_" + t), tf.placeholder(t, None, "y_" + t)
            usual = [f(x=x) for f in (raw.Exp, raw.Sqrt, raw.Sin, raw.Cos, raw.Tan, raw.Sinh, raw.Cosh, raw.Tanh, raw.Sigmoid, raw.Expm1)]
            usual += [f(x=x) for f in (raw.Asin, raw.Acos, raw.Atan, raw.Asinh, raw.Acosh, raw.Atanh)]
            inside = SOME[5:]
            for a in (inside, normal(4, 5), 0.5 + 0.25j, np.zeros([3, 0]), normal(21) * 3):
                near(c, t, usual, {x: a}, 20)
            near(c, t, [raw.Log(x=x), raw.Rsqrt(x=x)], {x: SOME[1:]}, 4)
            near(c, t, [raw.Log1p(x=x)], {x: inside}, 20)
            ends = [0, complex(-1, -0.0), complex(-1, 0), complex(np.inf, 1), complex(-np.inf, 1), complex(1, np.inf)]
            near(c, t, raw.Sqrt(x=x), {x: ends + [1e30 + 2e30j, -1e-30 + 1e-30j]}, 4)
            # TensorFlow's float32 squares what it takes the logarithm of: NaN of what is far from 1.
            near(c, t, raw.Log(x=x), {x: ends}, 4)
            near(c, t, raw.Rsqrt(x=x), {x: [complex(np.inf, 1), complex(1, np.inf), 4, -4]}, 4)
            near(c, t, [raw.Exp(x=x), raw.Tanh(x=x), raw.Sigmoid(x=x)], {x: [complex(np.inf, 0), complex(-np.inf, 0), 100, -200 + 1j, 40 - 2j]}, 4)
            two = [raw.Pow(x=x, y=y), raw.Xlogy(x=x, y=y), raw.Xlog1py(x=x, y=y)]
            near(c, t, two, {x: inside, y: inside[::-1] / 4}, 50)
            near(c, t, two, {x: normal(3, 1), y: normal(4) / 2}, 50)
            near(c, t, two[1:], {x: [0, 0, 0], y: [0, 1j, -1]}, 50)
            near(c, t, two[0], {x: [2, 2j, -1, 0], y: [0.5, 2, 0.5, 2]}, 4)


def reductions():
    with Case("complex_reductions", "sums, means and products of complex numbers", rtol=1e-5, atol=1e-6) as c:
        for t in TYPES:
            x = tf.placeholder(t, None, "x_" + t)
            for axes, keep in ([0], False), ([1], True), ([0, 1], False), ([-1, 0], True), ([], False):
                some = [f(input=x, axis=axes, keep_dims=keep) for f in (raw.Sum, raw.Mean, raw.Prod, raw.EuclideanNorm)]
                for a in (normal(4, 5), normal(3, 17, 2), np.zeros([0, 3])) if axes else (normal(2, 3),):
                    near(c, t, some, {x: a}, 20)
            c.run(raw.Sum(input=x, axis=[2]), {x: normal(3)})
            for exclusive in (False, True):
                for reverse in (False, True):
                    for axis in (0, -1):
                        near(c, t, [f(x=x, axis=axis, exclusive=exclusive, reverse=reverse) for f in (raw.Cumsum, raw.Cumprod)], {x: normal(4, 3)}, 20)
            ids = tf.placeholder("int32", None, "ids_" + t)
            near(c, t, [tf.segment_sum(x, ids), tf.segment_mean(x, ids)], {x: normal(5, 2), ids: [0, 0, 1, 3, 3]})
            near(c, t, tf.unsorted_segment_sum(x, ids, 4), {x: normal(5, 2), ids: [3, 0, 1, -1, 3]})
            near(c, t, [tf.scatter_nd([[1], [3], [1]], x, [5]), tf.tensor_scatter_nd_add(tf.ones([4], t), [[0], [3], [0]], x), tf.tensor_scatter_nd_sub(tf.ones([4], t), [[0], [3], [0]], x)], {x: normal(3)})
            near(c, t, [tf.norm(x), tf.norm(x, axis=1), tf.reduce_sum(tf.abs(x) ** 2)], {x: normal(3, 4)})


def products():
    with Case("complex_products", "products of complex matrices", rtol=1e-5, atol=1e-5) as c:
        for t in TYPES:
            a, b = tf.placeholder(t, None, "a_" + t), tf.placeholder(t, None, "b_" + t)
            for ta in (False, True):
                for tb in (False, True):
                    fits = {a: normal(*([4, 3] if ta else [3, 4])), b: normal(*([5, 4] if tb else [4, 5]))}
                    near(c, t, raw.MatMul(a=a, b=b, transpose_a=ta, transpose_b=tb), fits, 20)
                    near(c, t, [f(x=a, y=b, adj_x=ta, adj_y=tb) for f in (raw.BatchMatMul, raw.BatchMatMulV2)] + [raw.BatchMatMulV3(x=a, y=b, Tout=t, adj_x=ta, adj_y=tb)], fits, 20)
            near(c, t, raw.BatchMatMulV2(x=a, y=b), {a: normal(2, 1, 3, 4), b: normal(3, 4, 2)}, 20)
            near(c, t, raw.MatMul(a=a, b=b), {a: normal(17, 9), b: normal(9, 18)}, 100)
            near(c, t, raw.MatMul(a=a, b=b), {a: np.zeros([2, 0]), b: np.zeros([0, 3])})
            c.run(raw.MatMul(a=a, b=b), {a: normal(2, 3), b: normal(2, 3)})
            near(c, t, [tf.einsum("ij,jk->ik", a, b), tf.einsum("ij,jk->ki", a, b)], {a: normal(3, 4), b: normal(4, 2)}, 20)
            near(c, t, [tf.einsum("ij->ji", a), tf.einsum("ij->i", a), raw.ConjugateTranspose(x=a, perm=[1, 0]), tf.linalg.adjoint(a)], {a: normal(3, 4)})
            near(c, t, tf.tensordot(a, b, 1), {a: normal(2, 3, 4), b: normal(4, 2)}, 20)
            places = np.array([[0, 1], [0, 3], [2, 0]], np.int64)
            for of, other in ((False, [4, 2]), (True, [3, 2])):
                for adjoint in (False, True):
                    sparse = raw.SparseTensorDenseMatMul(a_indices=places, a_values=a, a_shape=np.array([3, 4], np.int64), b=b, adjoint_a=of, adjoint_b=adjoint)
                    near(c, t, sparse, {a: normal(3), b: normal(*(other[::-1] if adjoint else other))}, 20)


def matrices():
    with Case("complex_matrices", "factors and systems of complex matrices", rtol=1e-4, atol=1e-4) as c:
        for t in TYPES:
            a, b = tf.placeholder(t, None, "a_" + t), tf.placeholder(t, None, "b_" + t)
            square, right = normal(2, 4, 4), normal(2, 4, 3)
            positive = square @ square.conj().swapaxes(-1, -2) + 2 * np.eye(4)
            for adjoint in (False, True):
                near(c, t, [raw.MatrixInverse(input=a, adjoint=adjoint), raw.MatrixSolve(matrix=a, rhs=b, adjoint=adjoint)], {a: square, b: right}, 200)
                for lower in (False, True):
                    near(c, t, raw.MatrixTriangularSolve(matrix=a, rhs=b, lower=lower, adjoint=adjoint), {a: square + 3 * np.eye(4), b: right}, 200)
                    near(c, t, raw.BandedTriangularSolve(matrix=a, rhs=b, lower=lower, adjoint=adjoint), {a: normal(2, 4) + 3, b: normal(4, 2)}, 200)
            near(c, t, [raw.Cholesky(input=a), raw.MatrixDeterminant(input=a), raw.SelfAdjointEigV2(input=a, compute_v=False)[0]], {a: positive}, 200)
            near(c, t, list(raw.LogMatrixDeterminant(input=a)) + list(raw.Lu(input=a)), {a: square}, 200)
            e, v = raw.SelfAdjointEigV2(input=a)
            near(c, t, [e, tf.matmul(v * e[..., None, :], v, adjoint_b=True)], {a: positive}, 500)
            for shape in ([4, 4], [5, 3], [2, 3, 5]):
                for full in (False, True):
                    q, r = raw.Qr(input=a, full_matrices=full)
                    near(c, t, [tf.matmul(q, r), tf.matmul(q, q, adjoint_a=True)], {a: normal(*shape)}, 200)
                s, u, v = raw.Svd(input=a)
                near(c, t, [s, tf.matmul(u * s[..., None, :], v, adjoint_b=True)], {a: normal(*shape)}, 500)
            near(c, t, [raw.MatrixSolveLs(matrix=a, rhs=b, l2_regularizer=0.1, fast=f) for f in (True,)], {a: normal(5, 3), b: normal(5, 2)}, 500)
            c.run(raw.MatrixInverse(input=a), {a: np.zeros([2, 2])})
            c.run(raw.MatrixSolve(matrix=a, rhs=b), {a: np.zeros([2, 2]), b: np.ones([2, 1])})
            c.run(raw.Cholesky(input=a), {a: np.zeros([0, 3, 3])})
            m, y = tf.placeholder(t, [3, 3], "m_" + t), tf.placeholder(t, [3, 2], "y_" + t)
            fed = {m: normal(3, 3) + 2 * np.eye(3), y: normal(3, 2)}
            for result in (tf.linalg.inv(m), tf.linalg.solve(m, y), tf.linalg.det(m), tf.linalg.triangular_solve(m, y)):
                near(c, t, tf.gradients(result, [m, y], result) if "Solve" in result.op.type else tf.gradients(result, m, result), fed, 1000)


def clips():
    with Case("complex_clips", "complex numbers between bounds, part by part", rtol=0, atol=0) as c:
        for t in TYPES:
            x, low, high = (tf.placeholder(t, None, name + t) for name in ("x_", "low_", "high_"))
            y = raw.ClipByValue(t=x, clip_value_min=low, clip_value_max=high)
            some = [5 + 5j, -5 - 5j, complex(np.nan, 1), complex(1, np.nan), 0, complex(np.inf, -np.inf)]
            c.run(y, {x: some, low: -1 - 2j, high: 1 + 2j})
            c.run(y, {x: some[:2], low: [-1 - 2j, -3], high: [1 + 2j, 2]})
            c.run(y, {x: some[:2], low: 2 + 2j, high: -1 - 1j})
            c.run(y, {x: [1 + 1j], low: complex(np.nan, 0), high: complex(2, np.nan)})
            c.run(y, {x: np.zeros([0, 3]), low: 0, high: 1})
            c.run(y, {x: some[:3], low: [1, 2], high: 2})
        wide = tf.placeholder("complex128", None, "wide")
        c.run(tf.saturate_cast(wide, "complex64"), {wide: [1e300 + 1j, -1e300 - 1e300j, 2]})


def gradients():
    with Case("complex_gradients", "gradients through complex numbers", rtol=1e-4, atol=1e-5) as c:
        for t, p in TYPES.items():
            x, y, dz = tf.placeholder(t, [3], "x_" + t), tf.placeholder(t, [3], "y_" + t), tf.placeholder(t, [3], "dz_" + t)
            fed = {x: [0.5 + 0.3j, -0.4 + 0.7j, 0.2 - 0.6j], y: [1.5 - 0.5j, 0.7 + 1j, -0.8 + 0.4j], dz: [1 + 2j, -0.5j, 0.3]}
            for name in "Neg Square Sqrt Rsqrt Exp Expm1 Log Log1p Sin Cos Tan Sinh Cosh Tanh Asin Acos Atan Asinh Acosh Atanh Sigmoid Reciprocal".split():
                z = getattr(raw, name)(x=x)
                first = tf.gradients(z, x, dz)[0]
                near(c, t, first, fed, 50)
                if name in ("Sqrt", "Rsqrt", "Tanh", "Sigmoid", "Reciprocal", "Square"):
                    near(c, t, tf.gradients(first, [x, dz], y), fed, 200)
            for f in (tf.add, tf.subtract, tf.multiply, tf.divide, tf.pow, raw_pair(raw.DivNoNan), raw_pair(raw.SquaredDifference)):
                near(c, t, tf.gradients(f(x, y), [x, y], dz), fed, 50)
            near(c, t, tf.gradients(x * y[1] + y, [x, y], dz), fed)
            dr = tf.placeholder(p, [3], "dr_" + t)
            for f in (tf.math.real, tf.math.imag, tf.abs, tf.math.angle):
                near(c, t, tf.gradients(f(x * y), [x, y], dr), {**fed, dr: [1, -2, 0.5]}, 20)
            re = tf.placeholder(p, [3], "re_" + t)
            z = tf.complex(re, 2 * re) * y
            near(c, t, tf.gradients([tf.math.conj(z), z], [re, y], [dz, dz]), {**fed, re: [1, 2, 3]}, 20)
            near(c, t, tf.gradients(tf.reduce_sum(tf.abs(tf.complex(re, tf.ones_like(re))) ** 2), re), {re: [1, 2, 3]}, 20)
            near(c, t, tf.gradients([tf.reduce_prod(x), tf.reduce_sum(x), tf.reduce_mean(x)], x, [dz[0], dz[1], dz[2]]), fed, 20)
            near(c, t, tf.gradients(tf.cumsum(x), x, dz), fed)
            a, b = tf.placeholder(t, [2, 3], "a_" + t), tf.placeholder(t, [3, 2], "b_" + t)
            mats = {a: normal(2, 3), b: normal(3, 2)}
            for product in (tf.matmul(a, b), tf.matmul(a, b, adjoint_a=True, adjoint_b=True), tf.einsum("ij,jk->ik", a, b), tf.matmul(a, b, transpose_a=True, transpose_b=True)):
                near(c, t, tf.gradients(product, [a, b], product), mats, 50)
            near(c, t, tf.gradients(tf.transpose(a, conjugate=True), a, b), mats)
            near(c, t, tf.gradients(tf.cast(re, t) * y, [re, y], dz), {**fed, re: [1, 2, 3]}, 20)
            near(c, t, tf.gradients(tf.gather(x, [0, 2, 0]), x, dz), fed)


def raw_pair(op):
    return lambda x, y: op(x=x, y=y)


def state():
    for resource in (False, True):
        with Case("complex_variables" + ("_v2" if resource else "_v1"), "variables, loops and branches of complex numbers", rtol=1e-6, atol=1e-6) as c:
            for t in TYPES:
                v = tf.get_variable("v_" + t, initializer=tf.constant([1 + 1j, 2, 3j], t), use_resource=resource)
                c.init()
                x = tf.placeholder(t, None, "x_" + t)
                c.run(v.assign_add(x) if not resource else v.assign_add(x, read_value=True), {x: [1, 1j, -2]})
                c.run(v)
                c.run(v.assign_sub(tf.constant([1j, 0, 1], t)))
                c.run(tf.scatter_add(v, [0, 2, 0], tf.constant([1 + 1j, 2, 3j], t)))
                c.run(tf.scatter_sub(v, [1], tf.constant([5 - 1j], t)))
                c.run(tf.scatter_nd_add(v, [[0], [0]], tf.constant([1 + 1j, 2], t)))
                c.run(v * v)
                loop = tf.while_loop(lambda i, z: i < 4, lambda i, z: (i + 1, z * v + 1), [0, tf.ones([3], t)])
                c.run(loop)
                c.run(tf.cond(tf.math.real(x)[0] > 0, lambda: x * v, lambda: x - v), {x: [1, 2, 3]})
                c.run(tf.map_fn(lambda z: z * tf.math.conj(z), v))
                c.run(tf.gradients(tf.scan(lambda s, z: s * z, v), v, tf.ones([3], t)))


def transforms():
    with Case("fourier_transforms", "Fourier transforms of complex numbers", rtol=1e-5, atol=1e-5) as c:
        for t in TYPES:
            x = tf.placeholder(t, None, "x_" + t)
            scale = {"complex64": 10, "complex128": 100}[t]
            lines = [raw.FFT(input=x), raw.IFFT(input=x)]
            for n in [1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 37, 64, 100, 243, 257]:
                near(c, t, lines, {x: normal(n)}, scale)
            near(c, t, lines, {x: normal(3, 2, 20)}, scale)
            near(c, t, lines, {x: normal(5, 32)}, scale)
            near(c, t, [raw.FFT2D(input=x), raw.IFFT2D(input=x)], {x: normal(2, 6, 10)}, scale)
            near(c, t, [raw.FFT2D(input=x), raw.IFFT2D(input=x)], {x: normal(3, 35)}, scale)
            near(c, t, [raw.FFT3D(input=x), raw.IFFT3D(input=x)], {x: normal(2, 3, 4, 5)}, scale)
            near(c, t, [raw.FFT3D(input=x), raw.IFFT3D(input=x)], {x: normal(3, 8, 3)}, scale)
            c.run(lines, {x: np.zeros([0, 4])})
            c.run(lines[0], {x: 1})
            c.run(raw.FFT2D(input=x), {x: [1, 2]})
            c.run(raw.IFFT3D(input=x), {x: [[1, 2]]})


def real_transforms():
    with Case("fourier_real", "Fourier transforms between real and complex numbers", rtol=1e-5, atol=1e-5) as c:
        for t, p in TYPES.items():
            x, z, n = tf.placeholder(p, None, "x_" + t), tf.placeholder(t, None, "z_" + t), tf.placeholder("int32", None, "n_" + t)
            scale = {"complex64": 10, "complex128": 100}[t]
            to = [f(input=x, fft_length=n, Tcomplex=t) for f in (raw.RFFT, raw.RFFT2D, raw.RFFT3D)]
            back = [f(input=z, fft_length=n, Treal=p) for f in (raw.IRFFT, raw.IRFFT2D, raw.IRFFT3D)]
            for length in (1, 2, 3, 4, 5, 8, 9, 15, 16, 37, 64, 100):
                near(c, t, to[0], {x: rng.randn(3, length), n: [length]}, scale)
                near(c, t, back[0], {z: normal(3, length // 2 + 1), n: [length]}, scale)
            near(c, t, to[0], {x: rng.randn(2, 10), n: [7]}, scale)
            near(c, t, back[0], {z: normal(4, 10), n: [7]}, scale)
            near(c, t, to[1], {x: rng.randn(2, 6, 8), n: [6, 8]}, scale)
            near(c, t, to[1], {x: rng.randn(5, 6, 8), n: [4, 7]}, scale)
            near(c, t, back[1], {z: normal(2, 6, 5), n: [6, 8]}, scale)
            near(c, t, back[1], {z: normal(3, 6, 7), n: [5, 9]}, scale)
            near(c, t, to[2], {x: rng.randn(2, 3, 4, 6), n: [3, 4, 6]}, scale)
            near(c, t, to[2], {x: rng.randn(5, 4, 6), n: [3, 2, 5]}, scale)
            near(c, t, back[2], {z: normal(2, 3, 4, 4), n: [3, 4, 6]}, scale)
            line = tf.placeholder(p, [12], "line_" + t)
            near(c, t, [tf.signal.rfft(line), tf.signal.irfft(tf.signal.rfft(line)), tf.signal.rfft(line, [16]), tf.signal.rfft2d(tf.reshape(line, [2, 3, 2]))], {line: rng.randn(12)}, scale)
            c.run(to[0], {x: np.zeros([0, 4]), n: [4]})
            for fed in ({x: [1, 2, 3], n: [5]}, {x: [1, 2, 3], n: [-3]}, {x: [1, 2, 3], n: [3, 2]}, {x: [1, 2, 3], n: 3}, {x: 1, n: [1]}):
                c.run(to[0], fed)
            for fed in ({z: [1, 2, 3], n: [8]}, {z: [1, 2, 3], n: [-1]}, {z: 1, n: [1]}, {z: [1, 2], n: [2, 2]}):
                c.run(back[0], fed)
            c.run(to[1], {x: np.ones([2, 3]), n: [3, 3]})
            c.run(back[2], {z: np.ones([2, 3]), n: [1, 1, 1]})


def empty_transforms():
    with Case("fourier_empty", "Fourier transforms of nothing, and of fewer numbers than they are to have", rtol=1e-5, atol=1e-5) as c:
        for t, p in TYPES.items():
            x, r, n = tf.placeholder(t, None, "x_" + t), tf.placeholder(p, None, "r_" + t), tf.placeholder("int32", None, "n_" + t)
            for shape in ([0], [3, 0]):
                c.run([raw.FFT(input=x), raw.IFFT(input=x)], {x: np.zeros(shape)})
            c.run([raw.FFT2D(input=x), raw.IFFT3D(input=x)], {x: np.zeros([2, 0, 3])})
            to = [f(input=r, fft_length=n, Tcomplex=t) for f in (raw.RFFT, raw.RFFT2D, raw.RFFT3D)]
            back = [f(input=x, fft_length=n, Treal=p) for f in (raw.IRFFT, raw.IRFFT2D, raw.IRFFT3D)]
            c.run(to[0], {r: np.zeros([0]), n: [0]})
            c.run(to[0], {r: np.zeros([0, 4]), n: [0]})
            c.run(to[1], {r: np.ones([2, 3, 5]), n: [0, 5]})
            c.run(to[2], {r: np.zeros([0, 3, 4]), n: [0, 3, 4]})
            c.run(back[0], {x: np.zeros([0]), n: [0]})
            c.run(back[1], {x: np.zeros([0, 2, 3]), n: [2, 4]})
            c.run(to[0], {r: np.ones([2, 3]), n: [4]})
            c.run(to[1], {r: np.ones([2, 3, 5]), n: [4, 5]})
            c.run(back[1], {x: np.ones([2, 3, 5]), n: [3, 12]})


def transform_gradients():
    with Case("fourier_gradients", "gradients of Fourier transforms", rtol=1e-4, atol=1e-4) as c:
        for t, p in TYPES.items():
            x = tf.placeholder(t, [2, 3, 4], "x_" + t)
            fed = {x: normal(2, 3, 4)}
            for f in (tf.signal.fft, tf.signal.ifft, tf.signal.fft2d, tf.signal.ifft2d, tf.signal.fft3d, tf.signal.ifft3d):
                y = f(x)
                near(c, t, tf.gradients(y, x, y), fed, 50)
            for shape in ([2, 8], [3, 5, 4], [2, 3, 7]):
                r = tf.placeholder(p, shape, "r%d_%s" % (shape[-1], t))
                for f in (tf.signal.rfft, tf.signal.rfft2d):
                    y = f(r)
                    near(c, t, tf.gradients(y, r, y), {r: rng.randn(*shape)}, 100)
            for length in (6, 7):
                z = tf.placeholder(t, [3, 4, 4], "z%d_%s" % (length, t))
                for f, n in ((tf.signal.irfft, [length]), (tf.signal.irfft2d, [4, length])):
                    y = f(z, n)
                    near(c, t, tf.gradients(y, z, y), {z: normal(3, 4, 4)}, 50)


if __name__ == "__main__":
    for record in (part_ops, arithmetic, casts, functions, reductions, products, matrices, clips, gradients, state, transforms, real_transforms, empty_transforms, transform_gradients):
        if len(sys.argv) == 1 or record.__name__ in sys.argv[1:]:
            record()
