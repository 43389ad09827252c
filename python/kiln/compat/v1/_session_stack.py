"""The default sessions of each thread."""

import threading


class DefaultSessions(threading.local):
    """A thread's stack of default sessions."""

    def __init__(self):
        self._sessions = []

    def get_default(self):
        """The innermost one, or None."""
        return self._sessions[-1] if self._sessions else None

    def reset(self):
        """Forgets all of them."""
        self._sessions = []

    def is_cleared(self):
        return not self._sessions

    def enter(self, session):
        self._sessions.append(session)

    def leave(self, session, is_nested):
        """Ends a session's time as the default one. Errors: AssertionError where is_nested and an inner one is left."""
        if is_nested and self._sessions and self._sessions[-1] is not session:
            raise AssertionError(f"Nesting violated for default stack of {type(session)} objects")
        if session in self._sessions:
            places = [place for place, each in enumerate(self._sessions) if each is session]
            del self._sessions[places[-1]]


_default_session_stack = DefaultSessions()
