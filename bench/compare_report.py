"""What bench/compare makes of its lines: the least of each figure, ratios, limits, a table, a chart."""
import json
import statistics
from xml.sax.saxutils import escape

# What a row compares: its name, and the metrics of which a system's least counts.
KINDS = {"step": ("run_s", "callable_s"), "first call": ("first_call_s",), "total": ("total_s",)}
LARGEST_FALL = 0.10


def parse_lines(text):
    """The JSON objects among the lines; peers print other things too."""
    lines = []
    for line in text.splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict) and "workload" in value and "system" in value:
            lines.append(value)
    return lines


def best_of(lines, system, workload, metrics):
    """(least over rounds and metrics, spread of the rounds), or None. The spread is how far the
    middle of the rounds lies above the least, as a share of it; None for a single round."""
    rounds = {}
    for line in lines:
        if (line["system"], line["workload"]) == (system, workload) and \
                line.get("metric") in metrics and line.get("value"):
            number = line.get("round", 0)
            rounds[number] = min(line["value"], rounds.get(number, line["value"]))
    if not rounds:
        return None
    least = min(rounds.values())
    return least, statistics.median(rounds.values()) / least - 1 if len(rounds) > 1 else None


def limits_of(lines):
    """The machine's best GFLOP/s and GB/s in this run."""
    limits = {}
    for line in lines:
        if line["system"] == "limit":
            for key in ("gflops", "gbs"):
                if line.get(key):
                    limits[key] = max(line[key], limits.get(key, 0))
    return limits


def limit_seconds(workload, limits):
    """The least time for the workload's bytes and operations; None without either."""
    times = [workload[amount] / (limits[rate] * 1e9)
             for amount, rate in (("bytes", "gbs"), ("flops", "gflops"))
             if workload.get(amount) and limits.get(rate)]
    return max(times, default=None)


def error_of(lines, system, workload):
    for line in lines:
        if (line["system"], line["workload"], line.get("metric")) == (system, workload, "error"):
            return line.get("op") or line.get("error", "failed")
    return None


def make_row(lines, name, kind, peers, limit):
    row = {"workload": name, "kind": kind}
    kiln = best_of(lines, "kiln", name, KINDS[kind])
    times = {peer: best_of(lines, peer, name, KINDS[kind]) for peer in peers}
    times = {peer: best for peer, best in times.items() if best}
    if kiln:
        row["kiln_s"] = kiln[0]
    elif error := error_of(lines, "kiln", name):
        row["error"] = error
    if times:
        peer = min(times, key=lambda key: times[key][0])
        row.update(best_peer=peer, peer_s=times[peer][0],
                   peers={key: best[0] for key, best in times.items()})
        if kiln:
            row["ratio"] = times[peer][0] / kiln[0]
    spreads = [best[1] for best in (kiln, times.get(row.get("best_peer")))
               if best and best[1] is not None]
    if spreads:
        row["spread"] = max(spreads)
    if limit and kind == "step":
        row["limit_s"] = limit
        if kiln:
            row["of_limit"] = limit / kiln[0]
    return row if kiln or times or "error" in row else None


def summarize(lines, names, workloads, peers):
    limits = limits_of(lines)
    rows = []
    for kind in KINDS:
        for name in names:
            # shapes100 is a whole job, and nothing else is.
            if (kind == "total") != (name == "shapes100"):
                continue
            limit = limit_seconds(workloads.get(name, {}), limits)
            if row := make_row(lines, name, kind, peers, limit):
                rows.append(row)
    failed = [line for line in lines if line["workload"] == "process" and
              line.get("metric") == "error"]
    return {"peers": peers, "limits": limits, "rows": rows,
            "failed": sorted({f"{line['system']}: {line['error']}" for line in failed})}


def time_text(seconds):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def markdown(result):
    about = result.get("machine", {})
    parts = []
    if about:
        parts.append(f"{about['date']}, {about['cpu']}, {about['cores']} cores, {about['rounds']} "
                     f"rounds, load {about['load']} before and {about['load_after']} after.")
    limits = result["limits"]
    if limits:
        parts.append("Limits in this run: " + ", ".join(
            f"{limits[key]:.0f} {unit}" for key, unit in (("gflops", "GFLOP/s"), ("gbs", "GB/s"))
            if key in limits) + ".")
    parts += [f"Ended early: {text}." for text in result["failed"]]
    for kind in KINDS:
        rows = [row for row in result["rows"] if row["kind"] == kind]
        if not rows:
            continue
        table = [f"| {kind} | best peer | its time | Kiln | ratio | limit | of limit | spread |",
                 "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
        for row in rows:
            kiln = time_text(row["kiln_s"]) if "kiln_s" in row else \
                f"error: {row['error'].replace('|', '/')}" if "error" in row else "-"
            cells = [row["workload"], row.get("best_peer", "-"),
                     time_text(row["peer_s"]) if "peer_s" in row else "-", kiln,
                     f"{row['ratio']:.2f}" if "ratio" in row else "-",
                     time_text(row["limit_s"]) if "limit_s" in row else "-",
                     f"{row['of_limit']:.0%}" if "of_limit" in row else "-",
                     f"{row['spread']:.0%}" if "spread" in row else "-"]
            table.append("| " + " | ".join(cells) + " |")
        parts.append("\n".join(table))
    return "\n\n".join(parts)


def chart(result):
    """Bars of the ratios of steps and jobs, on a logarithmic scale around 1; as SVG."""
    import math
    rows = [row for row in result["rows"] if row.get("ratio") and row["kind"] != "first call"]
    height, left, width = 22, 120, 640
    reach = max([abs(math.log10(row["ratio"])) for row in rows] + [1.0])
    middle = left + width / 2

    def place(ratio):
        return middle + math.log10(ratio) / reach * width / 2

    total = 56 + height * len(rows)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 130}" height="{total}" '
           'font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>',
           f'<text x="{left}" y="18">Best peer\'s time / Kiln\'s (right of the line: Kiln is '
           'faster)</text>']
    for power in range(-int(reach), int(reach) + 1):
        x = place(10.0 ** power)
        out.append(f'<line x1="{x:.1f}" y1="40" x2="{x:.1f}" y2="{total - 8}" '
                   f'stroke="{"black" if power == 0 else "#ccc"}"/>')
        out.append(f'<text x="{x:.1f}" y="36" text-anchor="middle" fill="#666">'
                   f'{10.0 ** power:g}</text>')
    for i, row in enumerate(rows):
        y = 44 + i * height
        x = place(row["ratio"])
        color = "#2a7f5f" if row["ratio"] >= 1 else "#c0504d"
        out.append(f'<rect x="{min(x, middle):.1f}" y="{y}" width="{abs(x - middle):.1f}" '
                   f'height="{height - 6}" fill="{color}"/>')
        out.append(f'<text x="{left - 8}" y="{y + 12}" text-anchor="end">'
                   f'{escape(row["workload"])}</text>')
        out.append(f'<text x="{max(x, middle) + 6:.1f}" y="{y + 12}">{row["ratio"]:.2f} '
                   f'{escape(row["best_peer"])}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def same_machine(before, now):
    """Whether seconds of the two runs may be compared."""
    def told(result):
        return [result.get("machine", {}).get(key) for key in ("cpu", "cores")]
    return None not in told(before) and told(before) == told(now)


def own_speed(row):
    """Steps (or jobs) a second, where nothing else measures a row: of calls that move no data. First
    calls are left out; their times vary by more than what would be a fall."""
    return 1 / row["kiln_s"] if row["kind"] != "first call" and row.get("kiln_s") else None


def compare(before, now):
    """(problems, notes) of a run against an earlier one. Without peers in both, the share of the
    limit stands in for the ratio, and on the same machine Kiln's own speed for rows without a
    limit."""
    if before["peers"] and now["peers"] and sorted(before["peers"]) != sorted(now["peers"]):
        return [f"expected the peers {', '.join(before['peers'])}, got {', '.join(now['peers'])}"], []
    key = "ratio" if before["peers"] and now["peers"] else "of_limit"
    rows = {(row["workload"], row["kind"]): row for row in now["rows"]}
    speeds = key == "of_limit" and same_machine(before, now)
    problems, notes, compared = [], [], 0
    for old in before["rows"]:
        name = f"{old['workload']}, {old['kind']}"
        new = rows.get((old["workload"], old["kind"]))
        unit = key
        if key not in old:
            if not speeds or not own_speed(old):
                continue
            unit = "steps a second"
        def figure(row):
            return row.get(key) if unit == key else own_speed(row)
        if new is None:
            notes.append(f"{name}: not in this run")
        elif "error" in new:
            problems.append(f"{name}: ran before, now {new['error']}")
        elif not figure(new):
            problems.append(f"{name}: had a ratio before, now none")
        else:
            compared += 1
            if figure(new) < figure(old) * (1 - LARGEST_FALL):
                problems.append(f"{name}: {unit.replace('_', ' ')} fell from {figure(old):.3g} to "
                                f"{figure(new):.3g}")
    if not compared and not problems:
        problems.append("nothing in common to compare")
    return problems, notes
