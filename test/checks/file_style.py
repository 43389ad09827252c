# Files and functions stay small, and files begin with the license line and a sentence of purpose.
import os
import re

from tree import files, finish, read

LIMITS = {".cpp": 600, ".h": 250, ".td": 500, ".mlir": 200, ".def": 600, ".py": 400}
# CMakeLists.txt elsewhere: 40. Lists to which many add have one file a line.
LISTS = {"CMakeLists.txt": 150, "capi/CMakeLists.txt": 120, "test/capi/CMakeLists.txt": 80, "lib/Build/CMakeLists.txt": 80, "lib/Build/Ops/CMakeLists.txt": 80, "python/CMakeLists.txt": 120, "lib/Ops/CMakeLists.txt": 120, "runtime/CMakeLists.txt": 100}
LICENSE = ("// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. "
           "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception")
RECORDERS = "test/golden/"  # copies, kept as they are
LONGEST_FUNCTION = 80
# Functions that are one table.
TABLES = {
    "lib/Ops/Math/Lowering.cpp registerMathLowerings",
    "test/unit/Autodiff/GradientNumericTest.cpp unchecked",
    "test/unit/Ops/IndexBoundsTest.cpp indexedOps",
    "test/unit/errors/ControlFlowErrors.cpp controlFlowErrors",
    "test/unit/errors/GradientErrors.cpp gradientErrors",
    "test/unit/errors/RunErrors.cpp runErrors",
    "test/unit/errors/SessionErrors.cpp sessionErrors",
    "test/unit/errors/VariableErrors.cpp variableErrors",
}


def limit_of(path):
    if os.path.basename(path) == "CMakeLists.txt":
        return LISTS.get(path, 40)
    return LIMITS[os.path.splitext(path)[1]]


def functions(lines):
    """Yields the number of the first line, the name and the length of each function, by the formatter's layout."""
    classes = []  # the indentation of each class that a line is in
    first = end = None
    for number, line in enumerate(lines, 1):
        text = line.strip()
        indent = line[:len(line) - len(line.lstrip())]
        if end is not None:  # in a body
            if line.startswith(end):
                if name:
                    yield first, name, number - first + 1
                first = end = None
            continue
        if not text or text.startswith(("//", "#", "namespace ", "public:", "private:", "protected:", 'extern "C"')):
            first = first if text else None
            continue
        if classes and line.startswith(classes[-1] + "}"):
            classes.pop()
            first = None
            continue
        scope = classes[-1] + "  " if classes else ""
        if first is None:
            if indent != scope:
                continue
            first, head = number, ""
        head = f"{head} {text}".strip()
        if text.endswith("{"):
            if re.match(r"(template ?<.*?> )?(typedef )?(class|struct|union|enum) [^()]*\{$", head):
                classes.append(scope)
                first = None
            else:
                call = re.search(r"([\w~]+|operator\S+) ?\(", head)
                name = call[1] if call and not head.endswith("= {") else ""
                end = scope + "}"
        elif text.endswith((";", "}")):
            first = None


problems = []
tables = set()
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
    if path.endswith((".cpp", ".h")):
        for number, name, length in functions(lines):
            if length <= LONGEST_FUNCTION:
                continue
            if f"{path} {name}" in TABLES:
                tables.add(f"{path} {name}")
            else:
                problems.append(f"{path}:{number}: expected at most {LONGEST_FUNCTION} lines of {name}, got {length}")
    if path.endswith(".h"):
        name = path.removeprefix("include/kiln/").removeprefix("include/")
        guard = "KILN_" + re.sub(r"[/.-]", "_", name).upper()
        if f"#ifndef {guard}\n#define {guard}\n" not in text:
            problems.append(f"{path}: expected header guard {guard}")
problems += [f"{table}: expected more than {LONGEST_FUNCTION} lines" for table in sorted(TABLES - tables)]
finish(problems, f"style of {count} files")
