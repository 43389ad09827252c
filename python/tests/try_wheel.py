"""Tries an installed wheel: try_wheel.py README. Run outside of the tree, without pytest."""

import pathlib
import re
import sys

import kiln

package = pathlib.Path(kiln.__file__).parent
assert "site-packages" in package.parts, package
print(kiln.Graph.load("linear_regression.pb"))
(lines,) = re.findall(r"```python\n(.*?)```", pathlib.Path(sys.argv[1]).read_text(), re.S)
exec(compile(lines, "README", "exec"))

# All that it loads of its own lies in it, under names of its own: what another package brings along is another's.
with open("/proc/self/maps") as maps:
    libraries = {pathlib.Path(line.split()[-1]) for line in maps if ".so" in line}
own = {path.name for path in libraries if path.parent == package}
assert all(re.match(r"lib(kiln|\w+-kiln\.so)|_kiln\.", name) for name in own), own
for name in ("kiln", "protobuf-kiln", "zstd-kiln", "z-kiln"):
    assert any(file.startswith(f"lib{name}.so") for file in own), (name, own)
foreign = [path for path in libraries if re.match(r"lib(LLVM|MLIR|protobuf|zstd|kiln)", path.name)]
assert all(path.parent == package for path in foreign), foreign
print("the wheel works")
