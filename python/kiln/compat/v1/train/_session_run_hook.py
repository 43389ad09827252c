"""Hooks: what is called around the runs of a monitored session, and what they are given."""

import collections


class SessionRunHook:
    """What a monitored session calls; a subclass overrides what it needs.

    begin(), then for each session after_create_session(), then around each run before_run() and after_run(), and
    end() where the runs ended well: not behind an exception, but for OutOfRangeError and StopIteration, which mean
    that the input has ended. Source: tf.train.SessionRunHook.
    """

    def begin(self):
        """Called once, before the graph is finalized: operations may be added to the default graph."""

    def after_create_session(self, session, coord):
        """Called for each new session, also one that takes a lost one's place. The graph is final.

        session: a tf.Session; coord: the tf.train.Coordinator of its threads.
        """

    def before_run(self, run_context):
        """Called before each run; gives SessionRunArgs of what is to run beside it, or None.

        run_context: a SessionRunContext.
        """
        return None

    def after_run(self, run_context, run_values):
        """Called after each run that raised nothing.

        run_context: that of before_run(); its request_stop() ends the loop. run_values: SessionRunValues.
        """

    def end(self, session):
        """Called when the loop has ended, before the session is closed.

        session: a tf.Session, for what is to run last.
        """


class SessionRunArgs(
    collections.namedtuple(
        "SessionRunArgs", ["fetches", "feed_dict", "options"], defaults=(None, None)
    )
):
    """What a hook adds to a run: fetches and feeds as Session.run() takes them, and RunOptions.

    Source: tf.train.SessionRunArgs.
    """


class SessionRunContext:
    """A run that hooks are called around.

    original_args: SessionRunArgs of what the program runs; session: a session for runs of a hook's own. Source:
    tf.train.SessionRunContext.
    """

    def __init__(self, original_args, session):
        self._original_args, self._session, self._stop_requested = original_args, session, False

    original_args = property(lambda self: self._original_args)
    session = property(lambda self: self._session)
    stop_requested = property(lambda self: self._stop_requested)

    def request_stop(self):
        """Makes should_stop() of the monitored session true after this run."""
        self._stop_requested = True


class SessionRunValues(
    collections.namedtuple("SessionRunValues", ["results", "options", "run_metadata"])
):
    """What a run gave a hook: the values of its fetches, the RunOptions and the RunMetadata of the run.

    Source: tf.train.SessionRunValues.
    """
