#!/usr/bin/env python3
"""summary.py OUT [v | count]: of TensorFlow's tests that pass on TensorFlow through a session, how many pass on Kiln.

A test counts when it passes on TensorFlow and calls a session at least once; a test
with subtests has several lines, each of which must pass. v: every reason, every
file, and every test that differs for a reason that is not a missing op. Where
TensorFlow's kernels may be called, what is missing keeps state: it is counted apart.
SYSTEM=compat: the outcomes are those of `tensorflow` served by kiln.compat.

count: writes the tests that count, one a line, as the lists in counted/ have them.
Where OUT has no tf.jsonl, those lists say what counts: all of them, or those that
COUNTED names ("framework client"; two folders have files of one name). What
counted/left_out has the beginning of does not count, by the rule above it.
"""

import collections
import json
import os
import pathlib
import re
import sys

out, verbose, count = sys.argv[1], "v" in sys.argv[2:], "count" in sys.argv[2:]
system = os.environ.get("SYSTEM", "kiln")


def outcomes(system):
    tests = {}
    with open(f"{out}/{system}.jsonl") as lines:
        for line in map(json.loads, lines):
            before = tests.get(line["test"])
            worst = before if before and not before["ok"] else line
            tests[line["test"]] = dict(worst, runs=max(line["runs"], before["runs"] if before else 0))
    return tests


NO_STATE = re.compile(r"(\w+): (?:it keeps state|TensorFlow's kernel would take or give a (?:reference|resource|variant))")
NO_DTYPE = re.compile(r"expected attr '\w+' of (\w*(?:Apply|Assign|Scatter|Variable)\w*) to be a dtype that Kiln computes with, got (\w+)")


def reason(outcome):
    """In a few words, and whether it is a missing op or form."""
    if not outcome:
        return "no result (died or out of time)", False
    message = outcome["kiln"][0][1] if outcome["kiln"] else ""
    for missing in (NO_STATE, NO_DTYPE):
        if found := missing.search(message):
            return "state: op " + " of ".join(found.groups()), True
    op = re.search(r"Op type not registered '(\w+)'", message)
    if op:
        return f"op {op.group(1)}", True
    if outcome["kiln"] and outcome["kiln"][0][0] == 12:
        # TensorFlow puts the node's stack around Kiln's message.
        lines = [line for line in message.splitlines() if line and not line.startswith((" ", "\t", "Node:", "Original"))]
        return "unimplemented: " + re.sub(r"\d+", "N", lines[-1] if lines else message)[:70], True
    return "other", False


LISTS = pathlib.Path(__file__).resolve().parent / "counted"


def recorded():
    """The tests that count by the lists in this tree."""
    names = os.environ.get("COUNTED", "").split() or [path.stem for path in LISTS.glob("*.txt")]
    return {test for name in names for test in (LISTS / f"{name}.txt").read_text().splitlines()}


def counts():
    if os.path.exists(f"{out}/tf.jsonl"):
        tests = {test for test, outcome in outcomes("tf").items() if outcome["ok"] and outcome["runs"] > 0}
    else:
        tests = recorded()
    lines = (LISTS / "left_out").read_text().splitlines()
    left_out = tuple(line for line in lines if line and not line.startswith("#"))
    return {test for test in tests if not test.startswith(left_out)}


if count:
    print(*sorted(counts()), sep="\n")
    sys.exit()
kiln = outcomes(system)
with open(f"{out}/files.txt") as lines:
    done = {os.path.basename(line.split()[1]) for line in lines if line.startswith(f"{system} ")}
counted = {test for test in counts() if os.path.basename(test.split("::")[0]) in done}
passed = {test for test in counted if kiln.get(test, {}).get("ok")}
reasons, files, others = collections.Counter(), collections.defaultdict(lambda: [0, 0]), []
for test in counted:
    file = files[os.path.basename(test.split("::")[0])]
    file[0] += test in passed
    file[1] += 1
    if test not in passed:
        words, is_missing = reason(kiln.get(test))
        reasons[words] += 1
        if not is_missing:
            outcome = kiln.get(test) or {}
            others.append((test, outcome.get("kiln") or outcome.get("why") or words))

share = 100 * len(passed) / max(1, len(counted))
print(f"of {len(counted)} tests in {len(files)} files that pass on TensorFlow through a session, "
      f"{len(passed)} pass on Kiln ({share:.1f} %)")
with_state = sum(count for words, count in reasons.items() if words.startswith("state: "))
if with_state:
    rest = len(counted) - with_state
    print(f"without {with_state} whose ops keep state and are missing: {len(passed)} of {rest} ({100 * len(passed) / max(1, rest):.1f} %)")
for words, count in reasons.most_common(None if verbose else 25):
    print(f"{count:5} {words}")
if verbose:
    for file, (mine, all_of_it) in sorted(files.items()):
        print(f"{mine:4} of {all_of_it:4} {file}")
    for test, what in sorted(others, key=str):
        print(test[-80:], "|", str(what)[:260].replace("\n", " "))
