"""tf.logging: what appears on standard error."""

import os
import subprocess
import sys
import textwrap


def run(program):
    code = "from kiln.compat.v1 import logging as log\n" + textwrap.dedent(program)
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines(), result.stderr.splitlines()


def test_messages_from_warn_on():
    _, err = run(
        "log.info('no')\nlog.warn('%d%%', 5)\nlog.warning('b')\nlog.error('c')\nlog.fatal('d')\nlog.TaskLevelStatusMessage('e')"
    )
    assert err == [
        "WARNING:tensorflow:5%",
        "WARNING:tensorflow:b",
        "ERROR:tensorflow:c",
        "CRITICAL:tensorflow:d",
        "ERROR:tensorflow:e",
    ]


def test_verbosity():
    out, err = run("""
        print(log.get_verbosity())
        log.set_verbosity(log.DEBUG)
        log.debug("a"); log.info("b"); log.log(log.INFO, "c %s", 1); log.vlog(15, "d"); log.vlog(5, "no")
        log.set_verbosity(log.ERROR)
        log.warn("no")
        print(log.get_verbosity(), (log.DEBUG, log.INFO, log.WARN, log.ERROR, log.FATAL))
        """)
    assert out == ["30", "40 (10, 20, 30, 40, 50)"]
    assert err == [
        "DEBUG:tensorflow:a",
        "INFO:tensorflow:b",
        "INFO:tensorflow:c 1",
        "Level 15:tensorflow:d",
    ]


def test_some_of_many_calls():
    _, err = run("""
        for i in range(7):
            log.log_every_n(log.WARN, "every %d", 3, i)
            log.log_first_n(log.WARN, "first %d", 2, i)
            log.log_if(log.WARN, "if %d", i == 5, i)
        """)
    assert [line.rpartition(":")[2] for line in err] == [
        "every 0",
        "first 0",
        "first 1",
        "every 3",
        "if 5",
        "every 6",
    ]


def test_handlers_of_the_program():
    _, err = run("""
        import logging
        logging.basicConfig(format="%(name)s %(funcName)s %(message)s")
        def where():
            log.warn("a"); log.log_first_n(log.WARN, "b", 1); log.get_logger().error("c")
        where()
        """)
    assert err == ["tensorflow where a", "tensorflow where b", "tensorflow where c"]


def test_flush_is_not_there():
    out, _ = run(
        "try:\n    log.flush()\nexcept NotImplementedError:\n    print('as in TensorFlow')"
    )
    assert out == ["as in TensorFlow"]


def test_deprecated_functions_say_so_once():
    _, err = run("""
        from kiln.compat.v1._util import deprecation
        @deprecation.deprecated(None, "Use new.", module="tensorflow.old")
        def old():
            pass
        @deprecation.deprecated_args("2020-01-01", "Leave it.", "b", ("c", None))
        def part(a, b=1, c=None):
            pass
        @deprecation.deprecated_arg_values(None, "Other.", a=2)
        def value(a=2):
            pass
        for _ in range(2):
            old(); part(1); part(1, c=None); part(1, 2); part(1, c=3); value(); value(3)
        with deprecation.silence():
            deprecation.deprecated(None, "x")(lambda: 0)()
        """)
    told = [line.partition(": ")[2] for line in err if line.startswith("WARNING")]
    assert told == [
        "old (from tensorflow.old) is deprecated and will be removed in a future version.",
        "calling part (from __main__) with b is deprecated and will be removed after 2020-01-01.",
        "calling part (from __main__) with c is deprecated and will be removed after 2020-01-01.",
        "calling value (from __main__) with a=2 is deprecated and will be removed in a future version.",
    ]
    assert err[1:3] == ["Instructions for updating:", "Use new."]
