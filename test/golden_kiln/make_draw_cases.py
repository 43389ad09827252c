# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's distributions, stateless random numbers and random generators, with their errors. Run it with a
Python that has TensorFlow, with the names of cases or for all of them.
"""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.framework import function
from recorder import Case

raw = tf.raw_ops
FLOATS = ("float16", "bfloat16", "float32", "float64")
# Normal numbers are made by functions of our own, and rounded to 16 bits from there.
ROUNDED = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 2e-6, "float64": 1e-14}
ALPHAS = [0.0, 0.1, 0.5, 0.99, 1.0, 1.5, 3.0, 40.0, 1e4, np.inf]
RATES = [0.0, 0.3, 1.0, 5.0, 9.99, 10.0, 11.5, 100.0, 12345.0, -1.0]


def streams():
    with Case("draw_streams", "gamma, Poisson and bounded normal numbers of streams that go on", rtol=0, atol=0, seed=7) as c:
        n = tf.placeholder("int32", [None], "n")
        gammas = [raw.RandomGamma(shape=n, alpha=tf.constant(ALPHAS, t), seed=3, seed2=i) for i, t in enumerate(("float16", "float32", "float64"))]
        rates = [raw.RandomPoissonV2(shape=n, rate=tf.cast(tf.constant(RATES), r), dtype=t, seed=5, seed2=i)
                 for i, (r, t) in enumerate((("float16", "int32"), ("float32", "int64"), ("float64", "float16"), ("int32", "float64"), ("int64", "float32")))]
        for size in ([3], [2, 5], [], [0], [300]):
            c.run(gammas, {n: size}, rtol=1e-6)
            c.run(rates, {n: size})
        c.run(gammas[1:2] + rates[:1], {n: [2]}, rtol=1e-6)
        c.run(gammas + rates, {n: [4]}, rtol=1e-6)
        c.run(gammas + rates, {n: [4]}, session="another", rtol=1e-6)
        c.run(gammas[0], {n: [-1]})
        c.run(rates[0], {n: [2, -3]})
        open_n = tf.placeholder("int64", None, "open_n")
        alpha = tf.placeholder("float32", None, "alpha")
        either = raw.RandomGamma(shape=open_n, alpha=alpha, seed=8, seed2=8)
        for size, value in (([3], 2.5), ([2], [[1, 2], [3, 4]]), ([], [0.2, 0.4]), ([2], np.zeros([0, 3]))):
            c.run(either, {open_n: size, alpha: value}, rtol=1e-6)
        counted = raw.RandomPoissonV2(shape=open_n, rate=alpha, seed=8, seed2=8)
        for size, value in (([3], 2.5), ([2], [[1, 2], [3, 40]]), ([2], np.zeros([0, 3])), (3, [1, 2]), ([[3]], 1)):
            c.run(counted, {open_n: size, alpha: value})


def branches():
    tf.enable_control_flow_v2()
    with Case("draw_branches", "random nodes of one name in branches and functions: each has a stream of its own", rtol=2e-6, atol=0, seed=7) as c:
        p = tf.placeholder("bool", [], "p")
        k = tf.cast(p, "int32")
        u = lambda seed=None: tf.random_uniform([2], seed=seed)
        same = tf.cond(p, lambda: u(3), lambda: u(3))
        others = tf.cond(p, lambda: u(3), lambda: u(4))
        graphs = tf.cond(p, u, lambda: u() + 1)
        nested = tf.cond(p, lambda: tf.cond(p, lambda: u(6), lambda: u(8)), lambda: tf.cond(p, lambda: u(6), lambda: u(9)))
        cases = tf.switch_case(k, [lambda: u(3), lambda: u(4) + 1, lambda: u(5) + 2])
        draw = lambda seed: tf.random_uniform([], seed=seed)
        loop = tf.while_loop(lambda i, a: (i < 3) & (draw(5) < 2), lambda i, a: (i + 1, a + draw(5) + tf.cond(p, lambda: draw(6), lambda: draw(6))), [0, 0.0])[1]

        @function.Defun("float32")
        def f(x):
            return x + u(11)

        twice = [f(tf.zeros([2])), f(tf.ones([2]))]
        shuffled = tf.cond(p, lambda: tf.random_shuffle([1, 2, 3], seed=1), lambda: tf.random_shuffle([1, 2, 3], seed=2))
        for step in range(2):
            for taken in (True, False):
                c.run([same, others, graphs, nested, cases, loop, twice[0], twice[1], shuffled], {p: taken})
        # A part of what was asked for before goes on where that ended.
        c.run([same, nested], {p: False})
        c.run(others, {p: True})
    tf.disable_control_flow_v2()


def bounded():
    with Case("draw_bounded", "normal numbers between bounds, of streams and of seeds", rtol=0, atol=0, seed=7) as c:
        n = tf.placeholder("int32", None, "n")
        settings = [(0, 1, -1, 1), (0, 1, -3, 3), (2, 0.5, 3, 4), (0, 1, -np.inf, 0.2), (0, 1, 2, np.inf), (0, 1, 5, 5.5), (1, 2, -9, -8), (0, 1, 2, 9)]
        for t in ("float16", "float32", "float64"):
            p = [tf.placeholder(t, None, "%s_%d" % (t, i)) for i in range(4)]
            op = raw.ParameterizedTruncatedNormal(shape=n, means=p[0], stdevs=p[1], minvals=p[2], maxvals=p[3], seed=3, seed2=9)
            seeded = raw.StatelessParameterizedTruncatedNormal(shape=n, seed=[5, 6], means=p[0], stddevs=p[1], minvals=p[2], maxvals=p[3])
            for values in settings:
                c.run([op, seeded], {n: [7, 3], **dict(zip(p, values))}, rtol=ROUNDED[t])
            c.run(op, {n: [250], **dict(zip(p, ([0], [1], -1, 2)))}, rtol=ROUNDED[t])
            many = [np.array([s[i] for s in settings]) for i in range(4)]
            c.run(op, {n: [len(settings), 20], **dict(zip(p, many))}, rtol=ROUNDED[t])
            c.run(seeded, {n: [20, len(settings)], **dict(zip(p, many))}, rtol=ROUNDED[t])
            c.run(seeded, {n: [4, 3, 2], **dict(zip(p, ([[0], [1], [2]], [1, 2], [[-1, 0]], 5)))}, rtol=ROUNDED[t])
        feed = dict(zip(p, (0, 1, -1, 1)))
        for size in ([0], [], [3, 0], [-1], 3, [[2]]):
            c.run(op, {n: size, **feed})
        for size in ([0], [], [-1], 3):
            c.run(seeded, {n: size, **feed}, rtol=1e-14)
        for values in ((0, 1, 1, -1), (0, -1, -1, 1), (0, 1, -np.inf, np.inf), ([0, 0], 1, -1, 1), (0, 1, [[1]], 2), ([[0]], 1, -1, 2)):
            c.run(op, {n: [3], **dict(zip(p, values))})
        for values in ((0, 1, 1, -1), (0, -1, -1, 1), ([0, 0], 1, -1, 1), ([0, 0, 0, 0], 1, -1, 1)):
            c.run(seeded, {n: [3], **dict(zip(p, values))})


def seeds():
    with Case("draw_seeds", "the same numbers for the same seeds", rtol=0, atol=0) as c:
        n = tf.placeholder("int32", None, "n")
        for s in ("int32", "int64"):
            seed = tf.placeholder(s, None, "seed_" + s)
            exact, close = [], []
            for t in FLOATS:
                exact.append(raw.StatelessRandomUniform(shape=n, seed=seed, dtype=t))
                close.append(raw.StatelessRandomNormal(shape=n, seed=seed, dtype=t))
                close.append(raw.StatelessTruncatedNormal(shape=n, seed=seed, dtype=t))
            for t in ("int32", "int64", "uint32", "uint64"):
                exact.append(raw.StatelessRandomUniformFullInt(shape=n, seed=seed, dtype=t))
            low, high = tf.placeholder("int32", None, "low_" + s), tf.placeholder("int64", None, "high_" + s)
            exact.append(raw.StatelessRandomUniformInt(shape=n, seed=seed, minval=low, maxval=tf.cast(high, "int32")))
            exact.append(raw.StatelessRandomUniformInt(shape=n, seed=seed, minval=tf.cast(low, "int64"), maxval=high))
            bounds = {low: -7, high: 1000}
            values = ([0, 0], [1, 2], [-5, 2**31 - 1]) + (([2**40, -(2**50)],) if s == "int64" else ())
            for value in values:
                c.run(exact, {n: [7], seed: value, **bounds})
                c.run(close, {n: [2, 3], seed: value}, rtol=2e-2)
            c.run(close[4:6], {n: [50], seed: [3, 4]}, rtol=2e-6)
            c.run(exact[2] + 1, {n: [3, 4, 5], seed: [3, 4], **bounds})
            for size in ([], [0, 3]):
                c.run(exact, {n: size, seed: [1, 2], **bounds})
            for size in ([-2], 3):
                c.run(exact[0], {n: size, seed: [1, 2]})
            c.run(exact[0], {n: [2], seed: [1, 2, 3]})
            c.run(exact[0], {n: [2], seed: 1})
            c.run(exact[-1], {n: [2], seed: [1, 2], low: 5, high: 5})
            c.run(exact[-2:], {n: [0], seed: [1, 2], low: 5, high: 5})
            c.run(exact[-1], {n: [2], seed: [1, 2], low: [1], high: 5})
            c.run(exact[-1], {n: [2], seed: [1, 2], low: 1, high: [5]})


def keys():
    with Case("draw_keys", "the same numbers for the same key and counter", rtol=0, atol=0) as c:
        n, seed = tf.placeholder("int64", None, "n"), tf.placeholder("int64", None, "seed")
        made = list(raw.StatelessRandomGetKeyCounterAlg(seed=seed))
        c.run(made + list(raw.StatelessRandomGetKeyCounter(seed=seed)) + [raw.StatelessRandomGetAlg()], {seed: [3, -4]})
        c.run(made, {seed: [3]})
        key, counter, alg = tf.placeholder("uint64", None, "key"), tf.placeholder("uint64", None, "counter"), tf.placeholder("int32", None, "alg")
        state = dict(key=key, counter=counter, alg=alg)
        exact = [raw.StatelessRandomUniformV2(shape=n, dtype=t, **state) for t in FLOATS]
        exact += [raw.StatelessRandomUniformFullIntV2(shape=n, dtype=t, **state) for t in ("int32", "int64", "uint32", "uint64")]
        low, high = tf.placeholder("int64", None, "low"), tf.placeholder("int64", None, "high")
        exact += [raw.StatelessRandomUniformIntV2(shape=n, minval=low, maxval=high, **state)]
        close = [raw.StatelessRandomNormalV2(shape=n, dtype=t, **state) for t in FLOATS] + [raw.StatelessTruncatedNormalV2(shape=n, dtype=t, **state) for t in FLOATS]
        alpha = tf.placeholder("float32", None, "alpha")
        gamma = raw.StatelessRandomGammaV3(shape=n, alpha=alpha, **state)
        x = tf.placeholder("float32", None, "x")
        order = raw.StatelessShuffle(value=x, **state)
        feed = {key: [17], counter: [2**63 + 5, 99], alg: 1, low: -5, high: 7}
        c.run(exact, {n: [5, 3], **feed})
        c.run(exact, {n: [9], **feed, alg: 3, counter: [2**64 - 2, 1, 7]})
        c.run(close, {n: [7], **feed}, rtol=2e-2)
        c.run(gamma, {n: [4, 2], alpha: [0.5, 3], **feed}, rtol=1e-6)
        c.run(gamma, {n: [4, 3], alpha: [0.5, 3], **feed})
        c.run(gamma, {n: [], alpha: [0.5, 3], **feed})
        for dims in ([9], [4, 2], [1], [0, 2], []):
            c.run(order, {x: np.arange(np.prod(dims, dtype=int)).reshape(dims), **feed})
        for wrong in ({alg: 2}, {alg: 5}, {alg: [1]}, {key: [1, 2]}, {key: 3}, {counter: 4}):
            c.run(exact[0], {n: [2], **feed, **wrong})
            c.run(order, {x: [1, 2, 3], **feed, **wrong})
        c.run(exact[0], {n: [0], **feed, alg: 2})
        c.run(exact[0], {n: 2, **feed})


def seeded():
    with Case("draw_seeded_distributions", "gamma, Poisson, binomial numbers, classes and permutations of seeds", rtol=0, atol=0) as c:
        n, seed = tf.placeholder("int32", None, "n"), tf.placeholder("int32", None, "seed")
        feed = {seed: [11, 12]}
        for t in ("float16", "float32", "float64"):
            p = tf.placeholder(t, None, "p_" + t)
            gamma = raw.StatelessRandomGammaV2(shape=n, seed=seed, alpha=p)
            rates = [raw.StatelessRandomPoisson(shape=n, seed=seed, lam=p, dtype=o) for o in ("float16", "float32", "float64", "int32", "int64")]
            c.run(gamma, {n: [6, len(ALPHAS)], p: ALPHAS, **feed}, rtol=ROUNDED[t])
            c.run(rates, {n: [6, len(RATES)], p: RATES, **feed})
            counts, probs = tf.placeholder(t, None, "counts_" + t), tf.placeholder(t, None, "probs_" + t)
            trials = [raw.StatelessRandomBinomial(shape=n, seed=seed, counts=counts, probs=probs, dtype=o) for o in ("float16", "float32", "float64", "int32", "int64")]
            c.run(trials, {n: [5, 4, 6], counts: [[0], [7], [100], [2000]], probs: [0, 0.01, 0.2, 0.5, 0.7, 1], **feed})
            c.run(trials, {n: [40], counts: 20, probs: 0.5, **feed})
            c.run(trials[2], {n: [9, 2], counts: [30, -1], probs: np.nan, **feed})
        c.run(trials[2], {n: [3, 2], counts: [1, 2, 3], probs: 0.5, **feed})
        c.run(trials[2], {n: [3], counts: [1, 2, 3], probs: [0.5, 0.5], **feed})
        c.run(trials[2], {n: [0], counts: 3, probs: 0.5, **feed})
        c.run(gamma, {n: [3, 2], p: [1, 2, 3], **feed})
        c.run(gamma, {n: [0], p: [1, 2, 3], **feed})
        c.run(rates[0], {n: [3], p: [[1, 2, 3]], **feed})
        logits, count = tf.placeholder("float32", None, "logits"), tf.placeholder("int32", None, "count")
        classes = [raw.StatelessMultinomial(logits=logits, num_samples=count, seed=seed, output_dtype=o) for o in ("int32", "int64")]
        values = np.array([[0.5, -1, 2, 0], [np.inf, 0, 0, 1], [-np.inf, 1, np.nan, 1]])
        for k in (5, 0, 1):
            c.run(classes, {logits: values, count: k, **feed})
        c.run(classes[1], {logits: values, count: -1, **feed})
        c.run(classes[0], {logits: values, count: 2, seed: [1]})
        for t in ("int32", "uint32", "int64", "uint64"):
            index, most, three = tf.placeholder(t, None, "index_" + t), tf.placeholder(t, None, "most_" + t), tf.placeholder(t, None, "three_" + t)
            moved = raw.RandomIndexShuffle(index=index, seed=three, max_index=most)
            c.run(moved, {index: np.arange(20), most: 19, three: [1, 2, 3]})
            c.run(raw.RandomIndexShuffle(index=index, seed=three, max_index=most, rounds=8), {index: np.arange(20), most: 2**20 + 7, three: [1, 2, 3]})
            c.run(moved, {index: 5, most: 2**31 - 1, three: [9, 8, 7]})
            c.run(moved, {index: 0, most: 0, three: [9, 8, 7]})
            c.run(moved, {index: [1, 2], most: [3, 70000], three: [[1, 2, 3], [4, 5, 6]]})
            c.run(moved, {index: 4, most: 3, three: [1, 2, 3]})
        c.run(moved, {index: np.arange(4), most: 2**64 - 1, three: [2**63, 2, 3]})


def generators():
    with Case("draw_generators", "numbers of a state that a variable holds", rtol=0, atol=0) as c:
        state = tf.get_variable("state", initializer=tf.constant([2**62, -3, 77], tf.int64), use_resource=True)
        longer = tf.get_variable("longer", initializer=tf.constant([1, 2, 3, 4], tf.int64), use_resource=True)
        n, alg = tf.placeholder("int64", None, "n"), tf.placeholder("int64", None, "alg")
        exact = {t: raw.StatefulUniform(resource=state.handle, algorithm=alg, shape=n, dtype=t) for t in FLOATS}
        exact.update({t: raw.StatefulUniformFullInt(resource=state.handle, algorithm=alg, shape=n, dtype=t) for t in ("int32", "int64", "uint32", "uint64")})
        close = {t: raw.StatefulStandardNormalV2(resource=state.handle, algorithm=alg, shape=n, dtype=t) for t in FLOATS}
        cut = {t: raw.StatefulTruncatedNormal(resource=state.handle, algorithm=alg, shape=n, dtype=t) for t in FLOATS}
        low, high = tf.placeholder("int32", None, "low"), tf.placeholder("int32", None, "high")
        whole = raw.StatefulUniformInt(resource=state.handle, algorithm=alg, shape=n, minval=low, maxval=high)
        read = state.read_value()
        c.init()
        for t, op in exact.items():
            c.run(op, {n: [3, 3], alg: 1})
            c.run(op, {n: [5], alg: 3})
        for t in FLOATS:
            c.run(close[t], {n: [7], alg: 1}, rtol=ROUNDED[t])
            c.run(cut[t], {n: [7], alg: 1}, rtol=ROUNDED[t])
        c.run(whole, {n: [9], alg: 1, low: -3, high: 12})
        c.run(read)
        for wrong in ({low: 3, high: 3}, {low: [1]}, {high: [9]}, {alg: 2}, {alg: 7}, {alg: [1]}, {n: [-1]}, {n: 2}, {n: [0], low: 3, high: 3}):
            c.run(whole, {n: [2], alg: 1, low: -3, high: 12, **wrong})
        c.run(exact["float32"], {n: [0], alg: 1})
        c.run(read)
        delta, skipped = tf.placeholder("int64", None, "delta"), tf.placeholder("uint64", None, "skipped")
        skip = raw.RngSkip(resource=state.handle, algorithm=alg, delta=delta)
        for by in (1, 0, 2**56, -1):
            c.run(skip, {alg: 1, delta: by})
            c.run(read)
        alg32 = tf.placeholder("int32", None, "alg32")
        before = raw.RngReadAndSkip(resource=state.handle, alg=alg32, delta=skipped)
        c.run(before, {alg32: 1, skipped: 5})
        c.run(before, {alg32: 3, skipped: 2**63})
        c.run(before, {alg32: 2, skipped: 5})
        c.run(read)
        counts, probs = tf.placeholder("float32", None, "counts"), tf.placeholder("float32", None, "probs")
        n32 = tf.placeholder("int32", None, "n32")
        trials = raw.StatefulRandomBinomial(resource=state.handle, algorithm=alg, shape=n32, counts=counts, probs=probs, dtype="int32")
        c.run(trials, {n32: [4, 3], alg: 1, counts: [5, 50, 500], probs: 0.3})
        c.run(read)
        c.run(trials, {n32: [4, 3], alg: 3, counts: [5, 50, 500], probs: 0.3})
        c.run(trials, {n32: [4, 2], alg: 1, counts: [5, 50, 500], probs: 0.3})
        once = raw.StatefulUniform(resource=longer.handle, algorithm=1, shape=[3])
        again = raw.StatefulUniform(resource=longer.handle, algorithm=1, shape=[3])
        with tf.control_dependencies([once]):
            then = raw.StatefulUniform(resource=longer.handle, algorithm=1, shape=[3])
        c.run([once, then])
        c.run(longer.read_value())
        short = tf.get_variable("short", initializer=tf.constant([1, 2], tf.int64), use_resource=True)
        flat = tf.get_variable("flat", initializer=tf.constant(1, tf.int64), use_resource=True)
        other = tf.get_variable("other", initializer=tf.constant([1, 2, 3], tf.int32), use_resource=True)
        c.run(tf.variables_initializer([short, flat, other]))
        for variable in (short, flat, other):
            c.run(raw.StatefulUniform(resource=variable.handle, algorithm=1, shape=[3]))
            c.run(raw.RngSkip(resource=variable.handle, algorithm=1, delta=3))


if __name__ == "__main__":
    for record in (streams, branches, bounded, seeds, keys, seeded, generators):
        if len(sys.argv) == 1 or record.__name__ in sys.argv[1:]:
            record()
