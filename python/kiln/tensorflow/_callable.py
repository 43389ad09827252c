"""Session._make_callable_from_options(): what a CallableOptions message describes, on Kiln."""

from tensorflow.python.framework import errors_impl

import kiln
from kiln.tensorflow import _connections
from kiln.tensorflow._options import RUN_OPTIONS, fill_metadata, name_ignored, timeout_seconds


class _Step:
    """One run of a session: takes the values of the feeds and returns those of the names."""

    def __init__(self, session, bridge, names, feeds, timeout):
        self._session = session
        self._bridge = bridge
        self._names = names
        self._feeds = feeds
        self._timeout = timeout
        self._bound = bridge.call(session, lambda kilns: kilns.make_callable(names, feeds))

    def __call__(self, values, stats=None):
        if stats is not None or self._timeout is not None:
            feeds = dict(zip(self._feeds, values, strict=True))
            traced = stats is not None
            run = lambda kilns: kilns.run(self._names, feeds, timeout=self._timeout, stats=stats, regions=traced)
        else:
            run = lambda kilns: self._bound(*values)
        return self._bridge.call(self._session, run)


class OptionsCallable:
    """Takes one value a feed and returns a list with one value a fetch; run_metadata=... gets the trace.

    Tensors that are connected to others get their values in a run of its own before.
    """

    def __init__(self, session, bridge, options):
        name_ignored(options, "CallableOptions", ("feed", "fetch", "target", "run_options", "tensor_connection"))
        name_ignored(options.run_options, "RunOptions", RUN_OPTIONS)
        self._num_fetches = len(options.fetch)
        self._is_traced = options.run_options.trace_level != options.run_options.NO_TRACE
        timeout = timeout_seconds(bridge.config, options.run_options)
        feeds = list(options.feed)
        self._num_feeds = len(feeds)
        self._before = None
        connected = [connection.to_tensor for connection in options.tensor_connection]
        for name in options.fetch:
            if name in feeds or name in connected:
                raise errors_impl.InvalidArgumentError(None, None, f"{name} is both fed and fetched.")
        if options.tensor_connection:
            sources, connected = _connections.steps(session.graph, options)
            self._before = _Step(session, bridge, sources, feeds, timeout)
        self._step = _Step(session, bridge, [*options.fetch, *options.target], [*feeds, *connected], timeout)

    def __call__(self, *values, run_metadata=None):
        if len(values) != self._num_feeds:
            text = f"Expected {self._num_feeds} feed tensors, but got {len(values)}"
            raise errors_impl.InvalidArgumentError(None, None, text)
        stats = kiln.RunStats() if self._is_traced and run_metadata is not None else None
        if self._before is not None:
            values = (*values, *self._before(values))
        results = self._step(values, stats)
        if run_metadata is not None:
            fill_metadata(run_metadata, stats)
        return results[: self._num_fetches]
