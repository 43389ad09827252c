"""Image files and Pillow's images as arrays, and back."""

import io
import os
import warnings

import numpy as np

from kiln.compat.v1.keras import backend as K

_INTERPOLATIONS = ("nearest", "bilinear", "bicubic", "hamming", "box", "lanczos")


def pillow(what):
    """The module PIL.Image. Errors: ImportError where there is none."""
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError(
            f"Could not import PIL.Image. The use of `{what}` requires PIL."
        ) from error
    return Image


def checked_format(data_format):
    """The order of dimensions, Keras' own where it is None. Errors: ValueError."""
    data_format = K.image_data_format() if data_format is None else data_format
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"Unknown data_format: {data_format}")
    return data_format


def array_to_img(x, data_format=None, scale=True, dtype=None):
    """A Pillow image of an array. scale: whether its values become 0 to 255.

    Errors: ImportError, ValueError. Source: tf.keras.preprocessing.image.array_to_img.
    """
    image = pillow("array_to_img")
    x = np.asarray(x, dtype=dtype or K.floatx())
    if x.ndim != 3:
        raise ValueError(
            "Expected image array to have rank 3 (single image). "
            f"Got array with shape: {x.shape}"
        )
    if checked_format(data_format) == "channels_first":
        x = x.transpose(1, 2, 0)
    if scale:
        x = x - np.min(x)
        largest = np.max(x)
        x = (x / largest if largest != 0 else x) * 255
    if x.shape[2] in (3, 4):
        return image.fromarray(x.astype("uint8"))
    if x.shape[2] != 1:
        raise ValueError(f"Unsupported channel number: {x.shape[2]}")
    # 8 bits of gray, or more where they are too few.
    return image.fromarray(x[:, :, 0].astype("int32" if np.max(x) > 255 else "uint8"))


def img_to_array(img, data_format=None, dtype=None):
    """An array of a Pillow image. Errors: ValueError.

    Source: tf.keras.preprocessing.image.img_to_array.
    """
    is_first = checked_format(data_format) == "channels_first"
    x = np.asarray(img, dtype=dtype or K.floatx())
    if x.ndim == 3:
        return x.transpose(2, 0, 1) if is_first else x
    if x.ndim == 2:
        return x[None] if is_first else x[..., None]
    raise ValueError(f"Unsupported image shape: {x.shape}")


def save_img(path, x, data_format=None, file_format=None, scale=True, **kwargs):
    """Writes an array as an image file; kwargs: of PIL's save().

    Source: tf.keras.preprocessing.image.save_img.
    """
    image = array_to_img(x, data_format=data_format, scale=scale)
    if image.mode == "RGBA" and file_format in ("jpg", "jpeg"):
        warnings.warn("The JPG format does not support RGBA images, converting to RGB.")
        image = image.convert("RGB")
    image.save(path, format=file_format, **kwargs)


def load_img(
    path, grayscale=False, color_mode="rgb", target_size=None, interpolation="nearest"
):
    """A Pillow image of a file.

    color_mode: "grayscale", "rgb", "rgba". target_size: its height and width. Errors: ImportError,
    ValueError. Source: tf.keras.preprocessing.image.load_img.
    """
    if grayscale:
        warnings.warn('grayscale is deprecated. Please use color_mode = "grayscale"')
        color_mode = "grayscale"
    image = pillow("load_img")
    if isinstance(path, io.BytesIO):
        loaded = image.open(path)
    else:
        with open(os.fspath(path), "rb") as file:
            loaded = image.open(io.BytesIO(file.read()))
    if color_mode not in ("grayscale", "rgb", "rgba"):
        raise ValueError('color_mode must be "grayscale", "rgb", or "rgba"')
    wanted = {"grayscale": ("L", "I;16", "I"), "rgb": ("RGB",), "rgba": ("RGBA",)}[color_mode]
    if loaded.mode not in wanted:
        loaded = loaded.convert(wanted[0])
    if target_size is None or loaded.size == (target_size[1], target_size[0]):
        return loaded
    if interpolation not in _INTERPOLATIONS:
        raise ValueError(
            f"Invalid interpolation method {interpolation} specified. Supported methods are "
            + ", ".join(_INTERPOLATIONS)
        )
    method = getattr(image.Resampling, interpolation.upper())
    return loaded.resize((target_size[1], target_size[0]), method)
