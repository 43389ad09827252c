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

# All that it loads of its own lies in it.
with open("/proc/self/maps") as maps:
    libraries = {line.split()[-1] for line in maps if ".so" in line}
foreign = [name for name in libraries if re.search(r"lib(LLVM|MLIR|protobuf|zstd|kiln)", name)]
outside = [name for name in foreign if not name.startswith(str(package.parent))]
assert foreign and not outside, (foreign, outside)
print("the wheel works")
