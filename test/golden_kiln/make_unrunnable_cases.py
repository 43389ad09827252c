# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records graphs in which some nodes cannot run: the others can. Run it with a Python that has TensorFlow, with the names
of cases or for all of them.
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


def nodes():
    with Case("unrunnable_nodes", "nodes that TensorFlow refuses only when they run, beside others", seed=7) as c:
        x = tf.placeholder("float32", [1, 2, 2, 1], "x")
        row = tf.placeholder("float32", [2], "row")
        one = tf.placeholder("int32", [1], "one")
        good = tf.add(x, 1.0, "good")
        v = tf.Variable(3.0, name="v", use_resource=False)
        bad = [
            raw.ResizeBilinear(images=x, size=[3, 3], align_corners=True, half_pixel_centers=True, name="corners"),
            raw.ResizeNearestNeighbor(images=x, size=[0, 3], name="no_height"),
            raw.Slice(input=row, begin=[1], size=[5], name="slice"),
            raw.MatrixBandPart(input=row, num_lower=one, num_upper=1, name="band"),
            raw.Sum(input=x, axis=[1, 1], name="axes"),
            raw.MirrorPad(input=row, paddings=[[3, 0]], mode="REFLECT", name="pad"),
            raw.NthElement(input=row, n=one, name="nth"),
            raw.OneHot(indices=[0], depth=one, on_value=1.0, off_value=0.0, name="depth"),
            raw.SegmentSum(data=row, segment_ids=[0, 0, 1], name="segments"),
            raw.SparseToDense(sparse_indices=[1], output_shape=[2, 2], sparse_values=1.0, default_value=0.0, name="dense"),
            raw.Roll(input=row, shift=[1], axis=[2], name="roll"),
            raw.TopKV2(input=row, k=one, name="top")[0],
            raw.RandomStandardNormal(shape=[2, -1], dtype=tf.float32, seed=1, seed2=1, name="normal"),
            raw.NonDeterministicInts(shape=tf.placeholder("float32", [1], "sizes"), name="entropy"),
        ]
        after = [tf.add(tensor, 1, "after_%d" % i) for i, tensor in enumerate(bad[:4])]
        feeds = {x: np.arange(4).reshape(1, 2, 2, 1), row: [4, 5], one: [1], "sizes:0": [2]}
        c.init()
        c.run([good, v], feeds)
        for tensor in bad + after:
            c.run(tensor, feeds)
            c.run(good, feeds)
        # What is fed does not run.
        c.run(after[2], {bad[2]: range(5)})
        c.run([good, bad[2]], feeds)
        c.run([good, v], feeds, session="another")


def slots():
    with Case("unrunnable_slots", "an optimizer's step without the values that it reads", rtol=1e-6) as c:
        for use_resource in (False, True):
            with tf.variable_scope("resource" if use_resource else "reference"):
                v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=use_resource)
                train = tf.train.AdamOptimizer(0.5).minimize(tf.reduce_sum(v * v))
            rest = [other for other in tf.global_variables(v.op.name.split("/")[0]) if other is not v]
            c.run(v.initializer)
            c.run(train)
            c.run(tf.variables_initializer(rest))
            c.run(train)
            c.run(v)


if __name__ == "__main__":
    for record in (nodes, slots):
        if len(sys.argv) == 1 or record.__name__ in sys.argv[1:]:
            record()
