# Each op of the dialect has a section in docs/semantics, and each constraint a place that verifies it and a test.
import re

from tree import files, finish, read

# An op's record, and the heading of its section.
OP = re.compile(r'^def Kiln_\w+Op : Kiln_\w+<"(\w+)"', re.M)
SECTION = re.compile(r"^## kiln\.(\w+)\n(.*?)(?=^## |\Z)", re.M | re.S)
PAGES = "docs/semantics/"
PARTS = ["Formula", "Types", "Edges"]
LABEL = re.compile(r"\b[a-z_]+_c\d+\b")
# What TableGen verifies by a trait of the record.
TRAITS = {"compare_c1": "SameTypeOperands", "elementwise_c1": "SameOperandsAndResultType", "select_c1": "AllTypesMatch"}


def in_folder(folder, *suffixes):
    return [path for path in files(*suffixes) if path.startswith(folder)]


problems = []
ops, sections, labels, told = {}, {}, {}, {}
for path in in_folder("dialect/", ".td"):
    family = path.removeprefix("dialect/").removesuffix(".td").lower()
    for name in OP.findall(read(path)):
        ops[name] = PAGES + family + ".md"
    for label in LABEL.findall(read(path)):
        labels.setdefault(label, path)
for path in in_folder("docs/semantics/", ".md"):
    for name, text in SECTION.findall(read(path)):
        if name in sections:
            problems.append(f"{path}: a second section of kiln.{name}")
        sections[name] = path
        problems += [f"{path}: expected {part} of kiln.{name}" for part in PARTS if f"- **{part}**: " not in text]
    for label in LABEL.findall(read(path)):
        told.setdefault(label, path)
problems += [f"expected a section of kiln.{name} in {page}" for name, page in ops.items() if sections.get(name) != page]
problems += [f"{page} has a section of kiln.{name}, which is no op" for name, page in sections.items() if name not in ops]

verified = {label for path in in_folder("dialect/", ".cpp", ".h") for label in LABEL.findall(read(path))}
tested = {name for path in in_folder("test/Dialect/", ".mlir") for name in re.findall(r"func\.func (?:private )?@(\w+)", read(path))}
for label, path in sorted(labels.items()):
    if label not in verified and TRAITS.get(label, "\0") not in read(path):
        problems.append(f"{path}: {label} stands at no verifier")
    if not any(name == label or name.startswith(label + "_") for name in tested):
        problems.append(f"{path}: {label} has no test of that name in test/Dialect")
for label, path in sorted(told.items()):
    if label not in labels:
        problems.append(f"{path}: {label} is in no record")
problems += [f"{path}: {label} is told in no section" for label, path in sorted(labels.items()) if label not in told]
finish(problems, f"semantics of {len(ops)} ops, {len(labels)} constraints")
