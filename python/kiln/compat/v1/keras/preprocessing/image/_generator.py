"""ImageDataGenerator: batches of images, changed at random and scaled."""

import warnings

import numpy as np

from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras.preprocessing.image import _files, _transforms
from kiln.compat.v1.keras.preprocessing.image._data_frames import DataFrameIterator
from kiln.compat.v1.keras.preprocessing.image._iterators import (
    DirectoryIterator,
    NumpyArrayIterator,
)


class ImageDataGenerator:
    """Gives batches of images that are turned, moved, sheared, flipped at random and scaled.

    The ranges say how far: rotation_range in degrees, shifts as shares or numbers of pixels.
    featurewise_center, featurewise_std_normalization, zca_whitening: by what fit() found;
    samplewise_...: by each image. rescale: what images are multiplied with;
    preprocessing_function: what is done before that. validation_split: the share that the subset
    "validation" is. Errors: ValueError. Source: tf.keras.preprocessing.image.ImageDataGenerator.
    """

    def __init__(
        self,
        featurewise_center=False,
        samplewise_center=False,
        featurewise_std_normalization=False,
        samplewise_std_normalization=False,
        zca_whitening=False,
        zca_epsilon=1e-06,
        rotation_range=0,
        width_shift_range=0.0,
        height_shift_range=0.0,
        brightness_range=None,
        shear_range=0.0,
        zoom_range=0.0,
        channel_shift_range=0.0,
        fill_mode="nearest",
        cval=0.0,
        horizontal_flip=False,
        vertical_flip=False,
        rescale=None,
        preprocessing_function=None,
        data_format=None,
        validation_split=0.0,
        dtype=None,
    ):
        self.featurewise_center, self.samplewise_center = featurewise_center, samplewise_center
        self.featurewise_std_normalization = featurewise_std_normalization
        self.samplewise_std_normalization = samplewise_std_normalization
        self.zca_whitening, self.zca_epsilon = zca_whitening, zca_epsilon
        self.rotation_range, self.shear_range = rotation_range, shear_range
        self.width_shift_range, self.height_shift_range = width_shift_range, height_shift_range
        self.channel_shift_range = channel_shift_range
        self.fill_mode, self.cval = fill_mode, cval
        self.horizontal_flip, self.vertical_flip = horizontal_flip, vertical_flip
        self.rescale, self.preprocessing_function = rescale, preprocessing_function
        self.dtype, self.interpolation_order = dtype or K.floatx(), 1
        self.data_format = _files.checked_format(data_format)
        is_first = self.data_format == "channels_first"
        self.channel_axis = 1 if is_first else 3
        self.row_axis, self.col_axis = (2, 3) if is_first else (1, 2)
        if validation_split and not 0 < validation_split < 1:
            raise ValueError(
                "`validation_split` must be strictly between 0 and 1. "
                f" Received: {validation_split}"
            )
        self._validation_split = validation_split
        self.mean = self.std = self.zca_whitening_matrix = None
        self.zoom_range = _zoom_limits(zoom_range)
        self._settle_normalizations()
        if brightness_range is not None and (
            not isinstance(brightness_range, (tuple, list)) or len(brightness_range) != 2
        ):
            raise ValueError(
                "`brightness_range should be tuple or list of two floats. "
                f"Received: {brightness_range}"
            )
        self.brightness_range = brightness_range

    def _settle_normalizations(self):
        """Some need others, or stand in for them."""

        def settle(option, other, value):
            if getattr(self, option) and getattr(self, other) != value:
                setattr(self, other, value)
                warnings.warn(
                    f"This ImageDataGenerator specifies `{option}`, which overrides setting of "
                    f"`{other}`."
                )

        settle("zca_whitening", "featurewise_center", True)
        settle("zca_whitening", "featurewise_std_normalization", False)
        settle("featurewise_std_normalization", "featurewise_center", True)
        settle("samplewise_std_normalization", "samplewise_center", True)

    # Batches.

    def flow(
        self,
        x,
        y=None,
        batch_size=32,
        shuffle=True,
        sample_weight=None,
        seed=None,
        save_to_dir=None,
        save_prefix="",
        save_format="png",
        subset=None,
    ):
        """Batches of arrays: a NumpyArrayIterator."""
        return NumpyArrayIterator(
            x, y, self, batch_size=batch_size, shuffle=shuffle, sample_weight=sample_weight,
            seed=seed, data_format=self.data_format, save_to_dir=save_to_dir,
            save_prefix=save_prefix, save_format=save_format, subset=subset, dtype=self.dtype,
        )  # fmt: skip

    def flow_from_directory(
        self,
        directory,
        target_size=(256, 256),
        color_mode="rgb",
        classes=None,
        class_mode="categorical",
        batch_size=32,
        shuffle=True,
        seed=None,
        save_to_dir=None,
        save_prefix="",
        save_format="png",
        follow_links=False,
        subset=None,
        interpolation="nearest",
    ):
        """Batches of the files of a folder that has a folder for each class: a
        DirectoryIterator.
        """
        return DirectoryIterator(
            directory, self, target_size=target_size, color_mode=color_mode, classes=classes,
            class_mode=class_mode, data_format=self.data_format, batch_size=batch_size,
            shuffle=shuffle, seed=seed, save_to_dir=save_to_dir, save_prefix=save_prefix,
            save_format=save_format, follow_links=follow_links, subset=subset,
            interpolation=interpolation, dtype=self.dtype,
        )  # fmt: skip

    def flow_from_dataframe(
        self,
        dataframe,
        directory=None,
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
        save_to_dir=None,
        save_prefix="",
        save_format="png",
        subset=None,
        interpolation="nearest",
        validate_filenames=True,
        **kwargs,
    ):
        """Batches of the files that a table of pandas names: a DataFrameIterator."""
        if class_mode == "other":
            warnings.warn(
                '`class_mode` "other" is deprecated, please use `class_mode` "raw".',
                DeprecationWarning,
            )
            class_mode = "raw"
        return DataFrameIterator(
            dataframe, directory, self, x_col=x_col, y_col=y_col, weight_col=weight_col,
            target_size=target_size, color_mode=color_mode, classes=classes,
            class_mode=class_mode, data_format=self.data_format, batch_size=batch_size,
            shuffle=shuffle, seed=seed, save_to_dir=save_to_dir, save_prefix=save_prefix,
            save_format=save_format, subset=subset, interpolation=interpolation,
            dtype=self.dtype, validate_filenames=validate_filenames,
        )  # fmt: skip

    # One image.

    def standardize(self, x):
        """Scales an image, in its own memory where it can."""
        if self.preprocessing_function:
            x = self.preprocessing_function(x)
        if self.rescale:
            x *= self.rescale
        if self.samplewise_center:
            x -= np.mean(x, keepdims=True)
        if self.samplewise_std_normalization:
            x /= np.std(x, keepdims=True) + 1e-6
        if self._is_found("featurewise_center", self.mean):
            x -= self.mean
        if self._is_found("featurewise_std_normalization", self.std):
            x /= self.std + 1e-6
        if self._is_found("zca_whitening", self.zca_whitening_matrix):
            flat = x.reshape(-1, np.prod(x.shape[-3:]))
            x = np.reshape(flat @ self.zca_whitening_matrix, x.shape)
        return x

    def _is_found(self, option, value):
        if getattr(self, option) and value is None:
            warnings.warn(
                f"This ImageDataGenerator specifies `{option}`, but it hasn't been fit on any "
                "training data. Fit it first by calling `.fit(numpy_data)`."
            )
        return getattr(self, option) and value is not None

    def get_random_transform(self, img_shape, seed=None):
        """A random transformation for images of a shape: a dict for apply_transform()."""
        if seed is not None:
            np.random.seed(seed)
        uniform, low, high = np.random.uniform, *self.zoom_range
        theta = uniform(-self.rotation_range, self.rotation_range) if self.rotation_range else 0
        tx = _shift(self.height_shift_range, img_shape[self.row_axis - 1])
        ty = _shift(self.width_shift_range, img_shape[self.col_axis - 1])
        shear = uniform(-self.shear_range, self.shear_range) if self.shear_range else 0
        zx, zy = (1, 1) if low == high == 1 else uniform(low, high, 2)
        horizontal = (np.random.random() < 0.5) * self.horizontal_flip
        vertical = (np.random.random() < 0.5) * self.vertical_flip
        intensity = brightness = None
        if self.channel_shift_range != 0:
            intensity = uniform(-self.channel_shift_range, self.channel_shift_range)
        if self.brightness_range is not None:
            brightness = uniform(self.brightness_range[0], self.brightness_range[1])
        return {
            "theta": theta, "tx": tx, "ty": ty, "shear": shear, "zx": zx, "zy": zy,
            "flip_horizontal": horizontal, "flip_vertical": vertical,
            "channel_shift_intensity": intensity, "brightness": brightness,
        }  # fmt: skip

    def apply_transform(self, x, transform_parameters):
        """An image transformed as get_random_transform() says."""
        given = transform_parameters
        rows, columns, channels = self.row_axis - 1, self.col_axis - 1, self.channel_axis - 1
        x = _transforms.apply_affine_transform(
            x, given.get("theta", 0), given.get("tx", 0), given.get("ty", 0),
            given.get("shear", 0), given.get("zx", 1), given.get("zy", 1), row_axis=rows,
            col_axis=columns, channel_axis=channels, fill_mode=self.fill_mode, cval=self.cval,
            order=self.interpolation_order,
        )  # fmt: skip
        if given.get("channel_shift_intensity") is not None:
            x = _transforms.apply_channel_shift(x, given["channel_shift_intensity"], channels)
        if given.get("flip_horizontal", False):
            x = _transforms.flip_axis(x, columns)
        if given.get("flip_vertical", False):
            x = _transforms.flip_axis(x, rows)
        if given.get("brightness") is not None:
            x = _transforms.apply_brightness_shift(x, given["brightness"], False)
        return x

    def random_transform(self, x, seed=None):
        """An image transformed at random."""
        return self.apply_transform(x, self.get_random_transform(x.shape, seed))

    def fit(self, x, augment=False, rounds=1, seed=None):
        """Finds the means, deviations and the whitening of images.

        augment: whether they are transformed before, rounds times. Errors: ValueError.
        """
        x = np.array(x, dtype=self.dtype)
        if x.ndim != 4:
            raise ValueError(
                f"Input to `.fit()` should have rank 4. Got array with shape: {x.shape}"
            )
        channels = x.shape[self.channel_axis]
        if channels not in (1, 3, 4):
            warnings.warn(
                "Expected input to be images (as Numpy array) following the data format "
                f'convention "{self.data_format}" (channels on axis {self.channel_axis}), i.e. '
                f"expected either 1, 3 or 4 channels on axis {self.channel_axis}. However, it was "
                f"passed an array with shape {x.shape} ({channels} channels)."
            )
        if seed is not None:
            np.random.seed(seed)
        if self.rescale:
            x *= self.rescale
        if augment:
            x = np.stack([self.random_transform(each) for _ in range(rounds) for each in x])
            x = x.astype(self.dtype)
        shape = [1, 1, 1]
        shape[self.channel_axis - 1] = channels
        axes = (0, self.row_axis, self.col_axis)
        if self.featurewise_center:
            self.mean = np.reshape(np.mean(x, axis=axes), shape)
            x -= self.mean
        if self.featurewise_std_normalization:
            self.std = np.reshape(np.std(x, axis=axes), shape)
            x /= self.std + 1e-6
        if self.zca_whitening:
            u, s, _ = np.linalg.svd(np.reshape(x, (len(x), -1)).T, full_matrices=False)
            self.zca_whitening_matrix = (u * (np.sqrt(len(x)) / (s + self.zca_epsilon))).dot(u.T)


def _zoom_limits(zoom_range):
    if isinstance(zoom_range, (float, int)):
        return [1 - zoom_range, 1 + zoom_range]
    if len(zoom_range) == 2 and all(isinstance(each, (float, int)) for each in zoom_range):
        return [zoom_range[0], zoom_range[1]]
    raise ValueError(
        f"`zoom_range` should be a float or a tuple or list of two floats. Received: {zoom_range}"
    )


def _shift(limit, size):
    """A random shift in pixels: one of a list or below an int, or a share below a float."""
    if not np.any(limit):
        return 0
    if isinstance(limit, (float, np.floating)):
        shift = np.random.uniform(-limit, limit)
    else:
        shift = np.random.choice(limit)
        shift *= np.random.choice([-1, 1])
    return shift * size if np.max(limit) < 1 else shift
