# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Restores with TensorFlow what Kiln saved: restore_with_tensorflow.py KILN_RUN [--large].

TensorFlow makes graphs with variables and savers; kiln-run gives the variables their values and saves them; TensorFlow
restores these files, and the values are compared, bit by bit, with those that it computes itself. Then the other way
round. With --large also 1 GiB. It takes a Python that has tensorflow; the first thing that is wrong ends it.
"""
import glob
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
kiln_run = sys.argv[1]

NUMBERS = ["float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
           "uint64", "bool", "complex64", "complex128"]


def add_every_dtype():
    bits = np.arange(24, dtype=np.float64).reshape(4, 6) * 1.7 - 11
    for name in NUMBERS:
        dtype = tf.as_dtype(name)
        values = bits > 0 if name == "bool" else np.abs(bits) if name.startswith("u") else bits
        with np.errstate(all="ignore"):
            tf.get_variable(name, initializer=tf.constant(values.astype(dtype.as_numpy_dtype), dtype))
    for name, bits in ("nan", [0x7fc12345, 0xff812345, 0x80000000]), ("denormals", [1, 0x80000001, 0x007fffff]):
        tf.get_variable(name, initializer=tf.constant(np.array(bits, np.uint32).view(np.float32)))


def add_strings():
    tf.get_variable("texts", initializer=tf.constant([[b"", b"one"], [b"nul \0 in it", bytes(range(256))]]))
    tf.get_variable("long", initializer=tf.constant(b"kiln" * 100_000))
    tf.get_variable("no_texts", initializer=tf.constant([], tf.string))


def add_scalars_and_empty():
    tf.get_variable("scalar", initializer=tf.constant(2.5))
    tf.get_variable("step", initializer=tf.constant(7, tf.int64))
    for shape in (0,), (3, 0, 2):
        tf.get_variable("empty_%d" % len(shape), initializer=tf.zeros(shape))


def add_slices():
    for name, dtype, shape, partitioner in (
            ("rows", tf.float32, [10, 3], tf.fixed_size_partitioner(3)),
            ("columns", tf.float64, [4, 7], tf.fixed_size_partitioner(2, axis=1)),
            ("halfs", tf.bfloat16, [5, 2], tf.fixed_size_partitioner(5))):
        count = np.prod(shape)
        tf.get_variable(name, shape, dtype, partitioner=partitioner,
                        initializer=lambda shape, dtype, partition_info: tf.cast(
                            tf.reshape(tf.range(np.prod(shape)), shape) + 100 * sum(partition_info.var_offset), dtype))


def add_resources():
    with tf.variable_scope("", use_resource=True):
        add_scalars_and_empty()
        tf.get_variable("w", initializer=tf.constant(np.linspace(0, 1, 1000)))


def add_large():
    for i in range(16):
        tf.get_variable("part%d" % i, initializer=tf.cast(tf.range(i, i + (1 << 24)), tf.float32))


def try_program(name, add, folder):
    prefix, graph_file = os.path.join(folder, name, "model"), os.path.join(folder, name + ".pb")
    os.mkdir(os.path.dirname(prefix))
    with tf.Graph().as_default() as graph:
        add()
        variables = tf.global_variables()
        init = tf.global_variables_initializer()
        saver = tf.train.Saver(filename=prefix)
        with open(graph_file, "wb") as file:
            file.write(graph.as_graph_def().SerializeToString())
        with tf.Session() as session:
            session.run(init)
            expected = session.run(variables)

    def kiln(*options):
        subprocess.run([kiln_run, graph_file, *options], check=True, stdout=subprocess.DEVNULL)

    def check(what):
        with tf.Session(graph=graph) as session:
            saver.restore(session, prefix)
            for variable, want, got in zip(variables, expected, session.run(variables)):
                want, got = np.asarray(want), np.asarray(got)
                same = want.tolist() == got.tolist() if want.dtype == object else want.tobytes() == got.tobytes()
                if got.dtype != want.dtype or got.shape != want.shape or not same:
                    sys.exit(f"wrong: {name}, {what}: {variable.name}")

    save = "save/control_dependency:0"
    kiln(f"--init={init.name}", "--fetch", save)
    check("a first save")
    kiln(f"--init={init.name}", "--fetch", save)
    if not glob.glob(prefix + ".data-00000-of-00002"):
        sys.exit(f"wrong: {name}: expected two files of data where a prefix is written again")
    check("the same prefix again")
    # TensorFlow's files, which Kiln restores and saves once more.
    for file in glob.glob(prefix + ".*"):
        os.remove(file)
    with tf.Session(graph=graph) as session:
        session.run(init)
        saver.save(session, prefix, write_meta_graph=False, write_state=False)
    kiln("--init=save/restore_all", "--fetch", save)
    check("restored from TensorFlow's files")
    size = sum(variable.nbytes if variable.dtype != object else 0 for variable in map(np.asarray, expected))
    print(f"restored: {name}, {len(variables)} variables, {size} bytes", flush=True)


programs = {"every dtype": add_every_dtype, "strings": add_strings, "scalars and empty": add_scalars_and_empty,
            "slices": add_slices, "resources": add_resources}
if "--large" in sys.argv:
    programs["1 GiB"] = add_large
with tempfile.TemporaryDirectory() as temporary:
    for number, (title, program) in enumerate(programs.items()):
        try_program(title.replace(" ", "_"), program, temporary)
print(f"all restored by TensorFlow {tf.__version__}")
