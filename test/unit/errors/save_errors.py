# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Savers, summaries and graphs that are imported."""
import os
import tempfile

import numpy as np
from error_cases import case, free, run, tf

# Savers.

def folder():
    return tempfile.mkdtemp()


case("savers/no_variables")(lambda: tf.train.Saver())


@case("savers/two_of_one_name")
def _():
    a = tf.Variable(1.0, name="a")
    tf.train.Saver([a, a])


@case("savers/one_under_two_names")
def _():
    a = tf.Variable(1.0, name="a")
    tf.train.Saver({"x": a, "y": a})


def saver(program):
    def run():
        a = tf.Variable([1.0, 2.0], name="a")
        session = tf.Session()
        session.run(tf.global_variables_initializer())
        program(tf.train.Saver(), session, os.path.join(folder(), "m"))
    return run


case("savers/no_checkpoint")(saver(lambda s, session, path: s.restore(session, "/nowhere/m")))
case("savers/path_as_latest_filename")(saver(lambda s, session, path: s.save(
    session, path, latest_filename="a/b")))
case("savers/latest_filename_collides")(saver(lambda s, session, path: s.save(
    session, "checkpoint", latest_filename="checkpoint")))


@case("savers/uninitialized")
def _():
    tf.Variable([1.0, 2.0], name="a")
    tf.train.Saver().save(tf.Session(), os.path.join(folder(), "m"))


def restored(**variable):
    def program():
        path = os.path.join(folder(), "m")
        with tf.Graph().as_default():
            tf.Variable([1.0, 2.0], name="a")
            session = tf.Session()
            session.run(tf.global_variables_initializer())
            tf.train.Saver().save(session, path)
        tf.Variable(**variable)
        tf.train.Saver().restore(tf.Session(), path)
    return program


case("savers/missing_key")(restored(initial_value=[1.0, 2.0], name="cc"))
case("savers/other_shape")(restored(initial_value=[1.0, 2.0, 3.0], name="a"))
case("savers/other_dtype")(restored(initial_value=[1, 2], name="a"))


@case("savers/saved_model_that_is_not_there")
def _():
    tf.saved_model.load(tf.Session(), ["serve"], "/nowhere")


# Summaries.

case("summaries/text")(lambda: tf.summary.text("t", tf.constant(1.0, name="x")))
case("summaries/image")(run(lambda: tf.summary.image("im", free(np.zeros([2, 3], np.float32)))))
case("summaries/channels")(run(lambda: tf.summary.image("im", free(np.zeros([1, 2, 3, 2], np.float32)))))
case("summaries/audio")(run(lambda: tf.summary.audio("au", free(np.zeros([2], np.float32)), 8000)))


# import_graph_def.

def imported(text, **options):
    def program():
        from google.protobuf import text_format
        graph = text_format.Parse(text, tf.GraphDef())
        for name in list(options.get("input_map", {})):
            options["input_map"][name] = options["input_map"][name]()
        tf.import_graph_def(graph, **options)
    return program


constant = ('node { name: "a" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" '
            'value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: 1 } } } } ')
negated = 'node { name: "b" op: "Neg" input: "a" attr { key: "T" value { type: DT_FLOAT } } } '
case("imports/input_that_is_not_there")(imported(
    constant + negated, input_map={"zz:0": lambda: tf.constant(1.0)}))
case("imports/tensor_that_is_not_there")(imported(constant + negated, return_elements=["zz:0"]))
case("imports/operation_that_is_not_there")(imported(constant + negated, return_elements=["zz"]))
case("imports/output_that_is_not_there")(imported(constant + negated, return_elements=["a:1"]))
case("imports/input_of_another_dtype")(imported(
    constant + negated, input_map={"a:0": lambda: tf.constant(1)}))
case("imports/unknown_input")(imported(negated.replace('"a"', '"missing"')))
case("imports/later_version")(imported(constant + "versions { producer: 99999 min_consumer: 99999 }"))
case("imports/unknown_op")(imported('node { name: "n" op: "Nope" }'))
case("imports/twice")(imported(constant + constant))
case("imports/no_scope")(imported(constant, name="a b"))
