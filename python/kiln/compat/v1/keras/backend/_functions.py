"""Functions that run the graph, and branches of it."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras.backend import _arrays, _session


class Function:
    """Called with a list of values of the inputs, it gives a list of the outputs' values.

    Its updates run each time, too. Source: tf.keras.backend.function.
    """

    def __init__(self, inputs, outputs, updates=None, name=None, **session_kwargs):
        feed_dict = dict(session_kwargs.pop("feed_dict", None) or {})
        self._fetches = list(session_kwargs.pop("fetches", None) or [])
        self._options = session_kwargs.pop("options", None)
        self._run_metadata = session_kwargs.pop("run_metadata", None)
        if session_kwargs:
            raise ValueError(
                "Some keys in session_kwargs are not supported at this time: %s"
                % (list(session_kwargs),)
            )
        self._name, self._feeds = name, feed_dict
        self._structure = outputs
        self.inputs, self.outputs = tf.nest.flatten(inputs), tf.nest.flatten(outputs)
        with tf.get_default_graph().as_default(), tf.control_dependencies(self.outputs[:1]):
            operations = []
            for update in updates or []:
                if isinstance(update, tuple):
                    update = tf.assign(*update)
                operations.append(update)
            self._updates = tf.group(*operations)
        self._callable = self._session = None

    def __call__(self, inputs):
        session = _session.get_session()
        if self._callable is None or self._session is not session:
            fetches = [*self.outputs, self._updates, *self._fetches]
            feeds = [*self._feeds, *filter(_is_fed, self.inputs)]
            self._callable = session.make_callable(fetches, feed_list=feeds)
            self._session = session
        values = tf.nest.flatten(inputs) if isinstance(inputs, (list, tuple, dict)) else [inputs]
        given = [value for tensor, value in zip(self.inputs, values) if _is_fed(tensor)]
        if self._options is not None or self._run_metadata is not None:
            fetched = self._callable(
                *self._feeds.values(),
                *given,
                options=self._options,
                run_metadata=self._run_metadata,
            )
        else:
            fetched = self._callable(*self._feeds.values(), *given)
        values = fetched[: len(self.outputs)]
        if isinstance(self._structure, (list, tuple, dict)):
            return tf.nest.pack_sequence_as(self._structure, values)
        return values


def _is_fed(tensor):
    return isinstance(tensor, (tf.Tensor, tf.SparseTensor))


def function(inputs, outputs, updates=None, name=None, **kwargs):
    """A Function. Source: tf.keras.backend.function."""
    return Function(inputs, outputs, updates=updates, name=name, **kwargs)


def switch(condition, then_expression, else_expression):
    """One of two tensors, or of what two functions give; element by element for a tensor of
    conditions. Errors: ValueError for one of more axes than the values.
    """
    if condition.dtype != tf.bool:
        condition = tf.cast(condition, "bool")
    rank = _arrays.ndim(condition)
    if not rank:
        branches = [
            each if callable(each) else (lambda each=each: each)
            for each in (then_expression, else_expression)
        ]
        return tf.cond(condition, *branches)
    then, otherwise = (
        each() if callable(each) else each for each in (then_expression, else_expression)
    )
    value_rank = _arrays.ndim(then)
    if rank > value_rank:
        raise ValueError(
            "Rank of `condition` should be less than or equal to rank of `then_expression` and "
            f"`else_expression`. ndim(condition)={rank}, ndim(then_expression)={value_rank}"
        )
    if rank < value_rank:
        for _ in range(value_rank - rank):
            condition = tf.expand_dims(condition, -1)
        condition = tf.logical_and(condition, tf.ones_like(then, dtype=tf.bool))
    return tf.where(condition, then, otherwise)


def in_train_phase(x, alt, training=None):
    """x in training, alt otherwise; functions are called where they are needed."""
    if training is None:
        training = _session.learning_phase()
    if not isinstance(training, (tf.Tensor, tf.Variable)):
        chosen = x if training in (1, True) else alt
        return chosen() if callable(chosen) else chosen
    return switch(training, x, alt)


def in_test_phase(x, alt, training=None):
    """alt in training, x otherwise."""
    return in_train_phase(alt, x, training=training)
