"""Processes that are copies of one which has imported TensorFlow already, since importing it takes longer than most programs."""

import os
import runpy
import subprocess
import sys
import time
import types

SETTINGS = {
    "CUDA_VISIBLE_DEVICES": "",
    "MPLBACKEND": "Agg",
    "PYTHONHASHSEED": "0",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_ENABLE_ONEDNN_OPTS": os.environ.get("CORPUS_ONEDNN", "1"),
    "TF_USE_LEGACY_KERAS": "1",
}


class Process:
    """As much of subprocess.Popen as the corpus's runner uses."""

    def __init__(self, command, cwd, env, stdout, stderr, **rest):
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(stdout.fileno(), 1)
            os.dup2(stderr.fileno(), 2)
            os.chdir(cwd)
            os.environ.update(env)
            sys.argv = command[1:]
            sys.path.insert(0, os.path.dirname(command[1]))
            runpy.run_path(command[1], run_name="__main__")
            os._exit(0)

    def wait(self, timeout=None):
        end = time.monotonic() + (timeout or float("inf"))
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("program", timeout)
            time.sleep(0.05)


def use(runner):
    """Imports TensorFlow and lets the runner's programs begin from there."""
    if any(os.environ.get(name) != value for name, value in SETTINGS.items()):
        python = runner.TFPY
        os.execve(python, [python, *sys.orig_argv[1:]], {**os.environ, **SETTINGS})
    sys.path[:0] = [os.path.join(runner.HERE, "shims"), runner.SITE]
    import compat_env  # noqa: F401  before what it mends
    import matplotlib.pyplot  # noqa: F401
    import sklearn.datasets  # noqa: F401
    import tensorflow as tf
    import tf_keras  # noqa: F401
    import tf_slim  # noqa: F401

    tf.compat.v1.disable_v2_behavior()
    given = {name: getattr(subprocess, name) for name in ("run", "DEVNULL", "TimeoutExpired")}
    runner.subprocess = types.SimpleNamespace(Popen=Process, **given)
