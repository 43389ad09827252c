"""ConfigProto, RunOptions and RunMetadata."""

import warnings

from kiln import _kiln

# The fields that mean something to Kiln; every other one is named once, when a program has set it.
CONFIG = ("allow_soft_placement", "device_count", "intra_op_parallelism_threads", "operation_timeout_in_ms")
RUN_OPTIONS = ("timeout_in_ms", "trace_level")
_named = set()


def name_ignored(message, kind, mapped):
    """Warns of the fields that are set, differ from their default and do nothing: once each."""
    if message is None:
        return
    default = type(message)()
    for field, value in message.ListFields():
        name = f"{kind}.{field.name}"
        if field.name not in mapped and name not in _named and value != getattr(default, field.name):
            _named.add(name)
            warnings.warn(f"kiln.tensorflow ignores {name}", stacklevel=5)


def session_options(config):
    """Returns the options of kiln.Session for a tf.ConfigProto."""
    if config is None:
        return {}
    wishes = type(config)()
    wishes.CopyFrom(config)
    # InteractiveSession sets these by itself.
    wishes.graph_options.ClearField("place_pruned_graph")
    wishes.gpu_options.ClearField("allow_growth")
    name_ignored(wishes, "ConfigProto", CONFIG)
    return _kiln._session_options(config.SerializeToString())


def timeout_seconds(config, options):
    """Of a run: RunOptions' own, or the session's; None for no limit."""
    milliseconds = options.timeout_in_ms if options is not None else 0
    if not milliseconds and config is not None:
        milliseconds = config.operation_timeout_in_ms
    return milliseconds / 1000 if milliseconds > 0 else None


def fill_metadata(metadata, stats):
    """Writes a traced run into a tf.RunMetadata: the run and its fused regions, labelled with their nodes; None: empties it."""
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
