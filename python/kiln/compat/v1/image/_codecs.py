"""Images in files, and patches of images."""

from kiln._generated import raw_ops as _raw
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes


def decode_png(contents, channels=0, dtype=dtypes.uint8, name=None):
    """The image of a PNG file: [height, width, channels].

    channels: 0: as the file has them. JPEG files, and GIF files of one image, are read, too.
    Source: tf.image.decode_png.
    """
    return _raw.decode_png(contents, channels, dtype, name=name)


def encode_png(image, compression=-1, name=None):
    """A PNG file of an image of uint8 or uint16. Source: tf.image.encode_png."""
    return _raw.encode_png(image, compression, name=name)


def is_jpeg(contents, name=None):
    """Whether a file begins as JPEG files do. Source: tf.image.is_jpeg."""
    return _c.is_jpeg(contents, name)


def extract_image_patches(images, ksizes=None, strides=None, rates=None, padding=None, name=None, sizes=None):
    """The patches of images as vectors: [batch, rows, columns, size of a patch].

    ksizes (or sizes), strides, rates: [1, rows, columns, 1]. Source: tf.image.extract_image_patches.
    """
    return _raw.extract_image_patches(
        images, sizes if ksizes is None else ksizes, strides, rates, padding, name=name
    )


def extract_patches(images, sizes, strides, rates, padding, name=None):
    """As extract_image_patches(). Source: tf.image.extract_patches."""
    return _raw.extract_image_patches(images, sizes, strides, rates, padding, name=name)
