#!/usr/bin/env python3
"""The table of lines that run.py wrote: the least of the rounds, Kiln beside TensorFlow.

    bench/programs/report.py FILE...
"""

import json
import sys

FIGURES = ("calls", "cpu", "wall", "peak_mb")


def read(paths):
    """The least figures by program and system; programs that failed anywhere apart."""
    least, failed = {}, {}
    for path in paths:
        with open(path) as file:
            for line in map(json.loads, file):
                if line["error"]:
                    failed[line["program"]] = f"{line['system']}: {line['error'][:120]}"
                    continue
                kept = least.setdefault(line["program"], {}).setdefault(line["system"], {})
                figures = {key: line[key] for key in FIGURES if line.get(key) is not None}
                figures.update({f"step {n}": seconds for n, seconds in (line.get("steps") or {}).items()})
                for key, value in figures.items():
                    kept[key] = min(value, kept.get(key, value))
    return {name: systems for name, systems in least.items() if name not in failed}, failed


def ratio(value, peer):
    return f"{value / peer:.2f}" if value is not None and peer else "-"


def main():
    programs, failed = read(sys.argv[1:])
    print("| program | calls: TensorFlow, s | Kiln, empty cache | ratio | warm cache | ratio | CPU: TensorFlow, s | Kiln | ratio | warm"
          " | peak MB: TensorFlow | Kiln |")
    print("| --- |" + " ---: |" * 11)
    sums = {}
    whole = {name: systems for name, systems in programs.items() if {"tf", "cold"} <= systems.keys()}
    for name, systems in sorted(whole.items(), key=lambda item: -item[1]["cold"]["calls"] / item[1]["tf"]["calls"]):
        tf, cold, warm = systems["tf"], systems["cold"], systems.get("warm", {})
        for system, figures in systems.items():
            for key in FIGURES[:3]:
                sums[system, key] = sums.get((system, key), 0) + figures[key]
        print(f"| `{name}` | {tf['calls']:.2f} | {cold['calls']:.2f} | {ratio(cold['calls'], tf['calls'])} | {warm.get('calls', 0):.2f}"
              f" | {ratio(warm.get('calls'), tf['calls'])} | {tf['cpu']:.1f} | {cold['cpu']:.1f} | {ratio(cold['cpu'], tf['cpu'])}"
              f" | {ratio(warm.get('cpu'), tf['cpu'])} | {tf['peak_mb']:.0f} | {cold['peak_mb']:.0f} |")
    print()
    for key in FIGURES[:3]:
        base = sums.get(("tf", key), 0)
        print(f"sum of {key}: TensorFlow {base:.1f} s, " + ", ".join(
            f"Kiln {system} {sums.get((system, key), 0):.1f} ({ratio(sums.get((system, key)), base)})" for system in ("cold", "warm")))
    print("\nSeconds in calls until the n-th call has ended, in sum over the programs that come so far:")
    for n in (1, 10, 100, 1000):
        key = f"step {n}"
        rows = [systems for systems in whole.values() if all(key in figures for figures in systems.values())]
        print(f"n = {n}: {len(rows)} programs, " + ", ".join(
            f"{system} {sum(row[system][key] for row in rows):.2f}" for system in ("tf", "cold", "warm") if all(system in row for row in rows)))
    for name, error in failed.items():
        print(f"failed: {name}, {error}")


if __name__ == "__main__":
    main()
