# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow says of programs that are wrong: errors.json.

    TF_CPP_MIN_LOG_LEVEL=3 python record_errors.py errors.json

Each function of *_errors.py is a program of the error table of TensorFlow 1's rules that
C++ can write as well; the tests beside this file write it with Kiln and compare
the kind of error and its words. TensorFlow 2.21, compat.v1.
"""
import json
import re
import sys

from tensorflow.python.framework import ops

import graph_errors, image_errors, run_errors, save_errors, training_errors  # noqa: the programs add themselves
from error_cases import cases, tf


def words(error):
    """The message, without where in Python it was."""
    text = error.args[0] if isinstance(error, KeyError) else str(
        error.message if isinstance(error, tf.errors.OpError) else error)
    text = re.sub(r"Graph execution error:\n\n(Detected at .*?\nNode: [^\n]*\n)?", "", text, flags=re.S)
    text = re.sub(r"TensorArray a_\d+:", "TensorArray a_0:", text)
    return re.split(r" Originally defined at:|\n\nOriginal stack trace|\s*\[\[| \(graphs are "
                    r"| \(Previous registration", text)[0].rstrip()


def record(program):
    tf.reset_default_graph()
    try:
        with tf.Graph().as_default():
            program()
    except Exception as error:
        return [type(error).__name__, words(error)]
    return None


if __name__ == "__main__":
    recorded = {}
    for name, program in cases.items():
        recorded[name] = record(program)
        # What a program left open is not the next one's.
        ops._default_graph_stack.reset()
        if recorded[name] is None:
            print("no error:", name, file=sys.stderr)
            del recorded[name]
    with open(sys.argv[1], "w") as file:
        json.dump(recorded, file, indent=1, ensure_ascii=False)
        file.write("\n")
