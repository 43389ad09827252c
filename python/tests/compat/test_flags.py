"""tf.flags and tf.app.run, each in a process of its own."""

import os
import subprocess
import sys
import textwrap

PROGRAM = """
    import sys
    from kiln.compat.v1 import app, flags
    assert "absl" not in sys.modules
    flags.DEFINE_string("name", "nobody", "who")
    flags.DEFINE_integer(flag_name="steps", default_value=3, docstring="how many")
    app.flags.DEFINE_boolean("fast", False, "whether")
    app.flags.DEFINE_list("sizes", "1,2", "each")
    FLAGS = flags.FLAGS
"""


def run(program, *arguments):
    code = textwrap.dedent(PROGRAM) + textwrap.dedent(program)
    result = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=os.environ
    )
    return result.returncode, result.stdout, result.stderr


def test_the_first_flag_that_is_read_parses():
    code, out, err = run(
        "print(FLAGS.name, FLAGS.steps, FLAGS.fast, FLAGS.sizes)",
        "--name=me",
        "--fast",
        "--steps",
        "7",
    )
    assert (code, out) == (0, "me 7 True ['1', '2']\n")
    assert err.startswith(
        "WARNING:root:Use of the keyword argument names (flag_name, default_value, docstring)"
    )


def test_a_flag_that_nobody_defined():
    code, _, err = run("print(FLAGS.name)", "--nope=1")
    assert code == 1 and "UnrecognizedFlagError: Unknown command line flag 'nope'" in err
    code, out, _ = run(
        "app.run(lambda argv: print(argv[1:], FLAGS.name))", "--nope=1", "rest", "--name=me"
    )
    assert (code, out) == (0, "['--nope=1', 'rest'] me\n")


def test_run_calls_main_and_exits():
    code, out, _ = run(
        "def main(argv):\n    print(len(argv), FLAGS.steps)\n    return 5\napp.run()", "--steps=1"
    )
    assert (code, out) == (5, "1 1\n")
    code, out, _ = run("app.run(main=lambda argv: print(argv), argv=['p', '--steps=9', 'x'])")
    assert (code, out) == (0, "['p', 'x']\n")


def test_a_wrong_value_and_help():
    code, _, err = run("app.run(lambda argv: 0)", "--steps=many")
    assert code == 1 and "flag --steps=many: invalid literal for int()" in err
    code, out, _ = run("app.run(lambda argv: 0)", "--help")
    assert code == 1 and "--steps: how many" in out


def test_flags_as_an_object():
    code, out, _ = run("""
        print(FLAGS._parse_flags(["--name=old", "left"]))
        print(sorted(FLAGS.__flags)[:2], FLAGS.__flags["steps"].value, FLAGS["steps"].default, "name" in FLAGS)
        FLAGS.name = "set"
        print(FLAGS.flag_values_dict()["name"], hasattr(FLAGS, "nope"), "sizes" in list(FLAGS))
        try:
            flags.DEFINE_string("name", "", "again")
        except flags.DuplicateFlagError:
            print("twice")
        print("logtostderr" in FLAGS, hasattr(flags, "nope"), "mark_flag_as_required" in dir(flags))
        """)
    assert (code, out.splitlines()) == (
        0,
        [
            "['left']",
            "['alsologtostderr', 'fast'] 3 3 True",
            "set False True",
            "twice",
            "True False True",
        ],
    )
