"""Batches of the image files that a table of pandas names."""

import os
import warnings

import numpy as np

from kiln.compat.v1.keras.preprocessing.image._iterators import FilesIterator

_WITHOUT_CLASSES = ("input", "multi_output", "raw", None)


class DataFrameIterator(FilesIterator):
    """Batches of the files in a column of a table, with the classes or values of others.

    x_col, y_col, weight_col: the columns; y_col may be a list. class_mode: "raw" and
    "multi_output" take values as they are. validate_filenames: whether files that are not there are
    left out. Errors: TypeError, ValueError. Source: tf.keras.preprocessing.image.DataFrameIterator.
    """

    allowed_class_modes = {
        "binary", "categorical", "input", "multi_output", "raw", "sparse", None,
    }  # fmt: skip

    def __init__(
        self,
        dataframe,
        directory=None,
        image_data_generator=None,
        x_col="filename",
        y_col="class",
        weight_col=None,
        target_size=(256, 256),
        color_mode="rgb",
        classes=None,
        class_mode="categorical",
        batch_size=32,
        shuffle=True,
        seed=None,
        data_format="channels_last",
        save_to_dir=None,
        save_prefix="",
        save_format="png",
        subset=None,
        interpolation="nearest",
        dtype="float32",
        validate_filenames=True,
    ):
        self._set_options(
            image_data_generator, target_size, color_mode, data_format, save_to_dir, save_prefix,
            save_format, subset, interpolation,
        )  # fmt: skip
        table = dataframe.copy()
        self.directory, self.class_mode, self.dtype = directory or "", class_mode, dtype
        self._check(table, x_col, y_col, weight_col, classes)
        if validate_filenames:
            table = self._with_files(table, x_col)
        has_classes = class_mode not in _WITHOUT_CLASSES
        if has_classes:
            table, classes = _with_classes(table, y_col, classes)
            self.class_indices = dict(zip(classes, range(len(classes))))
        table = table.iloc[self._part(len(table)), :]
        if has_classes:
            self.classes = [self._numbers_of(label) for label in table[y_col]]
        self.filenames = table[x_col].tolist()
        self.sample_weight = table[weight_col].values if weight_col else None
        if class_mode == "multi_output":
            self._targets = [np.array(table[column].tolist()) for column in y_col]
        if class_mode == "raw":
            self._targets = table[y_col].values
        self.samples = len(self.filenames)
        known = "validated" if validate_filenames else "non-validated"
        end = f" belonging to {len(classes)} classes." if has_classes else "."
        print(f"Found {self.samples} {known} image filenames{end}")
        self.filepaths = [os.path.join(self.directory, name) for name in self.filenames]
        super().__init__(self.samples, batch_size, shuffle, seed)

    @property
    def labels(self):
        """The values of the table, or the numbers of the classes."""
        return self._targets if self.class_mode in ("multi_output", "raw") else self.classes

    def _numbers_of(self, label):
        if isinstance(label, (list, tuple)):
            return [self.class_indices[each] for each in label]
        return self.class_indices[label]

    def _check(self, table, x_col, y_col, weight_col, classes):
        mode = self.class_mode
        self._check_class_mode(mode)
        if mode == "multi_output" and not isinstance(y_col, list):
            raise TypeError(
                f'If class_mode="{mode}", y_col must be a list. Received {type(y_col).__name__}.'
            )
        if not all(isinstance(each, str) for each in table[x_col]):
            raise TypeError(f"All values in column x_col={x_col} must be strings.")
        if mode in ("binary", "sparse") and not all(isinstance(each, str) for each in table[y_col]):
            raise TypeError(
                f'If class_mode="{mode}", y_col="{y_col}" column values must be strings.'
            )
        if mode == "binary":
            _check_two(table[y_col], classes)
        if mode == "categorical":
            if not all(isinstance(each, (str, list, tuple)) for each in table[y_col]):
                raise TypeError(
                    f'If class_mode="{mode}", y_col="{y_col}" column values must be type string, '
                    "list or tuple."
                )
        if classes and mode in _WITHOUT_CLASSES:
            warnings.warn(f'`classes` will be ignored given the class_mode="{mode}"')
        if weight_col and not issubclass(table[weight_col].dtype.type, np.number):
            raise TypeError(f"Column weight_col={weight_col} must be numeric.")

    def _with_files(self, table, x_col):
        """The rows whose files are there."""
        paths = [os.path.join(self.directory, name) for name in table[x_col]]
        is_there = np.array(
            [path.lower().endswith(self.white_list_formats) and os.path.isfile(path) for path in paths],
            dtype=bool,
        )
        if not is_there.all():
            warnings.warn(
                f'Found {(~is_there).sum()} invalid image filename(s) in x_col="{x_col}". These '
                "filename(s) will be ignored."
            )
        return table[is_there]


def _check_two(labels, classes):
    if classes:
        if len(set(classes)) != 2:
            raise ValueError(
                'If class_mode="binary" there must be 2 classes. '
                f"{len(set(classes))} class/es were given."
            )
    elif labels.nunique() != 2:
        raise ValueError(
            f'If class_mode="binary" there must be 2 classes. Found {labels.nunique()} classes.'
        )


def _with_classes(table, y_col, classes):
    """The rows of some classes, and the classes; all that there are where classes is None."""
    if not classes:
        found = set()
        for label in table[y_col]:
            found.update(label if isinstance(label, (list, tuple)) else [label])
        return table.dropna(subset=[y_col]), sorted(found)
    classes = list(dict.fromkeys(classes))

    def kept(labels):
        if isinstance(labels, (list, tuple)):
            return [each for each in labels if each in classes] or None
        if isinstance(labels, str):
            return labels if labels in classes else None
        raise TypeError(
            f"Expect string, list or tuple but found {type(labels)} in {y_col} column "
        )

    table = table.copy()
    table[y_col] = [kept(labels) for labels in table[y_col]]
    return table.dropna(subset=[y_col]), classes
