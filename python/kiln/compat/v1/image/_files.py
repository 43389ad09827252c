"""Images in files of any format: tf.image.decode_image and its siblings."""

from kiln._generated import raw_ops as _raw
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._graph_functions import name_scope


def decode_jpeg(
    contents,
    channels=0,
    ratio=1,
    fancy_upscaling=True,
    try_recover_truncated=False,
    acceptable_fraction=1,
    dct_method="",
    name=None,
):
    """The image of a JPEG file, or of a PNG or GIF file of one image: [height, width, channels].

    Source: tf.image.decode_jpeg.
    """
    options = channels, ratio, fancy_upscaling, try_recover_truncated, acceptable_fraction, dct_method
    return _raw.decode_jpeg(contents, *options, name=name)


def decode_and_crop_jpeg(
    contents,
    crop_window,
    channels=0,
    ratio=1,
    fancy_upscaling=True,
    try_recover_truncated=False,
    acceptable_fraction=1,
    dct_method="",
    name=None,
):
    """A part of the image of a JPEG file. crop_window: top, left, height, width.

    Source: tf.image.decode_and_crop_jpeg.
    """
    options = channels, ratio, fancy_upscaling, try_recover_truncated, acceptable_fraction, dct_method
    return _raw.decode_and_crop_jpeg(contents, crop_window, *options, name=name)


def decode_bmp(contents, channels=0, name=None):
    """The image of a BMP file: [height, width, channels]. Source: tf.image.decode_bmp."""
    return _raw.decode_bmp(contents, channels, name=name)


def decode_gif(contents, name=None):
    """The images of a GIF file: [frames, height, width, 3]. Source: tf.image.decode_gif."""
    return _raw.decode_gif(contents, name=name)


def decode_image(contents, channels=None, dtype=dtypes.uint8, name=None, expand_animations=True):
    """The image of a file of any kind, and all images of a GIF file. Source: tf.image.decode_image."""
    with name_scope(name, "decode_image"):
        wanted = dtypes.as_dtype(dtype)
        own = wanted if wanted in (dtypes.uint8, dtypes.uint16, dtypes.float32) else dtypes.uint16
        image = _raw.decode_image(
            convert_to_tensor(contents, dtypes.string, "contents"), channels or 0, own, expand_animations
        )
        return image if own is wanted else _c.convert_image_dtype(image, wanted)


def encode_jpeg(
    image,
    format="",
    quality=95,
    progressive=False,
    optimize_size=False,
    chroma_downsampling=True,
    density_unit="in",
    x_density=300,
    y_density=300,
    xmp_metadata="",
    name=None,
):
    """A JPEG file of an image of uint8: [height, width, 1 or 3]. Source: tf.image.encode_jpeg."""
    options = format, quality, progressive, optimize_size, chroma_downsampling, density_unit, x_density, y_density
    return _raw.encode_jpeg(image, *options, xmp_metadata, name=name)


def extract_jpeg_shape(contents, output_type=dtypes.int32, name=None):
    """The height, the width and the channels of a JPEG file. Source: tf.image.extract_jpeg_shape."""
    return _raw.extract_jpeg_shape(contents, output_type, name=name)
