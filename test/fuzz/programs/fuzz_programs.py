"""Random TensorFlow 1 programs, in TensorFlow and in Kiln: see README.md.

    PYTHONPATH=build/python PYTHON fuzz_programs.py [--seed 1] [--programs 100] [--seconds 600] [--reduce]
    PYTHON fuzz_programs.py --show SEED
"""

import argparse
import collections
import importlib.machinery
import importlib.util
import os
import pathlib
import sys
import time
import warnings

SKIPPED = 77
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="that of the first program; the next ones follow")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no program after so long")
    parser.add_argument("--reduce", action="store_true", help="drop what a difference does not need")
    parser.add_argument("--show", type=int, metavar="SEED", help="print this program and run nothing")
    return parser.parse_args()


def check(seed, reduces):
    """Compares one program; returns a word for the count, and prints a difference."""
    from compare import Difference, compare
    from generate import Generator
    from program import listing

    program = Generator(seed).program()
    try:
        came = compare(program)
    except Exception as error:  # TensorFlow does not take such a program
        return f"not built: {type(error).__name__} {str(error).splitlines()[0][:120]}"
    if not isinstance(came, Difference):
        return came
    if reduces:
        from reduce import reduced

        program, came = reduced(program, came)
    print(f"{listing(program)}\nseed {seed}, {came}\n", flush=True)
    return "different"


def main():
    wishes = arguments()
    if reason := missing():
        print(f"skipped: {reason}")
        return SKIPPED
    if wishes.show is not None:
        from generate import Generator
        from program import listing

        print(listing(Generator(wishes.show).program()))
        return 0
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    warnings.simplefilter("ignore")
    counts, end = collections.Counter(), time.monotonic() + wishes.seconds
    for seed in range(wishes.seed, wishes.seed + wishes.programs):
        if time.monotonic() > end:
            break
        counts[check(seed, wishes.reduce)] += 1
    for word, count in counts.most_common():
        print(f"{count} {word}")
    return 1 if counts["different"] else 0


def missing():
    """What there is not that the programs need; "" for nothing."""
    if not importlib.util.find_spec("tensorflow"):
        return "TensorFlow is not installed: tools/test --tensorflow installs it"
    kiln = importlib.util.find_spec("kiln")
    if kiln is None:
        return "the Python package is not built, or PYTHONPATH does not name its folder"
    folder = pathlib.Path(kiln.origin).parent
    if not any((folder / f"_kiln{suffix}").exists() for suffix in importlib.machinery.EXTENSION_SUFFIXES):
        return "the TensorFlow that is there belongs to another Python"
    return ""


if __name__ == "__main__":
    sys.exit(main())
