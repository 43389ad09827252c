# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports with TensorFlow the MetaGraph FILE that `KILN_WRITE_FLOWS=FILE MetaGraphTest` wrote, and differentiates through its branches
and loops: losses and gradients are those of test/golden_kiln/message_flows. Usage: import_with_tensorflow.py FILE"""
import json
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../golden_kiln/message_flows")
tf.train.import_meta_graph(sys.argv[1])
graph = tf.get_default_graph()
loss, x = graph.get_tensor_by_name("loss:0"), graph.get_tensor_by_name("x:0")
fetches = [loss] + tf.gradients(loss, [x, tf.global_variables()[0]])
with tf.Session() as session:
    session.run("init")
    with open(os.path.join(folder, "case.json")) as file:
        steps = [step for step in json.load(file)["steps"] if step["feeds"]]
    for step in steps:
        feeds = {name: np.load(os.path.join(folder, value)) for name, value in step["feeds"].items()}
        for got, expected in zip(session.run(fetches, feeds), step["expect"]):
            np.testing.assert_allclose(got, np.load(os.path.join(folder, expected)), rtol=1e-5)
runners = [[op.name for op in runner.enqueue_ops] for runner in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)]
assert runners == [["batch/fifo_queue_enqueue"] * 2, ["kept/cond/Merge:0"]], runners
print("%d runs equal, %d queue runners" % (len(steps), len(runners)))
