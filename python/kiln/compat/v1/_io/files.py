"""FileIO, what an open file of tf.gfile is."""

import os

from kiln import errors
from kiln.compat.v1 import compat
from kiln.compat.v1._io.errors import about, error_of
from kiln.compat.v1._io.paths import local
from kiln.compat.v1._util.deprecation import deprecated_args

_MODES = ("r", "w", "a", "r+", "w+", "a+")


class FileStatistics:
    """What tf.gfile.Stat says: the length in bytes, the last change, whether it is a folder.

    The time is in nanoseconds, of whole seconds.
    """

    __slots__ = ("length", "mtime_nsec", "is_directory")

    def __init__(self, length, mtime_nsec, is_directory):
        self.length, self.mtime_nsec, self.is_directory = length, mtime_nsec, is_directory


class FileIO:
    """A file that is read from the beginning, and written.

    name: a path, as text, bytes or os.PathLike. mode: "r", "w" or "a", with "+" for both,
    and "b" for bytes instead of text (UTF-8).

    The file is opened by the first call that needs it: one that is missing is an error
    of the first read, and one that is never written to is not made. What is written goes
    through a buffer, which flush() and close() empty; a closed file may be used again, as
    if newly opened. Reading and writing have positions of their own; the first write with
    "r+" and "w+" empties the file, as in TensorFlow. Lines lose their carriage returns.

    Errors: InvalidArgumentError for another mode; PermissionDeniedError where the mode
    forbids it; those of the system, as tf.errors. Thread safety: none. Source:
    tensorflow.python.lib.io.file_io.FileIO.
    """

    def __init__(self, name, mode):
        kind = mode.replace("b", "")
        if kind not in _MODES:
            raise errors.InvalidArgumentError(
                None, None, "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'"
            )
        self._name, self._mode = name, mode
        self._binary = "b" in mode
        self._readable = kind not in ("w", "a")
        self._writable = kind != "r"
        self._appends = "a" in kind
        self._input = self._output = None

    @property
    def name(self):
        """The path, as it was given."""
        return self._name

    @property
    def mode(self):
        """The mode, as it was given."""
        return self._mode

    def _reader(self):
        if self._input is None:
            if not self._readable:
                raise errors.PermissionDeniedError(None, None, "File isn't open for reading")
            self._input = self._open("rb")
        return self._input

    def _writer(self):
        if self._output is None:
            if not self._writable:
                raise errors.PermissionDeniedError(None, None, "File isn't open for writing")
            self._output = self._open("ab" if self._appends else "wb")
        return self._output

    def _open(self, mode):
        path = local(self._name)
        with self._errors():
            return open(path, mode, buffering=1 << 16)

    def _errors(self):
        return about(compat.as_str_any(compat.path_to_str(self._name)))

    def _value(self, data):
        return data if self._binary else data.decode("utf-8")

    def size(self):
        """Returns the length of the file in bytes, without what is still in the buffer."""
        with self._errors():
            return os.stat(local(self._name)).st_size

    def write(self, file_content):
        """Writes text, as UTF-8, or bytes."""
        output = self._writer()
        with self._errors():
            output.write(compat.as_bytes(file_content))

    def read(self, n=-1):
        """Returns the next n bytes, fewer at the end of the file, or all that is left.

        Errors: UnicodeDecodeError in text mode, also where a character is cut.
        """
        source = self._reader()
        length = self.size() - source.tell() if n == -1 else n
        if length < 0:
            message = f"Can't read a negative number of bytes: {length}"
            raise errors.InvalidArgumentError(None, None, message)
        with self._errors():
            return self._value(source.read(length))

    @deprecated_args(
        None,
        "position is deprecated in favor of the offset argument.",
        "position",
        module="tensorflow.python.lib.io.file_io",
    )
    def seek(self, offset=None, whence=0, position=None):
        """Sets the position of reading: from the beginning, with whence 1 from here, 2 the end.

        Errors: OutOfRangeError behind the end, where the position then is. position is a
        deprecated name of offset.
        """
        source = self._reader()
        if offset is None and position is None:
            raise TypeError("seek(): offset argument required")
        if offset is not None and position is not None:
            raise TypeError("seek(): offset and position may not be set simultaneously.")
        if position is not None:
            offset = position
        if whence not in (0, 1, 2):
            message = f"Invalid whence argument: {whence}. Valid values are 0, 1, or 2."
            raise errors.InvalidArgumentError(None, None, message)
        size = self.size()
        offset += (0, source.tell(), size)[whence]
        if offset < 0:
            message = f"Seeking to a negative position: {offset}"
            raise errors.InvalidArgumentError(None, None, message)
        source.seek(min(offset, size))
        if offset > size:
            raise errors.OutOfRangeError(None, None, "reached end of file")

    def readline(self):
        """Returns the next line with its line feed; nothing at the end of the file."""
        source = self._reader()
        with self._errors():
            return self._value(source.readline().replace(b"\r", b""))

    def readlines(self):
        """Returns the lines that are left, each with its line feed."""
        return list(self)

    def tell(self):
        """Returns the position of reading, or of writing where the file is not read."""
        return (self._reader() if self._readable else self._writer()).tell()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def next(self):
        """Returns the next line, as iteration does."""
        return self.__next__()

    def flush(self):
        """Gives to the system what has been written so far."""
        if self._output is not None:
            with self._errors():
                self._output.flush()

    def close(self):
        """Flushes and closes the file."""
        source, self._input = self._input, None
        output, self._output = self._output, None
        if source is not None:
            source.close()
        if output is not None:
            with self._errors():
                output.close()

    def __del__(self):
        try:
            self.close()
        except Exception:
            pass  # nobody is there to be told

    def seekable(self):
        """Returns True."""
        return True


def copy_file(source, target):
    """Writes what is in one file, with its permissions, into another."""
    if os.path.isdir(local(source)):
        raise error_of(22, target)  # EINVAL
    with about(source):
        data = open(local(source), "rb")
    with data:
        with about(target):
            permissions = os.fstat(data.fileno()).st_mode & 0o777
            number = os.open(local(target), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, permissions)
            with open(number, "wb") as output:
                while block := data.read(1 << 20):
                    output.write(block)


def delete_tree(folder):
    """Deletes a folder and all that is in it, links as such; tells whether nothing is left."""
    done = True
    for top, folders, files in os.walk(folder, topdown=False):
        links = [name for name in folders if os.path.islink(os.path.join(top, name))]
        for name in files + links:
            done = _deleted(os.unlink, os.path.join(top, name)) and done
        done = _deleted(os.rmdir, top) and done
    return done


def _deleted(delete, path):
    try:
        delete(path)
    except OSError:
        return False
    return True
