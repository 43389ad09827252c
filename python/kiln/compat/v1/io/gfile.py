"""tf.io.gfile: files and folders, as tf.gfile under the names of Python's os and shutil."""

from kiln.compat.v1._io.file_io import copy_v2 as copy
from kiln.compat.v1._io.file_io import create_dir_v2 as mkdir
from kiln.compat.v1._io.file_io import delete_file_v2 as remove
from kiln.compat.v1._io.file_io import delete_recursively_v2 as rmtree
from kiln.compat.v1._io.file_io import file_exists_v2 as exists
from kiln.compat.v1._io.file_io import get_matching_files_v2 as glob
from kiln.compat.v1._io.file_io import is_directory_v2 as isdir
from kiln.compat.v1._io.file_io import list_directory_v2 as listdir
from kiln.compat.v1._io.file_io import recursive_create_dir_v2 as makedirs
from kiln.compat.v1._io.file_io import rename_v2 as rename
from kiln.compat.v1._io.file_io import stat_v2 as stat
from kiln.compat.v1._io.file_io import walk_v2 as walk
from kiln.compat.v1.gfile import GFile

__all__ = [
    "GFile",
    "copy",
    "exists",
    "glob",
    "isdir",
    "listdir",
    "makedirs",
    "mkdir",
    "remove",
    "rename",
    "rmtree",
    "stat",
    "walk",
]
