"""ConfigProto, RunOptions and RunMetadata: what of them means something to Kiln."""

import warnings

import kiln
from kiln import _kiln

# Every other field is named once, when a program has set it.
CONFIG = ("allow_soft_placement", "device_count", "intra_op_parallelism_threads", "operation_timeout_in_ms")
# What many programs set, and where there is nothing to be done: one device, one pool of threads.
MEANT_FOR_OTHERS = ("gpu_options", "graph_options", "inter_op_parallelism_threads", "log_device_placement")
_named = set()


class DeviceAttributes:
    """A device of a session."""

    def __init__(self, name, device_type, memory_limit_bytes, incarnation):
        self.name, self.device_type = name, device_type
        self.memory_limit_bytes, self.incarnation = memory_limit_bytes, incarnation

    def __repr__(self):
        return f"_DeviceAttributes({self.name}, {self.device_type}, {self.memory_limit_bytes}, {self.incarnation})"


def _name_ignored(message, known):
    default = type(message)()
    for field, value in message.ListFields():
        name = f"{type(message).__name__}.{field.name}"
        if field.name not in known and name not in _named and value != getattr(default, field.name):
            _named.add(name)
            warnings.warn(f"Kiln ignores {name}", stacklevel=6)


def session_options(config):
    """The options of kiln.Session."""
    if config is None:
        return {}
    _name_ignored(config, CONFIG + MEANT_FOR_OTHERS)
    return _kiln._session_options(config.SerializeToString())


def _num_cpus(config):
    return 1 if config is None else max(1, config.device_count.get("CPU", 1))


def devices(config):
    """The devices of a session."""
    start = "/job:localhost/replica:0/task:0/device:CPU:"
    return [DeviceAttributes(f"{start}{i}", "CPU", 268435456, 0) for i in range(_num_cpus(config))]


def timeout_seconds(config, options):
    """Of a run: RunOptions' own, or the session's; None for no limit."""
    milliseconds = options.timeout_in_ms if options is not None else 0
    if not milliseconds and config is not None:
        milliseconds = config.operation_timeout_in_ms
    return milliseconds / 1000 if milliseconds > 0 else None


def wanted_stats(options, run_metadata):
    """A RunStats to be filled where a trace is asked for, or None."""
    if options is None:
        return None
    _name_ignored(options, ("timeout_in_ms", "trace_level"))
    traced = run_metadata is not None and options.trace_level != options.NO_TRACE
    return kiln.RunStats() if traced else None


def fill_metadata(metadata, stats):
    """Writes a traced run into a RunMetadata: the run and its fused regions, labelled with their nodes."""
    metadata.Clear()
    if stats is None:
        return
    device = metadata.step_stats.dev_stats.add(device=_kiln._local_device)
    spans = [("run", "kiln", stats.run_start_ns, stats.run_ns)]
    spans += [(region.name, ", ".join(region.nodes), region.start_ns, region.ns) for region in stats.regions]
    for name, label, start, length in spans:
        device.node_stats.add(
            node_name=name,
            timeline_label=label,
            all_start_micros=start // 1000,
            all_start_nanos=start,
            op_end_rel_micros=length // 1000,
            op_end_rel_nanos=length,
            all_end_rel_micros=length // 1000,
            all_end_rel_nanos=length,
        )
