"""Matrices: tf.linalg."""

from kiln.compat.v1._clip_ops import global_norm
from kiln.compat.v1._linalg_ops import (
    adjoint, cholesky, cholesky_solve, diag as tensor_diag, diag_part as tensor_diag_part, einsum,
    eye, l2_normalize, logdet, lu, matrix_band_part as band_part, matrix_determinant as det,
    matrix_diag as diag, matrix_diag_part as diag_part, matrix_inverse as inv,
    matrix_set_diag as set_diag, matrix_solve as solve, matrix_solve_ls as lstsq,
    matrix_square_root as sqrtm, matrix_transpose, matrix_transpose as transpose,
    matrix_triangular_solve as triangular_solve, matvec, norm, normalize, qr,
    self_adjoint_eig as eigh, self_adjoint_eigvals as eigvalsh, slogdet, svd, trace,
)  # fmt: skip
from kiln.compat.v1._math_ops import cross, matmul, tensordot

__all__ = [
    "adjoint", "band_part", "cholesky", "cholesky_solve", "cross", "det", "diag", "diag_part",
    "eigh", "eigvalsh", "einsum", "eye", "global_norm", "inv", "l2_normalize", "logdet", "lstsq",
    "lu", "matmul", "matrix_transpose", "matvec", "norm", "normalize", "qr", "set_diag", "slogdet",
    "solve", "sqrtm", "svd", "tensor_diag", "tensor_diag_part", "tensordot", "trace", "transpose",
    "triangular_solve",
]  # fmt: skip
