# Every source is in the list of a CMakeLists.txt, its folder's or one above it.
import os
import re

from tree import ROOT, files, finish, read


def lists_of(path):
    """The text of a CMakeLists.txt, with the folder before each file of a kiln_op_family()."""
    return re.sub(r"^kiln_op_family\((\w+) ([^)]*)\)",
                  lambda row: " ".join(f"{row[1]}/{name}" for name in row[2].split()), read(path), flags=re.M)


def is_listed(path):
    folder = os.path.dirname(path)
    while True:
        for name in ["CMakeLists.txt", "KilnTargets.cmake"]:
            lists = os.path.join(folder, name)
            if os.path.exists(os.path.join(ROOT, lists)):
                name = os.path.relpath(path, folder or ".")
                if re.search(r'(^|[\s"(/])' + re.escape(name) + r'($|[\s")])', lists_of(lists)):
                    return True
        if not folder:
            return False
        folder = os.path.dirname(folder)


sources = list(files(".cpp", ".cc", ".proto"))
finish([f"{path} is in no CMakeLists.txt" for path in sources if not is_listed(path)],
       f"lists of {len(sources)} sources")
