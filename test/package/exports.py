# libkiln.so exports each function that a public header declares and leaves to the library, and nothing else;
# libkiln-io.so exports its one entry.
#   exports.py INSTALLED CLANG
import glob
import json
import os
import re
import subprocess
import sys

installed, clang = sys.argv[1:3]
prefix = os.path.join(installed, "prefix")
include = os.path.join(prefix, "include")


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def exported(library):
    path = sorted(glob.glob(os.path.join(prefix, "lib", library + "*")))[0]
    lines = run("nm", "-D", "--defined-only", path).splitlines()
    return {line.split()[-1].split("@")[0] for line in lines}


def documents(text):
    decoder = json.JSONDecoder()
    position = 0
    while (position := text.find("\n{", position)) >= 0:
        document, position = decoder.raw_decode(text, position + 1)
        yield document


FUNCTIONS = {"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl"}
TEMPLATES = {"FunctionTemplateDecl", "ClassTemplateDecl", "ClassTemplatePartialSpecializationDecl",
             "ClassTemplateSpecializationDecl"}
declared, defined, templates = {}, set(), set()


def walk(node, is_abstract=False):
    kind = node.get("kind")
    children = node.get("inner", [])
    if kind == "FunctionTemplateDecl":
        templates.add(node["name"])
    if kind in TEMPLATES:
        return
    if kind == "VarDecl" and "mangledName" in node:
        defined.add(node["mangledName"])  # constants in classes
    if kind in FUNCTIONS and "mangledName" in node:
        name = node["mangledName"]
        if kind == "CXXConstructorDecl" and is_abstract:
            name = name.replace("C1E", "C2E")  # only bases are constructed
        if node.get("explicitlyDeleted") or node.get("isImplicit") or node.get("pure"):
            return
        body = any(child.get("kind") in ("CompoundStmt", "CXXTryStmt") for child in children)
        if body or node.get("explicitlyDefaulted") or node.get("constexpr") or node.get("inline"):
            defined.add(name)
        else:
            declared[name] = node["name"]
        return
    is_abstract = node.get("definitionData", {}).get("isAbstract", False)
    for child in children:
        walk(child, is_abstract)


source = "".join(f'#include "kiln/{name}"\n' 
                 for name in sorted(os.listdir(os.path.join(include, "kiln"))) if name.endswith(".h"))
# Before the first document: none; so that each begins a line.
tree = "\n" + run(clang, "-std=c++20", "-I", include, "-x", "c++", "-fsyntax-only", "-Xclang", "-ast-dump=json",
                  "-Xclang", "-ast-dump-filter=kiln", "-", input=source)
for document in documents(tree):
    walk(document)


def variants(name):
    # Constructors and destructors are mangled once a kind.
    return [name, *(name.replace(a, b) for a, b in (("C1E", "C2E"), ("D1E", "D2E"), ("D1E", "D0E")) if a in name)]


library = exported("libkiln.so")
demangled = lambda names: "\n  ".join(run("c++filt", input="\n".join(sorted(names))).splitlines())
wanted = {name for name in declared if name not in defined}
if len(wanted) < 50:
    sys.exit(f"expected to find the public functions, got {len(wanted)}")
lacking = {name for name in wanted if name not in library}
extra = library - {variant for name in wanted | defined for variant in variants(name)}
# Type information, and what the library instantiates of member templates, as its users do.
member = re.compile(r"_ZNK?4kiln\d+[A-Za-z]+?\d+(" + "|".join(map(re.escape, sorted(templates))) + ")I")
extra = {name for name in extra if not name.startswith(("_ZTI", "_ZTS", "_ZTV")) and not member.match(name)}
print(f"libkiln.so exports {len(library)} symbols, the headers declare {len(wanted)} functions")
if lacking:
    sys.exit("expected KILN_EXPORT, and in lib/IO a line in cmake/package/Module.def, for\n  " + demangled(lacking))
if extra:
    sys.exit("exported, and in no public header\n  " + demangled(extra))
entries = exported("libkiln-io.so")
if entries != {"kilnIoFunctions"}:
    sys.exit(f"expected libkiln-io.so to export kilnIoFunctions alone, got {demangled(entries)}")
