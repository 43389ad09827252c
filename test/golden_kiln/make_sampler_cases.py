# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's shuffles, multinomials and candidate samplers, with their errors. Run it with a Python that has
TensorFlow, with the names of cases or for all of them.
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


def shuffles():
    with Case("sampler_shuffle", "rows in a random order, of streams that go on", rtol=0, atol=0, seed=7) as c:
        for t in ("float32", "int8", "bool", "float16", "int64"):
            x = tf.placeholder(t, None, "x_" + t)
            op = tf.random_shuffle(x, seed=3)
            for dims in ([9], [5, 3], [4, 2, 2], [1, 3], [0, 3], [4, 0], [], [1], [9]):
                c.run(op, {x: np.arange(np.prod(dims, dtype=int)).reshape(dims) % 120})
        s = tf.placeholder("string", None, "s")
        c.run(tf.random_shuffle(s, seed=1), {s: np.array([b"a", b"bc", b"", b"def"], object)})
        known = tf.placeholder("float32", [None, 2], "known")
        both = [tf.random_shuffle(known, seed=5) * 2, known + 1]
        for _ in range(2):
            c.run(both, {known: np.arange(12).reshape(6, 2)})


def multinomials():
    with Case("sampler_multinomial", "classes drawn by their logits", rtol=0, atol=0, seed=7) as c:
        n = tf.placeholder("int32", None, "n")
        values = np.array([[0.5, -1, 2, 0], [np.inf, 0, 0, 1], [-np.inf, 1, np.nan, 1], [-200, 200, 0, 199]])
        for t in ("float16", "bfloat16", "float32", "float64"):
            x = tf.placeholder(t, None, "x_" + t)
            for out in ("int32", "int64"):
                op = raw.Multinomial(logits=x, num_samples=n, seed=4, seed2=9, output_dtype=out)
                for count in (7, 1, 0, 4):
                    c.run(op, {x: values, n: count})
        c.run(op, {x: np.zeros([0, 3]), n: 2})
        c.run(op, {x: np.zeros([2, 0]), n: 2})
        c.run(op, {x: np.zeros([2, 0]), n: 0})
        c.run(op, {x: values, n: -1})
        c.run(op, {x: values, n: [1]})
        c.run(op, {x: values[0], n: 1})
        c.run(op, {x: values, n: 7})


def candidates():
    with Case("sampler_candidates", "candidates of classes and how often they are expected", rtol=1e-6, atol=0, seed=7) as c:
        classes = tf.placeholder("int64", None, "classes")
        fixed = dict(vocab_file="", distortion=0.75, num_reserved_ids=1, num_shards=1, shard=0, unigrams=[5.0, 1, 3, 0.5, 9, 2, 7, 1, 1])
        for name, extra in (("UniformCandidateSampler", {"range_max": 10}), ("LogUniformCandidateSampler", {"range_max": 10}),
                            ("FixedUnigramCandidateSampler", {"range_max": 10, **fixed}), ("AllCandidateSampler", {})):
            for unique in (False, True):
                for columns, count in ((1, 4), (2, 7)):
                    if name[0] == "A" and not unique:
                        continue
                    op = getattr(raw, name)(true_classes=classes, num_true=columns, num_sampled=count, unique=unique, seed=5, seed2=6, **extra)
                    for _ in range(3):
                        c.run(list(op), {classes: np.arange(3 * columns).reshape(3, columns)})
                    c.run(list(op), {classes: np.zeros([0, columns])})
        shard = {**fixed, "num_shards": 2, "shard": 1, "num_reserved_ids": 2}
        op = raw.FixedUnigramCandidateSampler(true_classes=classes, num_true=1, num_sampled=3, unique=True, seed=5, seed2=6, range_max=5, **shard)
        c.run(list(op), {classes: [[0], [4], [9], [-1]]})
        for name in ("UniformCandidateSampler", "LogUniformCandidateSampler"):
            op = getattr(raw, name)(true_classes=classes, num_true=2, num_sampled=7, unique=True, seed=5, seed2=6, range_max=6, name="small" + name)
            c.run(list(op), {classes: [[1, 2]]})
            op = getattr(raw, name)(true_classes=classes, num_true=2, num_sampled=6, unique=True, seed=5, seed2=6, range_max=6, name="all" + name)
            c.run(op[0], {classes: [[1, 2]]})
            c.run(op[0], {classes: [[1], [2]]})
            c.run(op[0], {classes: [1, 2]})
        chosen = tf.placeholder("int64", None, "chosen")
        hits = list(raw.ComputeAccidentalHits(true_classes=classes, sampled_candidates=chosen, num_true=2))
        c.run(hits, {classes: [[1, 2], [5, 9], [2, 2]], chosen: [2, 9, 2, 7, -1]})
        c.run(hits, {classes: [[1, 2]], chosen: [3]})
        c.run(hits, {classes: np.zeros([0, 2]), chosen: [3]})
        c.run(hits, {classes: [[1, 2]], chosen: []})
        c.run(hits, {classes: [[1, 2]], chosen: [[3]]})
        c.run(hits, {classes: [1, 2], chosen: [3]})


def learned():
    with Case("sampler_learned", "candidates by how often classes were true ones in the session", rtol=1e-6, atol=0, seed=7) as c:
        classes = tf.placeholder("int64", None, "classes")
        for name in ("LearnedUnigramCandidateSampler", "ThreadUnsafeUnigramCandidateSampler"):
            for unique in (False, True):
                op = list(getattr(raw, name)(true_classes=classes, num_true=2, num_sampled=6, unique=unique, range_max=9, seed=5, seed2=6))
                for values in ([[0, 1], [1, 1]], [[1, 8]], [[1, 1]] * 30, np.zeros([0, 2]), [[3, 4]]):
                    c.run(op, {classes: values})
                c.run(op[:1], {classes: [[2, 3]]})
                for _ in range(2):
                    c.run(op, {classes: [[2, 1]]}, session="another")
            op = getattr(raw, name)(true_classes=classes, num_true=2, num_sampled=6, unique=True, range_max=5, seed=5, seed2=6)
            c.run(op[0], {classes: [[0, 1]]})
            c.run(op[0], {classes: [[0], [1]]})
            c.run(op[0], {classes: [0, 1]})


if __name__ == "__main__":
    for record in (shuffles, multinomials, candidates, learned):
        if len(sys.argv) == 1 or record.__name__ in sys.argv[1:]:
            record()
