# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's crosses of features. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
TEXTS = np.array([b"a", b"", b"ccc", b"a"], object)
ONE, TWO = [[0, 0], [0, 1], [1, 0], [3, 0]], [[0, 0], [1, 0], [1, 1], [2, 0]]

with Case("cross_columns", "SparseCross, SparseCrossV2 and SparseCrossHashed of sparse and dense columns of texts and numbers", rtol=0, atol=0) as case:
    i, j = tf.placeholder(tf.int64, None, "i"), tf.placeholder(tf.int64, None, "j")
    v, w = tf.placeholder(tf.string, None, "v"), tf.placeholder(tf.int64, None, "w")
    s, t = tf.placeholder(tf.int64, None, "s"), tf.placeholder(tf.int64, None, "t")
    d, e = tf.placeholder(tf.string, None, "d"), tf.placeholder(tf.int64, None, "e")
    usual = {i: ONE, v: TEXTS, s: [4, 2], j: TWO, w: [7, -5, 2**40, 3], t: [4, 2], d: np.array([[b"x", b"y"]] * 4, object), e: [[1], [2], [-3], [2**33]]}
    texts = tf.as_string(w)
    joined = list(raw.SparseCross(indices=[i, j], values=[v, texts], shapes=[s, t], dense_inputs=[d], hashed_output=False, num_buckets=0, hash_key=1, out_type=tf.string, internal_type=tf.string))
    hashed = [part for buckets, key in ((0, 1), (100, 0xDECAFCAFFE)) for part in raw.SparseCross(
        indices=[i, j], values=[v, w], shapes=[s, t], dense_inputs=[d, e], hashed_output=True, num_buckets=buckets, hash_key=key, out_type=tf.int64, internal_type=tf.int64)]
    second = [part for sep in ("_X_", "") for part in raw.SparseCrossV2(indices=[i, j], values=[v, w], shapes=[s, t], dense_inputs=[d, e], sep=sep)]
    keyed = [part for buckets, dense in ((0, [d, e]), (1000, [d])) for strong in (False, True) for part in raw.SparseCrossHashed(
        indices=[i, j], values=[v, w], shapes=[s, t], dense_inputs=[d] if strong else dense, num_buckets=buckets, strong_hash=strong, salt=[137, -9])]
    every = joined + hashed + second + keyed
    for given in ({}, {i: TWO}, {i: np.zeros([0, 2]), v: TEXTS[:0]}, {d: np.zeros([4, 0], object)}, {i: [[2, 0], [1, 0], [3, 0], [3, 1]]}):
        case.run(every, {**usual, **given})
    dense = list(raw.SparseCrossV2(indices=[], values=[], shapes=[], dense_inputs=[d, e], sep="-"))
    case.run(dense, usual)
    case.run(dense, {**usual, d: np.array([[b"x"]], object)})
    plain = second[:3]
    for wrong in ({i: [0, 1, 2, 3]}, {i: [[0], [1], [2], [3]]}, {v: TEXTS[:2]}, {v: TEXTS[:, None]}, {s: [[4, 2]]}, {s: [4, 2, 1]}, {t: [5, 2]}, {d: TEXTS}, {e: [[1], [2]]}):
        case.run(plain, {**usual, **wrong})
    numbers = dict(hashed_output=False, num_buckets=0, hash_key=1, out_type=tf.string, internal_type=tf.string)
    case.run(list(raw.SparseCross(indices=[i, j], values=[v, w], shapes=[s, t], dense_inputs=[d], **numbers)), usual)
    case.run(list(raw.SparseCrossHashed(indices=[i], values=[v], shapes=[s], dense_inputs=[], num_buckets=0, strong_hash=False, salt=[1])), usual)
