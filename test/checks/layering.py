# Which folder may include what, and that no folders include each other in a circle.
import re

from tree import files, finish, read

# What stands below each folder, as folders of include paths: never single headers. A folder may include itself, and
# kiln/ (the public headers). First match wins. In lib/Ops a file's name says which library it is part of.
BASE = ["lib/Support/"]
MLIR = ["mlir/", "mlir-c/", "llvm/", "llvm-c/"]
GRAPH = BASE + ["lib/Shape/"]
# runtime/abi is what code, and who makes it, agree on with the runtime.
OP_DEFS = GRAPH + ["lib/Graph/", "runtime/abi/"]
OPS = OP_DEFS + ["lib/OpDefs/"]
LOWERING = OPS + MLIR + ["dialect/", "lib/Compiled/", "lib/Plan/"]
COMPILED = OP_DEFS + ["runtime/"]
JIT = COMPILED + MLIR + ["lib/Compiled/", "lib/Loader/", "lib/Eval/", "lib/Translate/", "dialect/", "passes/"]
HOSTS = OPS + ["lib/Pipelines/", "runtime/"]
EXEC = HOSTS + ["lib/HostKernels/", "lib/Compiled/", "lib/Eval/", "lib/Plan/"]
LAYERS = [
    (r"include/kiln/", []),
    (r"lib/Support/", []),
    (r"lib/Shape/", BASE),
    (r"lib/Collectives/", BASE),
    (r"lib/Transports/", []),
    (r"lib/Horovod/", ["lib/Ops/Collective/"]),
    (r"runtime/", BASE + ["Eigen/", "unsupported/Eigen/"]),
    (r"dialect/", BASE + MLIR),
    (r"lib/Pipelines/", BASE + ["lib/Shape/", "runtime/"]),
    (r"lib/Eval/", BASE + ["lib/Shape/", "runtime/"]),
    (r"lib/Translate/", BASE + MLIR + ["lib/Shape/", "dialect/", "lib/Eval/", "runtime/"]),
    (r"lib/Compiled/", COMPILED),
    (r"lib/Loader/", COMPILED + ["lib/Compiled/", "llvm/"]),
    (r"passes/", BASE + MLIR + ["dialect/", "lib/Compiled/", "runtime/abi/", "runtime/arithmetic/", "runtime/elementary/", "runtime/random/"]),
    (r"lib/Graph/", GRAPH),
    (r"lib/OpDefs/", OP_DEFS),
    (r"lib/(Plan|Build)/", OPS),
    (r"lib/Autodiff/", OPS + ["lib/Build/"]),
    (r"lib/Import/", LOWERING),
    (r"lib/Ops/(\w+/)?Lowering\w*\.", LOWERING + ["lib/Import/"]),
    (r"lib/Ops/(\w+/)?Gradient\w*\.", OPS + ["lib/Autodiff/"]),
    (r"lib/HostKernels/", HOSTS),
    (r"lib/Ops/(\w+/)?Host\w*\.", HOSTS + ["lib/Collectives/", "lib/HostKernels/", "lib/IO/", "google/protobuf/", "re2/"]),
    (r"lib/Ops/", OPS),
    (r"lib/Train/", OPS + ["lib/Build/", "lib/Autodiff/"]),
    (r"lib/JIT/", JIT),
    (r"lib/Exec/", EXEC),
    (r"lib/Compile/", JIT + EXEC + ["lib/Exec/", "lib/Import/", "lib/JIT/", "lib/Ops/"]),
    (r"lib/Session/", JIT + EXEC + ["lib/Import/", "lib/JIT/", "lib/Compile/", "lib/Exec/"]),
    (r"lib/Runners/", BASE + ["lib/Build/"]),
    (r"lib/Save/", OPS + ["lib/Build/", "lib/IO/"]),
    (r"lib/IO/", OPS + ["google/protobuf/", "leveldb/"]),
    (r"capi/", ["tensorflow/"]),
    (r"examples/", ["CLI/", "Eigen/"]),
    (r"python/", []),
]
# Anything else is a test, a benchmark or a tool, which may include what it likes, except these.
ONLY_IN = [
    (r"kiln/Session\.h$", r"include/kiln/DefaultSession\.h$|include/kiln/Save(dModel|r)\.h$|lib/(Runners|Session|IO|Save)/|tools/|test/|bench/|capi/|examples/|cmake/|python/"),
    (r"llvm/ExecutionEngine/", r"lib/Loader/"),
    (r"google/protobuf/|.*\.pb\.h$", r"lib/IO/|lib/Ops/\w+/Host\w*\.|tools/|test/"),
    (r"mlir/Pass/PassManager\.h$", r"lib/JIT/|passes/|tools/|test/|cmake/"),
]
# What these folders do not see through any header that they include.
UNSEEN = [(r"lib/(Compiled|Exec)/", MLIR)]
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


def folder(path):
    """The folder that a file counts to: lib/X, or one of the root."""
    return re.match(r"lib/\w+|include/kiln|\w+", path).group(0)


def cycles(graph):
    """Finds a cycle through each folder that is in one, as lists of folders."""
    found = []
    done = set()

    def visit(name, way):
        if name in way:
            found.append(way[way.index(name):] + [name])
        elif name not in done:
            for below in sorted(graph.get(name, {})):
                visit(below, way + [name])
            done.add(name)

    for name in sorted(graph):
        visit(name, [])
    return found


def seen(path, includes, below):
    """Finds the way by which a file sees one of the prefixes below; empty where it sees none."""
    ways = {path: []}
    todo = [path]
    for file in todo:
        for included in includes.get(file, []):
            if included.startswith(tuple(below)):
                return ways[file] + [file, included]
            for known in (included, f"include/{included}"):
                if known in includes and known not in ways:
                    ways[known] = ways[file] + [file]
                    todo.append(known)
    return []


problems = []
includes = {}  # file -> what it includes
graph = {}  # folder -> folder that it includes -> the first include
count = 0
for path in files(".cpp", ".h", ".td", ".def", ".inc"):
    count += 1
    for bracket, included in INCLUDE.findall(read(path)):
        includes.setdefault(path, []).append(included)
        reason = problem(path, bracket, included)
        if reason:
            problems.append(f"{path} includes {included}: {reason}")
        if bracket == '"' and not included.startswith("kiln/") and folder(path) != folder(included):
            graph.setdefault(folder(path), {}).setdefault(folder(included), f"{path} includes {included}")
for pattern, below in UNSEEN:
    for path in filter(re.compile(pattern).match, includes):
        way = seen(path, includes, below)
        if way:
            problems.append(f"{path} sees {way[-1]}: {' -> '.join(way)}")
for cycle in cycles(graph):
    problems.append(f"cycle {' -> '.join(cycle)}: " + "; ".join(graph[a][b] for a, b in zip(cycle, cycle[1:])))
finish(problems, f"layers of {count} files")
