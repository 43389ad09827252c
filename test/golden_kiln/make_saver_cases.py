# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records the nodes of TensorFlow's savers with all their arguments, and a MetaGraph without the attributes that have their ops'
defaults; test/unit/Save/SaverTest.cpp builds the same graph. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import tensorflow.compat.v1 as tf
from recorder import Case


def kinds():
    with Case("saver_kinds", "savers of references, handles and parts, sharded, reshaping, one after the other, by other names") as case:
        with tf.device("/cpu:0"):
            a = tf.Variable([1.0, 2.0], name="a")
            h = tf.get_variable("h", [3, 2], initializer=tf.ones_initializer(), use_resource=True)
        p = tf.get_variable("p", [5, 2], initializer=tf.zeros_initializer(), partitioner=tf.fixed_size_partitioner(2))
        q = tf.get_variable("q", [3], initializer=tf.zeros_initializer(), partitioner=tf.fixed_size_partitioner(2), use_resource=True)
        tf.Variable(1, trainable=False, name="local", collections=["local_variables"])
        tf.train.Saver()
        tf.train.Saver(sharded=True)
        tf.train.Saver([a, p], name="mine", reshape=True, restore_sequentially=True)
        tf.train.Saver([a, h], sharded=True, filename="f", restore_sequentially=True)
        tf.train.Saver({"x/a": a, "y": h}, restore_sequentially=True)
        case.run(["save/Read/DisableCopyOnRead"])
        case.init()
        case.run(["save/SaveV2/tensor_names:0", "mine/SaveV2/shape_and_slices:0", "save_2/filename:0", "save_3/RestoreV2/tensor_names:0", "save/Read_1/ReadVariableOp:0", "save/Read/DisableCopyOnRead"])
        tf.train.export_meta_graph(os.path.join(case.dir, "stripped.meta"), strip_default_attrs=True)


kinds()
