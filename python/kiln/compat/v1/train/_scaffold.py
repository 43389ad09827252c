"""The operations that a training needs beside its own: initialization, checks, summaries, a saver."""

from kiln.compat.v1 import logging
from kiln.compat.v1._graph import get_default_graph


class Scaffold:
    """The operations by which a monitored session begins, and its saver.

    What is not given is taken from the collection of its name, or made and put there, by finalize(). init_op:
    initializes the global variables, with init_feed_dict; init_fn: a function of the scaffold and the session that is
    called behind it. ready_op: a tensor of the names of what is not initialized. ready_for_local_init_op: the same, of
    what local_init_op needs. local_init_op: initializes local variables and tables, with local_init_feed_dict.
    summary_op: all summaries. saver: a tf.train.Saver. copy_from_scaffold: what is not given is that one's. Errors:
    TypeError. Source: tf.train.Scaffold.
    """

    def __init__(
        self,
        init_op=None,
        init_feed_dict=None,
        init_fn=None,
        ready_op=None,
        ready_for_local_init_op=None,
        local_init_op=None,
        summary_op=None,
        saver=None,
        copy_from_scaffold=None,
        local_init_feed_dict=None,
    ):
        other = copy_from_scaffold
        if other is not None and not isinstance(other, Scaffold):
            raise TypeError("copy_from_scaffold is not a Scaffold instance.")

        def chosen(given, name):
            return given if given is not None or other is None else getattr(other, name)

        self._user_init_fn = init_fn = chosen(init_fn, "_user_init_fn")
        self._init_fn = (lambda session: init_fn(self, session)) if init_fn else None
        self._init_op = chosen(init_op, "_init_op")
        self._init_feed_dict = chosen(init_feed_dict, "_init_feed_dict")
        self._ready_op = chosen(ready_op, "_ready_op")
        self._ready_for_local_init_op = chosen(ready_for_local_init_op, "_ready_for_local_init_op")
        self._local_init_op = chosen(local_init_op, "_local_init_op")
        self._local_init_feed_dict = chosen(local_init_feed_dict, "_local_init_feed_dict")
        self._summary_op = chosen(summary_op, "_summary_op")
        self._saver = chosen(saver, "_saver")

    init_fn = property(lambda self: self._init_fn)
    init_op = property(lambda self: self._init_op)
    init_feed_dict = property(lambda self: self._init_feed_dict)
    ready_op = property(lambda self: self._ready_op)
    ready_for_local_init_op = property(lambda self: self._ready_for_local_init_op)
    local_init_op = property(lambda self: self._local_init_op)
    local_init_feed_dict = property(lambda self: self._local_init_feed_dict)
    summary_op = property(lambda self: self._summary_op)
    saver = property(lambda self: self._saver)

    def finalize(self):
        """Makes what is not there yet, and finalizes the graph. Gives the scaffold."""
        from kiln.compat import v1 as tf
        from kiln.compat.v1.train import _saver

        default = Scaffold.get_or_default
        if self._init_op is None:
            self._init_op = default("init_op", "init_op", _init_op)
        if self._ready_op is None:
            self._ready_op = default("ready_op", "ready_op", lambda: _uninitialized(None, None))
        if self._ready_for_local_init_op is None:
            self._ready_for_local_init_op = default(
                "ready_for_local_init_op", "ready_for_local_init_op", _uninitialized_global
            )
        if self._local_init_op is None:
            self._local_init_op = default(
                "local_init_op", "local_init_op", Scaffold.default_local_init_op
            )
        if self._summary_op is None:
            self._summary_op = default("summary_op", "summary_op", tf.summary.merge_all)
        if self._saver is None:
            self._saver = _saver._get_saver_or_default()
        self._saver.build()
        get_default_graph().finalize()
        logging.info("Graph was finalized.")
        return self

    @staticmethod
    def get_or_default(arg_name, collection_key, default_constructor):
        """The one item of a collection, or what the function makes, which is put there.

        Errors: RuntimeError for several items.
        """
        found = get_default_graph().get_collection(collection_key)
        if len(found) > 1:
            raise RuntimeError(
                f'More than one item in the collection "{collection_key}". Please indicate which one to use by '
                f"passing it to the tf.Scaffold constructor as:  tf.Scaffold({arg_name}=item to use)"
            )
        if found:
            return found[0]
        made = default_constructor()
        if made is not None:
            get_default_graph().add_to_collection(collection_key, made)
        return made

    @staticmethod
    def default_local_init_op():
        """An operation that initializes local variables, tables and local resources."""
        from kiln.compat import v1 as tf
        from kiln.compat._python.ops import resources

        return tf.group(
            tf.local_variables_initializer(),
            tf.tables_initializer(),
            resources.initialize_resources(resources.local_resources()),
        )


def _init_op():
    from kiln.compat import v1 as tf
    from kiln.compat._python.ops import resources

    return tf.group(
        tf.global_variables_initializer(),
        resources.initialize_resources(resources.shared_resources()),
        tf.get_collection("saved_model_initializers"),
    )


def _uninitialized(variables, resource_list):
    from kiln.compat import v1 as tf
    from kiln.compat._python.ops import resources

    return tf.concat(
        [
            tf.report_uninitialized_variables(variables),
            resources.report_uninitialized_resources(resource_list),
        ],
        0,
    )


def _uninitialized_global():
    from kiln.compat import v1 as tf
    from kiln.compat._python.ops import resources

    return _uninitialized(tf.global_variables(), resources.shared_resources())
