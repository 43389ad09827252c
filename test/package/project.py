# Configures, builds and runs ./project outside of the tree against the installed package.
#   project.py SOURCE INSTALLED COMPILER GRAPH.pb
import os
import shutil
import subprocess
import sys

source, installed, compiler, graph = sys.argv[1:5]
if not shutil.which(compiler):
    print(f"skipped: {compiler} is not installed")
    sys.exit(77)


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}: {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


project = os.path.join(installed, f"source-{compiler}")
build = os.path.join(installed, f"project-{compiler}")
for folder in project, build:
    shutil.rmtree(folder, ignore_errors=True)
shutil.copytree(os.path.join(source, "test", "package", "project"), project)
shutil.copy(os.path.join(source, "examples", "readme.cpp"), project)
run("cmake", "-S", project, "-B", build, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
    "-DCMAKE_PREFIX_PATH=" + os.path.join(installed, "prefix"), "-DCMAKE_BUILD_TYPE=Release",
    # No package of a developer may be needed.
    *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("LLVM", "MLIR", "Protobuf", "Eigen3")))
run("cmake", "--build", build)
output = run(os.path.join(build, "readme"), graph)
run(os.path.join(build, "readme-asan"), graph)
for milliseconds in "1", "20", "50", "100", "200", "400":
    for program in (["exits"], ["exits-loading", os.path.join(build, "liblate.so")]):
        ended = subprocess.run([os.path.join(build, program[0]), milliseconds, *program[1:]], timeout=60)
        if ended.returncode:
            sys.exit(f"{program[0]} after {milliseconds} ms, while Kiln compiles: {ended.returncode}")
# A libkiln.so alone.
alone = os.path.join(build, "alone")
os.mkdir(alone)
for name in os.listdir(os.path.join(installed, "prefix", "lib")):
    if name.startswith("libkiln.so"):
        shutil.copy(os.path.join(installed, "prefix", "lib", name), alone)
run("env", "LD_LIBRARY_PATH=" + alone, os.path.join(build, "no-module"))
losses = [float(line.split()[1]) for line in output.splitlines() if line.startswith("loss ")]
if len(losses) != 10 or losses[-1] >= losses[0]:
    sys.exit(f"expected ten falling losses, got\n{output}")
if shutil.which("pkg-config"):
    os.environ["PKG_CONFIG_PATH"] = os.path.join(installed, "prefix", "lib", "pkgconfig")
    flags = run("pkg-config", "--cflags", "--libs", "kiln").split()
    folders = [flag[2:] for flag in flags if flag[:2] in ("-I", "-L")]
    if any(flag.startswith("-std") for flag in flags):
        sys.exit(f"expected pkg-config to leave the C++ standard to the program, got {flags}")
    if "-lkiln" not in flags or len(folders) != 2 or not all(map(os.path.isdir, folders)):
        sys.exit(f"expected pkg-config to find the package, got {flags}")
print(f"{compiler}: configured, built, losses {losses[0]} to {losses[-1]}")
