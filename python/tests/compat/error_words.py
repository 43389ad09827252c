"""Runs the wrong programs of test/unit/errors with kiln.compat.v1 as `tensorflow`.

error_words.py: compares the type and the words of each error with errors.json, where
TensorFlow's are. Prints those that differ; ends with 1 where there are any.
"""

import json
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "test/unit/errors"


def words(error, tf):
    """The message, without where in Python it was."""
    if isinstance(error, KeyError):
        text = str(error.args[0])
    else:
        text = str(error.message if isinstance(error, tf.errors.OpError) else error)
    return re.split(r" Originally defined at:|\n\nOriginal stack trace|\s*\[\[| \(graphs are ", text)[0].rstrip()


def record(program, tf):
    tf.reset_default_graph()
    try:
        with tf.Graph().as_default():
            program()
    except Exception as error:  # noqa: BLE001, what a program raises is what is looked for
        return [type(error).__name__, words(error, tf)]
    return None


def main():
    import kiln.compat

    kiln.compat.install()
    sys.path.insert(0, str(FOLDER))
    import error_cases

    for name in sorted(FOLDER.glob("*_errors.py")):
        if name.stem != "record_errors":
            __import__(name.stem)
    wanted = json.loads((FOLDER / "errors.json").read_text())
    different = 0
    for name, program in error_cases.cases.items():
        if name not in wanted:
            continue
        got = record(program, error_cases.tf)
        if got != wanted[name]:
            different += 1
            print(f"{name}\n    expected {wanted[name]}\n    got      {got}")
    print(f"{len(wanted)} programs, {different} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
