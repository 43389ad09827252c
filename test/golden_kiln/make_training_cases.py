# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow's dense optimizer steps do: every op on reference and on resource variables, in every type that
it has a kernel for, with edge values, empty variables, gradients whose shape nobody knows, and its errors. Run it with a
Python that has TensorFlow, with the names of cases or for all of them.

The bits must be TensorFlow's (rtol 0) but where it approximates: rsqrt and exp in float32, pow.
"""
import inspect
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
ADAM = dict(beta1_power=0.81, beta2_power=0.9, lr=0.3, beta1=0.9, beta2=0.99, epsilon=1e-3)
RMS = dict(lr=0.3, rho=0.9, momentum=0.8)
FTRL = dict(lr=0.3, l1=0.2, l2=0.1)
ROOT, POWER = dict(lr_power=-0.5), dict(lr_power=-0.3)
LINEAR = dict(multiply_linear_by_lr=True)
# An op, its numbers and its attributes; names of all variables but var follow from its signature.
EXACT = [("GradientDescent", dict(alpha=0.3), {}), ("Momentum", dict(lr=0.3, momentum=0.8), {}),
         ("Momentum", dict(lr=0.3, momentum=0.8), dict(use_nesterov=True)), ("KerasMomentum", dict(lr=0.3, momentum=0.8), {}),
         ("KerasMomentum", dict(lr=0.3, momentum=0.8), dict(use_nesterov=True)), ("Adam", ADAM, {}),
         ("Adam", ADAM, dict(use_nesterov=True)), ("AdaMax", {k: v for k, v in ADAM.items() if k != "beta2_power"}, {}),
         ("AdamWithAmsgrad", ADAM, {}), ("AdagradV2", dict(lr=0.3, epsilon=1e-3), {}),
         ("AdagradV2", dict(lr=0.3, epsilon=1e-3), dict(update_slots=False)),
         ("AdagradDA", dict(lr=0.3, l1=0.02, l2=0.1, global_step=7), {}), ("AdagradDA", dict(lr=0.3, l1=0, l2=0.1, global_step=7), {}),
         ("RMSProp", dict(RMS, epsilon=1e-3), {}), ("CenteredRMSProp", dict(RMS, epsilon=3), {}), ("Ftrl", dict(FTRL, **ROOT), {}),
         ("Ftrl", dict(FTRL, **ROOT), LINEAR), ("Ftrl", dict(FTRL, lr_power=0), {}),
         ("FtrlV2", dict(FTRL, **ROOT, l2_shrinkage=0.3), {}), ("FtrlV2", dict(FTRL, **ROOT, l2_shrinkage=0.3), LINEAR),
         ("AddSign", dict(lr=0.3, alpha=1.1, sign_decay=0.7, beta=0.9), {}),
         ("ProximalGradientDescent", dict(alpha=0.3, l1=0.2, l2=0.1), {}), ("ProximalGradientDescent", dict(alpha=0.3, l1=0, l2=0.1), {})]
CLOSE = [("Adagrad", dict(lr=0.3), {}), ("Adagrad", dict(lr=0.3), dict(update_slots=False)),
         ("Adadelta", dict(lr=0.3, rho=0.9, epsilon=1e-3), {}), ("ProximalAdagrad", dict(lr=0.3, l1=0.2, l2=0.1), {}),
         ("ProximalAdagrad", dict(lr=0.3, l1=0, l2=0), {}), ("PowerSign", dict(lr=0.3, logbase=1.1, sign_decay=0.7, beta=0.9), {}),
         ("Ftrl", dict(FTRL, **POWER), {}), ("FtrlV2", dict(FTRL, **POWER, l2_shrinkage=0.3), LINEAR)]
LACKS = {"bfloat16": ["AdaMax", "AdagradDA", "ProximalGradientDescent", "ProximalAdagrad"],
         "float16": ["AdagradDA", "ProximalGradientDescent", "ProximalAdagrad"]}
CLOSENESS = {"float16": 2e-3, "bfloat16": 1.6e-2, "float32": 1e-5, "float64": 1e-12}
ZEROS = 1e-30  # the signs of zeros do not count
GRADIENTS = ("grad", "delta")


def numpy_type(t):
    return tf.as_dtype(t).as_numpy_dtype


def arguments(op, numbers):
    """The names of an op's variables, and of the rest that is no attribute."""
    names = list(inspect.signature(getattr(raw, "ResourceApply" + op)).parameters)
    attributes = ("use_locking", "use_nesterov", "update_slots", "multiply_linear_by_lr", "name")
    slots = [n for n in names if n not in numbers and n not in GRADIENTS and n not in attributes]
    return slots, [n for n in names if n in numbers or n in GRADIENTS]


class Step:
    """One op with variables of its own: `values` has what they begin with and the gradient. What is `fed` are placeholders,
    those of `shared` where it has them: by name and number."""

    def __init__(self, name, op, numbers, attrs, t, is_resource, values, fed=(), shared=None):
        slots, rest = arguments(op, numbers)
        self.feeds = {}
        shared = {} if shared is None else shared
        with tf.variable_scope(name):
            self.variables = {s: tf.get_variable(s, initializer=values(s), use_resource=is_resource, validate_shape=False) for s in slots}
            inputs = {s: v.handle if is_resource else v._ref() for s, v in self.variables.items()}
            for n in rest:
                value = values(n) if n in GRADIENTS else numbers[n]
                kind = "int64" if n == "global_step" else t
                if n in fed:
                    key = (n, float(numbers.get(n, 0)))
                    if key not in shared:
                        shared[key] = tf.placeholder(kind, None, n)
                    inputs[n] = shared[key]
                    self.feeds[inputs[n]] = value
                else:
                    inputs[n] = tf.constant(value, kind)
            self.op = getattr(raw, ("Resource" if is_resource else "") + "Apply" + op)(**inputs, **attrs)


def edge_values(t, size, seed, positive):
    """Numbers of which some are special, elsewhere for each seed."""
    values = np.random.default_rng(seed).normal(size=size)
    for i, v in enumerate([0.0, -0.0, np.inf, -np.inf, np.nan, 1e4, 1e-4]):
        values[(seed * 5 + 3 * i) % size] = v
    return (np.abs(values) if positive else values).astype(numpy_type(t))


def record_steps(c, t, table, is_resource, label, **tolerance):
    """Two runs of all ops of a table at once, on 48 elements and on none, and what they leave."""
    for size in (48, 0):
        steps, shared = [], {}
        for i, (op, numbers, attrs) in enumerate(table):
            prefix = "ResourceApply" if is_resource else "Apply"
            if op in LACKS.get(t, []) or not hasattr(raw, prefix + op):
                continue
            first = arguments(op, numbers)[0]
            has_average = op in ("AddSign", "PowerSign")

            def values(n):
                if not size:
                    return np.zeros([0, 3], numpy_type(t))
                seed = 11 * i + first.index(n) if n in first else 7
                return edge_values(t, size, seed, n not in ("var", "m", "linear", *GRADIENTS) and not has_average)

            fed = (*GRADIENTS, *numbers) if is_resource else GRADIENTS
            steps.append(Step(f"{label}_{size}_{i}", op, numbers, attrs, t, is_resource, values, fed, shared))
        variables = [v for s in steps for v in s.variables.values()]
        c.run([v.initializer for v in variables])
        feeds = {k: v for s in steps for k, v in s.feeds.items()}
        # A reference that is fetched may be of the variable's next value: targets.
        c.run([s.op if is_resource else s.op.op for s in steps], feeds, repeat=2)
        c.run([tf.stack([v.value() for v in s.variables.values()]) for s in steps], **tolerance)


def steps():
    for t in CLOSENESS:
        for is_resource in (False, True):
            kind = "" if is_resource else "_v1"
            with Case(f"training_{t}{kind}", f"optimizer steps of {t}", rtol=0, atol=ZEROS) as c:
                record_steps(c, t, EXACT, is_resource, "exact")
                record_steps(c, t, CLOSE, is_resource, "close", rtol=CLOSENESS[t], atol=CLOSENESS[t] / 4)


def errors():
    for is_resource in (False, True):
        with Case("training_errors" + ("" if is_resource else "_v1"), "what optimizer steps refuse", rtol=0, atol=ZEROS) as c:
            ones = lambda n: np.ones([2], np.float32)
            table = [(op, numbers) for op, numbers, attrs in EXACT + CLOSE if not attrs]
            for i, (op, numbers) in enumerate(table):
                if op in [name for name, _ in table[:i]] or not hasattr(raw, ("Resource" if is_resource else "") + "Apply" + op):
                    continue
                step = Step(op, op, numbers, {}, "float32", is_resource, ones, (*GRADIENTS, *numbers))
                c.run(step.op if is_resource else step.op.op, step.feeds)  # uninitialized: var
                c.run([v.initializer for v in step.variables.values()])
                for fed, value in step.feeds.items():
                    # TensorFlow takes any shape for sign_decay.
                    if "sign_decay" not in fed.name:
                        c.run(step.op if is_resource else step.op.op, {**step.feeds, fed: np.ones([2, 1]) if np.ndim(value) else [value]})
                if op == "ProximalAdagrad":
                    for bad in (dict(lr=0), dict(lr=np.nan), dict(l1=-1), dict(l1=np.nan, l2=-1), dict(l2=-0.5)):
                        changed = {f: bad.get(f.op.name.split("/")[-1], v) for f, v in step.feeds.items()}
                        c.run(step.op if is_resource else step.op.op, changed)
                c.run(tf.stack([v.value() for v in step.variables.values()]))


if __name__ == "__main__":
    for record in (steps, errors):
        if len(sys.argv) == 1 or record.__name__ in sys.argv[1:]:
            record()
