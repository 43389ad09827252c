"""Threads that begin at once, processes of Python, memory: what tests of several of them share."""

import gc
import os
import resource
import subprocess
import sys
import threading

MIB = 1 << 20


def together(count, work):
    """Runs work(i) on so many threads at once; raises the first exception."""
    barrier, problems = threading.Barrier(count), []

    def guarded(i):
        barrier.wait()
        try:
            work(i)
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]


def python(program, timeout=120):
    """Runs a program in a process of its own, which must end well; gives what it has written."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=timeout
    )
    assert done.returncode == 0 and "terminate" not in done.stderr, done.stdout + done.stderr
    return done


def resident():
    """The bytes of this process that are in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def grown_by(work, turns):
    """Bytes that so many turns add, after a tenth of them."""
    for _ in range(turns // 10):
        work()
    gc.collect()
    before = resident()
    for _ in range(turns):
        work()
    gc.collect()
    return resident() - before
