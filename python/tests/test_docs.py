"""Docstrings, type stubs, and the lines that the documentation shows."""

import ast
import inspect
import pathlib
import pydoc
import re

import graphs
import kiln

PACKAGE = pathlib.Path(kiln.__file__).parent


def run_lines(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "linear_regression.pb").write_bytes(graphs.LINEAR_REGRESSION.read_bytes())
    names = {}
    exec(compile(text, "documentation", "exec"), names)
    return names


def test_the_readme_works(tmp_path, monkeypatch, capsys):
    blocks = re.findall(r"```python\n(.*?)```", (graphs.ROOT / "README.md").read_text(), re.S)
    assert len(blocks) == 1
    run_lines(blocks[0], tmp_path, monkeypatch)
    losses = [float(line.split()[1]) for line in capsys.readouterr().out.splitlines() if line.startswith("loss ")]
    assert len(losses) == 10 and losses[-1] < losses[0]


def test_the_package_docstring_works(tmp_path, monkeypatch):
    lines = inspect.getdoc(kiln).splitlines()
    code = "\n".join(line[4:] for line in lines if line.startswith("    "))
    code = code.replace("    step = session", "step = session")
    session = code.index("step = session")
    # The last lines stand in the session's block.
    body = "".join("    " + line + "\n" for line in code[session:].splitlines())
    assert run_lines(code[:session] + "\n" + body, tmp_path, monkeypatch)["loss"] < 1


def test_help_teaches():
    text = pydoc.plain(pydoc.render_doc(kiln))
    for word in ("Kiln runs TensorFlow 1 graphs", "make_callable", "feed_dict", "Ctrl-C", "explain"):
        assert word in text


def test_everything_public_has_a_docstring():
    for name in kiln.__all__:
        thing = getattr(kiln, name)
        assert inspect.getdoc(thing), name
    for name in ("run", "make_callable", "prepare", "explain", "close", "partial_run", "reset"):
        assert inspect.getdoc(getattr(kiln.Session, name)), name


def test_stubs_name_everything():
    assert (PACKAGE / "py.typed").exists()
    tree = ast.parse((PACKAGE / "_kiln.pyi").read_text())
    named = {item.name for item in tree.body if isinstance(item, (ast.ClassDef, ast.FunctionDef))}
    assert set(kiln.__all__) - {"errors"} <= named
    session = next(item for item in tree.body if getattr(item, "name", "") == "Session")
    methods = {item.name for item in session.body if isinstance(item, ast.FunctionDef)}
    assert {"run", "make_callable", "prepare", "explain", "close", "stats"} <= methods
