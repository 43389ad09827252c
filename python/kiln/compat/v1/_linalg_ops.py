"""Matrices, or stacks of them: tf.eye, tf.matrix_diag, tf.norm, tf.svd, tf.einsum."""

from kiln._generated import raw_ops as _raw
from kiln._generated.raw_ops import cholesky, lu, matrix_determinant, matrix_inverse, matrix_solve, qr
from kiln._generated.raw_ops import diag, matrix_band_part
from kiln._generated.raw_ops import log_matrix_determinant as slogdet
from kiln._generated.raw_ops import matrix_square_root
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._deprecations import renamed

__all__ = [
    "cholesky", "cholesky_solve", "diag", "diag_part", "einsum", "eye", "matrix_band_part",
    "matrix_determinant", "matrix_diag", "matrix_diag_part", "matrix_inverse", "matrix_set_diag",
    "matrix_solve", "matrix_solve_ls", "matrix_transpose", "matrix_triangular_solve", "norm", "qr",
    "self_adjoint_eig", "self_adjoint_eigvals", "svd", "trace",
]  # fmt: skip


def eye(num_rows, num_columns=None, batch_shape=None, dtype=dtypes.float32, name=None):
    """Ones on the diagonal. num_columns: as many as rows by default. batch_shape: of a stack.

    Source: tf.eye.
    """
    return _c.eye(num_rows, num_columns, batch_shape, dtype, name)


def diag_part(input, name=None):
    """The diagonal of a tensor [d1, ..., dk, d1, ..., dk]. Source: tf.diag_part."""
    return _raw.diag_part(input, name)


def _padding(tensor, value):
    return bool(value) if getattr(tensor, "dtype", None) == dtypes.bool else value


def matrix_diag(diagonal, name="diag", k=0, num_rows=-1, num_cols=-1, padding_value=0):
    """Matrices with these diagonals.

    k: which one: 0 is the main one, others lie above it; a pair: a range of them.
    num_rows, num_cols: as few as there can be by default. Source: tf.matrix_diag, 2.21:
    shorter ones of several diagonals stand as its align="RIGHT_LEFT" says.
    """
    return _c.matrix_diag(diagonal, name, k, num_rows, num_cols, _padding(diagonal, padding_value))


def matrix_diag_part(input, name="diag_part", k=0, padding_value=0):
    """The diagonals of matrices. k: as matrix_diag() has it. Source: tf.matrix_diag_part."""
    return _c.matrix_diag_part(input, name, k, _padding(input, padding_value))


def matrix_set_diag(input, diagonal, name="set_diag", k=0):
    """The matrices with other diagonals. Source: tf.matrix_set_diag."""
    return _c.matrix_set_diag(input, diagonal, name, k)


def matrix_transpose(a, name="matrix_transpose", conjugate=False):
    """The last two axes exchanged. Errors: ValueError for a rank below 2. Source: tf.matrix_transpose."""
    if conjugate and getattr(a, "dtype", dtypes.float32) in (dtypes.complex64, dtypes.complex128):
        return _c.adjoint(a, name)
    return _c.matrix_transpose(a, name)


def adjoint(matrix, name=None):
    """The conjugate of the transposed matrix. Source: tf.linalg.adjoint."""
    return _c.adjoint(matrix, name)


def trace(x, name=None):
    """The sum of the main diagonal. Source: tf.trace."""
    return _c.trace(x, name)


def matvec(
    a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False, name=None
):
    """The product of a matrix and a vector. Shapes: a: [..., m, k], b: [..., k]. Source: tf.linalg.matvec."""
    return _c.matvec(a, b, transpose_a, adjoint_a, a_is_sparse, b_is_sparse, name)


def norm(tensor, ord="euclidean", axis=None, keepdims=None, name=None, keep_dims=None):
    """The norm of vectors along an axis, of matrices along two, or of all elements.

    ord: "euclidean", 1, 2, infinity, "fro" of matrices, of vectors any number above 0.
    Errors: ValueError for another ord or axis. Source: tf.norm.
    """
    keepdims = renamed(
        "ops.linalg_ops.norm", "keepdims", keepdims, "keep_dims", keep_dims,
        "keep_dims is deprecated, use keepdims instead",
    )  # fmt: skip
    return _c.norm(tensor, ord, axis, keepdims, name)


def normalize(tensor, ord="euclidean", axis=None, name=None):
    """(normalized, norm): the tensor by its norm, and the norm. Source: tf.linalg.normalize."""
    return _c.normalize(tensor, ord, axis, name)


def l2_normalize(x, axis=None, epsilon=1e-12, name=None, dim=None):
    """The tensor by its Euclidean norm along axes; epsilon: the least square of it.

    dim: the older name of axis. Source: tf.math.l2_normalize.
    """
    axis = renamed(
        "ops.nn_impl.l2_normalize", "axis", axis, "dim", dim, "dim is deprecated, use axis instead"
    )
    return _c.l2_normalize(x, axis, epsilon, name)


def svd(tensor, full_matrices=False, compute_uv=True, name=None):
    """(s, u, v): singular values and vectors; without compute_uv the values alone.

    Source: tf.svd.
    """
    values, left, right = _c.svd(tensor, full_matrices, compute_uv, name)
    return (values, left, right) if compute_uv else values


def self_adjoint_eig(tensor, name=None):
    """(e, v): eigenvalues and eigenvectors of symmetric matrices. Source: tf.self_adjoint_eig."""
    return _c.self_adjoint_eig(tensor, name)


def self_adjoint_eigvals(tensor, name=None):
    """The eigenvalues of symmetric matrices. Source: tf.self_adjoint_eigvals."""
    return _c.self_adjoint_eigvals(tensor, name)


def logdet(matrix, name=None):
    """The log of the determinant of positive definite matrices. Source: tf.linalg.logdet."""
    return _c.logdet(matrix, name)


def matrix_triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None):
    """The solution of systems whose matrices are triangular. Source: tf.matrix_triangular_solve."""
    return _c.matrix_triangular_solve(matrix, rhs, lower, adjoint, name)


def cholesky_solve(chol, rhs, name=None):
    """The solution by a factor of cholesky(). Source: tf.cholesky_solve."""
    return _c.cholesky_solve(chol, rhs, name)


def matrix_solve_ls(matrix, rhs, l2_regularizer=0.0, fast=True, name=None):
    """The solution with the least squared error. fast: by a factor of Cholesky.

    Source: tf.matrix_solve_ls.
    """
    return _c.matrix_solve_ls(matrix, rhs, l2_regularizer, fast, name)


def einsum(equation, *inputs, **kwargs):
    """The sum of products that an equation such as "ij,jk->ik" tells of.

    einsum(equation, *inputs, name=None). Errors: ValueError for an equation that does
    not fit, TypeError for other keywords. Source: tf.einsum, 2.21: an Einsum op.
    """
    name = kwargs.pop("name", None)
    optimize = kwargs.pop("optimize", "greedy")
    if kwargs:
        raise TypeError(f"Invalid keyword arguments for einsum: {', '.join(kwargs)}")
    if optimize != "greedy":
        raise NotImplementedError(f"einsum: expected optimize='greedy', got {optimize!r}")
    return _c.einsum(equation, inputs, name)
