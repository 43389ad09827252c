# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes CaseMappings.def: what TensorFlow's StringLower and StringUpper make of each character, and how they take it for the final sigma.
Run it with a Python that has TensorFlow."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tensorflow.compat.v1 as tf

HEAD = """// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How characters of Unicode 13 change their case; by make_case_mappings.py.
//
// KILN_LOWER, KILN_UPPER: of every `step`-th character from `first` to `last`
// what is to be added; KILN_LOWERS, KILN_UPPERS: of one, up to three others.
// For the final sigma KILN_IGNORABLE: a range of those that are passed over;
// KILN_CASED: of letters that have a case, and are not.
"""
characters = [c for c in range(1, 0x110000) if not 0xD800 <= c <= 0xDFFF]


def changed(session, op, texts):
    given = tf.placeholder(tf.string)
    answers = session.run(op(input=given, encoding="utf-8"), {given: [text.encode() for text in texts]})
    return [answer.decode() for answer in answers]


def mappings(name, results):
    ranges, lines = [], []
    for c, text in zip(characters, results):
        if len(text) > 1:
            codes = [ord(t) for t in text] + [0] * (3 - len(text))
            lines.append(f"KILN_{name}S({c:#x}, {codes[0]:#x}, {codes[1]:#x}, {codes[2]:#x})")
        elif text != chr(c):
            delta, last = ord(text) - c, ranges[-1] if ranges else None
            if last and last[2] == delta and c - last[1] <= 2 and last[3] in (0, c - last[1]):
                last[1], last[3] = c, c - last[1]
            else:
                ranges.append([c, c, delta, 0])
    return [f"KILN_{name}({first:#x}, {last:#x}, {delta}, {step or 1})" for first, last, delta, step in ranges] + lines


def property(name, members):
    ranges = []
    for c, is_member in zip(characters, members):
        if is_member and ranges and ranges[-1][1] == c - 1:
            ranges[-1][1] = c
        elif is_member:
            ranges.append([c, c])
    return [f"KILN_{name}({first:#x}, {last:#x})" for first, last in ranges]


with tf.Graph().as_default(), tf.Session() as session:
    lower = changed(session, tf.raw_ops.StringLower, [chr(c) for c in characters])
    upper = changed(session, tf.raw_ops.StringUpper, [chr(c) for c in characters])
    # A sigma is final before what has no case, and looks behind what is ignorable.
    alone = [text[1] == "ς" for text in changed(session, tf.raw_ops.StringLower, ["aΣ" + chr(c) for c in characters])]
    before = [text[1] == "ς" for text in changed(session, tf.raw_ops.StringLower, ["aΣ" + chr(c) + "a" for c in characters])]
lines = mappings("LOWER", lower) + mappings("UPPER", upper)
lines += property("IGNORABLE", [a and not b for a, b in zip(alone, before)]) + property("CASED", [not a for a in alone])
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "CaseMappings.def")
names = "LOWER UPPER LOWERS UPPERS IGNORABLE CASED".split()
text, row = HEAD, ""
for name in names:
    text += f"#ifndef KILN_{name}\n#define KILN_{name}(...)\n#endif\n"
text += "// clang-format off\n"
for line in lines:
    if len(row) + len(line) > 79 or row and row.split("(")[0] != line.split("(")[0]:
        text, row = text + row.rstrip() + "\n", ""
    row += line + " "
text += row.rstrip() + "\n// clang-format on\n" + "".join(f"#undef KILN_{name}\n" for name in names)
with open(path, "w") as file:
    file.write(text)
