"""tf.gfile: files and folders.

Paths are those of this machine, plain or with file://; the errors are tf.errors that name
the path. Other schemes, gs:// and such, are an UnimplementedError.
"""

from kiln.compat.v1._io.file_io import FileIO as _FileIO
from kiln.compat.v1._io.file_io import copy as Copy
from kiln.compat.v1._io.file_io import create_dir as MkDir
from kiln.compat.v1._io.file_io import delete_file as Remove
from kiln.compat.v1._io.file_io import delete_recursively as DeleteRecursively
from kiln.compat.v1._io.file_io import file_exists as Exists
from kiln.compat.v1._io.file_io import get_matching_files as Glob
from kiln.compat.v1._io.file_io import is_directory as IsDirectory
from kiln.compat.v1._io.file_io import list_directory as ListDirectory
from kiln.compat.v1._io.file_io import recursive_create_dir as MakeDirs
from kiln.compat.v1._io.file_io import rename as Rename
from kiln.compat.v1._io.file_io import stat as Stat
from kiln.compat.v1._io.file_io import walk as Walk
from kiln.compat.v1._util.deprecation import deprecated

__all__ = [
    "Copy",
    "DeleteRecursively",
    "Exists",
    "FastGFile",
    "GFile",
    "Glob",
    "IsDirectory",
    "ListDirectory",
    "MakeDirs",
    "MkDir",
    "Open",
    "Remove",
    "Rename",
    "Stat",
    "Walk",
]


class GFile(_FileIO):
    """A file that is read and written, as its base says.

    name: a path. mode: "r", "w" or "a", with "+" for both and "b" for bytes.

        with tf.gfile.GFile("labels.txt") as lines:
            labels = [line.rstrip() for line in lines]

    Source: tf.gfile.GFile, tf.gfile.Open, tf.io.gfile.GFile.
    """

    def __init__(self, name, mode="r"):
        super().__init__(name=name, mode=mode)


class FastGFile(_FileIO):
    """A file that is read and written: a deprecated name of GFile. Source: tf.gfile.FastGFile."""

    @deprecated(None, "Use tf.gfile.GFile.", module="tensorflow.python.platform.gfile")
    def __init__(self, name, mode="r"):
        super().__init__(name=name, mode=mode)


Open = GFile
