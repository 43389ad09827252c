# Files stay small, and begin with the license line and a sentence of purpose.
import os
import re

from tree import files, finish, read

LIMITS = {".cpp": 600, ".h": 250, ".td": 500, ".mlir": 200, ".def": 600, ".py": 300}
# CMakeLists.txt elsewhere: 40. Lists to which many add have one file a line.
LISTS = {"CMakeLists.txt": 150, "lib/Build/CMakeLists.txt": 80, "lib/Ops/CMakeLists.txt": 120, "runtime/CMakeLists.txt": 100}
LICENSE = ("// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. "
           "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception")
RECORDERS = "test/golden/"  # copies, kept as they are


def limit_of(path):
    if os.path.basename(path) == "CMakeLists.txt":
        return LISTS.get(path, 40)
    return LIMITS[os.path.splitext(path)[1]]


problems = []
count = 0
for path in files("CMakeLists.txt", *LIMITS):
    if path.startswith(RECORDERS):
        continue
    count += 1
    text = read(path)
    lines = text.splitlines()
    if len(lines) > limit_of(path):
        problems.append(f"{path}: expected at most {limit_of(path)} lines, got {len(lines)}")
    if path.endswith((".cpp", ".h", ".td", ".def")):
        # Whole: a formatter that breaks the line folds its end into the purpose.
        if len(lines) < 2 or lines[0] != LICENSE or not re.match(r"// \S", lines[1]):
            problems.append(f"{path}: expected the license line, then the purpose")
    if path.endswith(".h"):
        name = path.removeprefix("include/kiln/").removeprefix("include/")
        guard = "KILN_" + re.sub(r"[/.-]", "_", name).upper()
        if f"#ifndef {guard}\n#define {guard}\n" not in text:
            problems.append(f"{path}: expected header guard {guard}")
finish(problems, f"style of {count} files")
