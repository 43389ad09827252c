"""Files that are downloaded once."""

import hashlib
import os
import shutil
import tarfile
import urllib.error
import urllib.request
import zipfile


def get_file(
    fname,
    origin,
    untar=False,
    md5_hash=None,
    file_hash=None,
    cache_subdir="datasets",
    hash_algorithm="auto",
    extract=False,
    archive_format="auto",
    cache_dir=None,
):
    """The path of a file that is downloaded where it is not there yet.

    fname: its name below CACHE_DIR/CACHE_SUBDIR, ~/.keras/datasets; or a whole path. untar,
    extract: whether it is an archive to unpack. Errors: Exception where the address cannot be read.
    Source: tf.keras.utils.get_file.
    """
    if cache_dir is None:
        cache_dir = os.path.join(os.path.expanduser("~"), ".keras")
    if md5_hash is not None and file_hash is None:
        file_hash, hash_algorithm = md5_hash, "md5"
    if not os.access(cache_dir, os.W_OK) and os.path.exists(cache_dir):
        cache_dir = os.path.join("/tmp", ".keras")
    folder = os.path.join(cache_dir, cache_subdir)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, fname)
    unpacked = None
    if untar:
        unpacked, path = path, path + ".tar.gz"
    there = os.path.exists(path)
    if there and file_hash is not None and not _is_right(path, file_hash, hash_algorithm):
        print(
            "A local file was found, but it seems to be incomplete or outdated because the "
            f"{hash_algorithm} file hash does not match the original value of {file_hash} so we "
            "will re-download the data."
        )
        there = False
    if not there:
        _download(origin, path)
        if file_hash is not None and not _is_right(path, file_hash, hash_algorithm):
            os.remove(path)
            raise ValueError(f"the file from {origin} does not have the hash {file_hash}")
    if untar:
        if not os.path.exists(unpacked):
            _unpack(path, folder, "tar")
        return unpacked
    if extract:
        _unpack(path, folder, archive_format)
    return path


def _download(origin, path):
    print("Downloading data from", origin)
    part = f"{path}.part"
    try:
        with urllib.request.urlopen(origin) as source, open(part, "wb") as target:
            shutil.copyfileobj(source, target)
    except urllib.error.HTTPError as error:
        raise Exception(f"URL fetch failure on {origin}: {error.code} -- {error.msg}") from error
    except urllib.error.URLError as error:
        raise Exception(
            f"URL fetch failure on {origin}: {error.errno} -- {error.reason}"
        ) from error
    else:
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.remove(part)


def _is_right(path, wanted, algorithm):
    is_long = algorithm == "sha256" or algorithm == "auto" and len(wanted) == 64
    digest = hashlib.sha256() if is_long else hashlib.md5()
    with open(path, "rb") as file:
        for chunk in iter(lambda: file.read(1 << 16), b""):
            digest.update(chunk)
    return digest.hexdigest() == str(wanted)


def _unpack(path, folder, archive_format):
    """Unpacks an archive; gives whether it was one."""
    if archive_format is None:
        return False
    formats = ["tar", "zip"] if archive_format == "auto" else archive_format
    formats = [formats] if isinstance(formats, str) else formats
    if "tar" in formats and tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            archive.extractall(folder, filter="data")
        return True
    if "zip" in formats and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        return True
    return False
