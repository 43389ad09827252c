"""The times of a run as a trace for Chrome (chrome://tracing) or Perfetto."""

import collections
import json
import re

_LABEL = re.compile(r"(?P<name>.*) = (?P<op>.*)\((?P<inputs>.*)\)$", re.DOTALL)


class Timeline:
    """A trace of the StepStats of a run.

        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        metadata = tf.RunMetadata()
        session.run(loss, options=options, run_metadata=metadata)
        trace = timeline.Timeline(metadata.step_stats).generate_chrome_trace_format()

    **Source**: tensorflow.python.client.timeline. Kiln reports the times of fused regions, by
    the thread that ran them; it has no tensors and no allocators to report, so `show_memory`
    shows what other programs recorded.
    """

    def __init__(self, step_stats, graph=None):
        self._step_stats = step_stats
        self._graph = graph

    def generate_chrome_trace_format(
        self, show_dataflow=True, show_memory=False, op_time="schedule"
    ):
        """Returns the trace as JSON.

        show_dataflow: arrows from what makes a tensor to what takes it in another row.
        show_memory: how many bytes each allocator had given at each time. op_time: "schedule",
        "gpu" or "all": which of a device's clocks counts; with one device they are the same.
        """
        if op_time not in ("schedule", "gpu", "all"):
            raise ValueError(f"Invalid op_time: {op_time}")
        events, made, taken = [], {}, []
        for pid, device in enumerate(self._step_stats.dev_stats):
            events.append(_process(pid, device.device + " Compute"))
            for lane, stats in _lanes(device.node_stats):
                event, inputs = _op(stats, pid, lane)
                events.append(event)
                made[event["args"]["name"]] = event
                taken += [(event, source) for source in inputs]
        if show_dataflow:
            for number, (event, source) in enumerate(taken):
                events += _arrow(number, made.get(source), event)
        if show_memory:
            events += self._memory(len(self._step_stats.dev_stats))
        return json.dumps({"traceEvents": events}, indent=4)

    def _memory(self, pid):
        changes = collections.defaultdict(list)
        for device in self._step_stats.dev_stats:
            for stats in device.node_stats:
                for memory in stats.memory:
                    for record in memory.allocation_records:
                        changes[memory.allocator_name].append(
                            (record.alloc_micros, record.alloc_bytes)
                        )
        yield _process(pid, "Allocators")
        for allocator, records in changes.items():
            total = 0
            for time, size in sorted(records):
                total += size
                yield {
                    "ph": "C",
                    "cat": "Memory",
                    "name": allocator,
                    "pid": pid,
                    "tid": 0,
                    "ts": time,
                    "args": {allocator: total},
                }


def _process(pid, name):
    return {"name": "process_name", "ph": "M", "pid": pid, "args": {"name": name}}


def _lanes(node_stats):
    """Each node with the first row in which it overlaps with none."""
    ends = []
    for stats in sorted(node_stats, key=lambda stats: stats.all_start_micros):
        start = stats.all_start_micros
        lane = next((i for i, end in enumerate(ends) if end <= start), len(ends))
        ends[lane : lane + 1] = [start + stats.all_end_rel_micros]
        yield lane, stats


def _op(stats, pid, lane):
    parsed = _LABEL.match(stats.timeline_label)
    name, op, inputs = (
        (parsed["name"], parsed["op"], parsed["inputs"])
        if parsed
        else (stats.node_name, stats.node_name, "")
    )
    sources = [
        source.strip().lstrip("^").partition(":")[0]
        for source in inputs.split(",")
        if source.strip()
    ]
    args = {"name": name, "op": op, **{f"input{i}": source for i, source in enumerate(sources)}}
    return {
        "ph": "X",
        "cat": "Op",
        "name": op,
        "pid": pid,
        "tid": lane,
        "ts": stats.all_start_micros,
        "dur": stats.all_end_rel_micros,
        "args": args,
    }, sources


def _arrow(number, source, target):
    if source is None or (source["pid"], source["tid"]) == (target["pid"], target["tid"]):
        return
    for kind, event, time in (
        ("s", source, source["ts"] + source["dur"]),
        ("t", target, target["ts"]),
    ):
        yield {
            "ph": kind,
            "cat": "DataFlow",
            "name": source["args"]["name"],
            "pid": event["pid"],
            "tid": event["tid"],
            "ts": time,
            "id": number,
        }
