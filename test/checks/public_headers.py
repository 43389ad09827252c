# Each public header compiles alone, with g++ and nothing but include/ on the path.
import os
import shutil
import subprocess
import sys

from tree import ROOT, files, finish

headers = [path for path in files(".h") if path.startswith("include/")]
if not shutil.which("g++"):
    sys.exit("expected g++ (Debian package g++)")
problems = []
for header in headers:
    include = os.path.relpath(header, "include")
    result = subprocess.run(
        ["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++",
         "-I", os.path.join(ROOT, "include"), "-"],
        input=f'#include "{include}"\n', capture_output=True, text=True)
    if result.returncode:
        problems.append(f"{header} does not compile alone:\n{result.stderr}")
finish(problems, f"{len(headers)} public headers with g++")
