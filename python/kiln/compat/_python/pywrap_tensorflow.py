"""What TensorFlow's C++ shows to Python: the writer of event files."""

import os
import socket
import time

from kiln.compat import v1 as tf
from kiln.compat.v1 import _messages


class EventsWriter:
    """Writes an event file `PREFIX.out.tfevents.SECONDS.HOST`, made at the first event."""

    def __init__(self, file_prefix):
        self._prefix = os.fsdecode(file_prefix)
        self._suffix = ""
        self._name = None
        self._writer = None

    def InitWithSuffix(self, suffix):
        """Makes the file, with a suffix to its name."""
        self._suffix = os.fsdecode(suffix)
        self._open()

    def FileName(self):
        """The path of the file."""
        self._open()
        return self._name

    def WriteEvent(self, event):
        """Writes an Event message."""
        self._open()
        self._writer.write(event.SerializeToString())

    def Flush(self):
        """Brings what was written to the file."""
        if self._writer is not None:
            self._writer.flush()

    def Close(self):
        """Flushes and closes; the next event makes another file."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _open(self):
        if self._writer is None:
            now = time.time()
            self._name = (
                f"{self._prefix}.out.tfevents.{int(now):010d}.{socket.gethostname()}{self._suffix}"
            )
            self._writer = tf.python_io.TFRecordWriter(self._name)
            self._writer.write(
                _messages.Event(wall_time=now, file_version="brain.Event:2").SerializeToString()
            )
            self._writer.flush()
