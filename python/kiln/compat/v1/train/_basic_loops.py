"""A training loop of a tf.train.Supervisor."""

from kiln.compat.v1 import errors


def basic_train_loop(supervisor, train_step_fn, args=None, kwargs=None, master=""):
    """Calls train_step_fn(session, *args, **kwargs) until the supervisor stops.

    A session that raises AbortedError is made again. Source: tf.train.basic_train_loop.
    """
    is_over = False
    while not is_over:
        try:
            with supervisor.managed_session(master) as session:
                while not supervisor.should_stop():
                    train_step_fn(session, *(args or ()), **(kwargs or {}))
            is_over = True
        except errors.AbortedError:
            pass  # the next session goes on
