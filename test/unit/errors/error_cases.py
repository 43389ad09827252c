# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the programs of errors are written with: each is a function under a name."""
import numpy as np
import tensorflow

tf = tensorflow.compat.v1
tf.disable_v2_behavior()

cases = {}


def case(name):
    def add(program):
        assert name not in cases, name
        cases[name] = program
        return program
    return add


def run(build):
    def program():
        what = build()
        if not isinstance(what, tuple):
            what = what, None
        tf.Session().run(*what)
    return program


def free(value, name=None):
    """A tensor of unknown shape: only a run can tell that it does not fit."""
    return tf.placeholder_with_default(np.asarray(value), None, name=name)
