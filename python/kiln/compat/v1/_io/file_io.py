"""Files and folders by path: what tf.gfile, tf.io.gfile and tensorflow.python.lib.io.file_io share.

Paths are text, bytes or os.PathLike; with the scheme file:// or none. Every other scheme
(gs://, s3://, hdfs://) is an UnimplementedError. Failures are exceptions of tf.errors that
name the path. Names that end with _v2 have the argument names of tf.io.gfile.
"""

import binascii
import os
import stat as _stat

from kiln import errors
from kiln.compat.v1 import compat
from kiln.compat.v1._io import paths
from kiln.compat.v1._io.errors import about
from kiln.compat.v1._io.files import FileIO, FileStatistics, copy_file, delete_tree
from kiln.compat.v1._io.paths import local


def _text(path):
    return compat.as_str_any(compat.path_to_str(path))


def file_exists_v2(path):
    """Tells whether there is a file or folder. Source: tf.io.gfile.exists."""
    return os.path.exists(local(path))


def file_exists(filename):
    """Tells whether there is a file or folder. Source: tf.gfile.Exists."""
    return file_exists_v2(filename)


def delete_file_v2(path):
    """Deletes a file.

    Errors: NotFoundError; FailedPreconditionError for a folder. Source: tf.io.gfile.remove.
    """
    with about(_text(path)):
        os.unlink(local(path))


def delete_file(filename):
    """Deletes a file.

    Errors: NotFoundError; FailedPreconditionError for a folder. Source: tf.gfile.Remove.
    """
    delete_file_v2(filename)


def read_file_to_string(filename, binary_mode=False):
    """Returns what is in a file as text, or as bytes. Source: file_io.read_file_to_string."""
    with FileIO(filename, "rb" if binary_mode else "r") as file:
        return file.read()


def write_string_to_file(filename, file_content):
    """Makes a file of text or bytes. Source: file_io.write_string_to_file."""
    with FileIO(filename, mode="w") as file:
        file.write(file_content)


def get_matching_files_v2(pattern):
    """Returns the paths that match a pattern or several, as a list of text.

    "*" and "?" stand for characters other than "/", "[ab]" for one of some. The order is
    the system's, which is no particular one. Paths that match in the current folder begin
    with "./". Source: tf.io.gfile.glob.
    """
    patterns = [pattern] if isinstance(pattern, str) else pattern
    return [
        path for one in patterns for path in paths.matching(compat.as_text(compat.as_bytes(one)))
    ]


def get_matching_files(filename):
    """Returns the paths that match a pattern or several, as get_matching_files_v2 does.

    Source: tf.gfile.Glob.
    """
    return get_matching_files_v2(filename)


def create_dir_v2(path):
    """Makes a folder, where the path is free. Errors: NotFoundError without the one above it.

    Source: tf.io.gfile.mkdir.
    """
    if local(path):
        with about(_text(path)):
            try:
                os.mkdir(local(path), 0o755)
            except FileExistsError:
                pass


def create_dir(dirname):
    """Makes a folder, as create_dir_v2 does. Source: tf.gfile.MkDir."""
    create_dir_v2(dirname)


def recursive_create_dir_v2(path):
    """Makes a folder and those above it, as far as they are missing.

    Errors: FailedPreconditionError where one of them is a file. Source: tf.io.gfile.makedirs.
    """
    missing = []
    path = local(path)
    while path and not os.path.isdir(path):
        if os.path.lexists(path):
            raise errors.FailedPreconditionError(None, None, f"{path} is not a directory")
        missing.append(path)
        path = os.path.dirname(path.rstrip("/"))
    for folder in reversed(missing):
        create_dir_v2(folder)


def recursive_create_dir(dirname):
    """Makes a folder and those above it, as recursive_create_dir_v2 does.

    Source: tf.gfile.MakeDirs.
    """
    recursive_create_dir_v2(dirname)


def _check_free(path, overwrite):
    if not overwrite and file_exists_v2(path):
        raise errors.AlreadyExistsError(None, None, "file already exists")


def copy_v2(src, dst, overwrite=False):
    """Copies a file, with its permissions, to a path that names a file.

    Errors: AlreadyExistsError where dst is there and overwrite is not set;
    NotFoundError. Source: tf.io.gfile.copy.
    """
    _check_free(dst, overwrite)
    copy_file(_text(src), _text(dst))


def copy(oldpath, newpath, overwrite=False):
    """Copies a file, as copy_v2 does. Source: tf.gfile.Copy."""
    copy_v2(oldpath, newpath, overwrite)


def rename_v2(src, dst, overwrite=False):
    """Gives a file or folder another path in the same file system.

    Errors: AlreadyExistsError where dst is there and overwrite is not set;
    NotFoundError. Source: tf.io.gfile.rename.
    """
    _check_free(dst, overwrite)
    with about(_text(src)):
        os.rename(local(src), local(dst))


def rename(oldname, newname, overwrite=False):
    """Gives a file or folder another path, as rename_v2 does. Source: tf.gfile.Rename."""
    rename_v2(oldname, newname, overwrite)


def atomic_write_string_to_file(filename, contents, overwrite=True):
    """Makes a file of text or bytes that others see whole or not at all.

    Errors: AlreadyExistsError where it is there and overwrite is not set. Source:
    file_io.atomic_write_string_to_file.
    """
    temporary = f"{_text(filename)}.tmp{os.urandom(16).hex()}"
    write_string_to_file(temporary, contents)
    try:
        rename(temporary, filename, overwrite)
    except errors.OpError:
        delete_file(temporary)
        raise


def delete_recursively_v2(path):
    """Deletes a folder with all that is in it, or a file; of links never what they lead to.

    Errors: NotFoundError; PermissionDeniedError where something could not be deleted.
    Source: tf.io.gfile.rmtree, which deletes what is behind links too.
    """
    here = local(path)
    if not os.path.lexists(here):
        raise errors.NotFoundError(None, None, f"{_text(path)} not found")
    if os.path.islink(here) or not os.path.isdir(here):
        delete_file_v2(path)
        return
    if not delete_tree(here):
        raise errors.PermissionDeniedError(None, None, "could not fully delete dir")


def delete_recursively(dirname):
    """Deletes a folder, as delete_recursively_v2 does. Source: tf.gfile.DeleteRecursively."""
    delete_recursively_v2(dirname)


def is_directory_v2(path):
    """Tells whether a path is a folder; False where there is nothing. Source: tf.io.gfile.isdir."""
    try:
        return os.path.isdir(local(path))
    except errors.OpError:
        return False


def is_directory(dirname):
    """Tells whether a path is a folder. Source: tf.gfile.IsDirectory."""
    return is_directory_v2(dirname)


def list_directory_v2(path):
    """Returns the names in a folder, in the system's order.

    Errors: NotFoundError where there is no such folder. Source: tf.io.gfile.listdir.
    """
    if not is_directory_v2(path):
        raise errors.NotFoundError(None, None, f"Could not find directory {path}")
    with about(_text(path)):
        return os.listdir(local(path))


def list_directory(dirname):
    """Returns the names in a folder, as list_directory_v2 does. Source: tf.gfile.ListDirectory."""
    return list_directory_v2(dirname)


def walk_v2(top, topdown=True, onerror=None):
    """Yields (folder, names of folders in it, names of files in it) for a folder and all below it.

    topdown: whether a folder comes before those in it. onerror: called with the
    NotFoundError of a folder that is not there, which otherwise yields nothing.
    Source: tf.io.gfile.walk.
    """
    top = _text(top)
    try:
        names = list_directory_v2(top)
    except errors.NotFoundError as error:
        if onerror:
            onerror(error)
        return
    folders, files = [], []
    for name in names:
        (folders if is_directory_v2(os.path.join(top, name)) else files).append(name)
    if topdown:
        yield top, folders, files
    for folder in folders:
        yield from walk_v2(os.path.join(top, folder), topdown, onerror)
    if not topdown:
        yield top, folders, files


def walk(top, in_order=True):
    """Yields (folder, folders in it, files in it) for all below top, as walk_v2 does.

    Source: tf.gfile.Walk.
    """
    return walk_v2(top, in_order)


def stat_v2(path):
    """Returns the FileStatistics of a file or folder.

    Errors: NotFoundError. Source: tf.io.gfile.stat.
    """
    with about(_text(path)):
        found = os.stat(local(path))
    return FileStatistics(found.st_size, int(found.st_mtime) * 10**9, _stat.S_ISDIR(found.st_mode))


def stat(filename):
    """Returns the FileStatistics of a file or folder. Source: tf.gfile.Stat."""
    return stat_v2(filename)


def filecmp(filename_a, filename_b):
    """Tells whether two files have the same length and checksum. Source: file_io.filecmp."""
    if stat_v2(filename_a).length != stat_v2(filename_b).length:
        return False
    return file_crc32(filename_a) == file_crc32(filename_b)


def file_crc32(filename, block_size=16 * 1024 * 1024):
    """Returns the CRC32 of a file as text, such as "0x352441c2". Source: file_io.file_crc32."""
    crc = 0
    with FileIO(filename, mode="rb") as file:
        while block := file.read(n=block_size):
            crc = binascii.crc32(block, crc)
    return hex(crc)
