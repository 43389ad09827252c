# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records random graphs as cases, each run for two sizes of its feeds, to be compared with Kiln. With a Python that has
TensorFlow:

  GOLDEN_OUT=DIR python make_random_cases.py FIRST_SEED COUNT && kiln-golden-test --bits DIR

GOLDEN_MODE=resource makes the other kind of graph: resource variables, functional control flow. What is compared for
equality, rounded or indexed is exact: made by ops that round as TensorFlow's do. The rest has a tolerance.
"""
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case
from random_graph import FLOATS, INTS, Grower


def record(seed):
    rng = np.random.RandomState(seed)
    with Case("random_%d" % seed, "a random graph", rtol=2e-3, atol=2e-4, seed=int(rng.randint(1, 1000))) as case:
        feeds = {}
        grower = Grower(rng, [])
        for _ in range(1 + rng.randint(3)):
            dtype, columns = grower.one_of(FLOATS + INTS), int(rng.randint(1, 20))
            static = rng.randint(2)
            feeds[tf.placeholder(dtype, [4 if static else None, columns])] = columns, static
        grower.known = [(t, True) for t in feeds]
        shape = [3, 2] if rng.randint(2) else [3]
        for i in range(rng.randint(4)):
            like = grower.one_of(["constant", "constant", "random"])
            value = grower.numbers(shape, tf.float32) if like == "constant" else tf.random_uniform(shape, seed=i + 1)
            grower.variables.append(tf.get_variable("v%d" % i, initializer=value))
        grower.grow(5 + rng.randint(25))
        fetches = [t for t, _ in grower.known if t not in feeds][-8:]
        if grower.variables:
            case.init()
        for rows in (4, 7):
            case.run(fetches, {t: rng.randint(-5, 6, [4 if static else rows, columns]) for t, (columns, static) in feeds.items()})
            if "error" in case.spec["steps"][-1]:
                print(seed, case.spec["steps"].pop()["error"]["message"])


if __name__ == "__main__":
    for number in range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2])):
        record(number)
