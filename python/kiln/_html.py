"""Graphs as notebooks show them."""

from html import escape


def _section(heading, rows):
    if not rows:
        return ""
    shown = 40
    lines = [f"<tr><td><code>{escape(name)}</code></td><td>{escape(what)}</td></tr>" for name, what in rows[:shown]]
    if len(rows) > shown:
        lines.append(f"<tr><td colspan=2>and {len(rows) - shown} more</td></tr>")
    return f"<tr><th colspan=2 style='text-align:left'>{heading}</th></tr>{''.join(lines)}"


def _tensor(tensor):
    shape = "unknown" if tensor.shape is None else str([dim if dim is not None else "?" for dim in tensor.shape])
    return tensor.name, f"{tensor.dtype} {shape}".replace("'", "")


def graph_html(graph):
    """Returns a table of what can be fed, fetched and run."""
    operations = lambda nodes: [(node.name, node.type) for node in nodes]
    return (
        f"<table><caption>kiln.Graph with {len(graph)} nodes</caption>"
        + _section("placeholders, to be fed", [_tensor(tensor) for tensor in graph.placeholders])
        + _section("variables", operations(graph.variables))
        + _section("likely fetches", [_tensor(tensor) for tensor in graph.likely_fetches])
        + _section("likely targets", operations(graph.likely_targets))
        + "</table>"
    )
