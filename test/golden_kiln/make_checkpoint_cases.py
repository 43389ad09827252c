# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records checkpoints of version 1, as TensorFlow wrote them, of every dtype, whole and in parts, in one file and sharded. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

V1 = tf.train.SaverDef.V1
NUMBERS = [np.float32, np.float64, np.int32, np.int64, np.uint8, np.int16, np.int8, np.float16]


def version1():
    with Case("saver_version1", "checkpoints of version 1: every dtype, a scalar, no elements, equal elements, strings, a variable in three slices, and the same in shards", rtol=0, atol=0) as case:
        values = {"v_" + np.dtype(kind).name: np.arange(-2, 4).reshape(2, 3).astype(kind) for kind in NUMBERS}
        values.update(scalar=np.float32(7.5), empty=np.zeros([0, 3], np.float32), equal=np.full([400], 3.0, np.float32))
        values.update(truth=np.array([True, False, True]), texts=np.array([b"a", b"", b"b\0c"], object))
        variables = [tf.get_variable(name, initializer=tf.zeros_initializer() if value.dtype != object else tf.constant([b"", b"", b""]), shape=value.shape if value.dtype != object else None,
                                     dtype=tf.as_dtype(value.dtype) if value.dtype != object else None, use_resource=i % 2 == 0) for i, (name, value) in enumerate(values.items())]
        parts = tf.get_variable("parts", [7, 2], initializer=tf.zeros_initializer(), partitioner=tf.fixed_size_partitioner(3))
        tf.train.Saver(save_relative_paths=True)  # save, which the case restores from ckpt with
        one = tf.train.Saver(write_version=V1, save_relative_paths=True)
        # save_2, which it then restores some of them from ckpt_2 with
        sharded = tf.train.Saver(variables[:3], write_version=V1, sharded=True, save_relative_paths=True)
        everything = variables + list(parts)
        for folder in ("ckpt", "ckpt_2"):
            os.mkdir(os.path.join(case.dir, folder))
        case.init()
        session = case.session()
        for variable, value in zip(variables, values.values()):
            variable.load(value, session)
        for i, part in enumerate(parts):
            part.load(np.arange(np.prod(part.shape.as_list())).reshape(part.shape.as_list()) + 10.0 * i, session)
        one.save(session, os.path.join(case.dir, "ckpt", "all"), write_meta_graph=False)
        for variable in variables[:3]:
            variable.load(np.full([2, 3], 9), session)
        sharded.save(session, os.path.join(case.dir, "ckpt_2", "all"), write_meta_graph=False)
        case.run(everything)


if __name__ == "__main__":
    version1()
