"""tf.logging: messages to standard error, through the logger "tensorflow" of Python's logging.

A message looks like "INFO:tensorflow:step 7". Those below WARN are not shown until
set_verbosity says so. Where the program has given the root logger a handler of its
own, that one shows the messages.
"""

import sys
import threading

__all__ = [
    "DEBUG",
    "ERROR",
    "FATAL",
    "INFO",
    "TaskLevelStatusMessage",
    "WARN",
    "debug",
    "error",
    "fatal",
    "flush",
    "get_verbosity",
    "info",
    "log",
    "log_every_n",
    "log_first_n",
    "log_if",
    "set_verbosity",
    "vlog",
    "warn",
    "warning",
]

DEBUG = 10
INFO = 20
WARN = 30
ERROR = 40
FATAL = 50

_logger = None
_lock = threading.Lock()
_counts = {}  # (file, line) of a call of log_every_n or log_first_n -> how often it came


def get_logger():
    """Returns the logger of TensorFlow's messages, a logging.Logger.

    The first call gives it a handler: on standard error, in an interactive Python on
    standard output and from INFO on; none where the root logger has one.

    Thread safety: any thread. Source: tf.get_logger.
    """
    if _logger is None:
        _make_logger()
    return _logger


def _make_logger():
    global _logger
    import logging

    with _lock:
        if _logger is not None:
            return
        logger = logging.getLogger("tensorflow")
        if not logging.getLogger().handlers:
            interactive = hasattr(sys, "ps1") or sys.flags.interactive
            if interactive:
                logger.setLevel(INFO)
            handler = logging.StreamHandler(sys.stdout if interactive else sys.stderr)
            handler.setFormatter(logging.Formatter(logging.BASIC_FORMAT))
            logger.addHandler(handler)
        _logger = logger


def _write(level, msg, args, kwargs):
    # The place of a message, %(filename)s and so on, is that of the caller's caller.
    kwargs.setdefault("stacklevel", 3)
    get_logger().log(level, msg, *args, **kwargs)


def log(level, msg, *args, **kwargs):
    """Writes msg % args at a level. Source: tf.logging.log."""
    _write(level, msg, args, kwargs)


def debug(msg, *args, **kwargs):
    """Writes msg % args at level DEBUG. Source: tf.logging.debug."""
    _write(DEBUG, msg, args, kwargs)


def info(msg, *args, **kwargs):
    """Writes msg % args at level INFO. Source: tf.logging.info."""
    _write(INFO, msg, args, kwargs)


def warn(msg, *args, **kwargs):
    """Writes msg % args at level WARN. Source: tf.logging.warn."""
    _write(WARN, msg, args, kwargs)


def warning(msg, *args, **kwargs):
    """Writes msg % args at level WARN. Source: tf.logging.warning."""
    _write(WARN, msg, args, kwargs)


def error(msg, *args, **kwargs):
    """Writes msg % args at level ERROR. Source: tf.logging.error."""
    _write(ERROR, msg, args, kwargs)


def fatal(msg, *args, **kwargs):
    """Writes msg % args at level FATAL; the program goes on. Source: tf.logging.fatal."""
    _write(FATAL, msg, args, kwargs)


def vlog(level, msg, *args, **kwargs):
    """Writes msg % args at a level, as log does. Source: tf.logging.vlog."""
    _write(level, msg, args, kwargs)


def TaskLevelStatusMessage(msg):
    """Writes a message at level ERROR. Source: tf.logging.TaskLevelStatusMessage."""
    _write(ERROR, msg, (), {})


def flush():
    """Raises NotImplementedError, as in TensorFlow: each message is written at once."""
    raise NotImplementedError()


def log_if(level, msg, condition, *args):
    """Writes msg % args at a level where the condition is true. Source: tf.logging.log_if."""
    if condition:
        _write(level, msg, args, {})


def log_every_n(level, msg, n, *args):
    """Writes msg % args at the first of every n calls that come from the same line.

    Source: tf.logging.log_every_n, which counts together what is called from one file.
    """
    if _count() % n == 0:
        _write(level, msg, args, {})


def log_first_n(level, msg, n, *args):
    """Writes msg % args at the first n calls that come from the same line.

    Source: tf.logging.log_first_n, which counts together what is called from one file.
    """
    if _count() < n:
        _write(level, msg, args, {})


def _count():
    """Returns how often the line that calls the caller has done so before."""
    frame = sys._getframe(2)
    place = frame.f_code.co_filename, frame.f_lineno
    _counts[place] = _counts.get(place, -1) + 1
    return _counts[place]


def get_verbosity():
    """Returns the level from which on messages are shown. Source: tf.logging.get_verbosity."""
    return get_logger().getEffectiveLevel()


def set_verbosity(v):
    """Shows the messages of level v and above. Source: tf.logging.set_verbosity."""
    get_logger().setLevel(v)
