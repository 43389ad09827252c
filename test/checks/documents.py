# What documents name exists: links, anchors and paths in every README and page of docs/, paths in comments of sources.
# Each folder of lib and each one at the top has a README. Nothing refers to what is outside of the tree.
import fnmatch
import os
import re

from tree import FOLDERS, ROOT, files, finish, read

SOURCES = (".cpp", ".h", ".td", ".def", ".py", ".mlir", ".test", ".proto", ".cmake", "CMakeLists.txt", ".md")
# Names of this tree's own kinds of files; others (arrays, graphs) are mostly examples of what a user has.
NAMED = re.compile(r"[\w.<>*{},/-]+\.(?:cpp|h|td|def|py|md|mlir|proto|cmake|map|sh|patterns|in)\b")
TOP = "|".join(FOLDERS)
PATH = re.compile(rf"(?<![\w/.$}}-])(?:{TOP})/[\w.<>*{{}},/-]*[\w>*}}]")
# Written by the build, laid down by an installation, or made by whoever follows a page.
MADE = re.compile(r"build|(include/)?kiln/ops/|lib/(libkiln|cmake/|pkgconfig)|program\.cpp|cmake/pch/Header\.h")
OUTSIDE = re.compile(r"\.\./shared\b|\bDESIGN\b|\bCONVENTIONS\b|(?<!tools/)\breference/[\w-]+\.md|/work/|\breview-\d"
                     r"|\bissue (#?\d|\")|\b(later|earlier|next) issue\b")
CONFLICT = re.compile(r"^(<{7}|>{7}|[|]{7}) .*", re.M)
# These name what lies outside because they look for it there, or for such names.
LOOK_OUTSIDE = ("test/checks/data_copies.py", "test/checks/demo_housing.py", "test/checks/documents.py")
# Folders whose contents are copies or data.
DATA = ("test/golden/", "test/golden_kiln/", "test/fuzz/corpus/")
FOREIGN = ("test/tensorflow/README.md",)  # names files of other repositories

tree = {path for path in files("")} | {name for name in os.listdir(ROOT)
                                       if os.path.isfile(os.path.join(ROOT, name))}
paths = tree | {os.path.dirname(path) for path in tree} | set(FOLDERS)
paths |= {os.path.dirname(path) for path in paths}  # folders of folders alone
pages = sorted(path for path in tree if path.endswith(".md"))


def alternatives(name):
    """Yields the names that `a{b,c}d` stands for; <Family> stands for anything."""
    braces = re.search(r"\{([^{}]*)\}", name)
    if not braces:
        yield re.sub(r"<\w+>", "*", name)
        return
    for choice in braces[1].split(","):
        yield from alternatives(name[:braces.start()] + choice.strip() + name[braces.end():])


def exists(name, folder):
    """Whether the name is a path from the page's folder or from the root, or that of a file below the page's folder."""
    for start in (folder, "", "include"):
        path = os.path.normpath(os.path.join(start, name))
        if path in paths or "*" in path and fnmatch.filter(paths, path):
            return True
    if "/" in name:
        return False
    below = "" if folder in ("", "docs") else folder + "/"
    return any(fnmatch.fnmatch(os.path.basename(path), name) and
               (path.startswith(below) or os.path.dirname(path) == os.path.dirname(folder)) for path in tree)


def missing(text, pattern, folder):
    for found in pattern.finditer(text):
        name = found[0].rstrip(".,")
        if not MADE.match(name):
            yield from (each for each in alternatives(name) if not exists(each, folder))


def anchors(path):
    for heading in re.findall(r"^#+ (.*)$", read(path), re.M):
        yield re.sub(r"[^\w -]", "", heading.lower().replace("`", "")).replace(" ", "-")


def problems_of_page(path):
    folder = os.path.dirname(path)
    text = re.sub(r"```.*?```", lambda block: "\n" * block[0].count("\n"), read(path), flags=re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?:|mailto:", target):
            continue
        file, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(folder, file)) if file else path
        if not os.path.exists(os.path.join(ROOT, file)):
            yield f"links to {target}, which is not there"
        elif anchor and anchor not in anchors(file):
            yield f"links to {target}: no such heading"
    for span in [] if path in FOREIGN else re.findall(r"`([^`\n]+)`", text):
        stems = [span] if re.fullmatch(r"[\w-]+(/[\w-]+)+", span) and not exists(span, folder) and \
            os.path.join(folder, span.split("/")[0]) in paths and not exists(span + ".*", folder) else []
        for name in dict.fromkeys([*missing(span, NAMED, folder), *missing(span, PATH, folder), *stems]):
            yield f"names {name}, which is not there"
    if path == "dialect/README.md":
        ops = sum(len(re.findall(r"^def Kiln_\w+Op\b", read(file), re.M)) for file in files(".td"))
        if f"{ops} ops on ranked tensors" not in text:
            yield f"has another number of ops than the records, {ops}"


problems = [f"{path} does not begin with a heading" for path in pages if not read(path).startswith("# ")]
for path in pages:
    problems += [f"{path} {problem}" for problem in problems_of_page(path)]
for path in sorted(tree):
    if not path.endswith(SOURCES) or path.startswith(DATA) or path in LOOK_OUTSIDE:
        continue
    text = read(path)
    problems += [f"{path} has an unsettled merge conflict: {found[0]}" for found in CONFLICT.finditer(text)]
    problems += [f"{path}:{text[:found.start()].count(chr(10)) + 1} refers outside of the tree: {found[0]}"
                 for found in OUTSIDE.finditer(text)]
    if not path.endswith(".md"):
        # Of sources only names of files, and not what the compiler looks at.
        text = re.sub(r"^\s*#\s*include.*$", "", text, flags=re.M)
        problems += [f"{path} names {name}, which is not there" for name in dict.fromkeys(missing(text, PATH, ""))
                     if NAMED.fullmatch(name)]

overview = read("README.md")
for name in sorted(os.listdir(os.path.join(ROOT, "lib"))):
    folder = f"lib/{name}"
    if not os.path.isdir(os.path.join(ROOT, folder)):
        continue
    if f"`{folder}`" not in overview:
        problems.append(f"README.md does not say what {folder} is")
    if f"{folder}/README.md" not in tree:
        problems.append(f"{folder} has no README.md")
    elif not re.search(r"looking for", read(f"{folder}/README.md"), re.I):
        problems.append(f"{folder}/README.md does not say where things are ('looking for ...')")
for folder in FOLDERS:
    if f"{folder}/README.md" not in tree:
        problems.append(f"{folder} has no README.md")
finish(problems, f"{len(pages)} documents")
