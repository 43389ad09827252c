# The golden cases and the benchmark graphs equal those of ../shared, of which they are copies. Here a case is an archive, there a
# folder; what says so is our own.
import os
import sys

from tree import ROOT, finish

sys.path.append(os.path.join(ROOT, "tools/golden"))
import cases

COPIES = [("test/golden", "golden"), ("bench/graphs", "bench/graphs")]
OURS = ["test/golden/README.md", "test/golden/recorder.py"]


def contents(folder):
    """The files below a folder, and those of its archives as if they were unpacked: contents by name."""
    found = {}
    for name in cases.files_below(folder):
        path = os.path.join(folder, name)
        if name.endswith(cases.SUFFIX):
            found |= {os.path.join(cases.name_of(name), member): data for member, data in cases.read(path).items()}
        elif not name.endswith(".pyc"):
            with open(path, "rb") as file:
                found[name] = file.read()
    return found


problems = []
compared = 0
for copy, original in COPIES:
    there = os.path.join(ROOT, "..", "shared", original)
    if not os.path.isdir(there):
        print(f"{copy}: nothing to compare with, there is no {os.path.normpath(there)}")
        continue
    ours, theirs = contents(os.path.join(ROOT, copy)), contents(there)
    compared += len(ours.keys() | theirs.keys())
    for name in sorted(ours.keys() | theirs.keys()):
        if f"{copy}/{name}" in OURS:
            continue
        if name not in ours or name not in theirs:
            problems.append(f"{copy}/{name} is missing {'there' if name in ours else 'here'}")
        elif ours[name] != theirs[name]:
            problems.append(f"{copy}/{name} differs from the original")
finish(problems, f"copies of {compared} files")
