"""Data sets of files with commas."""

import collections
import csv
import os
import urllib.request

import numpy as np

from kiln.compat.v1 import gfile
from kiln.compat.v1._util.deprecation import deprecated

_MODULE = "tensorflow.contrib.learn.python.learn.datasets.base"

Dataset = collections.namedtuple("Dataset", ["data", "target"])
Datasets = collections.namedtuple("Datasets", ["train", "validation", "test"])


@deprecated(None, "Use tf.data instead.", module=_MODULE)
def load_csv_with_header(filename, target_dtype, features_dtype, target_column=-1):
    """A Dataset of a file whose first line has the numbers of samples and of features."""
    with gfile.Open(filename) as file:
        rows = csv.reader(file)
        header = next(rows)
        samples, features = int(header[0]), int(header[1])
        data = np.zeros((samples, features), dtype=features_dtype)
        target = np.zeros((samples,), dtype=target_dtype)
        for i, row in enumerate(rows):
            target[i] = np.asarray(row.pop(target_column), dtype=target_dtype)
            data[i] = np.asarray(row, dtype=features_dtype)
    return Dataset(data=data, target=target)


@deprecated(None, "Use tf.data instead.", module=_MODULE)
def load_csv_without_header(filename, target_dtype, features_dtype, target_column=-1):
    """A Dataset of a file of samples."""
    data, target = [], []
    with gfile.Open(filename) as file:
        for row in csv.reader(file):
            target.append(row.pop(target_column))
            data.append(np.asarray(row, dtype=features_dtype))
    return Dataset(data=np.array(data), target=np.array(target, dtype=target_dtype))


@deprecated(None, "Use tf.data instead.", module=_MODULE)
def shrink_csv(filename, ratio):
    """Writes every ratio-th line of a file to another one, with "_small" in its name."""
    with gfile.Open(filename.replace(".", "_small."), "w") as small, gfile.Open(filename) as file:
        writer = csv.writer(small)
        for i, row in enumerate(csv.reader(file)):
            if i % ratio == 0:
                writer.writerow(row)


def _from_sklearn(name, target_dtype):
    try:
        from sklearn import datasets
    except ImportError:
        raise ImportError(
            f"the data set {name} is not a part of Kiln: scikit-learn has it, or give the path of "
            "a file"
        ) from None
    found = getattr(datasets, f"load_{name}")()
    return Dataset(data=found.data, target=found.target.astype(target_dtype))


@deprecated(None, "Use scikits.learn.datasets.", module=_MODULE)
def load_iris(data_path=None):
    """The irises, of a file or of scikit-learn. Errors: ImportError without both.

    Source: tf.contrib.learn.datasets.load_iris.
    """
    if data_path is None:
        return _from_sklearn("iris", int)
    return load_csv_with_header(data_path, target_dtype=int, features_dtype=float)


@deprecated(None, "Use scikits.learn.datasets.", module=_MODULE)
def load_boston(data_path=None):
    """The prices of houses, of a file. Errors: ValueError without one.

    Source: tf.contrib.learn.datasets.load_boston. Difference: the data are not a part of Kiln.
    """
    if data_path is None:
        raise ValueError("the data set boston is not a part of Kiln: give the path of a file")
    return load_csv_with_header(data_path, target_dtype=float, features_dtype=float)


@deprecated(None, "Please write your own downloading logic.", module=_MODULE)
def maybe_download(filename, work_directory, source_url):
    """The path of a file in a folder, which is fetched where it is not there.

    Source: tf.contrib.learn.datasets.base.maybe_download.
    """
    if not gfile.Exists(work_directory):
        gfile.MakeDirs(work_directory)
    path = os.path.join(work_directory, filename)
    if not gfile.Exists(path):
        fetched, _ = urllib.request.urlretrieve(source_url)
        gfile.Copy(fetched, path)
        with gfile.GFile(path) as file:
            print("Successfully downloaded", filename, file.size(), "bytes.")
    return path
