"""Datasets of CSV files. Source: tf.data.experimental of TensorFlow 1.15."""

import collections
import csv

import numpy as np

from kiln._generated import raw_ops
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes, gfile
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1.data._datasets import AUTOTUNE, Dataset
from kiln.compat.v1.data._elements import Spec
from kiln.compat.v1.data._functions import scalar
from kiln.compat.v1.shapes import TensorShape

_TYPES = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.string]


class CsvDataset(Dataset):
    """The rows of CSV files, a component a field. record_defaults: for each field a dtype, where it must be
    there, or a tensor of what takes its place. Source: tf.data.experimental.CsvDataset."""

    def __init__(
        self, filenames, record_defaults, compression_type=None, buffer_size=None, header=False, field_delim=",",
        use_quote_delim=True, na_value="", select_cols=None,
    ):  # fmt: skip
        defaults = [_default(each) for each in record_defaults]
        self._spec = Spec.of_structures(
            tuple(each.dtype.base_dtype for each in defaults), tuple(TensorShape([]) for _ in defaults)
        )
        columns = [] if select_cols is None else select_cols
        self._variant = raw_ops.csv_dataset(
            convert_to_tensor(filenames, dtype=dtypes.string, name="filenames"),
            scalar(compression_type or "", dtypes.string, "compression_type"),
            scalar(buffer_size or 4 * 1024 * 1024, dtypes.int64, "buffer_size"),
            scalar(header, dtypes.bool, "header"),
            scalar(field_delim, dtypes.string, "field_delim"),
            scalar(use_quote_delim, dtypes.bool, "use_quote_delim"),
            scalar(na_value, dtypes.string, "na_value"),
            convert_to_tensor(np.array(columns, np.int64) if isinstance(columns, (list, tuple)) else columns, dtype=dtypes.int64),
            defaults, self._spec.shapes,
        )  # fmt: skip


def _default(value):
    """A tensor, empty for a dtype alone."""
    if isinstance(value, _c.Tensor):
        return value
    try:
        dtype = dtypes.as_dtype(value)
    except TypeError:
        return convert_to_tensor(value, name="record_defaults")
    return convert_to_tensor(np.zeros([0], object if dtype == dtypes.string else dtype.as_numpy_dtype), dtype=dtype)


def make_csv_dataset(
    file_pattern, batch_size, column_names=None, column_defaults=None, label_name=None, select_columns=None,
    field_delim=",", use_quote_delim=True, na_value="", header=True, num_epochs=None, shuffle=True,
    shuffle_buffer_size=10000, shuffle_seed=None, prefetch_buffer_size=None, num_parallel_reads=None, sloppy=False,
    num_rows_for_inference=100, compression_type=None, ignore_errors=False,
):  # fmt: skip
    """Batches of the rows of CSV files as dicts by column; with a label_name pairs of these and of the label.
    Names come from the first line, dtypes from the first rows, unless they are given. Errors: ValueError.
    Source: tf.data.experimental.make_csv_dataset."""
    filenames = file_names(file_pattern, False)
    dataset = Dataset.from_tensor_slices(filenames)
    if shuffle:
        dataset = dataset.shuffle(len(filenames), shuffle_seed)
    files = _Files(filenames, field_delim, use_quote_delim, header)
    if column_names is None:
        if not header:
            raise ValueError("Cannot infer column names without a header line.")
        column_names = files.names()
    if len(column_names) != len(set(column_names)):
        raise ValueError("Cannot have duplicate column names.")
    if select_columns is not None:
        select_columns = _column_numbers(select_columns, column_names)
    if column_defaults is None:
        column_defaults = files.defaults(len(column_names), na_value, num_rows_for_inference, select_columns)
    if select_columns is not None:
        if len(column_defaults) != len(select_columns):
            raise ValueError("If specified, column_defaults and select_columns must have same length.")
        column_names = [column_names[i] for i in select_columns]
    if label_name is not None and label_name not in column_names:
        raise ValueError("`label_name` provided must be one of the columns.")

    def read(filename):
        rows = CsvDataset(
            filename, column_defaults, compression_type, None, header, field_delim, use_quote_delim, na_value, select_columns
        )
        return rows._derived(raw_ops.ignore_errors_dataset) if ignore_errors else rows

    def named(*columns):
        features = collections.OrderedDict(zip(column_names, columns))
        return features if label_name is None else (features, features.pop(label_name))

    dataset = dataset.interleave(read, num_parallel_reads or 1, 1)
    dataset = shuffled_and_repeated(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    dataset = dataset.batch(batch_size, drop_remainder=num_epochs is None).map(named)
    return dataset.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


def shuffled_and_repeated(dataset, num_epochs, shuffle, buffer_size, seed):
    """Several epochs, each in an order of its own where it is to be shuffled."""
    if shuffle:
        dataset = dataset.shuffle(buffer_size, seed)
    return dataset if num_epochs == 1 else dataset.repeat(num_epochs)


def file_names(file_pattern, shuffle):
    """The sorted names of files that match a pattern or several. Errors: ValueError."""
    if isinstance(file_pattern, list):
        if not file_pattern:
            raise ValueError("File pattern is empty.")
        names = [name for pattern in file_pattern for name in gfile.Glob(pattern)]
    else:
        names = list(gfile.Glob(file_pattern))
    if not names:
        raise ValueError("No files match %s." % file_pattern)
    return names if shuffle else sorted(names)


def _column_numbers(columns, names):
    """Sorted numbers of columns that names or numbers say. Errors: ValueError."""
    numbers = {name: i for i, name in enumerate(names)}
    found = []
    for column in columns:
        if isinstance(column, int):
            if not 0 <= column < len(names):
                raise ValueError("Column index %d specified in `select_columns` out of valid range." % column)
            found.append(column)
        elif column not in numbers:
            raise ValueError("Value '%s' specified in `select_columns` not a valid index or column name." % column)
        else:
            found.append(numbers[column])
    if len(set(found)) != len(found):
        raise ValueError("`select_columns` contains duplicate columns")
    return sorted(found)


class _Files:
    """What files say of their columns before they are a dataset."""

    def __init__(self, filenames, field_delim, use_quote_delim, header):
        self._filenames, self._header = filenames, header
        self._options = {"delimiter": field_delim, "quoting": csv.QUOTE_MINIMAL if use_quote_delim else csv.QUOTE_NONE}

    def names(self):
        """Those of the first lines, which must be alike. Errors: ValueError."""
        found = [next(self._rows(name), []) for name in self._filenames]
        for name, columns in zip(self._filenames, found):
            if columns != found[0]:
                raise ValueError("All input CSV files should have the same column names in the header row. File %s has "
                                 "different column names." % name)  # fmt: skip
        return found[0]

    def defaults(self, num_columns, na_value, num_rows, select_columns):
        """A default for each column, of the narrowest dtype that its first rows fit in."""
        chosen = range(num_columns) if select_columns is None else select_columns
        found = [None] * len(chosen)
        for row in self._first_rows(num_columns, num_rows):
            for i, column in enumerate(chosen):
                found[i] = _fitting(row[column], na_value, found[i])
        return [convert_to_tensor(["" if dtype in (None, dtypes.string) else 0], dtype=dtype or dtypes.string) for dtype in found]

    def _first_rows(self, num_columns, num_rows):
        count = 0
        for name in self._filenames:
            rows = self._rows(name)
            if self._header:
                next(rows, None)
            for row in rows:
                if len(row) != num_columns:
                    raise ValueError("Problem inferring types: CSV row has different number of fields than expected.")
                yield row
                count += 1
                if num_rows is not None and count >= num_rows:
                    return

    def _rows(self, filename):
        with gfile.Open(filename, "r") as file:
            yield from csv.reader(file, **self._options)


def _fitting(text, na_value, before):
    """The first dtype from `before` on that a field fits in."""
    if text in ("", na_value):
        return before
    for dtype in _TYPES[0 if before is None else _TYPES.index(before) :]:
        if _fits(text, dtype):
            return dtype


def _fits(text, dtype):
    if dtype == dtypes.string:
        return True
    try:
        if dtype.is_integer:
            return dtype.min <= int(text) <= dtype.max
        return dtype.min <= float(text) <= dtype.max
    except ValueError:
        return False
