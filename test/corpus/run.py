#!/usr/bin/env python3
"""Runs programs of public TensorFlow 1 repositories on TensorFlow and on Kiln without it, and judges what they print.

    run.py CORPUS list|run|compare|prepare ...    as the corpus's own runner, with the programs of programs.py besides
    run.py CORPUS references [--only REGEX]       runs them on TensorFlow, which is imported once
    CORPUS_NUDGED=1 run.py CORPUS references --out CORPUS/nudged [--only REGEX]
                                                  the same with every other fed float one unit in the last place larger
    run.py CORPUS judge [--only REGEX]            a line for each program, and the count

CORPUS is the folder of the corpus's runner and of the repositories (README.md).
"""

import importlib.util
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import forked  # noqa: E402
import programs  # noqa: E402

KILN_SYSTEM = "module:kiln.compat.v1"
REFERENCE, KILN = "tf", "module_kiln_compat_v1"
START = """import runpy, sys
sys.path.insert(0, {here!r})
import before
del sys.path[0]
before.prepare()
sys.argv[0] = {script!r}
runpy.run_path({script!r}, run_name="__main__")
"""


def load_runner(folder):
    """The corpus's runner as a module, with this folder's programs in it."""
    path = os.path.join(folder, "run_corpus.py")
    spec = importlib.util.spec_from_file_location("run_corpus", path)
    runner = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(runner)
    runner.LISTED = {program["id"] for program in runner.P}  # the corpus's own
    programs.register(runner)
    runner.SKIP = re.compile(runner.SKIP.pattern + "|/p/q/")  # names of the folder that the program runs in
    runner.prepare = through_start(runner.prepare)
    return runner


def through_start(prepare):
    """The runner's prepare(), whose script begins with before.py."""

    def prepare_and_start(program, work):
        script, folder, base = prepare(program, work)
        start = os.path.join(os.path.dirname(script), "start_of_corpus.py")
        with open(start, "w") as file:
            file.write(START.format(here=HERE, script=script))
        return start, folder, base

    return prepare_and_start


def verdict(runner, program, results):
    """Whether the program does on Kiln what it does on TensorFlow, and how that is seen."""
    folder = os.path.join(results, program["id"])
    read = {}
    for system in (REFERENCE, KILN):
        path = os.path.join(folder, f"{system}.result.json")
        if not os.path.exists(path):
            return None, f"not run on {system}"
        with open(path) as file:
            read[system] = json.load(file)
    if read[REFERENCE]["error"]:
        return None, "no reference: " + read[REFERENCE]["error"]
    if read[KILN]["error"]:
        return False, "fails: " + read[KILN]["error"]
    if read[KILN]["shims"]:
        return False, f"used shims: {read[KILN]['shims']}"
    found = runner.compare(folder, REFERENCE, KILN)
    said = runner.verdict(found)
    if said == "no numbers":  # what its runs fetched is what it has
        fetched = f"{found.get('marks')} fetches, worst {found.get('marks_worst', -1):.2g}"
        same = found.get("marks_worst", 1) <= 1e-3 and found["marks"] == found["marks_a"] == found["marks_b"]
        return same, fetched
    return said.startswith("same"), said


def from_itself(runner, program, results):
    """How TensorFlow's results differ from its own with nudged feeds: where they do, they are not determined."""
    nudged = os.path.join("..", "..", "nudged", program["id"], REFERENCE)
    try:
        found = runner.compare(os.path.join(results, program["id"]), REFERENCE, nudged)
    except FileNotFoundError:
        return ""
    return "; TensorFlow, fed one unit apart: " + runner.verdict(found)


def judge(runner, arguments):
    only = arguments[1] if arguments[:1] == ["--only"] else ""
    results = os.path.join(runner.HERE, "results")
    counts = {True: 0, False: 0, None: 0}
    for program in runner.P:
        if not re.search(only, program["id"]):
            continue
        same, said = verdict(runner, program, results)
        if same is False:
            said += from_itself(runner, program, results)
        counts[same] += 1
        word = {True: "same", False: "DIFFERS", None: "-"}[same]
        print(f"{program['id']:28s} {word:8s} {said[:200]}")
    print(f"{counts[True]} same, {counts[False]} differ, {counts[None]} without both runs")


def main():
    runner = load_runner(os.path.abspath(sys.argv[1]))
    if sys.argv[2] == "judge":
        return judge(runner, sys.argv[3:])
    del sys.argv[1]
    if sys.argv[1] == "references":
        forked.use(runner)
        sys.argv[1:2] = ["run", "--systems", REFERENCE]
    return runner.main()


if __name__ == "__main__":
    main()
