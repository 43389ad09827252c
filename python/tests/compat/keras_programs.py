"""Programs of tf.keras, tf.estimator and tf.feature_column, whose results and printed lines two
systems can be compared by.

keras_programs.py MODULE...: records what TensorFlow, with tf_keras and tensorflow_estimator, makes
of the cases of keras_cases/MODULE.py into keras_cases/MODULE.json.xz (TF_USE_LEGACY_KERAS=1 has to
be set); test_keras.py compares what Kiln makes of them. A case is a function of `tf` that gives a
dict of values; what it prints and what it raises is recorded as well.
"""

import contextlib
import importlib
import io
import json
import lzma
import pathlib
import re
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE / "keras_cases"


def cases_of(module):
    """The cases of a module: its functions without an underscore, in order."""
    found = importlib.import_module(f"keras_cases.{module}")
    cases = {
        name: value
        for name, value in vars(found).items()
        if callable(value) and not name.startswith("_") and value.__module__ == found.__name__
    }
    return {**cases, **getattr(found, "TABLE", {})}


def describe(tf, case):
    """What a case gives, prints and raises."""
    tf.keras.backend.clear_session()
    np.random.seed(5)
    tf.set_random_seed(7)
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            made = case(tf) or {}
    except Exception as error:  # noqa: BLE001, any error is compared
        return {"error": f"{type(error).__name__}: {error}"}
    found = {name: plain(value) for name, value in made.items()}
    if printed.getvalue():
        found["printed"] = without_times(printed.getvalue())
    return found


def plain(value):
    """A value as JSON has it: arrays as a shape and numbers of five digits."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, str):
        # TensorFlow 1.15 makes the weights of a cell in the scope of its layer.
        return re.sub(r"/[a-z]+(_[a-z]+)?_cell/", "/", value)
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, float):
        return float(f"{value:.6g}")
    value = np.asarray(value)
    if value.shape == () and value.dtype.kind in "fiub":
        return plain(value.item())
    numbers = value.ravel()[:40].tolist()
    if value.dtype.kind == "f":
        numbers = [float(f"{each:.6g}") for each in numbers]
    return {"shape": list(value.shape), "numbers": [plain(each) for each in numbers]}


def without_times(text):
    """The lines without the times in them, and without what a bar has overwritten."""
    lines = [re.sub(r"^.*[\r\b]", "", line) for line in text.splitlines()]
    lines = [re.sub(r"\b\d+(s|ms|us)\b", "TIME", line).rstrip() for line in lines]
    # Newer versions count the batches of generators among the values.
    lines = [re.sub(r" - batch: \S+ - size: \S+", "", line) for line in lines]
    return [line for line in lines if line]


def differences(wanted, got, path=""):
    """What differs between two results, in words."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        if set(wanted) == set(got) == {"shape", "numbers"}:
            yield from _of_arrays(wanted, got, path)
            return
        for name in {**wanted, **got}:
            if name not in got or name not in wanted:
                yield f"{path}/{name}: {'missing' if name in wanted else 'too much'}"
            else:
                yield from differences(wanted[name], got[name], f"{path}/{name}")
    elif isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        for i, pair in enumerate(zip(wanted, got)):
            yield from differences(*pair, f"{path}/{i}")
    elif isinstance(wanted, float) and isinstance(got, float):
        if not np.isclose(wanted, got, rtol=2e-3, atol=1e-5, equal_nan=True):
            yield f"{path}: expected {wanted}, got {got}"
    elif wanted != got:
        yield f"{path}: expected {wanted!r}, got {got!r}"


def _of_arrays(wanted, got, path):
    if wanted["shape"] != got["shape"]:
        yield f"{path}: expected shape {wanted['shape']}, got {got['shape']}"
        return
    expected, found = wanted["numbers"], got["numbers"]
    if expected and isinstance(expected[0], float):
        if not np.allclose(expected, found, rtol=2e-3, atol=1e-5, equal_nan=True):
            yield f"{path}: expected {expected[:8]}, got {found[:8]}"
    elif expected != found:
        yield f"{path}: expected {expected[:8]}, got {found[:8]}"


def recorded(module):
    return json.loads(lzma.decompress((FOLDER / f"{module}.json.xz").read_bytes()))


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    from keras_cases import tensorflow_oracle

    tensorflow = tensorflow_oracle.namespace()
    for each in sys.argv[1:]:
        results = {name: describe(tensorflow, case) for name, case in cases_of(each).items()}
        for name, result in results.items():
            print(name, result.get("error", ""))
        text = json.dumps(results, separators=(",", ":")).encode()
        (FOLDER / f"{each}.json.xz").write_bytes(lzma.compress(text, preset=9))
