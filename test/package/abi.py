# What programs that were compiled against Kiln depend on, compared with the baseline abi.txt: the symbols that
# libkiln.so exports, the layouts of the types and the values of the enumerators that public headers define.
#   abi.py LIBRARY CLANG INCLUDE[;INCLUDE...] [--record]
# `ninja record_abi` writes the baseline anew: do it in the commit that changes something, which CHANGELOG.md tells.
import json
import os
import re
import subprocess
import sys

library, clang, include = sys.argv[1:4]
includes = include.split(";")
BASELINE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "abi.txt")


def run(*command, text=None):
    return subprocess.run(command, check=True, capture_output=True, text=True, input=text).stdout


headers = sorted({f"kiln/{name}" for folder in includes if os.path.isdir(os.path.join(folder, "kiln"))
                  for name in os.listdir(os.path.join(folder, "kiln")) if name.endswith(".h")})
source = "".join(f'#include "{name}"\n' for name in headers)


def compiled(*options):
    return run(clang, "-std=c++20", *("-I" + folder for folder in includes), "-x", "c++", "-fsyntax-only",
               *(part for option in options for part in ("-Xclang", option)), "-", text=source)


def symbols():
    names = [line.split()[-1].split("@")[0]
             for line in run("nm", "-D", "--defined-only", library).splitlines()]
    return {"symbol " + name for name in run("c++filt", text="\n".join(names)).splitlines()}


def layouts():
    """A line a type: its size, and its bases and members with their offsets. No instances of templates."""
    for record in compiled("-fdump-record-layouts-complete").split("*** Dumping AST Record Layout\n")[1:]:
        head = re.match(r" +0 \| (?:class|struct|union) (kiln::[\w:]+)( \(empty\))?\n", record)
        if not head:
            continue
        members = re.findall(r"^ +([\d:-]+) \|   (\S.*)$", record, re.M)
        size, alignment = re.search(r"\[sizeof=(\d+).*?\balign=(\d+)", record, re.S).groups()
        text = ", ".join(f"{offset} {re.sub(r'unnamed at [^)]*', 'unnamed', member)}" for offset, member in members)
        yield f"type {head[1]}: {size} bytes, aligned to {alignment}" + (f": {text}" if text else "")


def documents(text):
    decoder = json.JSONDecoder()
    position = 0
    while (position := text.find("\n{", position)) >= 0:
        document, position = decoder.raw_decode(text, position + 1)
        yield document


def enumerators(node, scope=""):
    kind, name = node.get("kind"), node.get("name", "")
    if kind in ("FunctionTemplateDecl", "ClassTemplateDecl", "FunctionDecl", "CXXMethodDecl"):
        return
    inner = scope + name + "::" if kind in ("NamespaceDecl", "CXXRecordDecl") and name else scope
    if kind == "EnumDecl":
        value = -1
        for constant in node.get("inner", []):
            if constant.get("kind") == "EnumConstantDecl":
                value = int(next((child["value"] for child in constant.get("inner", []) if "value" in child), value + 1))
                yield f"value {scope}{name}::{constant['name']} = {value}"
        return
    for child in node.get("inner", []):
        yield from enumerators(child, inner)


tree = "\n" + compiled("-ast-dump=json", "-ast-dump-filter=kiln")
values = {line for document in documents(tree) for line in enumerators(document)}
present = sorted(symbols() | set(layouts()) | values)
counts = {kind: sum(line.startswith(kind + " ") for line in present) for kind in ("symbol", "type", "value")}
if min(counts.values()) < 20:
    sys.exit(f"expected symbols, types and values, got {counts}")
if "--record" in sys.argv:
    with open(BASELINE, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in present)
    print(f"recorded {counts}")
    sys.exit()
with open(BASELINE, encoding="utf-8") as file:
    baseline = set(file.read().splitlines())
gone, new = sorted(baseline.difference(present)), sorted(set(present) - baseline)
print(f"{counts}: {len(gone)} lines of the baseline are gone or changed, {len(new)} are new")
for title, lines in (("gone or changed: programs that were compiled before break", gone), ("new or changed", new)):
    if lines:
        print(title, *lines, sep="\n  ")
if gone or new:
    sys.exit("where that is meant: ninja record_abi, and a line in CHANGELOG.md")
