#!/usr/bin/env python3
"""Whole programs on TensorFlow and on Kiln, in turns, each in a fresh process: what their session calls take.

    bench/programs/run.py CORPUS [--only REGEX] [--rounds N] [--busy N] [--own] [--out FILE]

CORPUS is the folder of the corpus's runner and of the repositories (test/corpus/README.md); TF_PYTHON, CORPUS_PYTHON and
CORPUS_KILN are as there. A round runs each program on TensorFlow, on Kiln with an empty cache of code, and on Kiln with the
cache that the run before has left. --own takes the programs of this folder in place of the corpus's. --busy keeps so many
other processes computing meanwhile. Lines are written to FILE as they come; report.py makes the table of them.
"""

import argparse
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "test", "corpus"))
import run as corpus  # noqa: E402

TENSORFLOW, COLD, WARM = "tf", "cold", "warm"
SYSTEMS = {TENSORFLOW: "tf", COLD: corpus.KILN_SYSTEM, WARM: corpus.KILN_SYSTEM}
MARKS = (1, 10, 100, 1000)


class Measured(subprocess.Popen):
    """A process whose CPU seconds and peak memory, children included, are known when it has ended."""

    last = None

    def wait(self, timeout=None):
        deadline = time.monotonic() + (timeout or 1e9)
        while self.returncode is None:
            process, status, usage = os.wait4(self.pid, os.WNOHANG)
            if process:
                self.returncode = os.waitstatus_to_exitcode(status)
                Measured.last = {"cpu": usage.ru_utime + usage.ru_stime, "peak_mb": usage.ru_maxrss / 1024}
            elif time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(self.args, timeout)
            else:
                time.sleep(0.002)
        return self.returncode


def keep_busy():
    while True:
        sum(range(10**6))


def programs_of(runner, arguments):
    if arguments.own:
        folder = os.path.join(HERE, "own")
        runner.REPOS, runner.P[:] = HERE, []
        for name in sorted(os.listdir(folder)):
            if name.endswith(".py"):
                runner.p("own-" + name[:-3], "own", name)
    elif arguments.listed:
        runner.P[:] = [program for program in runner.P if program["id"] in runner.LISTED]
    return [program for program in runner.P if re.search(arguments.only, program["id"])]


def measure(runner, program, system, cache, timeout):
    """A line for one run of a program."""
    os.environ["KILN_CACHE"] = cache
    started = time.monotonic()
    result = runner.run_one(program, SYSTEMS[system], os.path.join(runner.HERE, "timed"), timeout)
    line = {"program": program["id"], "system": system, "wall": time.monotonic() - started, **(Measured.last or {})}
    line.update(calls=result["run_seconds"], runs=result["runs"], error=result["error"], load=result["load"])
    tag = SYSTEMS[system].replace(":", "_").replace(".", "_")
    stats = os.path.join(runner.HERE, "timed", program["id"], tag + ".json")
    if os.path.exists(stats):
        with open(stats) as file:
            line["steps"] = json.load(file).get("steps")
    return line


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus")
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--busy", type=int, default=0)
    parser.add_argument("--own", action="store_true")
    parser.add_argument("--all", dest="listed", action="store_false", help="those that test/corpus adds as well")
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--out", default="programs.jsonl")
    arguments = parser.parse_args()
    runner = corpus.load_runner(os.path.abspath(arguments.corpus))
    runner.subprocess.Popen = Measured
    os.environ["CORPUS_STEPS"] = ",".join(map(str, MARKS))
    others = [multiprocessing.Process(target=keep_busy, daemon=True) for _ in range(arguments.busy)]
    for other in others:
        other.start()
    for number in range(arguments.rounds):
        for program in programs_of(runner, arguments):
            cache = tempfile.mkdtemp(prefix="kiln-cache-")
            for system in arguments.systems.split(","):
                line = {"round": number, **measure(runner, program, system, cache, arguments.timeout)}
                with open(arguments.out, "a") as file:
                    file.write(json.dumps(line) + "\n")
                shown = {key: round(line[key], 2) for key in ("calls", "cpu", "wall", "peak_mb") if line.get(key) is not None}
                print(f"{program['id']:28s} {system:5s} {shown} {(line['error'] or '')[:100]}", flush=True)
            shutil.rmtree(cache)
    for other in others:
        other.kill()


if __name__ == "__main__":
    main()
