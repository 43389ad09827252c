# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes UnicodeScripts.def: the script that TensorFlow's UnicodeScript says of each character. Run it with a Python that has TensorFlow."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tensorflow.compat.v1 as tf

HEAD = """// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scripts of the characters of Unicode 13, by ICU's numbers; by
// make_unicode_scripts.py.
//
// KILN_SCRIPT: a script, and the first of the characters of it that end before
// the next entry's.
#ifndef KILN_SCRIPT
#define KILN_SCRIPT(...)
#endif
// clang-format off
"""
with tf.Graph().as_default(), tf.Session() as session:
    scripts = session.run(tf.raw_ops.UnicodeScript(input=tf.range(0x110000)))
entries = [f"KILN_SCRIPT({c:#x}, {script})" for c, script in enumerate(scripts) if c == 0 or scripts[c - 1] != script]
lines = [""]
for entry in entries:
    if len(lines[-1]) + len(entry) >= 80:
        lines.append("")
    lines[-1] += (" " if lines[-1] else "") + entry
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "UnicodeScripts.def"), "w") as file:
    file.write(HEAD + "\n".join(lines) + "\n// clang-format on\n#undef KILN_SCRIPT\n")
