"""tf.Session: runs of a graph.

A request is taken apart and checked once. Then it is remembered, by its
structure and the identity of the tensors in it, and run() goes straight to
Kiln's session.
"""

import functools
import threading

import kiln
from kiln._kiln import _Refused
from kiln._kiln import front as _c
from kiln.compat.v1 import _feeds, _fetches, _run_options, _targets, logging
from kiln.compat.v1._graph import Graph, get_default_graph
from kiln.compat.v1._session_stack import _default_session_stack


def get_default_session():
    """The innermost default session of this thread, or None. Source: tf.get_default_session."""
    return _default_session_stack.get_default()


def run_by_default(element, graph, feed_dict, session, kind):
    """Tensor.eval() and Operation.run()."""
    verb, noun = ("evaluate tensor", "tensor") if kind == "Tensor" else ("execute operation", "operation")
    call = "eval" if kind == "Tensor" else "run"
    colon, tick = ("", "`") if kind == "Tensor" else (":", "")  # TensorFlow's two texts
    if session is None:
        session = get_default_session()
        if session is None:
            raise ValueError(
                f"Cannot {verb} using `{call}()`: No default session is registered. "
                f"Use `with sess.as_default(){colon}` or pass an explicit session to `{call}(session=sess)`"
            )
        if session.graph is not graph:
            raise ValueError(
                f"Cannot use the default session to {verb}: the {noun}'s graph is different from the "
                f"session's graph. Pass an explicit session to {tick}{call}(session=sess){tick}."
            )
    elif session.graph is not graph:
        raise ValueError(
            f"Cannot use the given session to {verb}: the {noun}'s graph is different from the session's graph."
        )
    return session.run(element, feed_dict)


def load_variable(variable, value, session):
    """Variable.load()."""
    if session is None:
        session = get_default_session()
        if session is None:
            raise ValueError(
                "Either session argument should be provided or default session should be established"
            )
    session.run(variable.initializer, {variable.initializer.inputs[1]: value})


class _Default:
    """The context in which a session is the default one."""

    def __init__(self, session, is_nested):
        self._session, self._is_nested = session, is_nested

    def __enter__(self):
        _default_session_stack.enter(self._session)
        return self._session

    def __exit__(self, *exception):
        _default_session_stack.leave(self._session, self._is_nested)


class SessionInterface:
    """What sessions and those around them have. Source: tf's client.session.SessionInterface."""

    @property
    def graph(self):
        raise NotImplementedError("graph")

    @property
    def sess_str(self):
        raise NotImplementedError("sess_str")

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        raise NotImplementedError("run")

    def partial_run_setup(self, fetches, feeds=None):
        raise NotImplementedError("partial_run_setup")

    def partial_run(self, handle, fetches, feed_dict=None):
        raise NotImplementedError("partial_run")


def _name_in(graph, element, fed):
    """The name by which Kiln knows a tensor or an operation."""
    return graph.as_graph_element(element, allow_operation=not fed).name


class BaseSession(SessionInterface):
    """A session of a graph, whose variables it holds."""

    def __init__(self, target="", graph=None, config=None):
        if graph is None:
            graph = get_default_graph()
        elif not isinstance(graph, Graph):
            raise TypeError(f'Argument `graph` must be a tf.Graph, but got "{type(graph).__name__}"')
        if target is not None and not isinstance(target, (str, bytes)):
            advice = ' Did you do "Session(config)" instead of "Session(config=config)"?'
            is_config = type(target).__name__ == "ConfigProto"
            raise TypeError(
                f'Argument `target` must be a string, but got "{type(target).__name__}"' + is_config * f".{advice}"
            )
        if config is not None and type(config).__name__ != "ConfigProto":
            raise TypeError(f'Argument `config` must be a tf.ConfigProto, but got "{type(config).__name__}"')
        self._graph, self._config, self._closed, self._target = graph, config, False, target or b""
        server = _targets.server_of(target)
        if server is not None and config is None:
            config = server.server_def.default_session_config
        options = _run_options.session_options(config)
        if server is not None:
            options["resources"] = server.resources
        self._timeout = _run_options.timeout_seconds(config, None)  # the server's too
        self._session = kiln.Session(_c.handle(graph), **options)
        # Not a method of this object: the garbage collector does not look into kiln.Session.
        self._session._set_names(functools.partial(_name_in, graph))
        self._run_remembered = self._session._run_remembered

    @property
    def graph(self):
        return self._graph

    @property
    def graph_def(self):
        return self._graph.as_graph_def()

    @property
    def sess_str(self):
        return self._target

    def as_default(self):
        """A context in which this session is the one of eval() and run(), not its graph."""
        return _Default(self, is_nested=True)

    def list_devices(self):
        """The devices, which are parts of one: as many CPUs as the ConfigProto says."""
        return _run_options.devices(self._config)

    def close(self):
        """Ends it: what runs is cancelled, its variables are dropped."""
        self._closed = True
        self._run_remembered = lambda fetches, feed_dict: NotImplemented
        self._session.close()

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """Runs what the fetches need, and gives their values in the same structure.

        fetches: a Tensor, an Operation (which gives None), a Variable, a sparse
        tensor, a name, or lists, tuples, named tuples, dicts of them. feed_dict:
        values by tensor. options: a RunOptions; run_metadata: a RunMetadata to be
        filled in. Errors: tf.errors.OpError and its subclasses with the operation
        and where the program made it; RuntimeError for a closed session; ValueError
        and TypeError for what cannot be fetched or fed. Source: tf.Session.run.
        """
        if options is None and run_metadata is None:
            try:
                result = self._run_remembered(fetches, feed_dict)
                if result is not NotImplemented:
                    return result
            except kiln.errors.OpError as error:
                if not _feeds.is_refused_shape(error):
                    raise self._located(error) from None
            except _Refused:
                pass  # a value that is no array: nothing ran, the words are below
        return self._run(fetches, feed_dict, options, run_metadata)

    def _run(self, fetches, feed_dict, options, run_metadata):
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if self._graph.version == 0:
            raise RuntimeError("The Session graph is empty. Add operations to the graph before calling run().")
        feeds = _feeds.checked(self._graph, feed_dict)
        request = _fetches.Request(self._graph, fetches, feeds)
        names = {tensor.name: value for tensor, value in feeds.items()}
        for operation in request.targets:
            if operation.type in ("Placeholder", "PlaceholderV2"):
                # To run one is an error, whatever it is fed.
                names.pop(operation.name + ":0", None)
        timeout = _run_options.timeout_seconds(None, options) or self._timeout
        stats = _run_options.wanted_stats(options, run_metadata)
        try:
            values = self._session.run(
                request.names(), names, timeout=timeout, stats=stats, regions=stats is not None
            )
        except kiln.errors.OpError as error:
            raise self._located(error) from None
        except _Refused:
            kind = _feeds.refused_type(names)
            raise kiln.errors.InternalError(None, None, f"Unsupported object type {kind}") from None
        if run_metadata is not None:
            _run_options.fill_metadata(run_metadata, stats)
        if self._timeout is None and options is None and run_metadata is None:
            self._remember(request, fetches, feed_dict, feeds)
        return request.result(values)

    def _remember(self, request, fetches, feed_dict, feeds):
        if not request.is_plain or not _feeds.is_plain(feed_dict, feeds) or request.fetches_fed:
            return
        try:
            self._session._remember(fetches, feed_dict)
        except (TypeError, ValueError, KeyError, kiln.errors.OpError):
            pass  # not plain: taken apart again the next time

    def _located(self, error):
        """The error with the operation that it is about."""
        operation = _c.look_up(self._graph, error.node) if error.node else None
        message = error.message
        if error.node:
            message += "\n\t [[{{node %s}}]]" % error.node
        return type(error)(operation and operation.node_def, operation, message)

    def partial_run_setup(self, fetches, feeds=None):
        """Begins a run whose feeds come later; gives its handle."""
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if self._graph.version == 0:
            raise RuntimeError("The Session graph is empty. Add operations to the graph before calling run().")
        given = feeds if isinstance(feeds, (list, tuple)) else [] if feeds is None else [feeds]
        names = [tensor.name for tensor in _feeds.tensors_of_partial_run(self._graph, given)]
        request = _fetches.Request(self._graph, fetches, {})
        try:
            return self._session.partial_run_setup(request.names(), names)
        except kiln.errors.OpError as error:
            raise self._located(error) from None

    def partial_run(self, handle, fetches, feed_dict=None):
        """Feeds a part of a run that partial_run_setup() began, and gives what it then computes."""
        feeds = _feeds.checked(self._graph, feed_dict)
        request = _fetches.Request(self._graph, fetches, feeds)
        if request.targets:
            raise RuntimeError(
                "partial_run() requires empty `target_list`. "
                f"Received: target_list={request.targets} (non-empty)"
            )
        try:
            values = self._session.partial_run(
                handle, request.names(), {tensor.name: value for tensor, value in feeds.items()}
            )
        except kiln.errors.OpError as error:
            raise self._located(error) from None
        return request.result(values)

    def make_callable(self, fetches, feed_list=None, accept_options=False):
        """A function that runs the fetches with values of feed_list by position."""
        if feed_list is not None and not isinstance(feed_list, (list, tuple)):
            raise TypeError(f"Argument `feed_list` must be a list or tuple. Received: feed_list={feed_list}")
        keys = list(feed_list or ())
        request = _fetches.Request(self._graph, fetches, {})

        def slowly(*values, **options):
            if feed_list is None and (values or (options and not accept_options)):
                raise TypeError(f"expected a call without arguments, got {len(values) + len(options)}")
            return self.run(fetches, dict(zip(keys, values)), **options)

        def instead(error, *values, **options):
            """Of the bound request, where it fails or has other arguments."""
            if isinstance(error, kiln.errors.OpError) and not self._closed and not _feeds.is_refused_shape(error):
                raise self._located(error) from None
            if error is None or isinstance(error, (kiln.errors.OpError, _Refused)):
                return slowly(*values, **options)
            raise error

        if accept_options or not request.is_plain or self._timeout is not None:
            return slowly
        try:
            return self._session._make_callable(fetches, keys, instead)
        except (TypeError, ValueError, KeyError, kiln.errors.OpError):
            return slowly  # not plain, or it does not run: run() says why

    def __repr__(self):
        return f"<{type(self).__module__}.{type(self).__name__} of {self._graph!r}>"


class Session(BaseSession):
    """Runs parts of a graph and keeps the variables that they read and write.

    target: None or "": this process. graph: the default one where it is None.
    config: a ConfigProto. As a context manager it is the default session, its
    graph the default graph, and it is closed at the end. Source: tf.Session.
    """

    def __init__(self, target="", graph=None, config=None):
        super().__init__(target, graph, config)
        self._contexts = None

    def __enter__(self):
        if self._contexts is not None:
            raise RuntimeError(
                "Session context managers are not re-entrant. "
                "Use `Session.as_default()` if you want to enter a session multiple times."
            )
        graph_context, session_context = self._contexts = self._graph.as_default(), self.as_default()
        graph_context.__enter__()
        session_context.__enter__()
        return self

    def __exit__(self, *exception):
        (graph_context, session_context), self._contexts = self._contexts, None
        session_context.__exit__(*exception)
        graph_context.__exit__(*exception)
        self.close()

    @staticmethod
    def reset(target, containers=None, config=None):
        """Clears what the sessions of a tf.train.Server share, all where no containers are named, and ends them.

        Other sessions share nothing: for them it does nothing. Source: tf.Session.reset.
        """
        server = _targets.server_of(target)
        if server is not None:
            kiln.Session.reset(server.resources, list(containers or ()))


class InteractiveSession(BaseSession):
    """A session that is the default one from its beginning to close(), with its graph.

    A second one at the same time is logged as an error. Source: tf.InteractiveSession.
    """

    _count_lock = threading.Lock()
    _active_session_count = 0

    def __init__(self, target="", graph=None, config=None):
        super().__init__(target, graph, config)
        with InteractiveSession._count_lock:
            if InteractiveSession._active_session_count > 0:
                logging.error(
                    "An interactive session is already active. This can cause out-of-memory errors or some other "
                    "unexpected errors (due to the unpredictable timing of garbage collection) in some cases. "
                    "You must explicitly call `InteractiveSession.close()` to release resources held by the other "
                    "session(s). Please use `tf.Session()` if you intend to productionize."
                )
            InteractiveSession._active_session_count += 1
        self._is_active = True
        self._explicit_graph = graph
        self._default_session = _Default(self, is_nested=False)
        self._default_session.__enter__()
        self._default_graph = None
        if graph is not None:
            self._default_graph = graph.as_default()
            self._default_graph.__enter__()

    def close(self):
        super().close()
        with InteractiveSession._count_lock:
            InteractiveSession._active_session_count -= self._is_active
            self._is_active = False
        if self._default_graph is not None:
            context, self._default_graph = self._default_graph, None
            context.__exit__(None, None, None)
        if self._default_session is not None:
            context, self._default_session = self._default_session, None
            context.__exit__(None, None, None)


def register_session_run_conversion_functions(
    tensor_type, fetch_function, feed_function=None, feed_function_for_partial_run=None
):
    """Makes sessions fetch and feed objects of a type by functions of it.

    Source: tf's client.session.register_session_run_conversion_functions.
    """
    _fetches.register(tensor_type, fetch_function)
    _feeds.register(tensor_type, feed_function, feed_function_for_partial_run)


