# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow's optimizer steps for some rows of variables do. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
OPS = {
    "Adagrad": ("var accum", dict(lr=0.1), [{}, dict(update_slots=False)]),
    "AdagradV2": ("var accum", dict(lr=0.1, epsilon=0.01), [{}]),
    "Momentum": ("var accum", dict(lr=0.1, momentum=0.9), [{}, dict(use_nesterov=True)]),
    "KerasMomentum": ("var accum", dict(lr=0.1, momentum=0.9), [{}, dict(use_nesterov=True)]),
    "RMSProp": ("var ms mom", dict(lr=0.1, rho=0.9, momentum=0.5, epsilon=0.01), [{}]),
    "CenteredRMSProp": ("var mg ms mom", dict(lr=0.1, rho=0.9, momentum=0.5, epsilon=8.0), [{}]),
    "Adadelta": ("var accum accum_update", dict(lr=0.1, rho=0.9, epsilon=0.01), [{}]),
    "ProximalGradientDescent": ("var", dict(alpha=0.1, l1=0.5, l2=0.2), [{}]),
    "ProximalAdagrad": ("var accum", dict(lr=0.1, l1=0.5, l2=0.2), [{}]),
    "AdagradDA": ("var gradient_accumulator gradient_squared_accumulator", dict(lr=0.1, l1=0.5, l2=0.2, global_step=np.int64(3)), [{}]),
    "Ftrl": ("var accum linear", dict(lr=0.1, l1=0.5, l2=0.2, lr_power=-0.5), [{}, dict(multiply_linear_by_lr=True)]),
    "FtrlV2": ("var accum linear", dict(lr=0.1, l1=0.5, l2=0.2, l2_shrinkage=0.1, lr_power=-0.5), [{}]),
}


def steps_of(i, g, use_resource):
    """One of each op, variant and type, with the variables' values behind it; variables have 4 rows of as many elements as g's."""
    steps = []
    for op, (slots, scalars, variants) in OPS.items():
        for n, options in enumerate(variants):
            for dtype in (tf.float32, tf.float64, tf.float16):
                if (op == "KerasMomentum" and not use_resource) or (dtype == tf.float16 and op in ("AdagradDA", "Ftrl", "FtrlV2", "ProximalGradientDescent", "ProximalAdagrad")):
                    continue
                shape = [4, int(g.shape[1])]
                make = lambda k, label: tf.get_variable("%s_%d_%s_%s" % (op, n, dtype.name, label), use_resource=use_resource,
                                                        initializer=(np.arange(np.prod(shape)).reshape(shape) / 4 + 0.25 + k).astype(dtype.as_numpy_dtype))
                variables = [make(k, label) for k, label in enumerate(slots.split())]
                refs = {label: v.handle if use_resource else v._ref() for label, v in zip(slots.split(), variables)}
                refs.update({key: tf.constant(value, tf.int64 if key == "global_step" else dtype) for key, value in scalars.items()})
                function = getattr(raw, ("Resource" if use_resource else "") + "SparseApply" + op)
                done = function(grad=tf.cast(g, dtype), indices=i, **refs, **options)
                with tf.control_dependencies([done]):
                    steps.append((dtype, tf.stack([v.read_value() for v in variables])))
    return steps


def record(name, use_resource):
    with Case(name, "SparseApply* of %s variables" % ("resource" if use_resource else "reference"), rtol=1e-5, atol=1e-5) as c:
        i = tf.placeholder(tf.int64, [None], "i")
        g = tf.placeholder(tf.float32, [None, 3], "g")
        steps = steps_of(i, g, use_resource)
        c.init()
        rows = (np.arange(6).reshape(2, 3) / 2 - 1).astype(np.float32)
        for dtype, step in steps:
            c.run(step, {i: [2, 0], g: rows}, **(dict(rtol=4e-3, atol=4e-3) if dtype == tf.float16 else {}))
        for dtype, step in steps[:3]:
            c.run(step, {i: [], g: np.zeros([0, 3])}, rtol=4e-3, atol=4e-3)
        for op in range(0, len(steps), 5):
            c.run(steps[op][1], {i: [1, 4], g: rows})
            c.run(steps[op][1], {i: [-1, 1], g: rows})
        c.run(steps[0][1], {i: [1], g: rows})


def record_repeated(name, use_resource):
    with Case(name, "SparseApply* of %s variables with rows that come again" % ("resource" if use_resource else "reference"), rtol=1e-5, atol=1e-5) as c:
        i = tf.placeholder(tf.int32, [None], "i")
        g = tf.placeholder(tf.float32, [None, 2 if use_resource else 1], "g")
        steps = steps_of(i, g, use_resource)
        c.init()
        width = int(g.shape[1])
        for dtype, step in steps:
            rows = (np.arange(6 * width).reshape(6, width) % 7 / 2 - 1).astype(np.float32)
            c.run(step, {i: [2, 0, 2, 2, 1, 0], g: rows}, **(dict(rtol=1e-2, atol=1e-2) if dtype == tf.float16 else {}))
        c.run(steps[0][1], {i: [3, 3, 4, 3], g: np.ones([4, width])})
        c.run(steps[0][1], {i: [3, 3], g: np.ones([2, width])})


def record_scalars(name):
    with Case(name, "scalars that steps of some rows refuse, before they look at the rows") as c:
        slots, g = [tf.get_variable("v%d" % k, initializer=np.ones([2, 2], np.float32), use_resource=True) for k in range(3)], tf.ones([1, 2])
        i = tf.placeholder(tf.int32, [1], "i")
        c.init()
        for op in ("ProximalAdagrad", "Ftrl", "FtrlV2"):
            labels, scalars, _ = OPS[op]
            fed = {key: tf.placeholder(tf.float32, [], op + "_" + key) for key in scalars}
            for options in ([{}] if op == "ProximalAdagrad" else [{}, dict(multiply_linear_by_lr=True)]):
                done = getattr(raw, "ResourceSparseApply" + op)(grad=g, indices=i, **{label: v.handle for label, v in zip(labels.split(), slots)}, **fed, **options)
                for key in scalars:
                    for value in (0, -1, np.nan):
                        if (key, value) not in (("lr_power", -1), ("lr_power", 0), ("l1", 0), ("l2", 0), ("l2_shrinkage", 0)):
                            feeds = {fed[k]: value if k == key else scalars[k] for k in scalars}
                            c.run(done, {**feeds, i: [1 if key == "lr" and value == 0 else 7]})


def step_of(op, shape, dtype, fed, options={}):
    """A step of one op on all rows of variables of its own; what comes of them."""
    slots, scalars, _ = OPS[op]
    scalars = {key: fed.get(key, tf.constant(value, tf.int64 if key == "global_step" else dtype)) for key, value in scalars.items()}
    numbers = np.random.RandomState(len(op)).uniform(0.1, 2, (len(slots.split()),) + shape)
    variables = [tf.get_variable("%s_%d" % (tf.get_default_graph().unique_name(op), k), initializer=n.astype(dtype.as_numpy_dtype), use_resource=True)
                 for k, n in enumerate(numbers)]
    g = tf.constant(np.random.RandomState(5).normal(size=shape), dtype)
    done = getattr(raw, "ResourceSparseApply" + op)(grad=g, indices=np.arange(shape[0]), **{label: v.handle for label, v in zip(slots.split(), variables)},
                                                    **scalars, **options)
    with tf.control_dependencies([done]):
        return [v.read_value() for v in variables]


def record_order(name):
    with Case(name, "SparseApply* to the last bit: the order of operations", rtol=0, atol=0) as c:
        exact = [("Momentum", dict(use_nesterov=True)), ("KerasMomentum", dict(use_nesterov=True)), ("AdagradDA", {}),
                 ("ProximalGradientDescent", {}), ("Ftrl", {}), ("FtrlV2", dict(multiply_linear_by_lr=True))]
        steps = [step_of(op, (2, 24), dtype, {}, options) for op, options in exact for dtype in (tf.float32, tf.float64)]
        c.init()
        for step in steps:
            c.run(step, {})


def record_edges(name):
    with Case(name, "sparse steps by an l1 that is not above 0, by no step or fewer, and of rows without elements", rtol=1e-5, atol=1e-6) as c:
        l1, count = tf.placeholder(tf.float32, [], "l1"), tf.placeholder(tf.int64, [], "count")
        steps = [step_of(op, (2, width), tf.float32, dict(l1=l1, global_step=count)) for op in ("ProximalGradientDescent", "ProximalAdagrad", "AdagradDA")
                 for width in (3, 1)]
        rows = tf.placeholder(tf.float32, [None, None], "rows")
        i = tf.placeholder(tf.int32, [None], "i")
        lr = tf.placeholder(tf.float32, [], "lr")
        slots = [tf.get_variable("v%d" % k, initializer=np.ones([4, 0], np.float32), use_resource=True) for k in range(4)]
        empty = []
        for op, (labels, scalars, _) in OPS.items():
            values = {key: lr if key == "lr" else tf.constant(value, tf.int64 if key == "global_step" else tf.float32) for key, value in scalars.items()}
            empty.append(getattr(raw, "ResourceSparseApply" + op)(grad=rows, indices=i, **{label: v.handle for label, v in zip(labels.split(), slots)}, **values))
        c.init()
        for step in steps:
            for value in (0.3, 0, -0.3, np.nan):
                c.run(step, {l1: value, count: 3})
        for step in steps[4:]:
            for value in (0, -1):
                c.run(step, {l1: 0.3, count: value})
        for step in empty:
            c.run(step, {rows: np.zeros([2, 0]), i: [1, 0], lr: 0.1})
            c.run(step, {rows: np.zeros([0, 0]), i: [], lr: 0.1})
            c.run(step, {rows: np.zeros([2, 0]), i: [1, 7], lr: 0.1})
            c.run(step, {rows: np.zeros([2, 0]), i: [1, 7], lr: -1})


only = set(sys.argv[1:])
for make, name, use_resource in [(record, "sparsetraining_v1", False), (record, "sparsetraining_v2", True),
                                 (record_repeated, "sparsetraining_again_v1", False), (record_repeated, "sparsetraining_again_v2", True)]:
    if not only or name in only:
        make(name, use_resource)
for make, name in [(record_scalars, "sparsetraining_scalars"), (record_order, "sparsetraining_order"), (record_edges, "sparsetraining_edges")]:
    if not only or name in only:
        make(name)
