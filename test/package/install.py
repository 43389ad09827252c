# Installs the build as a user does, moves it to another folder, runs what moved, and says how large it is.
#   install.py BUILD DESTINATION GRAPH.pb
import os
import shutil
import subprocess
import sys

build, destination, graph = sys.argv[1:4]
EXPECTED = ["bin/kiln-run", "bin/kiln-opt", "include/kiln/Session.h", "lib/libkiln.so", "lib/cmake/Kiln/KilnConfig.cmake",
            "lib/cmake/Kiln/KilnConfigVersion.cmake", "lib/cmake/Kiln/KilnTargets.cmake", "lib/pkgconfig/kiln.pc",
            "share/doc/Kiln/LICENSE"]

shutil.rmtree(destination, ignore_errors=True)
first = os.path.join(destination, "first")
prefix = os.path.join(destination, "prefix")
subprocess.run(["cmake", "--install", build, "--prefix", first, "--strip"], check=True, stdout=subprocess.DEVNULL)
os.rename(first, prefix)

total = 0
for folder, _, names in sorted(os.walk(prefix)):
    for name in sorted(names):
        path = os.path.join(folder, name)
        if not os.path.islink(path):
            size = os.path.getsize(path)
            total += size
            if size > 100_000:
                print(f"{size / 1e6:8.1f} MB  {os.path.relpath(path, prefix)}")
print(f"{total / 1e6:8.1f} MB  installed in all, stripped")

missing = [name for name in EXPECTED if not os.path.exists(os.path.join(prefix, name))]
if missing:
    sys.exit(f"expected to be installed: {', '.join(missing)}")

library = os.path.join(prefix, "lib", "libkiln.so")
needed = [line.split("[")[1].rstrip("]\n") for line in
          subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout.splitlines()
          if "(NEEDED)" in line]
print(f"libkiln.so needs {' '.join(needed)}")
if any(name.startswith(("libMLIR", "libLLVM", "libprotobuf", "libtensorflow")) for name in needed):
    sys.exit("expected libkiln.so to bring LLVM and MLIR itself, and to load protobuf only when it is needed")

run = subprocess.run([os.path.join(prefix, "bin", "kiln-run"), graph], capture_output=True, text=True)
if run.returncode or "train_op" not in run.stdout:
    sys.exit(f"kiln-run in its new place: {run.returncode}\n{run.stdout}{run.stderr}")
optimizer = subprocess.run([os.path.join(prefix, "bin", "kiln-opt"), "--version"], capture_output=True, text=True)
if optimizer.returncode:
    sys.exit(f"kiln-opt in its new place: {optimizer.stderr}")
