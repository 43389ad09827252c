# libtensorflow as programs see it that were linked to TensorFlow's: soname, symbol version, every name; and its size.
#   abi.py LIBRARY NAMES SONAME
import re
import subprocess
import sys

library, names, soname = sys.argv[1:4]
LARGEST = 2_000_000  # bytes beside libkiln.so, stripped


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


problems = []
dynamic = run("readelf", "-dW", library)
found = re.search(r"\(SONAME\).*\[(.*)\]", dynamic)[1]
if found != soname:
    problems.append(f"expected soname {soname}, got {found}")
needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
if any(name.startswith(("libLLVM", "libMLIR", "libprotobuf")) for name in needed):
    problems.append(f"expected nothing below libkiln.so, got {needed}")

expected = {line for line in open(names).read().split() if not line.startswith("#")}
exported = {}
for line in run("nm", "-D", "--defined-only", library).splitlines():
    name, _, version = line.split()[-1].partition("@@")
    exported[name] = version
exported.pop("VERS_1.0", None)
problems += [f"expected {name} to be exported" for name in sorted(expected - exported.keys())]
problems += [f"expected {name} not to be exported" for name in sorted(exported.keys() - expected)]
problems += [f"expected {name} in VERS_1.0, got {version or 'no version'}"
             for name, version in sorted(exported.items()) if version != "VERS_1.0"]

sections = run("size", library).splitlines()[1].split()
size = int(sections[0]) + int(sections[1])
if size > LARGEST:
    problems.append(f"expected at most {LARGEST} bytes, got {size}")
print(f"{len(exported)} names, {size} bytes of code and data")
if problems:
    sys.exit("\n".join(problems[:50]))
