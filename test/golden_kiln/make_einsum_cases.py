# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's Einsum, with its gradients and errors. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
EQUATIONS = [
    ("ij,jk->ik", [2, 3], [3, 4]), ("ij,jk->ki", [2, 3], [3, 4]), ("ij,kj->ik", [2, 3], [4, 3]), ("ij,jk->ik", [2, 0], [0, 4]),
    ("ij->ji", [2, 3]), ("ij->i", [2, 3]), ("ij->", [2, 3]), ("ijk->kij", [2, 3, 4]), ("->", []), ("i,i->", [5], [5]),
    ("i,j->ij", [3], [4]), ("i,i->i", [3], [3]), ("abc,cd->abd", [2, 3, 4], [4, 5]), ("abc,cde->abde", [2, 3, 4], [4, 5, 2]),
    ("aecd,abcd->acbe", [2, 3, 4, 5], [2, 6, 4, 5]), ("acbe,aecd->abcd", [2, 4, 6, 3], [2, 3, 4, 5]), ("abcd,cde->abe", [2, 3, 4, 5], [4, 5, 3]),
    ("ijk,jl->il", [2, 3, 4], [3, 5]), ("ij,kl->il", [2, 3], [4, 5]), ("...ij,...jk->...ik", [5, 2, 3], [5, 3, 4]),
    ("...ij,...jk->...ik", [5, 2, 3], [3, 4]), ("...ij,...jk->...ik", [6, 1, 2, 3], [5, 3, 4]), ("...ij,jk->...ik", [5, 2, 3], [3, 4]),
    ("i...->...i", [2, 3, 4]), ("b...i->b...", [2, 3, 4]), ("...,...->...", [2, 3], [3]), (" ab , bc -> ac ", [2, 3], [3, 4]),
    ("ij,jk->ik", [2, 3], [3]), ("...i->i", [5, 2]), ("ijk->i", [2, 3]),
]
random = np.random.default_rng(5)
for t, close in {"float16": 4e-3, "bfloat16": 3e-2, "float32": 1e-5, "float64": 1e-12, "int32": 0, "int64": 0}.items():
    with Case("einsum_" + t, "Einsum of " + t, rtol=close, atol=close) as c:
        for equation, *shapes in EQUATIONS if t in ("float32", "int64") else EQUATIONS[12:18]:
            inputs = [tf.placeholder(t, None) for _ in shapes]
            c.run(raw.Einsum(inputs=inputs, equation=equation), {x: random.integers(-3, 4, size=s) for x, s in zip(inputs, shapes)})
        if t == "float32":
            for equation, *shapes in (EQUATIONS[14], EQUATIONS[19], EQUATIONS[7], EQUATIONS[12]):
                inputs = [tf.placeholder(t, [None] + s[1:]) for s in shapes]
                given = {x: random.normal(size=s) for x, s in zip(inputs, shapes)}
                c.run(tf.gradients(tf.einsum(equation, *inputs) ** 2, inputs), given)

TWINS = [
    ("ii->i", [3, 3]), ("ii->", [3, 3]), ("iji->j", [2, 3, 2]), ("iji->ij", [2, 3, 2]), ("iii->i", [3, 3, 3]), ("i->ii", [3]), ("ij->iij", [2, 3]),
    ("ij->jij", [2, 3]), ("i->iii", [2]), ("iii->iii", [2, 2, 2]), ("i...i->...", [3, 2, 3]), ("...i->i...i", [2, 3]), ("ii,ii->i", [2, 2], [2, 2]),
    ("iij,jk->ik", [2, 2, 3], [3, 4]), ("ij,jk->iki", [2, 3], [3, 4]), ("ii,jk->kij", [2, 2], [3, 4]), ("ijij,jk->kk", [2, 3, 2, 3], [3, 2]),
    ("ii->i", [0, 0]), ("i->ii", [0]), ("i->ii", [1]), ("ii->i", [1, 1]), ("iji,j->ii", [2, 3, 2], [3]),
]
for t, close in {"float32": 1e-5, "int32": 0, "float16": 4e-3}.items():
    with Case("einsum_twins_" + t, "Einsum of %s with labels that stand twice in a term" % t, rtol=close, atol=close) as c:
        for equation, *shapes in TWINS if t == "float32" else TWINS[:6]:
            inputs = [tf.placeholder(t, [None] * len(s)) for s in shapes]
            given = {x: random.integers(-3, 4, size=s) for x, s in zip(inputs, shapes)}
            c.run(raw.Einsum(inputs=inputs, equation=equation), given)
            fixed = [tf.ensure_shape(x, s) for x, s in zip(inputs, shapes)]
            c.run(raw.Einsum(inputs=fixed, equation=equation), given)
        if t == "float32":
            x = tf.placeholder(t, [None, 3, None])
            y = raw.Einsum(inputs=[x], equation="iji->ij")
            c.run([y, *tf.gradients(y * y, x)], {x: random.normal(size=[2, 3, 2])})
