# Each public header, the generated ones too, compiles alone, with g++ and clang++, and includes nothing but other public
# headers and the standard library. The generated ones include the same and compile in both orders, so that none needs
# another one.
#   public_headers.py ROOT BUILD PART PARTS: of PARTS parts of that work number PART, from 0 on
import os
import re
import shutil
import subprocess
import sys

from tree import ROOT, files, finish

BUILD = os.path.abspath(sys.argv[2])
PART, PARTS = map(int, sys.argv[3:])
GENERATED = os.path.join(BUILD, "include")
WORK = os.path.join(BUILD, "test", "checks", "public_headers")
FOLDERS = [os.path.join(ROOT, "include"), GENERATED]
COMPILERS = ["g++", "clang++-22"]
CCACHE = [ccache] if (ccache := shutil.which("ccache")) else []
# What lies in /usr/include itself, and below linux/ and asm-generic/, is the C library's.
STANDARD = re.compile(r"/usr/include/([^/]*|(c\+\+|x86_64-linux-gnu|linux|asm-generic)/.*)|/usr/lib/gcc/.*|"
                      r"/usr/lib/llvm-22/lib/clang/.*")


def problems_of(compiler, header, text=None):
    """Compiles the header, for what it includes as well; where nothing has changed ccache knows the answer."""
    source = os.path.join(WORK, f"{compiler}-{header.replace('/', '-')}.cpp")
    text = text or f'#include "{header}"\n'
    if not os.path.exists(source) or open(source, encoding="utf-8").read() != text:
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
    result = subprocess.run(
        [*CCACHE, compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", *("-I" + folder for folder in FOLDERS),
         "-MD", "-MF", source + ".d", "-c", source, "-o", source + ".o"],
        capture_output=True, text=True, env={**os.environ, "CCACHE_DEPEND": "1"})
    if result.returncode:
        return [f"{header} does not compile alone with {compiler}:\n{result.stderr}"]
    with open(source + ".d", encoding="utf-8") as file:
        included = file.read().replace("\\\n", " ").split()[2:]
    return [f"{header} includes {path}" for path in map(os.path.abspath, included)
            if not path.startswith(tuple(FOLDERS)) and not STANDARD.fullmatch(path)]


def generated():
    for directory, _, names in os.walk(GENERATED):
        for name in names:
            if name.endswith(".h"):
                yield os.path.relpath(os.path.join(directory, name), GENERATED)


def includes_of(header):
    with open(os.path.join(GENERATED, header), encoding="utf-8") as file:
        return re.findall(r"^#include .*", file.read(), re.M)


own = sorted(os.path.relpath(path, "include") for path in files(".h") if path.startswith("include/"))
made = sorted(generated())
if "kiln/BuildOps.h" not in made:
    sys.exit(f"expected kiln/BuildOps.h in {GENERATED}")
for compiler in COMPILERS:
    if not shutil.which(compiler):
        sys.exit(f"expected {compiler}")
os.makedirs(WORK, exist_ok=True)
parts = [header for header in made if header != "kiln/BuildOps.h"]
pairs = [(c, h) for c in COMPILERS for h in [*own, "kiln/BuildOps.h"]]
for name, order in ("forwards", parts), ("backwards", parts[::-1]):
    pairs.append((COMPILERS[-1], name, "".join(f'#include "{header}"\n' for header in order)))
part = pairs[PART::PARTS]
problems = sorted({problem for pair in part for problem in problems_of(*pair)})
problems += [f"{header} includes other headers than {parts[0]}" for header in parts
             if includes_of(header) != includes_of(parts[0])]
finish(problems, f"{len(part)} of {len(pairs)} compilations of {len(own) + len(made)} public headers with "
                 f"{' and '.join(COMPILERS)}")
