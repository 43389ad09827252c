"""tf.resource_loader: files that lie beside a program.

In TensorFlow some of these look beside TensorFlow's own files; here all look beside the
caller's.
"""

import os
import sys

__all__ = [
    "get_data_files_path",
    "get_path_to_datafile",
    "get_root_dir_with_all_resources",
    "load_resource",
    "readahead_file_path",
]


def _folder_of_caller():
    return os.path.dirname(sys._getframe(2).f_code.co_filename)


def load_resource(path):
    """Returns the bytes of a file whose path begins in the folder of the calling program.

    Errors: OSError. Source: tf.resource_loader.load_resource.
    """
    with open(os.path.join(_folder_of_caller(), path), "rb") as file:
        return file.read()


def get_data_files_path():
    """Returns the folder of the file that calls it.

    Source: tf.resource_loader.get_data_files_path.
    """
    return _folder_of_caller()


def get_root_dir_with_all_resources():
    """Returns the folder below *.runfiles, Bazel's, that the calling file is in, or its own folder.

    Source: tf.resource_loader.get_root_dir_with_all_resources.
    """
    own = folder = _folder_of_caller()
    while folder != os.path.dirname(folder):
        above = os.path.dirname(folder)
        if ".runfiles" in os.path.basename(above):
            return folder
        folder = above
    return own


def get_path_to_datafile(path):
    """Returns a path that begins in the folder of the calling file, joined to that folder.

    Source: tf.resource_loader.get_path_to_datafile.
    """
    return os.path.join(_folder_of_caller(), path)


def readahead_file_path(path, readahead="128M"):
    """Returns the path as it is. Source: tf.resource_loader.readahead_file_path."""
    return path
