# The golden cases and the benchmark graphs equal those of ../shared, of which they are copies.
import filecmp
import os

from tree import ROOT, finish

COPIES = [("test/golden", "golden"), ("bench/graphs", "bench/graphs")]


def relative_files(folder):
    return {os.path.relpath(os.path.join(directory, name), folder)
            for directory, _, names in os.walk(folder) for name in names if not name.endswith(".pyc")}


problems = []
compared = 0
for copy, original in COPIES:
    here = os.path.join(ROOT, copy)
    there = os.path.join(ROOT, "..", "shared", original)
    if not os.path.isdir(there):
        print(f"{copy}: nothing to compare with, there is no {os.path.normpath(there)}")
        continue
    names = relative_files(here) | relative_files(there)
    compared += len(names)
    _, different, unreadable = filecmp.cmpfiles(here, there, sorted(names), shallow=False)
    problems += [f"{copy}/{name} differs from the original" for name in different]
    problems += [f"{copy}/{name} is missing here or there" for name in unreadable]
finish(problems, f"copies of {compared} files")
