"""What type checkers see of kiln.compat.v1, which is marked as typed."""

import ast
import pathlib

import kiln.compat.v1 as tf


def hidden(path):
    """The names that a public module only takes from others, and that are not marked as its own."""
    tree = ast.parse(path.read_text())
    assigned = [each for node in tree.body if isinstance(node, ast.Assign) for each in node.targets]
    if "__all__" in [getattr(each, "id", None) for each in assigned]:
        return
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kiln"):
            for each in node.names:
                if each.asname is None and each.name[0] not in "_*" and each.name not in used:
                    yield each.name


def test_public_modules_export_what_they_take_from_others():
    """As `from a import b as b`: checkers hold a plain import for private."""
    root = pathlib.Path(tf.__file__).parent
    found = {}
    for path in sorted(root.rglob("*.py")):
        inner = path.relative_to(root)
        if not any(part[0] == "_" and part != "__init__.py" for part in inner.parts):
            found[str(inner)] = list(hidden(path))
    assert len(found) > 100
    assert {path: names for path, names in found.items() if names} == {}
