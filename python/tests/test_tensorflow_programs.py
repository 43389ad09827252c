"""TensorFlow programs that nobody touched, beside TensorFlow."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

from tensorflow_beside import same_as_tensorflow

import programs

HERE = pathlib.Path(__file__).parent


@pytest.mark.parametrize("program", [p for p in programs.PROGRAMS if p is not programs.perceptrons])
def test_program(program):
    same_as_tensorflow(program, 1e-4)


@pytest.mark.parametrize("optimizer", programs.OPTIMIZERS)
def test_perceptron(optimizer):
    same_as_tensorflow(lambda: programs.perceptrons([optimizer]), 1e-3)


def leaves(value):
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, list) else [value]


def test_a_script(tmp_path):
    """python -m kiln.tensorflow SCRIPT ARGS: all programs in one process, with the golden cases' tolerances."""
    script = tmp_path / "script.py"
    script.write_text(f"""
import sys
sys.path.insert(0, {str(HERE)!r})
import programs, helper
programs.main(sys.argv[1])
assert __name__ == "__main__" and sys.argv[0] == {str(script)!r} and helper.beside
from tensorflow.python.client.session import BaseSession
print(BaseSession.run.__module__)
""")
    (tmp_path / "helper.py").write_text("beside = True")
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), TF_CPP_MIN_LOG_LEVEL="3")
    running = []
    for name, module in (("kiln", ["-m", "kiln.tensorflow"]), ("tensorflow", [])):
        command = [sys.executable, *module, str(script), str(tmp_path / f"{name}.json")]
        running.append((name, subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE,
                                               stderr=subprocess.PIPE)))
    for name, process in running:
        out, err = process.communicate()
        assert process.returncode == 0, err
        assert out.strip().startswith(f"{name}."), out
    mine, theirs = (json.loads((tmp_path / f"{name}.json").read_text()) for name, _ in running)
    assert list(mine) == list(theirs) == [program.__name__ for program in programs.PROGRAMS]
    for name, expected in theirs.items():
        got, expected = leaves(mine[name]), leaves(expected)
        assert [type(leaf) for leaf in got] == [type(leaf) for leaf in expected]
        for one, other in zip(got, expected):
            assert one == other if isinstance(other, str) else np.allclose(one, other, 1e-4, 1e-6, equal_nan=True), name


def test_a_script_that_is_missing():
    done = subprocess.run([sys.executable, "-m", "kiln.tensorflow"], capture_output=True, text=True,
                          env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
    assert done.returncode == 2 and "SCRIPT" in done.stdout
