"""The programs that recorded TensorFlow's golden cases build the same graphs on kiln.compat.v1."""

import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
FOLDERS = [HERE.parents[2] / "test" / name for name in ("golden", "golden_kiln")]
# Those that the front end has all of; each builds and runs its graphs and is compared node by node.
SCRIPTS = ["make_program_cases"]
# Those whose gradients go through loops.
FORWARD_SCRIPTS = ["make_recurrent_cases"]


@pytest.mark.parametrize("script", SCRIPTS + FORWARD_SCRIPTS)
def test_recorder(script):
    path = next(folder / f"{script}.py" for folder in FOLDERS if (folder / f"{script}.py").exists())
    options = ["--forward"] if script in FORWARD_SCRIPTS else []
    ended = subprocess.run([sys.executable, HERE / "recorded.py", *options, path], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-2000:]
