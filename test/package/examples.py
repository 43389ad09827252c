# Configures and builds the examples outside of the tree against the installed package, and runs some of them.
#   examples.py SOURCE INSTALLED COMPILER
import os
import re
import shutil
import subprocess
import sys

source, installed, compiler = sys.argv[1:4]
if not shutil.which(compiler):
    print(f"skipped: {compiler} is not installed")
    sys.exit(77)


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}: {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


project = os.path.join(installed, f"examples-{compiler}", "examples")
build = os.path.join(installed, f"examples-{compiler}", "build")
shutil.rmtree(os.path.dirname(project), ignore_errors=True)
shutil.copytree(os.path.join(source, "examples"), project)
run("cmake", "-S", project, "-B", build, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
    "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror", "-DCMAKE_PREFIX_PATH=" + os.path.join(installed, "prefix"),
    *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("LLVM", "MLIR", "Protobuf")))
run("cmake", "--build", build, "-j2")
programs = [name for name in os.listdir(project) if name.endswith(".cpp")]
missing = [name for name in programs
           if not os.path.exists(os.path.join(build, "kiln-example-" + name[:-4].replace("_", "-")))
           and not (name == "demo.cpp" and os.path.exists(os.path.join(build, "kiln-demo")))]
if missing:
    sys.exit(f"expected to be built: {', '.join(missing)}")
for program, expected in (("first-graph", "f = 42"), ("five-relus", "500 above 100"), ("lifetimes", "closed Session")):
    output = run(os.path.join(build, "kiln-example-" + program))
    if not re.search(expected, output):
        sys.exit(f"expected {program} to say '{expected}', got\n{output}")
print(f"{compiler}: {len(programs)} examples built outside of the tree")
