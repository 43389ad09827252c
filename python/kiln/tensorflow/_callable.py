"""Session._make_callable_from_options(): what a CallableOptions message describes, on Kiln."""

import kiln
from kiln.tensorflow._options import RUN_OPTIONS, fill_metadata, name_ignored, timeout_seconds


class OptionsCallable:
    """Takes one value a feed and returns a list with one value a fetch; run_metadata=... gets the trace."""

    def __init__(self, session, bridge, options):
        if options.tensor_connection:
            raise kiln.errors.UnimplementedError(
                f"expected CallableOptions without tensor_connection, got {len(options.tensor_connection)}", None
            )
        name_ignored(options, "CallableOptions", ("feed", "fetch", "target", "run_options"))
        name_ignored(options.run_options, "RunOptions", RUN_OPTIONS)
        self._session = session
        self._bridge = bridge
        self._feeds = list(options.feed)
        self._names = [*options.fetch, *options.target]
        self._num_fetches = len(options.fetch)
        self._timeout = timeout_seconds(bridge.config, options.run_options)
        self._is_traced = options.run_options.trace_level != options.run_options.NO_TRACE
        self._bound = bridge.call(session, lambda kilns: kilns.make_callable(self._names, self._feeds))

    def __call__(self, *values, run_metadata=None):
        traced = self._is_traced and run_metadata is not None
        stats = kiln.RunStats() if traced else None
        if traced or self._timeout is not None:
            feeds = dict(zip(self._feeds, values, strict=True))
            run = lambda kilns: kilns.run(self._names, feeds, timeout=self._timeout, stats=stats, regions=traced)
        else:
            run = lambda kilns: self._bound(*values)
        results = self._bridge.call(self._session, run)
        if run_metadata is not None:
            fill_metadata(run_metadata, stats)
        return results[: self._num_fetches]
