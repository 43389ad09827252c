# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's eigenvalues of any matrices, and functions of complex ones. Run it with a Python that has TensorFlow."""
from make_complex_cases import TYPES, Case, near, normal, np, raw, rng, tf


def eigenvalues():
    with Case("complex_eigenvalues", "eigenvalues of any matrices, their gradients, and tridiagonal systems of complex ones", rtol=1e-4, atol=1e-4) as c:
        for t, p in TYPES.items():
            for kind in (t, p):
                a = tf.placeholder(kind, None, "a_" + kind)
                e, v = raw.Eig(input=a, Tout=t)
                whole = tf.cast(a, t)
                square = rng.randn(2, 4, 4) if kind == p else normal(2, 4, 4)
                near(c, t, [e, raw.Eig(input=a, Tout=t, compute_v=False)[0], tf.matmul(whole, v) - v * e[..., None, :], tf.abs(v)], {a: square}, 500)
                near(c, t, e, {a: [[0, 1], [-1, 0]]}, 10)
                c.run([e, v], {a: np.zeros([0, 0])})
                c.run([e, v], {a: np.zeros([2, 0, 0])})
                c.run(e, {a: np.zeros([2, 3])})
                c.run(e, {a: np.full([2, 2], np.nan)})
                c.run(e, {a: np.zeros([3])})
                m = tf.placeholder(kind, [3, 3], "m_" + kind)
                fed = {m: rng.randn(3, 3) if kind == p else normal(3, 3)}
                e, v = raw.Eig(input=m, Tout=t)
                near(c, t, tf.gradients(tf.abs(e), m), fed, 1000)
                near(c, t, tf.gradients([tf.abs(e), tf.abs(v)], m), fed, 1000)
                near(c, t, tf.gradients(tf.abs(raw.Eig(input=m, Tout=t, compute_v=False)[0]), m), fed, 1000)
            for wrong, to in ((p, "complex128" if t == "complex64" else "complex64"), (t, "complex128" if t == "complex64" else "complex64")):
                a = tf.placeholder(wrong, [2, 2], "w_%s_%s" % (wrong, to))
                c.run(raw.Eig(input=a, Tout=to)[0], {a: np.eye(2)})
            d, b = tf.placeholder(t, None, "d_" + t), tf.placeholder(t, None, "b_" + t)
            solved = [raw.TridiagonalSolve(diagonals=d, rhs=b, partial_pivoting=f, perturb_singular=s) for f, s in ((True, False), (False, False), (True, True))]
            near(c, t, solved, {d: normal(2, 3, 5), b: normal(2, 5, 2)}, 500)
            near(c, t, solved, {d: normal(3, 1), b: normal(1, 2)}, 500)
            near(c, t, solved, {d: [[2, 1, 0], [0.1j, 1, 3], [0, 4, 1j]], b: normal(3, 2)}, 500)
            c.run(solved[:2], {d: np.zeros([3, 4]), b: normal(4, 2)})
            near(c, t, solved[2], {d: np.zeros([3, 4]), b: normal(4, 2)}, 10)
            g, r = tf.placeholder(t, [3, 4], "g_" + t), tf.placeholder(t, [4, 2], "r_" + t)
            near(c, t, tf.gradients(tf.abs(tf.linalg.tridiagonal_solve(g, r, diagonals_format="compact")), [g, r]), {g: normal(3, 4) + 3, r: normal(4, 2)}, 1000)


if __name__ == "__main__":
    eigenvalues()
