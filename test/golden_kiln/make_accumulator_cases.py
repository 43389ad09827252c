# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records gradients that runs add up and take, whole ones and rows. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops


def dense():
    with Case("accumulator_dense", "means and sums of gradients, by reference and by handle", rtol=1e-6, atol=0) as case:
        for prefix in ("", "Resource"):
            make, add, take, count, move = (
                getattr(raw, prefix + n)
                for n in ("ConditionalAccumulator", "AccumulatorApplyGradient", "AccumulatorTakeGradient", "AccumulatorNumAccumulated", "AccumulatorSetGlobalStep")
            )
            required = tf.placeholder(tf.int32, None, name=f"required_{prefix}")
            step = tf.placeholder(tf.int64, None, name=f"step_{prefix}")
            # A graph with an accumulator of another type does not run at all in TensorFlow.
            for dtype in ("float16", "float32", "float64"):
                x = tf.placeholder(dtype, None, name=f"x_{prefix}{dtype}")
                for reduction in ("MEAN", "SUM"):
                    handle = make(dtype=dtype, shape=None, reduction_type=reduction, shared_name=f"{prefix}{dtype}{reduction}")
                    adding, taking = add(handle=handle, local_step=step, gradient=x), take(handle=handle, num_required=required, dtype=dtype)
                    for k in range(3):
                        case.run(adding, {x: np.arange(6).reshape(2, 3) * 9 + k * k, step: 0})
                    case.run([count(handle=handle)])
                    case.run([taking], {required: 2})
                    case.run([count(handle=handle)])
            x = tf.placeholder("float32", None, name=f"shaped_{prefix}")
            handle = make(dtype="float32", shape=[2, None], shared_name=prefix + "shaped")
            adding, taking, number, moving = (
                add(handle=handle, local_step=step, gradient=x),
                take(handle=handle, num_required=required, dtype="float32"),
                count(handle=handle),
                move(handle=handle, new_global_step=step),
            )
            case.run(adding, {x: np.ones([3, 3]), step: 0})
            case.run(adding, {x: np.ones([2]), step: 0})
            case.run(adding, {x: np.ones([2, 3]), step: 0})
            case.run(adding, {x: np.ones([2, 2]), step: 0})
            case.run(number)
            case.run(taking, {required: 0})
            case.run(taking, {required: -3})
            case.run(taking, {required: 1})
            case.run(adding, {x: np.ones([2, 2]), step: 0})  # of a step that has been
            case.run(number)
            case.run(adding, {x: np.ones([2, 2]), step: 1})
            case.run(number)
            case.run(moving, {step: 7})
            case.run(adding, {x: np.ones([2, 2]), step: 6})
            case.run(number)
            case.run(adding, {x: np.ones([5, 5]), step: 6})  # is not looked at
            case.run(adding, {x: np.full([2, 2], 4), step: 7})
            case.run(taking, {required: 2})
            case.run(adding, {x: np.zeros([2, 0]), step: 9})
            case.run(taking, {required: 1})
            other = tf.placeholder("float64", None, name=f"other_{prefix}")
            case.run(add(handle=handle, local_step=step, gradient=other), {other: 1, step: 9})


def sparse():
    with Case("accumulator_sparse", "rows of gradients, whose counts are their own", rtol=1e-6, atol=0) as case:
        for reduction in ("MEAN", "SUM"):
            i, shape, step = (tf.placeholder(tf.int64, None, name=f"{n}_{reduction}") for n in ("indices", "shape", "step"))
            x = tf.placeholder("float32", None, name=f"values_{reduction}")
            required = tf.placeholder(tf.int32, None, name=f"required_{reduction}")
            handle = raw.SparseConditionalAccumulator(dtype="float32", shape=[5, None], reduction_type=reduction)
            known, free = (
                raw.SparseAccumulatorApplyGradient(handle=handle, local_step=step, gradient_indices=i, gradient_values=x, gradient_shape=shape, has_known_shape=k)
                for k in (True, False)
            )
            taking = list(raw.SparseAccumulatorTakeGradient(handle=handle, num_required=required, dtype="float32"))
            number = raw.AccumulatorNumAccumulated(handle=handle)

            def add(op, rows, values, of=(), at=0):
                case.run(op, {i: rows, x: values, shape: of, step: at})

            add(known, [1, 3], np.ones([2, 2]), [5, 2])
            add(known, [0, 3], np.full([2, 2], 3), [5, 2])
            add(free, [0, 3, 4], np.full([3, 2], 7))
            case.run(number)
            case.run(taking, {required: 3})
            add(known, [2], np.ones([1, 2]), [4, 2])  # of a step that has been: is not looked at
            for op, rows, values, of in (
                (known, [1], np.ones([1, 2]), [4, 2]),
                (known, [1], np.ones([1, 2]), [5]),
                (free, [7], np.ones([1, 2]), []),
                (free, [1], np.ones([1]), []),
                (free, [1], 1.0, []),
                (free, [[1]], np.ones([1, 2]), []),
                (free, [1], np.ones([2, 2]), []),
            ):
                add(op, rows, values, of, 1)
            case.run(number)
            add(free, [], np.ones([0, 2]), at=1)
            add(free, [3, 3], np.ones([2, 2]), at=1)
            add(free, [3], np.ones([1, 3]), at=1)
            add(free, [3], np.ones([1, 2, 2]), at=1)
            add(free, [0, 3], np.ones([2, 2]), at=1)
            case.run(taking, {required: 1})
            case.run(taking, {required: 0})
            add(free, [4], np.ones([1, 1, 2]), at=2)
            case.run(taking, {required: 1})
            case.run(number)


def averaged():
    with Case("accumulator_program", "a step of two workers' gradients, as SyncReplicasOptimizer takes them", rtol=1e-6, atol=0) as case:
        w = tf.Variable([1.0, 2.0], name="w")
        x = tf.placeholder(tf.float32, [2], name="x")
        gradient = tf.gradients(tf.reduce_sum(tf.square(w * x)), w)[0]
        sums = tf.ConditionalAccumulator(tf.float32, shape=[2], shared_name="w_grad")
        add = sums.apply_grad(gradient, local_step=0)
        step = tf.train.GradientDescentOptimizer(0.1).apply_gradients([(sums.take_grad(2), w)])
        case.run(w.initializer)
        for k in range(3):
            case.run(sums.set_global_step(0))
            case.run(add, {x: [1, k]})
            case.run(add, {x: [2, -k]})
            case.run([step, sums.num_accumulated()][:1])
            case.run([w, sums.num_accumulated()])


if __name__ == "__main__":
    for record in (dense, sparse, averaged):
        if len(sys.argv) == 1 or record.__name__ in sys.argv[1:]:
            record()
