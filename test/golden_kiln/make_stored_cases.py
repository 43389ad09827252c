# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow keeps between runs under handles, and how it reads another vocabulary's matrix. Run it with a Python that has TensorFlow."""
import os
import shutil
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

from tensorflow.python.ops import session_ops

raw = tf.raw_ops


class Handle(bytes):
    """What a handle is made of, in place of the object that Python makes of it."""

    def __new__(cls, handle, dtype, session):
        return bytes.__new__(cls, handle)


session_ops.TensorHandle = Handle
PLACES = [[0, 1], [0, 3], [2, 0], [2, 2], [2, 3]]

with Case("stored_tensors", "tensors that a session keeps under handles; sparse tensors in a map", rtol=0, atol=0) as case:
    x, handle = tf.placeholder(tf.float32, None, "x"), tf.placeholder(tf.string, None, "handle")
    kept, kept_text = raw.GetSessionHandle(value=x * 2, name="kept"), raw.GetSessionHandle(value=tf.as_string(tf.cast(x, tf.int32)), name="kept_text")
    given, given_text = raw.GetSessionTensor(handle=handle, dtype=tf.float32), raw.GetSessionTensor(handle=handle, dtype=tf.string)
    forget = raw.DeleteSessionTensor(handle=handle)
    PLACE = b"/job:localhost/replica:0/task:0/device:CPU:0"
    first, second, third = b"kept;0;" + PLACE, b"kept_text;1;" + PLACE, b"kept;2;" + PLACE
    case.run(kept, {x: [1, 2]})
    case.run(kept_text, {x: [[1, 2]]})
    case.run(kept, {x: 3})
    case.run([given, given + 1], {handle: first})
    case.run(given_text, {handle: second})
    case.run(given, {handle: third})
    case.run(forget, {handle: first})
    for of in (first, b"", np.array([third], object)):
        case.run(given, {handle: of})
        case.run(forget, {handle: of})
    i, v, s = tf.placeholder(tf.int64, None, "i"), tf.placeholder(tf.float32, None, "v"), tf.placeholder(tf.int64, None, "s")
    one = raw.AddSparseToTensorsMap(sparse_indices=i, sparse_values=v, sparse_shape=s, shared_name="numbers")
    many = raw.AddManySparseToTensorsMap(sparse_indices=i, sparse_values=v, sparse_shape=s, shared_name="numbers")
    words = raw.AddManySparseToTensorsMap(sparse_indices=i, sparse_values=tf.as_string(tf.cast(v, tf.int32)), sparse_shape=s, name="words")
    handles = tf.placeholder(tf.int64, None, "handles")
    taken = list(raw.TakeManySparseFromTensorsMap(sparse_handles=handles, dtype=tf.float32, shared_name="numbers"))
    taken_words = list(raw.TakeManySparseFromTensorsMap(sparse_handles=handles, dtype=tf.string, shared_name="words"))
    usual = {i: PLACES, v: [1, 2, 3, 4, 5], s: [3, 4]}
    case.run(one, usual)
    case.run(many, usual)
    case.run(words, usual)
    case.run(one, {i: [[7, 0, 1]], v: [9], s: [8, 1, 2]})
    case.run(one, {**usual, s: [9, 2]})
    case.run(taken, {handles: [0, 5]})
    case.run(taken, {handles: [1, 3, 2]})
    case.run(taken, {handles: [1]})
    case.run(taken_words, {handles: [2, 0]})
    case.run(taken_words, {handles: [0]})
    case.run(many, {i: np.zeros([0, 2]), v: [], s: [2, 4]})
    case.run(taken, {handles: [7, 6]})
    case.run(one, usual)
    case.run(taken, {handles: [4, 8]})
    case.run(list(raw.TakeManySparseFromTensorsMap(sparse_handles=handles, dtype=tf.int32, shared_name="words")), {handles: [1]})
    for of in ([], [[1]], [-1]):
        case.run(taken, {handles: of})
    for wrong in ({i: [0]}, {v: [[1]]}, {s: [[3, 4]]}, {v: [1]}, {s: [3, 4, 5]}, {s: [3, -4]}):
        case.run(one, {**usual, **wrong})
        case.run(many, {**usual, **wrong})
    for wrong in ({i: [[0], [1], [2], [3], [4]], s: [5]}, {i: PLACES[::-1]}, {i: [[0, 1], [0, 1], [2, 0], [2, 2], [2, 3]]}, {s: [2, 4]}):
        case.run(many, {**usual, **wrong})

ROOT = "/tmp/kiln_golden/vocabulary"
shutil.rmtree(ROOT, ignore_errors=True)

with Case("checkpoint_vocabulary", "GenerateVocabRemapping and LoadAndRemapMatrix of files that the case writes below /tmp/kiln_golden", rtol=0, atol=0) as case:
    name, contents = tf.placeholder(tf.string, None, "name"), tf.placeholder(tf.string, None, "contents")
    write = raw.WriteFile(filename=name, contents=contents)
    for path, text in (("new", b"knitting\neminem\nhuff\nnone\neminem"), ("gap", b"knitting\n\nhuff"), ("old", b"eminem\r\nknitting\ncabbage\nhuff"), ("twice", b"a\nb\na\n"), ("empty", b"")):
        case.run(write, {name: f"{ROOT}/{path}".encode(), contents: text})
    new, old = tf.placeholder(tf.string, None, "new"), tf.placeholder(tf.string, None, "old")
    both = {new: f"{ROOT}/new".encode(), old: f"{ROOT}/old".encode()}

    def remapped(offset, count, size=-1):
        return list(raw.GenerateVocabRemapping(new_vocab_file=new, old_vocab_file=old, new_vocab_offset=offset, num_new_vocab=count, old_vocab_size=size))

    for settings in ((0, 3), (0, 5), (1, 2), (2, 0), (0, 3, 1), (0, 3, 4)):
        case.run(remapped(*settings), both)
    for settings in ((0, 6), (5, 1), (0, 3, 5)):
        case.run(remapped(*settings), both)
    plain = remapped(0, 1)
    for wrong in ({new: b""}, {old: b""}, {new: f"{ROOT}/none".encode()}, {old: f"{ROOT}/none".encode()}, {new: np.array([both[new]], object)}, {old: np.array([both[old]], object)},
                  {new: f"{ROOT}/empty".encode()}):
        case.run(plain, {**both, **wrong})
    case.run(plain, {**both, new: f"{ROOT}/twice".encode()})
    case.run(plain, {**both, old: f"{ROOT}/twice".encode()})
    case.run(plain, {**both, new: f"{ROOT}/gap".encode()})
    x = tf.placeholder(tf.float32, None, "x")
    save = raw.SaveV2(prefix=f"{ROOT}/ckpt", tensor_names=["m", "i", "v"], shape_and_slices=["", "", ""], tensors=[x, tf.cast(x, tf.int32), x[0]])
    case.run(save, {x: np.arange(12).reshape(4, 3) + 1})
    prefix, of = tf.placeholder(tf.string, None, "prefix"), tf.placeholder(tf.string, None, "of")
    rows, columns, fill = tf.placeholder(tf.int64, None, "rows"), tf.placeholder(tf.int64, None, "columns"), tf.placeholder(tf.float32, None, "fill")
    usual = {prefix: f"{ROOT}/ckpt".encode(), of: b"m", rows: [2, -1, 0], columns: [], fill: [7, 8, 9]}

    def matrix(num_rows, num_cols, at_once=-1):
        return raw.LoadAndRemapMatrix(ckpt_path=prefix, old_tensor_name=of, row_remapping=rows, col_remapping=columns, initializing_values=fill,
                                      num_rows=num_rows, num_cols=num_cols, max_rows_in_memory=at_once)

    square, small = matrix(3, 3), matrix(3, 3, 1)
    for given in ({}, {rows: [3, 1, 2], fill: []}, {rows: [-1, -1, -1], fill: np.arange(9)}, {columns: [2, 0, 1]}, {columns: [-1, 0, -1], fill: np.arange(7)}):
        case.run([square, small, matrix(3, 3, 2)], {**usual, **given})
    case.run(matrix(3, 2), {**usual, columns: [2, 1], fill: [7, 8]})
    case.run(matrix(0, 3), {**usual, rows: [], fill: []})
    for wrong in ({of: b"none"}, {of: b"i"}, {of: b"v"}, {prefix: f"{ROOT}/none".encode()}, {rows: [1, 2]}, {rows: [[1, 2, 3]]}, {rows: [1, 1, 2], fill: []}, {columns: [1, 1, 2]}, {columns: [1]},
                  {fill: [7, 8]}, {fill: [7, 8, 9, 10]}, {rows: [4, 1, 2], fill: []}):
        case.run(square, {**usual, **wrong})
    case.run(matrix(3, 2), usual)
