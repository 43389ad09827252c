"""Arithmetic, reductions, comparisons, linear algebra, random numbers, checks."""

import numpy as np


def _x(tf):
    return tf.placeholder_with_default(np.array([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]], np.float32), [None, 3])


def operators(tf):
    x, i = _x(tf), tf.constant([5, -3])
    return [
        x + 1, 1 + x, x - 1, 1 - x, x * 2, 2 * x, x / 2, 1 / x, x // 2, x % 2, x**2, 2**x, -x, abs(x), x > 0, x >= 0, x < 0, x <= 0,
        ~(x > 0), (x > 0) & (x < 2), (x > 0) | (x < 2), (x > 0) ^ (x < 2), i / 2, i // 2, i % 2, i / i, x @ tf.transpose(x), np.float32(2) * x,
        i + 1, 3 - i, np.ones([3], np.float32) + x, i // tf.constant(2), 7 // i, 7 % i,
    ]  # fmt: skip


def functions(tf):
    x = tf.constant([0.5, 0.25, 0.75])
    unary = "abs acos acosh asin asinh atan atanh ceil cos cosh digamma erf erfc exp expm1 floor is_finite is_inf is_nan lgamma log log1p"
    unary += " negative reciprocal rint round rsqrt sigmoid sign sin sinh sqrt square tan tanh log_sigmoid"
    made = [getattr(tf, name)(x) if name != "acosh" else tf.acosh(x + 1) for name in unary.split()]
    binary = "add subtract multiply divide truediv floordiv mod floormod maximum minimum pow squared_difference atan2 div div_no_nan realdiv floor_div"
    made += [getattr(tf, name)(x, [2.0, 0.5, 1.0]) for name in binary.split()]
    made += [tf.add(x, 1, name="named"), tf.igamma(x, x), tf.igammac(x, x), tf.zeta(x + 1, x), tf.polygamma([1.0], x), tf.betainc(x, x, x), tf.lbeta(x)]
    made += [tf.math.xlogy(x, x), tf.math.xdivy(x, x), tf.scalar_mul(2.0, x), tf.cumsum(x), tf.cumprod(x, reverse=True, exclusive=True), tf.cross(x, x + 1)]
    made += [tf.clip_by_value(x, 0.3, 0.6), tf.clip_by_norm(x, 0.5), tf.clip_by_average_norm(x, 0.1), *tf.clip_by_global_norm([x, x], 0.5)[0], tf.global_norm([x])]
    return made + [tf.linalg.norm(x), tf.norm(x, ord=1), tf.norm(x, ord=np.inf, axis=0), tf.math.polyval([x, x], x), tf.logical_xor([True], [False])]


def reductions(tf):
    x = _x(tf)
    made = []
    for name in "sum mean max min prod logsumexp".split():
        function = getattr(tf, f"reduce_{name}")
        made += [function(x), function(x, 0), function(x, axis=[1], keepdims=True), function(x, reduction_indices=-1, keep_dims=True), function(x, [0, 1], name="n")]
    made += [tf.reduce_all(x > 0, 1), tf.reduce_any(x > 0), tf.count_nonzero(x), tf.count_nonzero(x, 0, dtype=tf.int32), tf.math.reduce_std(x), tf.math.reduce_variance(x, 1)]
    return made + [*tf.nn.moments(x, [0]), *tf.nn.moments(x, [0, 1], keep_dims=True), tf.reduce_sum([1, 2]), tf.reduce_mean([1, 2])]


def products(tf):
    a, b = _x(tf), tf.constant(np.arange(6, dtype=np.float32).reshape(3, 2))
    c = tf.constant(np.arange(12, dtype=np.float32).reshape(2, 2, 3))
    return [
        tf.matmul(a, b), tf.matmul(a, a, transpose_b=True), tf.matmul(a, a, adjoint_a=True, name="m"), tf.matmul(c, tf.ones([2, 3, 1])), tf.linalg.matvec(a, [1.0, 2.0, 3.0]),
        tf.tensordot(a, b, 1), tf.tensordot(a, b, [[1], [0]]), tf.einsum("ij,jk->ik", a, b), tf.einsum("bij,bkj->bik", c, c), tf.matmul(a, b, a_is_sparse=True),
        tf.sparse_tensor_dense_matmul(tf.SparseTensor([[0, 1]], [2.0], [2, 3]), b), tf.matmul([[1, 2]], [[3], [4]]), tf.tensordot(a, b, axes=0),
    ]  # fmt: skip


def matrices(tf):
    m = tf.constant([[4.0, 1.0], [1.0, 3.0]])
    return [
        tf.matrix_inverse(m), tf.matrix_determinant(m), tf.cholesky(m), tf.matrix_solve(m, [[1.0], [2.0]]), tf.matrix_triangular_solve(m, [[1.0], [2.0]]),
        tf.cholesky_solve(tf.cholesky(m), [[1.0], [2.0]]), tf.self_adjoint_eigvals(m), tf.svd(m, compute_uv=False), tf.linalg.logdet(m), tf.matrix_solve_ls(m, [[1.0], [2.0]]),
        tf.linalg.slogdet(m)[1], tf.linalg.inv(m, adjoint=True, name="i"), tf.qr(m)[1] * tf.qr(m)[1], tf.linalg.lstsq(m, [[1.0], [2.0]], fast=False),
    ]  # fmt: skip


def random_numbers(tf):
    tf.set_random_seed(5)
    return [
        tf.random_uniform([2, 2]), tf.random_uniform([3], 1, 9, tf.int32), tf.random_uniform([], maxval=4.0, seed=2, name="u"), tf.random_normal([2], 1.0, 2.0),
        tf.truncated_normal([2], seed=4), tf.random_shuffle([1, 2, 3], seed=1), tf.multinomial([[1.0, 2.0]], 3, seed=1), tf.random_gamma([2], 1.5, seed=1),
        tf.random.stateless_uniform([2], [1, 2]), tf.random.stateless_normal([2], [1, 2]), tf.random.categorical([[1.0, 2.0]], 2, seed=3),
        tf.random_poisson(2.0, [2], seed=1), tf.random_crop([[1, 2], [3, 4]], [1, 2], seed=1), tf.random.uniform([1], dtype=tf.float64),
    ]  # fmt: skip


def checks(tf):
    x = _x(tf)
    with tf.control_dependencies([
        tf.assert_equal(tf.shape(x)[1], 3), tf.assert_less(x, 9.0, message="small"), tf.assert_rank(x, 2), tf.assert_non_negative([1]),
        tf.assert_positive(x + 5), tf.assert_greater_equal(x, -5.0, data=[x], summarize=2, name="g"), tf.assert_rank_at_least(x, 1), tf.assert_type(x, tf.float32),
        tf.Assert(tf.reduce_all(x < 10), [x]), tf.assert_none_equal(x, 7.0), tf.assert_rank_in(x, [1, 2]), tf.assert_integer([1]), tf.assert_near(x, x),
    ]):  # fmt: skip
        y = tf.identity(x)
    tf.assert_scalar(1)
    tf.assert_same_float_dtype([x])
    return [y, tf.is_numeric_tensor(x) and y, tf.is_non_decreasing([1, 2]), tf.is_strictly_increasing([1, 1]), tf.check_numerics(y, "bad"), tf.verify_tensor_all_finite(y, "bad")]


def assert_equal_of_constants(tf):
    tf.assert_equal([1], [2], message="not equal")


def assert_rank_of_another(tf):
    tf.assert_rank([1], 2)


def assert_type_of_another(tf):
    tf.assert_type([1], tf.float32)


def assert_scalar_of_a_vector(tf):
    tf.assert_scalar([1])


def add_of_other_types(tf):
    tf.add(tf.constant(1), tf.constant(1.0))


def add_of_other_shapes(tf):
    tf.constant([1, 2]) + tf.constant([1, 2, 3])


def add_of_a_float_to_an_int(tf):
    tf.constant(1) + 1.5


def add_of_a_text(tf):
    tf.constant(1.0) + "a"


def matmul_of_vectors(tf):
    tf.matmul([1.0], [2.0])


def matmul_of_other_extents(tf):
    tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))


def reduce_over_an_axis_that_is_not_there(tf):
    tf.reduce_sum(tf.ones([2]), 3)


def log_of_ints(tf):
    tf.log(3)


def einsum_of_other_ranks(tf):
    tf.einsum("ijk,jk->ik", tf.ones([2, 3]), tf.ones([3, 2]))


def gradients(tf):
    x, w = _x(tf), tf.Variable([1.0, 2.0, 3.0])
    y = tf.reduce_sum(tf.tanh(x * w) ** 2)
    made = [*tf.gradients(y, [x, w]), *tf.gradients([y, x], [w], grad_ys=[tf.constant(2.0), None]), *tf.gradients(y, x, stop_gradients=[w]), *tf.hessians(tf.reduce_sum(w * w), [w])]
    assert tf.gradients(y, tf.constant(1.0)) == [None]
    return made + [*tf.gradients(y, [tf.constant(1.0)], unconnected_gradients=tf.UnconnectedGradients.ZERO)]


def gradients_of_ints(tf):
    assert tf.gradients(tf.constant(1), tf.constant(1)) == [None]


def gradient_of_an_op_without_one(tf):
    x = tf.constant([1.0, 2.0])
    tf.gradients(tf.py_func(lambda a: a, [x], tf.float32), x)
