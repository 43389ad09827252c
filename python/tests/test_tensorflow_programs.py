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


def test_a_script(tmp_path):
    """python -m kiln.tensorflow SCRIPT ARGS"""
    script = tmp_path / "script.py"
    script.write_text(f"""
import sys
sys.path.insert(0, {str(HERE)!r})
import programs, helper
programs.PROGRAMS = [programs.normal_equation, programs.monitored_session]
programs.main(sys.argv[1])
assert __name__ == "__main__" and sys.argv[0] == {str(script)!r} and helper.beside
from tensorflow.python.client.session import BaseSession
print(BaseSession.run.__module__)
""")
    (tmp_path / "helper.py").write_text("beside = True")
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), TF_CPP_MIN_LOG_LEVEL="3")
    results = []
    for module in (["-m", "kiln.tensorflow"], []):
        out = tmp_path / "out.json"
        command = [sys.executable, *module, str(script), str(out)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip().startswith("kiln." if module else "tensorflow."), done.stdout
        results.append(json.loads(out.read_text()))
    for name, expected in results[1].items():
        np.testing.assert_allclose(np.ravel(results[0][name]), np.ravel(expected), 1e-3, 1e-3)


def test_a_script_that_is_missing():
    done = subprocess.run([sys.executable, "-m", "kiln.tensorflow"], capture_output=True, text=True,
                          env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
    assert done.returncode == 2 and "SCRIPT" in done.stdout
