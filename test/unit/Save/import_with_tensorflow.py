# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports with TensorFlow the MetaGraph FILE that `KILN_WRITE_FLOWS=FILE MetaGraphTest` wrote, and differentiates through its branches
and loops: losses and gradients are those of test/golden_kiln/message_flows. Usage: import_with_tensorflow.py FILE"""
import io
import json
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../tools/golden"))
import cases

files = cases.read(cases.find("message_flows"))
arrays = {name: np.load(io.BytesIO(contents)) for name, contents in files.items() if name.endswith(".npy")}
tf.train.import_meta_graph(sys.argv[1])
graph = tf.get_default_graph()
loss, x = graph.get_tensor_by_name("loss:0"), graph.get_tensor_by_name("x:0")
fetches = [loss] + tf.gradients(loss, [x, tf.global_variables()[0]])
with tf.Session() as session:
    session.run("init")
    steps = [step for step in json.loads(files["case.json"])["steps"] if step["feeds"]]
    for step in steps:
        feeds = {name: arrays[value] for name, value in step["feeds"].items()}
        for got, expected in zip(session.run(fetches, feeds), step["expect"]):
            np.testing.assert_allclose(got, arrays[expected], rtol=1e-5)
runners = [[op.name for op in runner.enqueue_ops] for runner in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)]
assert runners == [["batch/fifo_queue_enqueue"] * 2, ["kept/cond/Merge:0"]], runners
print("%d runs equal, %d queue runners" % (len(steps), len(runners)))
