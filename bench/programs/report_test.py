#!/usr/bin/env python3
"""The arithmetic of report.py on made-up lines."""

import io
import json
import os
import sys
import tempfile
from contextlib import redirect_stdout

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import report  # noqa: E402


def line(program, system, calls, error=None, **more):
    figures = {"cpu": calls, "wall": calls, "peak_mb": 100.0, "steps": {"1": calls / 2}, **more}
    return {"program": program, "system": system, "calls": calls, "error": error, **figures}


LINES = [
    line("fast", "tf", 2.0),
    line("fast", "tf", 4.0, peak_mb=50.0),  # another round: the least of each figure counts
    line("fast", "cold", 0.5),
    line("fast", "warm", 0.25),
    line("slow", "tf", 1.0),
    line("slow", "cold", 3.0),
    line("slow", "warm", 1.0),
    line("broken", "tf", 1.0),
    line("broken", "cold", 0.0, error="does not run"),
]


def main():
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("".join(json.dumps(each) + "\n" for each in LINES))
        file.flush()
        sys.argv = ["report.py", file.name]
        shown = io.StringIO()
        with redirect_stdout(shown):
            report.main()
    lines = shown.getvalue().split("\n")
    rows = [text for text in lines if text.startswith("| `")]
    assert [text.split("`")[1] for text in rows] == ["slow", "fast"], rows  # the worst first, no program that failed
    assert rows[0].startswith("| `slow` | 1.00 | 3.00 | 3.00 | 1.00 | 1.00 |"), rows[0]
    assert rows[1].startswith("| `fast` | 2.00 | 0.50 | 0.25 | 0.25 | 0.12 |"), rows[1]
    assert rows[1].endswith("| 50 | 100 |"), rows[1]
    assert "sum of calls: TensorFlow 3.0 s, Kiln cold 3.5 (1.17), Kiln warm 1.2 (0.42)" in lines, lines
    assert "n = 1: 2 programs, tf 1.50, cold 1.75, warm 0.62" in lines, lines
    assert "failed: broken, cold: does not run" in lines, lines


if __name__ == "__main__":
    main()
