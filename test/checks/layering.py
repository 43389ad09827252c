# Holds the table "Layers" of the design: which folder may include what.
import re

from tree import files, finish, read

# What stands below each folder, as prefixes of include paths. A folder may include itself, and
# kiln/ (the public headers). First match wins.
BASE = ["lib/Support/"]
MLIR = ["mlir/", "mlir-c/", "llvm/", "llvm-c/"]
GRAPH = BASE + ["lib/Shape/"]
OPS = GRAPH + ["lib/Graph/"]
PLAN = OPS + ["lib/Ops/"]
LOWERING = PLAN + MLIR + ["dialect/", "lib/Plan/", "lib/Import/", "runtime/abi/IndexCheck.h"]
JIT = BASE + MLIR + ["lib/Shape/", "dialect/", "passes/", "runtime/", "lib/Eval/", "Eigen/"]
LAYERS = [
    (r"include/kiln/", []),
    (r"lib/Support/", []),
    (r"lib/Shape/", BASE),
    (r"runtime/", BASE + ["Eigen/", "unsupported/Eigen/"]),
    (r"dialect/", BASE + MLIR + ["lib/Shape/"]),
    (r"lib/Eval/(Fold|Transl)\w*\.", BASE + MLIR + ["lib/Shape/", "dialect/", "runtime/"]),
    (r"lib/Eval/", BASE + ["lib/Shape/", "runtime/"]),
    (r"passes/", MLIR + ["lib/Support/Integer", "dialect/", "runtime/abi/Abi.h", "runtime/random/Random.h", "runtime/abi/Symbols.",
                         "runtime/elementary/",
                         "runtime/arithmetic/ReductionOrder.h"]),
    (r"lib/Ops/(.*/)?Lowering\w*\.", LOWERING),
    (r"lib/Ops/(.*/)?Gradient\w*\.", PLAN + ["lib/Build/", "lib/Autodiff/"]),
    (r"lib/Autodiff/", PLAN + ["lib/Build/", "lib/Plan/Functions.h"]),
    (r"lib/Import/", LOWERING),
    (r"lib/Graph/", GRAPH),
    (r"lib/Ops/", OPS),
    (r"lib/(Plan|Build)/", PLAN),
    (r"lib/Train/", PLAN + ["lib/Build/", "lib/Autodiff/"]),
    (r"lib/JIT/", JIT + ["lib/Import/"]),
    (r"lib/Session/", JIT + PLAN + ["lib/Plan/", "lib/Import/", "lib/JIT/"]),
    (r"lib/Client/", BASE + ["lib/Build/"]),
    (r"lib/Save/", PLAN + ["lib/Build/", "lib/IO/Formats.h"]),
    (r"lib/Sparse/", PLAN + ["runtime/kernels/Fingerprints.h"]),
    (r"lib/IO/", PLAN + ["runtime/kernels/KernelRegistry.h", "google/protobuf/", "leveldb/", "re2/"]),
    (r"examples/", ["CLI/", "Eigen/"]),
    (r"python/", []),
]
# Anything else is a test, a benchmark or a tool, which may include what it likes, except these.
ONLY_IN = [
    (r"kiln/Session\.h$", r"include/kiln/DefaultSession\.h$|include/kiln/Save(dModel|r)\.h$|lib/(Client|Session|IO|Save)/|tools/|test/|bench/|examples/|cmake/|python/"),
    (r"llvm/ExecutionEngine/", r"lib/JIT/"),
    (r"google/protobuf/|.*\.pb\.h$", r"lib/IO/|tools/|test/"),
    (r"mlir/Pass/PassManager\.h$", r"lib/JIT/|passes/|tools/|test/|cmake/"),
]
THIRD_PARTY = re.compile(r"(CLI|Eigen|absl|benchmark|gmock|google|gtest|leveldb|llvm|llvm-c|mlir|"
                         r"mlir-c|nlohmann|re2|unsupported/Eigen)/")
INCLUDE = re.compile(r'^\s*#?\s*include\s+([<"])([^>"]+)[>"]', re.M)


def problem(path, bracket, included):
    for pattern, home in ONLY_IN:
        if re.match(pattern, included) and not re.match(home, path):
            return f"stays in {home}"
    layer = next((layer for layer in LAYERS if re.match(layer[0], path)), None)
    if bracket == "<" and not THIRD_PARTY.match(included):
        if path.startswith("include/") and not re.fullmatch(r"[a-z_]+", included):
            return "public headers include the standard library only"
        return None
    if bracket == '"' and "/" not in included:
        return "includes are written from the root of the repository"
    if layer is None or included.startswith("kiln/"):
        return None
    own = re.match(r"(lib/\w+|include/kiln|\w+)/", path).group(0)
    if included.startswith((own, *layer[1])):
        return None
    return "is not below this folder"


problems = []
count = 0
for path in files(".cpp", ".h", ".td", ".def", ".inc"):
    count += 1
    for bracket, included in INCLUDE.findall(read(path)):
        reason = problem(path, bracket, included)
        if reason:
            problems.append(f"{path} includes {included}: {reason}")
finish(problems, f"layers of {count} files")
