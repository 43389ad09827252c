"""Batches of images: of arrays, and of files in folders."""

import os
import threading
import warnings

import numpy as np

from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras.preprocessing.image import _files
from kiln.compat.v1.keras.utils import Sequence


class Iterator(Sequence):
    """Batches without end, or by their number; a subclass has
    _get_batches_of_transformed_samples().

    n: how many images there are. seed: of the order. Source: tf.keras.preprocessing.image.Iterator.
    """

    white_list_formats = ("png", "jpg", "jpeg", "bmp", "ppm", "tif", "tiff")

    def __init__(self, n, batch_size, shuffle, seed):
        self.n, self.batch_size, self.shuffle, self.seed = n, batch_size, shuffle, seed
        self.batch_index = self.total_batches_seen = 0
        self.lock, self.index_array = threading.Lock(), None
        self.index_generator = self._flow_index()

    def _set_index_array(self):
        self.index_array = np.random.permutation(self.n) if self.shuffle else np.arange(self.n)

    def __getitem__(self, idx):
        if idx >= len(self):
            raise ValueError(
                f"Asked to retrieve element {idx}, but the Sequence has length {len(self)}"
            )
        self._seed_batch()
        self.total_batches_seen += 1
        if self.index_array is None:
            self._set_index_array()
        first = self.batch_size * idx
        return self._get_batches_of_transformed_samples(
            self.index_array[first : first + self.batch_size]
        )

    def _seed_batch(self):
        if self.seed is not None:
            np.random.seed(self.seed + self.total_batches_seen)

    def __len__(self):
        return -(-self.n // self.batch_size)

    def on_epoch_end(self):
        self._set_index_array()

    def reset(self):
        """Begins again with the first batch."""
        self.batch_index = 0

    def _flow_index(self):
        """The numbers of the images of each batch, without end."""
        self.reset()
        while True:
            self._seed_batch()
            if self.batch_index == 0:
                self._set_index_array()
            first = self.batch_index * self.batch_size % self.n if self.n else 0
            is_last = self.n <= first + self.batch_size
            self.batch_index = 0 if is_last else self.batch_index + 1
            self.total_batches_seen += 1
            yield self.index_array[first : first + self.batch_size]

    def __iter__(self):
        return self

    def __next__(self, *args, **kwargs):
        return self.next(*args, **kwargs)

    def next(self):
        """The next batch."""
        with self.lock:
            numbers = next(self.index_generator)
        return self._get_batches_of_transformed_samples(numbers)

    def _get_batches_of_transformed_samples(self, index_array):
        raise NotImplementedError

    def _save(self, images, numbers, limit):
        """Writes a batch as files, where the program wants to see it."""
        if not self.save_to_dir:
            return
        for image, number in zip(images, numbers):
            name = f"{self.save_prefix}_{number}_{np.random.randint(limit)}.{self.save_format}"
            image = _files.array_to_img(image, self.data_format, scale=True)
            image.save(os.path.join(self.save_to_dir, name))


class NumpyArrayIterator(Iterator):
    """Batches of arrays. x: images, or a pair of images and a list of other arrays.

    Errors: ValueError. Source: tf.keras.preprocessing.image.NumpyArrayIterator.
    """

    def __init__(
        self,
        x,
        y,
        image_data_generator,
        batch_size=32,
        shuffle=False,
        sample_weight=None,
        seed=None,
        data_format=None,
        save_to_dir=None,
        save_prefix="",
        save_format="png",
        subset=None,
        dtype=None,
    ):
        self.dtype = dtype or K.floatx()
        self.data_format = K.image_data_format() if data_format is None else data_format
        self.image_data_generator = image_data_generator
        self.save_to_dir, self.save_prefix = save_to_dir, save_prefix
        self.save_format = save_format
        others = []
        if isinstance(x, (tuple, list)):
            others = x[1] if isinstance(x[1], list) else [x[1]]
            x, others = x[0], list(map(np.asarray, others))
        _check_lengths(x, others, y, sample_weight)
        if subset is not None:
            share = image_data_generator._validation_split
            part = _part_of_subset(subset, int(len(x) * share), y)
            x, others = x[part], [each[part] for each in others]
            y = None if y is None else y[part]
        self.x, self.x_misc = np.asarray(x, dtype=self.dtype), others
        self.y = None if y is None else np.asarray(y)
        self.sample_weight = None if sample_weight is None else np.asarray(sample_weight)
        if self.x.ndim != 4:
            raise ValueError(
                "Input data in `NumpyArrayIterator` should have rank 4. You passed an array with "
                "shape",
                self.x.shape,
            )
        axis = 3 if self.data_format == "channels_last" else 1
        if self.x.shape[axis] not in (1, 3, 4):
            warnings.warn(
                "NumpyArrayIterator is set to use the data format convention "
                f'"{self.data_format}" (channels on axis {axis}), i.e. expected either 1, 3, or 4 '
                f"channels on axis {axis}. However, it was passed an array with shape "
                f"{self.x.shape} ({self.x.shape[axis]} channels)."
            )
        super().__init__(self.x.shape[0], batch_size, shuffle, seed)

    def _get_batches_of_transformed_samples(self, index_array):
        images = np.zeros((len(index_array), *self.x.shape[1:]), dtype=self.dtype)
        generator = self.image_data_generator
        for i, number in enumerate(index_array):
            image = self.x[number]
            change = generator.get_random_transform(image.shape)
            image = generator.apply_transform(image.astype(self.dtype), change)
            images[i] = generator.standardize(image)
        self._save(images, index_array, 10**4)
        others = [each[index_array] for each in self.x_misc]
        batch = (images if not others else [images, *others],)
        if self.y is None:
            return batch[0]
        batch += (self.y[index_array],)
        if self.sample_weight is not None:
            batch += (self.sample_weight[index_array],)
        return batch


def _check_lengths(x, others, y, sample_weight):
    for each in others:
        if len(x) != len(each):
            raise ValueError(
                "All of the arrays in `x` should have the same length. Found a pair with: "
                f"len(x[0]) = {len(x)}, len(x[?]) = {len(each)}"
            )
    named = (("`y` (labels)", "y", y), ("`sample_weight`", "sample_weight", sample_weight))
    for text, name, each in named:
        if each is not None and len(x) != len(each):
            raise ValueError(
                f"`x` (images tensor) and {text} should have the same length. Found: x.shape = "
                f"{np.asarray(x).shape}, {name}.shape = {np.asarray(each).shape}"
            )


def _part_of_subset(subset, count, y):
    """The slice of the training or validation images. count: of those for validation."""
    if subset not in ("training", "validation"):
        raise ValueError(
            "Invalid subset name:", subset, '; expected "training" or "validation".'
        )
    if y is not None and not np.array_equal(np.unique(y[:count]), np.unique(y[count:])):
        raise ValueError(
            "Training and validation subsets have different number of classes after the split. If "
            "your numpy arrays are sorted by the label, you might want to shuffle them."
        )
    return slice(count) if subset == "validation" else slice(count, None)


class FilesIterator(Iterator):
    """Batches of files. A subclass sets filepaths, classes, class_mode and class_indices."""

    sample_weight = None

    def _set_options(
        self, image_data_generator, target_size, color_mode, data_format, save_to_dir, save_prefix,
        save_format, subset, interpolation,
    ):  # fmt: skip
        if color_mode not in ("rgb", "rgba", "grayscale"):
            raise ValueError(
                "Invalid color mode:", color_mode, '; expected "rgb", "rgba", or "grayscale".'
            )
        self.image_data_generator, self.target_size = image_data_generator, tuple(target_size)
        self.color_mode, self.data_format = color_mode, data_format
        channels = ({"rgba": 4, "rgb": 3, "grayscale": 1}[color_mode],)
        is_last = data_format == "channels_last"
        self.image_shape = (
            self.target_size + channels if is_last else channels + self.target_size
        )
        self.save_to_dir, self.save_prefix = save_to_dir, save_prefix
        self.save_format, self.interpolation = save_format, interpolation
        self.split, self.subset = None, subset
        if subset is not None:
            share = image_data_generator._validation_split
            splits = {"validation": (0, share), "training": (share, 1)}
            if subset not in splits:
                raise ValueError(
                    f"Invalid subset name: {subset};expected \"training\" or \"validation\""
                )
            self.split = splits[subset]

    def _check_class_mode(self, class_mode):
        if class_mode not in self.allowed_class_modes:
            raise ValueError(
                f"Invalid class_mode: {class_mode}; expected one of: {self.allowed_class_modes}"
            )

    def _part(self, count):
        """The slice of the subset's files among so many."""
        if not self.split:
            return slice(None)
        return slice(int(self.split[0] * count), int(self.split[1] * count))

    def _image(self, path):
        image = _files.load_img(
            path, color_mode=self.color_mode, target_size=self.target_size,
            interpolation=self.interpolation,
        )  # fmt: skip
        x = _files.img_to_array(image, data_format=self.data_format)
        generator = self.image_data_generator
        if generator:
            x = generator.apply_transform(x, generator.get_random_transform(x.shape))
            x = generator.standardize(x)
        return x

    def _get_batches_of_transformed_samples(self, index_array):
        images = np.zeros((len(index_array), *self.image_shape), dtype=self.dtype)
        for i, number in enumerate(index_array):
            images[i] = self._image(self.filepaths[number])
        self._save(images, index_array, 10**7)
        if self.class_mode is None:
            return images
        targets = self._targets_of(images, index_array)
        if self.sample_weight is None:
            return images, targets
        return images, targets, self.sample_weight[index_array]

    def _targets_of(self, images, numbers):
        if self.class_mode == "input":
            return images.copy()
        if self.class_mode == "multi_output":
            return [each[numbers] for each in self.labels]
        if self.class_mode == "raw":
            return self.labels[numbers]
        classes = [self.classes[number] for number in numbers]
        if self.class_mode in ("binary", "sparse"):
            return np.array(classes, dtype=self.dtype)
        targets = np.zeros((len(images), len(self.class_indices)), dtype=self.dtype)
        for row, each in zip(targets, classes):
            row[each] = 1.0
        return targets


class DirectoryIterator(FilesIterator):
    """Batches of the files in a folder's folders; those are the classes, sorted by name.

    Errors: ValueError. Source: tf.keras.preprocessing.image.DirectoryIterator.
    """

    allowed_class_modes = {"categorical", "binary", "sparse", "input", None}

    def __init__(
        self,
        directory,
        image_data_generator,
        target_size=(256, 256),
        color_mode="rgb",
        classes=None,
        class_mode="categorical",
        batch_size=32,
        shuffle=True,
        seed=None,
        data_format=None,
        save_to_dir=None,
        save_prefix="",
        save_format="png",
        follow_links=False,
        subset=None,
        interpolation="nearest",
        dtype=None,
    ):
        data_format = K.image_data_format() if data_format is None else data_format
        self._set_options(
            image_data_generator, target_size, color_mode, data_format, save_to_dir, save_prefix,
            save_format, subset, interpolation,
        )  # fmt: skip
        self._check_class_mode(class_mode)
        self.directory, self.class_mode = directory, class_mode
        self.dtype = dtype or K.floatx()
        if not classes:
            found = sorted(os.listdir(directory))
            classes = [each for each in found if os.path.isdir(os.path.join(directory, each))]
        self.num_classes = len(classes)
        self.class_indices = dict(zip(classes, range(len(classes))))
        self.filenames, numbers = [], []
        for name in classes:
            paths = list(self._files_below(os.path.join(directory, name), follow_links))
            paths = paths[self._part(len(paths))]
            self.filenames += [os.path.relpath(path, directory) for path in paths]
            numbers += [self.class_indices[name]] * len(paths)
        self.samples = len(self.filenames)
        self.classes = np.array(numbers, dtype="int32")
        print(f"Found {self.samples} images belonging to {self.num_classes} classes.")
        self.filepaths = [os.path.join(directory, name) for name in self.filenames]
        super().__init__(self.samples, batch_size, shuffle, seed)

    labels = property(lambda self: self.classes)

    def _files_below(self, folder, follow_links):
        walked = sorted(os.walk(folder, followlinks=follow_links), key=lambda each: each[0])
        for root, _, names in walked:
            for name in sorted(names):
                if name.lower().endswith(".tiff"):
                    warnings.warn(
                        'Using ".tiff" files with multiple bands will cause distortion. Please '
                        "verify your output."
                    )
                if name.lower().endswith(self.white_list_formats):
                    yield os.path.join(root, name)
