# What the checks share: the files of the tree, and how a check ends.
import os
import sys

ROOT = os.path.abspath(sys.argv[1])
FOLDERS = ["bench", "capi", "cmake", "dialect", "docs", "examples", "include", "lib", "passes", "python", "runtime",
           "test", "tools"]


def files(*suffixes):
    """Yields the paths, relative to the root, of the files whose names end in one of the suffixes."""
    for folder in FOLDERS:
        for directory, subfolders, names in os.walk(os.path.join(ROOT, folder)):
            subfolders.sort()
            for name in sorted(names):
                if name.endswith(suffixes):
                    yield os.path.relpath(os.path.join(directory, name), ROOT)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def finish(problems, checked):
    for problem in problems:
        print(problem)
    print(f"{checked}: {len(problems)} problems")
    sys.exit(1 if problems else 0)
