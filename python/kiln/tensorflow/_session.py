"""The methods of tf.Session that run something, on Kiln.

A request that TensorFlow's own code has checked once is remembered, by its
structure and the identity of the tensors in it; from then on run() goes straight
to Kiln. What is not plain (sparse tensors, TensorHandles, options) takes
TensorFlow's way to _do_run() each time.
"""

import threading
import weakref

import numpy as np
from tensorflow.python.client import session as tf_session
from tensorflow.python.framework import errors_impl

import kiln
from kiln._kiln import _Refused
from kiln.tensorflow._callable import OptionsCallable
from kiln.tensorflow._errors import tensorflow_error, translated
from kiln.tensorflow._graph import GraphMirror, names_of
from kiln.tensorflow._options import RUN_OPTIONS, fill_metadata, name_ignored, session_options, timeout_seconds

# What TensorFlow says of a callable without feeds; of any other request it is a RuntimeError.
CLOSED = "Session has been closed."

original = {
    name: getattr(tf_session.BaseSession, name)
    for name in (
        "__init__",
        "run",
        "partial_run_setup",
        "make_callable",
        "_make_callable_from_options",
        "close",
        "_do_run",
        "_extend_graph",
    )
}
original["reset"] = tf_session.Session.reset


class Bridge:
    """What a tf.Session has of Kiln."""

    options = {}  # of install()
    lock = threading.Lock()  # of living
    living = weakref.WeakSet()

    def __init__(self, session):
        graph = session.graph
        self.config = session.__dict__.get("_kiln_config")
        self.mirror = GraphMirror.of(graph)
        # Named before it is the session's: other threads may run it at once.
        options = {**self.options, **session_options(self.config)}
        self.resources = options.get("resources")
        self.session = kiln.Session(self.mirror.graph, **options)
        self.session._set_names(names_of(graph))
        self.run_remembered = self.session._run_remembered
        # Requests are remembered without options.
        self.remembers = timeout_seconds(self.config, None) is None
        with self.lock:
            self.living.add(self)

    def call(self, session, function):
        """Calls with Kiln's session; errors get TensorFlow's type, op and stack."""

        def run():
            translated(self.mirror.extend, session.graph)
            return translated(function, self.session)

        return session._do_call(run)


def bridge_of(session):
    """The session's bridge, made when first asked for; None where it stays TensorFlow's."""
    bridge = session.__dict__.get("_kiln")
    if bridge is None and not session._target and not session._closed:
        bridge = session.__dict__.setdefault("_kiln", Bridge(session))
    return bridge


def __init__(self, target="", graph=None, config=None):
    self._kiln_config = config
    original["__init__"](self, target, graph, config)


def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
    if options is not None or run_metadata is not None:
        if bridge_of(self) is None:
            return original["run"](self, fetches, feed_dict, options, run_metadata)
        # As TensorFlow's run(), which would serialize both.
        return self._run(None, fetches, feed_dict, options, run_metadata)
    bridge = self.__dict__.get("_kiln")
    if bridge is not None and not self._closed:
        try:
            result = bridge.run_remembered(fetches, feed_dict)
            if result is not NotImplemented:
                return result
        except kiln.errors.OpError as error:
            if not _is_refused_value(error):
                _raise(self, error)
        except _Refused:
            pass  # a value that is no array: nothing ran, TensorFlow says what is wrong
    result = original["run"](self, fetches, feed_dict)
    bridge = self.__dict__.get("_kiln")
    if bridge is not None and bridge.remembers:
        try:
            if not feed_dict or _is_plain(self, fetches, feed_dict):
                bridge.session._remember(fetches, feed_dict)
        except (TypeError, ValueError, KeyError, kiln.errors.OpError):
            pass  # not plain: TensorFlow's way again the next time
    return result


def _is_plain(session, fetches, feeds):
    """Whether each tensor is fed under one key, and none of them is fetched: that is the fed array itself, or an error."""
    handler = tf_session._FetchHandler(session.graph, fetches, {})
    fed = {session.graph.as_graph_element(key, allow_operation=False) for key in feeds}
    wanted = {*handler.fetches(), *[tensor for op in handler.targets() for tensor in op.outputs]}
    return len(fed) == len(feeds) and fed.isdisjoint(wanted)


def _is_refused_value(error):
    """Whether a shape was refused, which TensorFlow's own check says in its words."""
    return error.code == kiln.errors.INVALID_ARGUMENT and error.message.startswith("Cannot feed value of shape")


def _raise(session, error):
    def again():
        raise tensorflow_error(error)

    session._do_call(again)


def _do_run(self, handle, target_list, fetch_list, feed_dict, options, run_metadata):
    bridge = bridge_of(self)
    if bridge is None:
        return original["_do_run"](self, handle, target_list, fetch_list, feed_dict, options, run_metadata)
    if handle is not None and target_list:
        raise RuntimeError(f"partial_run() requires empty `target_list`. Received: target_list={target_list} (non-empty)")
    fetches = [tensor.name for tensor in fetch_list] + [op.name for op in target_list]
    feeds = {key.deref().name: value for key, value in feed_dict.items()}
    for op in target_list:
        if op.type in ("Placeholder", "PlaceholderV2"):
            # To run one is an error, whatever it is fed.
            feeds.pop(op.outputs[0].name, None)
    if handle is not None:
        return bridge.call(self, lambda session: session.partial_run(handle, fetches, feeds))
    timeout = timeout_seconds(bridge.config, options)
    name_ignored(options, "RunOptions", RUN_OPTIONS)
    traced = run_metadata is not None and options is not None and options.trace_level != options.NO_TRACE
    stats = kiln.RunStats() if traced else None
    run = lambda session: session.run(fetches, feeds, timeout=timeout, stats=stats, regions=traced)
    try:
        results = bridge.call(self, run)
    except _Refused:
        raise errors_impl.InternalError(None, None, f"Unsupported object type {_refused_type(feeds)}") from None
    if run_metadata is not None:
        fill_metadata(run_metadata, stats)
    return results[: len(fetch_list)]


def _refused_type(feeds):
    """The name of the type of the first element that is no string in an array of objects."""
    arrays = [value for value in feeds.values() if isinstance(value, np.ndarray) and value.dtype == object]
    types = [type(item).__name__ for array in arrays for item in array.flat if not isinstance(item, (str, bytes))]
    return types[0] if types else "object"


def partial_run_setup(self, fetches, feeds=None):
    bridge = bridge_of(self)
    if bridge is None or self._closed or self.graph.version == 0:
        return original["partial_run_setup"](self, fetches, feeds)
    given = feeds if isinstance(feeds, (list, tuple)) else [] if feeds is None else [feeds]
    element = lambda feed: self.graph.as_graph_element(feed, allow_tensor=True, allow_operation=False)
    feed_names = [element(feed).name for feed in given]
    handler = tf_session._FetchHandler(self._graph, fetches, {})
    names = [item.name for item in (*handler.fetches(), *handler.targets())]
    return bridge.call(self, lambda session: session.partial_run_setup(names, feed_names))


def make_callable(self, fetches, feed_list=None, accept_options=False):
    bridge = bridge_of(self)
    if bridge is None:
        return original["make_callable"](self, fetches, feed_list, accept_options)
    if feed_list is not None and not isinstance(feed_list, (list, tuple)):
        raise TypeError(f"Argument `feed_list` must be a list or tuple. Received: feed_list={feed_list}")
    keys = list(feed_list or ())
    # TensorFlow's errors for what is no fetch.
    tf_session._FetchHandler(self._graph, fetches, {})

    def slowly(*values, **options):
        if feed_list is None:
            if values or (options and not accept_options):
                raise TypeError(f"expected a call without arguments, got {len(values) + len(options)}")
            if self._closed:
                raise errors_impl.CancelledError(None, None, CLOSED)
        return self.run(fetches, dict(zip(keys, values)), **options)

    def instead(error, *values, **options):
        """Of the bound request, where it fails or has other arguments."""
        if isinstance(error, kiln.errors.OpError) and not self._closed and not _is_refused_value(error):
            _raise(self, error)
        if error is None or isinstance(error, (kiln.errors.OpError, _Refused)):
            return slowly(*values, **options)
        raise error

    if self._closed and feed_list is None and self.graph.version != bridge.mirror.version:
        raise errors_impl.CancelledError(None, None, CLOSED)
    if accept_options or self._closed or not bridge.remembers:
        return slowly
    bridge.call(self, lambda session: None)
    try:
        return bridge.session._make_callable(fetches, keys, instead)
    except (TypeError, ValueError, KeyError, kiln.errors.OpError):
        return slowly  # not plain, or it does not run: run() says why


def _make_callable_from_options(self, callable_options):
    bridge = bridge_of(self)
    if bridge is None:
        return original["_make_callable_from_options"](self, callable_options)
    return translated(OptionsCallable, self, bridge, callable_options)


def close(self):
    bridge = self.__dict__.get("_kiln")
    if bridge is not None:
        bridge.session.close()
    original["close"](self)


def _extend_graph(self):
    bridge = bridge_of(self)
    if bridge is None:
        return original["_extend_graph"](self)
    translated(bridge.mirror.extend, self.graph)


@staticmethod
def reset(target, containers=None, config=None):
    original["reset"](target, containers, config)
    if target:
        return
    with Bridge.lock:
        bridges = list(Bridge.living)
    # Sessions of one process share nothing unless install(resources=...) says so: what is in a
    # container goes with its session, whichever container is named.
    for manager in {bridge.resources for bridge in bridges} - {None}:
        names = [containers] if isinstance(containers, str) else containers or []
        translated(kiln.Session.reset, manager, [name.decode() if isinstance(name, bytes) else name for name in names])
    for bridge in bridges:
        bridge.session.close()


replacements = {name: globals()[name] for name in original}
