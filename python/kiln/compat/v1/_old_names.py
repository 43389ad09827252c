"""Names of TensorFlow 0.x for functions that have others since 1.0.

Their arguments are as they were; a notice says the new name. What kept its name and
changed the order of its arguments (concat, split) is as in TensorFlow 1.15.
"""

from kiln.compat.v1 import _array_ops, _elementwise_ops, _linalg_ops, _math_ops, _selection_ops
from kiln.compat.v1._deprecations import deprecated

__all__ = [
    "batch_cholesky", "batch_cholesky_solve", "batch_matmul", "batch_matrix_band_part",
    "batch_matrix_determinant", "batch_matrix_diag", "batch_matrix_diag_part", "batch_matrix_inverse",
    "batch_matrix_set_diag", "batch_matrix_solve", "batch_matrix_solve_ls", "batch_matrix_transpose",
    "batch_matrix_triangular_solve", "batch_self_adjoint_eig", "batch_self_adjoint_eigvals", "batch_svd",
    "complex_abs", "concat_v2", "inv", "mul", "neg", "pack", "select", "sub", "unpack",
]  # fmt: skip

_DATE = "2016-12-30"


def mul(x, y, name=None):
    """x * y. Source: tf.mul of TensorFlow 0.x."""
    deprecated(
        "ops.math_ops._mul", "`tf.mul(x, y)` is deprecated; use `tf.math.multiply(x, y)` or `x * y`", _DATE
    )
    return _math_ops.multiply(x, y, name)


def sub(x, y, name=None):
    """x - y. Source: tf.sub of TensorFlow 0.x."""
    deprecated(
        "ops.math_ops._sub",
        "`tf.sub(x, y)` is deprecated, please use `tf.subtract(x, y)` or `x - y`",
        _DATE,
    )
    return _math_ops.subtract(x, y, name)


def neg(x, name=None):
    """-x. Source: tf.neg of TensorFlow 0.x."""
    deprecated(
        "ops.math_ops._neg", "`tf.neg(x)` is deprecated, please use `tf.negative(x)` or `-x`", _DATE
    )
    return _elementwise_ops.negative(x, name)


def pack(values, axis=0, name="pack"):
    """tf.stack. Source: tf.pack of TensorFlow 0.x."""
    deprecated("ops.array_ops.pack", "Use `tf.stack` instead.", _DATE)
    return _array_ops.stack(values, axis, name)


def unpack(value, num=None, axis=0, name="unpack"):
    """tf.unstack. Source: tf.unpack of TensorFlow 0.x."""
    deprecated("ops.array_ops.unpack", "Use `tf.unstack` instead.", _DATE)
    return _array_ops.unstack(value, num, axis, name)


def select(condition, t, e, name=None):
    """tf.where with three arguments. Source: tf.select of TensorFlow 0.x."""
    deprecated("ops.math_ops.select", "Use `tf.where` instead.", _DATE)
    return _selection_ops.where(condition, t, e, name)


def inv(x, name=None):
    """1 / x. Source: tf.inv of TensorFlow 0.x."""
    return _elementwise_ops.reciprocal(x, name)


def complex_abs(x, name=None):
    """The absolute value. Source: tf.complex_abs of TensorFlow 0.x."""
    return _elementwise_ops.abs(x, name)


def concat_v2(values, axis, name="concat_v2"):
    """tf.concat. Source: tf.concat_v2 of TensorFlow 0.12."""
    return _array_ops.concat(values, axis, name)


def batch_matmul(x, y, adj_x=False, adj_y=False, name=None):
    """tf.matmul of stacks of matrices. Source: tf.batch_matmul of TensorFlow 0.x."""
    return _math_ops.matmul(x, y, adjoint_a=adj_x, adjoint_b=adj_y, name=name)


def batch_svd(tensor, compute_uv=True, full_matrices=False, name=None):
    """tf.svd. Source: tf.batch_svd of TensorFlow 0.x."""
    return _linalg_ops.svd(tensor, full_matrices, compute_uv, name)


# What took one matrix and, with "batch_", a stack of them, takes both since.
batch_cholesky, batch_cholesky_solve = _linalg_ops.cholesky, _linalg_ops.cholesky_solve
batch_matrix_band_part = _linalg_ops.matrix_band_part
batch_matrix_determinant = _linalg_ops.matrix_determinant
batch_matrix_diag = _linalg_ops.matrix_diag
batch_matrix_diag_part = _linalg_ops.matrix_diag_part
batch_matrix_inverse = _linalg_ops.matrix_inverse
batch_matrix_set_diag = _linalg_ops.matrix_set_diag
batch_matrix_solve, batch_matrix_solve_ls = _linalg_ops.matrix_solve, _linalg_ops.matrix_solve_ls
batch_matrix_transpose = _linalg_ops.matrix_transpose
batch_matrix_triangular_solve = _linalg_ops.matrix_triangular_solve
batch_self_adjoint_eig = _linalg_ops.self_adjoint_eig
batch_self_adjoint_eigvals = _linalg_ops.self_adjoint_eigvals
