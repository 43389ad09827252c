#!/usr/bin/env python3
# Writes the index of ops: for each record of the schema tables where its shape rule, lowering, gradient and host body
# stand, which kernels they call, and which recorded cases and tests have the op. Found from the sources by what they
# are called, so files may move; an op for which nothing is found that computes it is an error of --check.
#   op_index.py ROOT [--ops OPS.md] [--output FILE] [--check]
import argparse
import os
import re
import subprocess
import sys
import tarfile

arguments = argparse.ArgumentParser(description="Writes the index of ops.")
arguments.add_argument("root")
arguments.add_argument("-o", "--output")
arguments.add_argument("--ops", help="the page that kiln-op-doc wrote: its ops must be those found")
arguments.add_argument("--compiler", default="c++", help="expands macros")
arguments.add_argument("--check", action="store_true", help="fail where nothing is found that computes an op")
options = arguments.parse_args()
ROOT = os.path.abspath(options.root)


def read(path, mode="r"):
    with open(os.path.join(ROOT, path), mode, **({} if "b" in mode else {"encoding": "utf-8"})) as file:
        return file.read()


def files(folder, *suffixes):
    for directory, subfolders, names in os.walk(os.path.join(ROOT, folder)):
        subfolders.sort()
        for name in sorted(names):
            if name.endswith(suffixes):
                yield os.path.relpath(os.path.join(directory, name), ROOT)


STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def expanded(text):
    """Without macros of its own, with the lists that it includes, and adjacent strings as one."""
    if "#define" in text:
        text = re.sub(r'^#include (?!"lib/Ops/\w+/\w+\.def"$).*$', "", text, flags=re.M)
        text = subprocess.run([options.compiler, "-E", "-P", "-I", ROOT, "-x", "c++", "-"], input=text, check=True,
                              capture_output=True, text=True).stdout
    return re.sub(r'"\s*"(?=\w)', "", text)


TOKEN = re.compile(STRING.pattern + r"|[{}(),]|//[^\n]*")
lib = {path: read(path) for path in files("lib", ".cpp", ".h", ".def")}
lib.update({path: expanded(text) for path, text in lib.items() if path.endswith(".cpp")})


# ---- The records: name, the arguments in strings, and the shape rule behind them.
class Op:
    """A record: {name, inputs, outputs, attributes, what it does, rule, flags, canonical name, role}."""

    def __init__(self, family, path, record):
        fields = [field.strip() for field in split(record[1:-1])]
        texts = ["".join(text[1:-1] for text in STRING.findall(field)) if '"' in field else field for field in fields]
        self.name, self.inputs, self.outputs, types, _, self.rule = texts[:6]
        self.family, self.schema = family, path
        self.types = re.sub(r"\s+", " ", types)
        self.flags = set(re.findall(r"\w+", fields[6])) if len(fields) > 6 else set()
        self.canonical = texts[7] if len(fields) > 7 else ""
        self.role = fields[8].split("::")[-1] if len(fields) > 8 else ""
        self.declares = "container: string" in self.types or (not self.inputs and self.outputs == "handle: resource")
        self.flat = "notDifferentiable" in self.flags
        self.found = {}

    def add(self, kind, path):
        self.found.setdefault(kind, {}).setdefault(path)


def braces(text, start):
    """The text of the braces that open at `start`."""
    depth = 0
    for token in TOKEN.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return text[start:token.end()]
    return ""


def split(text):
    """The fields of a braced list."""
    depth, begin, fields = 0, 0, []
    for token in TOKEN.finditer(text):
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(token[0], 0)
        if token[0] == "," and depth == 0:
            fields.append(text[begin:token.start()])
            begin = token.end()
    return fields + [text[begin:]]


ops = {}
for path, text in lib.items():
    if re.fullmatch(r"lib/Ops/\w+/Schema\w*\.cpp", path):
        for table in re.finditer(r"\bOpRecord \w+\[\] = ", text):
            for record in split(braces(text, table.end())[1:-1]):
                record = re.sub(r"^(\s*//[^\n]*\n)*", "", record).strip()
                if record:
                    op = Op(path.split("/")[2], path, record)
                    ops[op.name] = op

# ---- Where names stand, by what the file is for.
IGNORED = re.compile(r"lib/(Build|Train|Client|Runners|Save|Support|Shape|Eval|JIT|Loader|Translate)/")


def kind_of(path):
    name = os.path.basename(path)
    if re.match(r"Schema", name) or IGNORED.match(path):
        return None
    if path.startswith("lib/Autodiff/"):
        return "flat"
    if name.startswith("Gradient"):
        return "gradient"
    if name.startswith(("Lowering", "SlotCalls")) or path.startswith("lib/Import/"):
        return "lowering"
    if path.startswith("lib/Ops/") and not name.startswith(("Host", "Module")):
        return "graph"
    if path.startswith(("lib/Plan/", "lib/Graph/", "lib/OpDefs/")):
        return "graph"
    return "host"


# In a list or a row, or told to a registry; not what is made by name, as in addOp("Mul", ...).
ROW = re.compile(r'(?:[{,]\s*|\badd\w*\(\s*(?:\w+,\s*)?)"(\w+)"(?=\s*[,}])')
MADE = re.compile(r'\b(?:addOp|addNode|makeNode|NodeDraft)\w*\(\s*$')
WORDS = re.compile(r'"([\w ]+)"')
for path, text in lib.items():
    kind = kind_of(path)
    if path.endswith(".def"):
        for name in re.findall(r"^\w+\((\w+),", text, re.M):
            if name in ops and kind == "host":
                ops[name].add("host", path)
        continue
    if not kind or path.endswith(".h"):
        continue
    if kind in ("gradient", "lowering"):
        for match in ROW.finditer(text):
            if match[1] in ops and not MADE.search(text[:match.start(1) - 1][-40:]):
                ops[match[1]].add(kind, path)
    if kind == "flat":
        for body in re.findall(r"addNotDifferentiable\((.*?)\)", text, re.S):
            for name in STRING.findall(body):
                if name[1:-1] in ops:
                    ops[name[1:-1]].flat = True
        continue
    if kind == "graph":
        for name in {name[1:-1] for name in STRING.findall(text)}.intersection(ops):
            ops[name].add(kind, path)
    if kind == "host":
        for name in set(ROW.findall(text)):
            # Names put together: a resource's, an ordered one's, a second version's.
            for whole in (prefix + name + suffix for prefix in ("", "Experimental", "Ordered", "Resource") for suffix in ("", "V2")):
                if whole in ops:
                    ops[whole].add(kind, path)
# The host bodies alone: rows of files that bind bodies.
for op in ops.values():
    hosts = list(op.found.get("host", {}))
    tables = [path for path in hosts
              if re.search(r"/(Host|Module)|Ops\.(cpp|def)$", path) or path.startswith(("lib/Sparse/", "lib/HostKernels/"))]
    op.found["host"] = dict.fromkeys(tables)

# ---- Which functions compute a shape, and which kernels a lowering calls.
rules = {}
for path, text in lib.items():
    if path.startswith("lib/Ops/"):
        for name in re.findall(r"^(?:template <[^>]*>\s*)?(?:static )?Status (infer\w+)\(InferenceContext", text, re.M):
            if path.endswith(".cpp") or name not in rules:
                rules[name] = path
kernels = {}
for path in files("runtime", ".cpp"):
    text = read(path)
    for body in re.findall(r"^std::vector<Kernel> \w+\(\) \{.*?^\}", text, re.M | re.S):
        for name in re.findall(r'\{"(\w+)"', body):
            kernels[name] = path


def function(name, path):
    """The text of a function in a file."""
    found = re.search(r"^[^\n]*\b" + re.escape(name) + r"\([^;{]*\) \{\n.*?^\}", lib.get(path, ""), re.M | re.S)
    return found[0] if found else ""


def kernels_of(op):
    """Those named as the op, and those that its lowering's function names."""
    called = {name for name in (op.name, op.canonical) if name in kernels}
    for path in op.found.get("lowering", {}):
        for name in re.findall(r'"' + op.name + r'",\s*([a-z]\w+)', lib[path]):
            called.update(word for word in WORDS.findall(function(name, path)) if word in kernels)
    return sorted(called)


# ---- Recorded cases: graphs name their ops by a length and the text.
cases = {}


def note(name, graph):
    for found in re.findall(rb"\x12([\x01-\x7f])([A-Z][A-Za-z0-9]+)", graph):
        text = found[1][:found[0][0]].decode()
        if text in ops and len(text) == found[0][0]:
            cases.setdefault(text, {}).setdefault(name)


for folder in ("test/golden", "test/golden_kiln"):
    for path in files(folder, ".pb"):
        note(os.path.basename(os.path.dirname(path)), read(path, "rb"))
    for path in files(folder, ".tar", ".tar.gz", ".tar.xz"):
        with tarfile.open(os.path.join(ROOT, path)) as archive:
            graph = next((member for member in archive if member.name.endswith(".pb")), None)
            if graph:
                note(os.path.basename(path).split(".")[0], archive.extractfile(graph).read())
tests = {}
for path in files("test", ".cpp", ".py"):
    if not path.startswith(("test/golden", "test/fuzz")):
        text = read(path)
        for name in set(re.findall(r'"(\w+)"', text)) | {name[0].upper() + name[1:] for name in re.findall(r"\bops::(\w+)", text)}:
            if name in ops:
                tests.setdefault(name, {}).setdefault(os.path.splitext(os.path.basename(path))[0])

# ---- The page.
placeless = []


def link(path):
    return os.path.relpath(path, "lib/Ops") if path.startswith("lib/Ops/") else path


def some(names, limit=3):
    names = list(names)
    return ", ".join(names[:limit]) + (f" and {len(names) - limit} more" if len(names) > limit else "")


def reason(op, source):
    """Why an op has neither lowering nor host body."""
    if role := op.role or source.role:
        users = [path for path, text in lib.items()
                 if re.search(rf"\bOpRole::{role}\b", text) and not os.path.basename(path).startswith("Schema")]
        if users:
            return some(users)
    rule = function(op.rule, rules.get(op.rule, ""))
    if "readsShapes" in op.flags or "setExtents" in rule or "setOutputContents" in rule:
        return "sizes, known where code is made"
    if "placeholder" in op.flags:
        return "given to the run"
    if op.declares:
        return "declares a resource, which the ops on it make"
    if not op.inputs and not op.outputs:
        return "the order of others alone"
    return some(op.found.get("graph") or source.found.get("graph") or {})


def row(op):
    source = ops.get(op.canonical, op)
    lowering = op.found.get("lowering") or source.found.get("lowering") or {}
    host = op.found.get("host") or source.found.get("host") or {}
    elsewhere = "" if lowering or host else reason(op, source)
    if not (lowering or host or elsewhere):
        placeless.append(op.name)
    gradient = op.found.get("gradient") or source.found.get("gradient") or {}
    return [op.name + (f" (as {op.canonical})" if op.canonical else ""), op.rule + (f" in {link(rules[op.rule])}" if op.rule in rules else ""),
            some(map(link, lowering)), "none flows back" if op.flat else some(map(link, gradient)), some(map(link, host)) or elsewhere,
            some(f"{name} in {kernels[name]}" for name in kernels_of(op)),
            some(cases.get(op.name, {})), some(tests.get(op.name, {})), op.types.replace("|", "\\|")]


HEADS = ["op", "shape rule", "lowering", "gradient", "host body, or what the graph's plan does", "kernel", "recorded cases",
         "tests", "types"]
page = ["# Index of ops", "",
        "Generated by `tools/op_index.py` from the sources. Paths are below `lib/Ops` unless they begin with a folder of the "
        "root. `ops.md` beside this page has the schemas. A name that is put together in the sources (a gradient for a list "
        "of ops, a test of a whole family) may be missing here; what computes an op is not.", ""]
for family in sorted({op.family for op in ops.values()}):
    members = [op for op in ops.values() if op.family == family]
    page += [f"## {family}", f"Schemas in `lib/Ops/{family}`.", "", "| " + " | ".join(HEADS) + " |",
             "|" + " --- |" * len(HEADS)]
    page += ["| " + " | ".join(row(op)) + " |" for op in members] + [""]
text = "\n".join(page)
if options.output:
    os.makedirs(os.path.dirname(os.path.abspath(options.output)), exist_ok=True)
    with open(options.output, "w", encoding="utf-8") as file:
        file.write(text)
else:
    print(text)
for name in placeless:
    print(f"{ops[name].schema}: nothing is found that computes {name}", file=sys.stderr)
unread = set()
if options.ops:
    unread = set(re.findall(r"^### (\w+)$", read(options.ops), re.M)) ^ set(ops)
for name in sorted(unread):
    print(f"expected {name} both in the schema tables as read here and in {options.ops}", file=sys.stderr)
print(f"{len(ops)} ops, {len(placeless)} without a place", file=sys.stderr)
sys.exit(1 if options.check and (placeless or unread) else 0)
