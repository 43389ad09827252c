"""pytest plugin (-p kiln_outcomes): runs TensorFlow's own test files, and writes a JSON line a test to $OUTCOMES.

With KILN=kiln their sessions run on Kiln, as native code alone, and TensorFlow builds the graphs; with
KILN=compat `tensorflow` itself is Kiln's (kiln.compat), and TensorFlow need not be installed. A line says whether
the test passed, how often it called a session, and the first errors of Kiln's runs.
"""

import json
import os
import signal
import sys
import types

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np

# The files were written for a NumPy that had these names.
for name, kind in {"bool": bool, "int": int, "float": float, "object": object, "str": str, "complex": complex}.items():
    if name not in np.__dict__:
        setattr(np, name, kind)
for name, kind in {"float_": np.float64, "int_": np.int64, "complex_": np.complex128}.items():
    if not hasattr(np, name):
        setattr(np, name, kind)
for name, number in {"NINF": -np.inf, "PINF": np.inf}.items():
    if name not in np.__dict__:
        setattr(np, name, number)
if "asfarray" not in np.__dict__:
    np.asfarray = lambda a, dtype=np.float64: np.asarray(a, dtype)

import pytest

SYSTEM = os.environ.get("KILN", "")
if SYSTEM == "compat":
    import absent
    import kiln.compat

    kiln.compat.install()
    absent.stand_in()

import tensorflow as tf
from tensorflow.python.client import session as tf_session
from tensorflow.python.framework import errors_impl, test_util
from tensorflow.python.platform import test

tf.compat.v1.disable_v2_behavior()
SECONDS = 60  # for a test

runs = []  # of the present test, one entry each: None, or (code, message)


def stand_in_for_intels_package():
    """Its copies of TensorFlow's tests import test helpers of its own, which are TensorFlow's here."""
    test_util.is_gpu_available = lambda *arguments, **options: False
    for name in ("run_in_native_and_block_format", "run_all_in_native_and_block_format"):
        setattr(test_util, name, lambda f=None, *arguments, **options: f if f is not None else lambda g: g)
    package = "intel_extension_for_tensorflow"
    for name in (package, f"{package}.python", f"{package}.python.test_func"):
        sys.modules[name] = types.ModuleType(name)
    for name, module in {"test_util": test_util, "test": test}.items():
        sys.modules[f"{package}.python.test_func.{name}"] = module
        setattr(sys.modules[f"{package}.python.test_func"], name, module)


def counted(function):
    """A session's method that notes how its runs end."""

    def method(self, *arguments, **options):
        try:
            result = function(self, *arguments, **options)
        except errors_impl.OpError as error:
            runs.append((error.error_code, error.message))
            raise
        runs.append(None)
        return result

    return method


stand_in_for_intels_package()
if SYSTEM not in ("", "compat"):
    import kiln.tensorflow

    from kiln.tensorflow import _session

    kiln.tensorflow.install(mode="native")
    # A run that hangs ends as the test does: Python's alarm is not heard inside of it. With a time limit requests
    # are not remembered either, which would not come by _do_run.
    own_limit = _session.timeout_seconds
    _session.timeout_seconds = lambda config, options: own_limit(config, options) or SECONDS
for method in ("run" if SYSTEM == "compat" else "_do_run", "partial_run_setup"):
    setattr(tf_session.BaseSession, method, counted(getattr(tf_session.BaseSession, method)))


def left_out():
    """The beginnings of the tests that do not count; the rules above them stand in the same file."""
    with open(os.path.join(os.path.dirname(__file__), "counted", "left_out")) as lines:
        return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def pytest_collection_modifyitems(config, items):
    dropped = [item for item in items if item.nodeid.startswith(left_out())]
    items[:] = [item for item in items if item not in dropped]
    config.hook.pytest_deselected(items=dropped)


def set_in_test(value):
    if SYSTEM == "compat":
        absent.in_test = value


def late(*_):
    raise TimeoutError(f"the test took {SECONDS} s")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    runs.clear()
    set_in_test(True)
    signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    set_in_test(False)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if call.when != "call":
        return
    line = {
        "test": item.nodeid,
        "ok": report.passed,
        "skip": report.skipped,
        "runs": len(runs),
        "kiln": [entry for entry in runs if entry][:3],
        "why": str(call.excinfo.value)[:300] if call.excinfo else None,
    }
    with open(os.environ["OUTCOMES"], "a") as file:
        file.write(json.dumps(line) + "\n")


def pytest_sessionfinish(session, exitstatus):
    session.config.exit_status = int(exitstatus)


def pytest_unconfigure(config):
    """Threads that a failed test left waiting do not keep the process."""
    sys.stdout.flush()
    os._exit(getattr(config, "exit_status", 1))
