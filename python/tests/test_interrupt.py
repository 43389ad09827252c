"""Ctrl-C while a run lasts, in processes of their own."""

import pytest

import processes

PRELUDE = """
import os, signal, sys, threading, time
import numpy as np
import kiln, graphs
session = kiln.Session(graphs.loop(), mode="native")
assert session.run("done:0", {"n:0": 5}) == 5
count = session.make_callable("done:0", ["n:0"])
FOREVER = 10**15

def interrupt_after(seconds):
    def later():
        time.sleep(seconds)
        global sent
        sent = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=later, daemon=True).start()

def late():
    return time.monotonic() - sent > 5
"""

def python(program):
    return processes.python(PRELUDE + program).stdout


RUNS = ["session.run('done:0', {'n:0': FOREVER})", "count(FOREVER)"]


@pytest.mark.parametrize("run", RUNS)
def test_keyboard_interrupt(run):
    python(f"""
for _ in range(3):
    interrupt_after(0.1)
    try:
        {run}
    except KeyboardInterrupt:
        assert not late()
    else:
        sys.exit("no KeyboardInterrupt")
assert session.run("done:0", {{"n:0": 7}}) == 7 and count(8) == 8
""")


@pytest.mark.parametrize("run", RUNS)
def test_a_handler_that_raises(run):
    python(f"""
class Stop(Exception):
    pass
def handler(number, frame):
    assert number == signal.SIGINT and threading.current_thread() is threading.main_thread()
    raise Stop
signal.signal(signal.SIGINT, handler)
interrupt_after(0.1)
try:
    {run}
except Stop:
    assert not late()
else:
    sys.exit("no Stop")
assert signal.getsignal(signal.SIGINT) is handler and count(8) == 8
""")


def test_a_handler_that_returns_lets_the_run_go_on():
    python("""
heard = []
signal.signal(signal.SIGINT, lambda number, frame: heard.append(time.monotonic()))
class Enough(Exception):
    pass
interrupt_after(0.1)
try:
    session.run("done:0", {"n:0": FOREVER}, timeout=1.5)
    sys.exit("it ended")
except kiln.errors.DeadlineExceededError:
    pass
assert len(heard) == 1 and heard[0] - sent < 1, heard
""")


def test_an_ignored_interrupt():
    python("""
signal.signal(signal.SIGINT, signal.SIG_IGN)
interrupt_after(0.1)
try:
    session.run("done:0", {"n:0": FOREVER}, timeout=0.5)
except kiln.errors.DeadlineExceededError:
    pass
assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
""")


def test_handlers_change_between_runs():
    python("""
heard = []
for _ in range(5):
    old = signal.signal(signal.SIGINT, lambda number, frame: heard.append(1))
    count(3)
    os.kill(os.getpid(), signal.SIGINT)
    signal.signal(signal.SIGINT, old)
    assert old is signal.default_int_handler
    count(3)
    interrupt_after(0.05)
    try:
        count(FOREVER)
    except KeyboardInterrupt:
        continue
    sys.exit("no KeyboardInterrupt")
assert len(heard) == 5
""")


def test_runs_of_other_threads_go_on():
    python("""
raised = []
def work():
    try:
        session.run("done:0", {"n:0": FOREVER}, timeout=1)
    except Exception as error:
        raised.append(type(error).__name__)
thread = threading.Thread(target=work)
thread.start()
interrupt_after(0.1)
try:
    count(FOREVER)
except KeyboardInterrupt:
    pass
thread.join()
assert raised == ["DeadlineExceededError"], raised
""")


def test_a_run_that_waits_at_a_queue():
    python("""
with kiln.Session(graphs.queue()) as waiting:
    interrupt_after(0.1)
    try:
        waiting.run("take:0")
        sys.exit("it ended")
    except KeyboardInterrupt:
        assert not late()
""")


@pytest.mark.parametrize("run", RUNS)
def test_in_a_forked_child(run):
    python(f"""
interrupt_after(0.05)
try:
    {run}
except KeyboardInterrupt:
    pass
child = os.fork()
if child == 0:
    try:
        interrupt_after(0.1)
        {run}
    except KeyboardInterrupt:
        os._exit(1 if late() else 0)
    os._exit(2)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
""")


def test_outside_of_runs_nothing_changes():
    python("""
count(3)
try:
    interrupt_after(0.05)
    time.sleep(20)
    sys.exit("no KeyboardInterrupt")
except KeyboardInterrupt:
    assert not late()
""")
