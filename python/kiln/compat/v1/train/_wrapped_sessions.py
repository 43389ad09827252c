"""Sessions around sessions: one calls hooks, one joins threads, one makes lost sessions again."""

from kiln.compat.v1 import _messages, errors, logging
from kiln.compat.v1.train._session_run_hook import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunValues,
)

# What a session of several machines may raise when one of them is lost: a new session goes on.
_PREEMPTION_ERRORS = (errors.AbortedError, errors.UnavailableError)

_MAY_BE_LOST = (
    "This may be due to a preemption in a connected worker or parameter server. The current session will be closed "
    "and a new session will be created. Error: %s"
)


class StepContext:
    """What a function given to run_step_fn() gets."""

    def __init__(self, session, run_with_hooks_fn):
        self._session, self._run_with_hooks_fn = session, run_with_hooks_fn

    @property
    def session(self):
        """The session itself: its runs call no hooks."""
        return self._session

    def run_with_hooks(self, *args, **kwargs):
        """As MonitoredSession.run()."""
        return self._run_with_hooks_fn(*args, **kwargs)

    def request_stop(self):
        """Ends the function by StopIteration, and so the loop."""
        raise StopIteration("step_fn has requested the iterations to stop.")


class _WrappedSession:
    """A session around another one, which may be stopped and closed more than once."""

    def __init__(self, sess):
        self._sess = sess
        self._wrapped_is_stoppable = isinstance(sess, _WrappedSession)

    @property
    def graph(self):
        return self._sess.graph

    @property
    def sess_str(self):
        return self._sess.sess_str

    def should_stop(self):
        """Whether it is not to be run any more; True when it is closed."""
        if self._check_stop() or not self._sess:
            return True
        return self._wrapped_is_stoppable and self._sess.should_stop()

    def _check_stop(self):
        """What a subclass has to say about that."""
        return False

    def close(self):
        if not self._sess:
            return
        try:
            self._sess.close()
        except _PREEMPTION_ERRORS as error:
            logging.error(
                "An error occurred when attempting to close the session. This may be due to a preemption in a "
                "connected worker or parameter server. Error: %s",
                error,
            )
        finally:
            self._sess = None

    def run(self, *args, **kwargs):
        return self._sess.run(*args, **kwargs)

    def run_step_fn(self, step_fn, raw_session, run_with_hooks):
        return step_fn(StepContext(raw_session, run_with_hooks or self.run))


class _RecoverableSession(_WrappedSession):
    """Makes a new session by its creator when the one it has is lost, and runs again."""

    def __init__(self, sess_creator):
        self._sess_creator = sess_creator
        super().__init__(self._create_session())

    def _create_session(self):
        while True:
            try:
                return self._sess_creator.create_session()
            except _PREEMPTION_ERRORS as error:
                logging.info("An error was raised while a session was being created. " + _MAY_BE_LOST, error)

    def _check_stop(self):
        try:
            return self._sess._check_stop() if self._sess else True
        except _PREEMPTION_ERRORS as error:
            logging.info(
                "An error was raised while considering whether the session is complete. " + _MAY_BE_LOST, error
            )
            self.close()
            self._sess = self._create_session()
            return False
        except Exception:  # the next run raises it
            return True

    def _until_kept(self, function):
        """Calls the function with a session, and again with a new one where that was lost."""
        while True:
            try:
                if not self._sess:
                    self._sess = self._create_session()
                return function(self._sess)
            except _PREEMPTION_ERRORS as error:
                logging.info("An error was raised. " + _MAY_BE_LOST, error)
                self.close()
                self._sess = None

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        return self._until_kept(
            lambda session: session.run(
                fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata
            )
        )

    def run_step_fn(self, step_fn, raw_session, run_with_hooks):
        return self._until_kept(
            lambda session: session.run_step_fn(step_fn, raw_session, session.run)
        )


class _CoordinatedSession(_WrappedSession):
    """Stops when a coordinator does, raises what its threads raised, and joins them at the end."""

    def __init__(self, sess, coord, stop_grace_period_secs=120):
        super().__init__(sess)
        self._coord, self._stop_grace_period_secs = coord, stop_grace_period_secs

    def _check_stop(self):
        self._coord.raise_requested_exception()
        return self._coord.should_stop()

    def close(self):
        self._coord.request_stop()
        try:
            self._coord.join(
                stop_grace_period_secs=self._stop_grace_period_secs, ignore_live_threads=True
            )
        finally:
            try:
                super().close()
            except Exception:  # join() raises what matters
                pass

    def run(self, *args, **kwargs):
        try:
            return self._sess.run(*args, **kwargs)
        except _PREEMPTION_ERRORS:
            raise
        except Exception as error:
            # Where a thread has lost the session, that is why this run failed.
            try:
                self._coord.raise_requested_exception()
            except _PREEMPTION_ERRORS:
                raise
            except Exception:
                raise error from None
            raise


class _HookedSession(_WrappedSession):
    """Calls hooks around each run, and runs what they want beside it."""

    def __init__(self, sess, hooks):
        super().__init__(sess)
        self._hooks, self._should_stop = hooks, False

    def _check_stop(self):
        return self._should_stop

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        # A list, since sessions remember no dict with other keys than texts.
        together, places = [fetches], {}
        context = SessionRunContext(
            original_args=SessionRunArgs(fetches, feed_dict), session=self._sess
        )
        shown = options or _messages.RunOptions()
        feed_dict = self._call_hook_before_run(context, together, places, feed_dict, shown)
        # A run without options takes the short way; its metadata would be empty.
        is_plain = options is None and not shown.ByteSize()
        metadata = run_metadata or _messages.RunMetadata()
        outputs = self._sess.run(
            fetches=together,
            feed_dict=feed_dict,
            options=None if is_plain else shown,
            run_metadata=None if is_plain and run_metadata is None else metadata,
        )
        for hook in self._hooks:
            results = outputs[places[hook]] if hook in places else None
            hook.after_run(context, SessionRunValues(results, shown, metadata))
        self._should_stop = self._should_stop or context.stop_requested
        return outputs[0]

    def _call_hook_before_run(self, run_context, fetches, places, user_feed_dict, options):
        """Adds to the fetches, at places by hook, and to the options what the hooks want; gives what is fed."""
        hook_feeds = {}
        for hook in self._hooks:
            request = hook.before_run(run_context)
            if request is None:
                continue
            if request.fetches is not None:
                places[hook] = len(fetches)
                fetches.append(request.fetches)
            if request.feed_dict:
                _check_apart(hook_feeds, request.feed_dict, "Same tensor is fed by two hooks.")
                hook_feeds.update(request.feed_dict)
            if request.options:
                self._merge_run_options(options, request.options)
        if not hook_feeds:
            return user_feed_dict
        if user_feed_dict:
            _check_apart(
                user_feed_dict, hook_feeds, "Same tensor is fed by a SessionRunHook and user."
            )
            hook_feeds.update(user_feed_dict)
        return hook_feeds

    def _merge_run_options(self, options, incoming_options):
        """Of numbers the larger one counts; what one wants is done."""
        for name in ("trace_level", "timeout_in_ms", "inter_op_thread_pool"):
            setattr(options, name, max(getattr(options, name), getattr(incoming_options, name)))
        for name in ("output_partition_graphs", "report_tensor_allocations_upon_oom"):
            setattr(options, name, getattr(options, name) or getattr(incoming_options, name))
        debug, incoming = options.debug_options, incoming_options.debug_options
        debug.debug_tensor_watch_opts.extend(incoming.debug_tensor_watch_opts)
        debug.reset_disk_byte_usage = debug.reset_disk_byte_usage or incoming.reset_disk_byte_usage


def _check_apart(feeds, others, message):
    both = set(feeds) & set(others)
    if both:
        raise RuntimeError(f"{message} Conflict(s): {list(both)}")
