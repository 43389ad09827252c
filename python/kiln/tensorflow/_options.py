"""ConfigProto, RunOptions and RunMetadata."""

import warnings

# What Kiln does otherwise, or has nothing to do for: said once a field.
_named = set()


def _own_wishes(config):
    """The fields that a program has set, without what InteractiveSession sets by itself."""
    wishes = type(config)()
    wishes.CopyFrom(config)
    wishes.graph_options.ClearField("place_pruned_graph")
    wishes.gpu_options.ClearField("allow_growth")  # there is no GPU
    return [(field.name, value) for field, value in wishes.ListFields() if value != getattr(type(config)(), field.name)]


def session_options(config):
    """Returns the options of kiln.Session for a tf.ConfigProto."""
    options = {}
    for name, value in _own_wishes(config) if config is not None else ():
        if name == "intra_op_parallelism_threads":
            options["threads"] = max(0, value)
        elif name != "operation_timeout_in_ms" and name not in _named:
            _named.add(name)
            warnings.warn(f"kiln.tensorflow ignores ConfigProto.{name}", stacklevel=4)
    return options


def timeout_seconds(config, options):
    """Of a run: RunOptions' own, or the session's; None for no limit."""
    milliseconds = options.timeout_in_ms if options is not None else 0
    if not milliseconds and config is not None:
        milliseconds = config.operation_timeout_in_ms
    return milliseconds / 1000 if milliseconds > 0 else None


def fill_metadata(metadata, options, stats):
    """Writes a run's figures into a tf.RunMetadata, where a trace was asked for: the run, and its regions if known."""
    metadata.Clear()
    if options is None or options.trace_level == options.NO_TRACE:
        return
    device = metadata.step_stats.dev_stats.add(device="/job:localhost/replica:0/task:0/device:CPU:0")
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
