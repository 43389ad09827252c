#!/usr/bin/env python3
"""Compares kiln.compat.v1 with the interface of TensorFlow 1.15, name by name.

    PYTHONPATH=build/python tools/api_coverage.py API USES [--write FILE] [--missing N]

API: a table of TensorFlow's names with columns name, kind (class, function, method, value) and
signature; a class's own signature stands under NAME.__init__. USES: a table of what programs use,
with columns name, programs, repositories and area. A name is there when kiln.compat.v1 has it, and
equal when its arguments, their order and their defaults are TensorFlow's too. Prints a table by
module and, of the uses by programs, the share that is there and equal: of the areas core and
platform, and of contrib, estimator and keras. --write: writes the tables as Markdown. --missing:
lists the N names most used that are not there or not equal (0: all).
"""

import argparse
import collections
import enum
import inspect
import re
import types

AREAS = [
    ("core and platform", ("core", "platform")),
    ("contrib, estimator and keras", ("contrib", "estimator", "keras")),
]
OTHER_AREAS = ("data", "examples", "private", "old-or-unknown")
OK, DIFFERS, MISSING = "equal", "other arguments", "not there"
IS_NONE = object()  # a name whose value is None, as tf.newaxis


def read_rows(path, columns):
    """The rows of a table as dicts; its line of headings may stand anywhere."""
    with open(path) as file:
        rows = [dict(zip(columns, line.split("\t"))) for line in file.read().splitlines()]
    return [row for row in rows if row["name"] != "name"]


def normal(signature):
    """A signature without the folders of classes and functions that are defaults, and with 1 for 1.0."""
    signature = re.sub(r"(?<![\w.])(\d+)\.0(?!\d)", r"\1", signature)
    signature = re.sub(r"<(?:function )?([\w.]+)(?: object)?(?: instance)?>", r"<\1>", signature)
    return re.sub(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\.([A-Za-z_]\w*)", r"\1", signature)


def text_of_default(value):
    """A default as the table has it."""
    if hasattr(value, "as_datatype_enum"):
        return value.name
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, type):
        return value.__name__
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType)):
        return f"<{value.__name__}>"
    if isinstance(value, (type(None), bool, int, float, complex, str, bytes, list, tuple, dict)):
        return str(value)
    return f"<{type(value).__name__}>"


def text_of_signature(function):
    """A function's arguments as the table has them, or None where Python cannot tell them."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    texts = []
    for parameter in parameters:
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        default = (
            "" if parameter.default is parameter.empty else "=" + text_of_default(parameter.default)
        )
        texts.append(stars + parameter.name + default)
    return f"({', '.join(texts)})"


def is_equal(theirs, function):
    ours = text_of_signature(function)
    if ours is None:
        return False
    pattern = re.escape(normal(theirs)).replace(re.escape("<object>"), r"<\w+>")
    return re.fullmatch(pattern, normal(ours)) is not None


class Front:
    """The names of kiln.compat.v1, by those of the tables (`tf.nn.relu`)."""

    def __init__(self, rows):
        from kiln.compat import v1

        self.root = v1
        self.signatures = {row["name"]: row["signature"] for row in rows}
        self.found = {"tf": v1}

    def get(self, name):
        """What has the name, or None."""
        if name not in self.found:
            owner, _, last = name.rpartition(".")
            holder = self.get(owner) if owner else None
            try:
                self.found[name] = None if holder is None else self.member(holder, name, last)
            except (AttributeError, ImportError):  # of a module that needs what is not there
                self.found[name] = None
        return self.found[name]

    def member(self, holder, name, last):
        from kiln.compat import _modules

        try:
            value = getattr(holder, last)
            return IS_NONE if value is None else value
        except Exception:  # whatever stands in the way, the name cannot be used so
            if isinstance(holder, type):
                return vars(holder).get(last)
            # A module that programs import before they use it.
            return _modules.namespace(name.partition(".")[2])

    def state(self, name):
        """Whether a name of TensorFlow's is there and equal."""
        if name.startswith(("tf.python.", "tf.core.")) or ".python." in name:
            return OK if has_private(name) else MISSING
        found = self.get(name)
        if found is None:
            return MISSING
        if isinstance(found, type):
            name, found = name + ".__init__", found.__init__
        theirs = self.signatures.get(name, "")
        if not theirs.startswith("(") or is_equal(theirs, found):
            return OK
        return DIFFERS

    def arguments(self, name):
        """TensorFlow's arguments and Kiln's, where they differ."""
        found = self.get(name)
        if isinstance(found, type):
            name, found = name + ".__init__", found.__init__
        theirs, ours = self.signatures.get(name, ""), text_of_signature(found) or "unknown"
        return f"TensorFlow {normal(theirs)}, Kiln {normal(ours)}"


def has_private(name):
    """Whether the import hook has a module, or a name of one, below tensorflow.python or
    tensorflow.core.
    """
    from kiln.compat import _modules

    parts = name.split(".")[1:]
    for i in range(len(parts), 0, -1):
        found = _modules.resolve(".".join(parts[:i]))
        if found is not None:
            try:
                for part in parts[i:]:
                    found = getattr(found, part)
            except (AttributeError, ImportError):
                return False
            return True
    return False


def classes_of(rows):
    return {row["name"] for row in rows if row["kind"] == "class"} | {
        row["name"].removesuffix(".__init__") for row in rows if row["name"].endswith(".__init__")
    }


def module_of(name, classes):
    """The namespace that a name, or the class that has it, stands in; private ones are one,
    contrib's and Keras's are two deep.
    """
    parts = name.split(".")
    if parts[1] in ("python", "core") or " " in name:
        return "tf.python, tf.core"
    inner = next((i for i in range(2, len(parts)) if ".".join(parts[:i]) in classes), len(parts))
    depth = 3 if parts[1] in ("contrib", "keras") else inner
    return ".".join(parts[: min(inner - 1, depth)])


def table_of_modules(front, rows, uses):
    """Rows of module, names, how many are there, how many are equal, uses, uses that are equal."""
    classes = classes_of(rows)
    modules = {module_of(row["name"], classes) for row in rows}
    counts = collections.defaultdict(collections.Counter)
    for row in rows:
        if row["name"] not in modules:
            state = front.state(row["name"])
            counts[module_of(row["name"], classes)].update(
                names=1, there=state != MISSING, equal=state == OK
            )
    for use in uses:
        programs = int(use["programs"])
        counts[module_of(use["name"], classes)].update(
            uses=programs, used=programs * (front.state(use["name"]) == OK)
        )
    return [
        (module, count["names"], count["there"], count["equal"], count["uses"], count["used"])
        for module, count in sorted(counts.items())
    ]


def share(uses, front, areas):
    chosen = [use for use in uses if use["area"] in areas]
    total = sum(int(use["programs"]) for use in chosen)
    equal = sum(int(use["programs"]) for use in chosen if front.state(use["name"]) == OK)
    return equal, total


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else ""


def markdown(front, rows, uses):
    lines = [
        "| of the uses in programs | there with TensorFlow's arguments | share |",
        "| --- | ---: | ---: |",
    ]
    for title, areas in AREAS + [(area, (area,)) for area in OTHER_AREAS]:
        equal, total = share(uses, front, areas)
        lines.append(f"| {title} | {equal:,} of {total:,} | {percent(equal, total)} |")
    lines += [
        "",
        "| module | names | there | with TensorFlow's arguments | of the uses |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for module, names, there, equal, total, used in table_of_modules(front, rows, uses):
        lines.append(
            f"| {module} | {names or ''} | {there or ''} | {equal or ''} | {percent(used, total)} |"
        )
    return "\n".join(lines) + "\n"


def list_missing(front, uses, count):
    wanted = [(int(use["programs"]), use["name"], front.state(use["name"])) for use in uses]
    wanted = sorted((it for it in wanted if it[2] != OK), key=lambda it: (-it[0], it[1]))
    for programs, name, state in wanted[: count or None]:
        print(
            f"{programs:5} {name}: {state}"
            + (f": {front.arguments(name)}" if state == DIFFERS else "")
        )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("api")
    parser.add_argument("uses")
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("--missing", metavar="N", type=int)
    options = parser.parse_args()
    rows = read_rows(options.api, ["name", "kind", "signature"])
    uses = read_rows(options.uses, ["name", "programs", "repositories", "area"])
    for use in uses:
        use["name"] = use["name"].lstrip("?")
    front = Front(rows)
    text = markdown(front, rows, uses)
    print(text, end="")
    if options.write:
        with open(options.write, "w") as file:
            file.write(
                "# What kiln.compat.v1 has of TensorFlow 1.15\n"
                "<!-- Written by tools/api_coverage.py. -->\n"
                "[Moving a TensorFlow 1 program to Kiln](../python/kiln/compat/README.md) says what differs. "
                "Uses are counted by programs of public repositories; `old-or-unknown` are names of "
                "TensorFlow 0.x, and those that no TensorFlow has.\n\n" + text
            )
    if options.missing is not None:
        list_missing(front, uses, options.missing)


if __name__ == "__main__":
    main()
