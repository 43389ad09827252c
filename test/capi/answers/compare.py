# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a program's answers with recorded ones: compare.py PROGRAM RECORDED.

Lines of RECORDED's neighbour NAME.differs.txt are Kiln's own answers, each in
place of the recorded line that begins with the same words and has the same
number among those.
"""

import collections
import difflib
import pathlib
import subprocess
import sys


def with_differences(recorded, differences):
    """Puts Kiln's own lines in the places of the recorded ones."""
    ours = collections.defaultdict(list)
    for line in differences:
        ours[line.split(": ")[0]].append(line)
    expected = []
    for line in recorded:
        place = line.split(": ")[0]
        expected.append(ours[place].pop(0) if ours[place] else line)
    left = [line for lines in ours.values() for line in lines]
    return expected, left


def main(program, recorded):
    recorded = pathlib.Path(recorded)
    differs = recorded.with_suffix(".differs.txt")
    differences = [
        line for line in differs.read_text().splitlines() if line and not line.startswith("#")
    ] if differs.exists() else []
    expected, left = with_differences(recorded.read_text().splitlines(), differences)
    run = subprocess.run([program], stdout=subprocess.PIPE, text=True)
    got = run.stdout.splitlines()
    for line in difflib.unified_diff(expected, got, "recorded", "Kiln", lineterm="", n=1):
        print(line)
    for line in left:
        print(f"a difference of nothing: {line}")
    return 0 if run.returncode == 0 and expected == got and not left and got else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
