"""Images of other sizes."""

from kiln._generated import raw_ops as _raw
from kiln._kiln import front as _c


class ResizeMethod:
    """How resize_images() finds pixels. Source: tf.image.ResizeMethod."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


def resize_images(images, size, method=ResizeMethod.BILINEAR, align_corners=False, preserve_aspect_ratio=False, name=None):
    """Images of another size.

    images: [height, width, channels] or a batch of them; size: [height, width].
    method: one of ResizeMethod. The result is float32, but of nearest neighbors and
    where the size does not change. Errors: ValueError. Source: tf.image.resize_images.
    """
    return _c.resize_images(images, size, method, align_corners, preserve_aspect_ratio, name)


def resize_image_with_pad(image, target_height, target_width, method=ResizeMethod.BILINEAR, align_corners=False):
    """Images of another size, of their own proportions, with zeros around them.

    Source: tf.image.resize_image_with_pad.
    """
    return _c.resize_image_with_pad(image, target_height, target_width, method, align_corners)


def resize_bilinear(images, size, align_corners=False, name=None, half_pixel_centers=False):
    """A batch of images of another size, each pixel from its four neighbors.

    Source: tf.image.resize_bilinear.
    """
    return _c.resize_bilinear(images, size, align_corners, name, half_pixel_centers)


def resize_bicubic(images, size, align_corners=False, name=None, half_pixel_centers=False):
    """A batch of images of another size, each pixel from its sixteen neighbors.

    Source: tf.image.resize_bicubic.
    """
    return _c.resize_bicubic(images, size, align_corners, name, half_pixel_centers)


def resize_nearest_neighbor(images, size, align_corners=False, name=None, half_pixel_centers=False):
    """A batch of images of another size, each pixel from its nearest neighbor.

    Source: tf.image.resize_nearest_neighbor.
    """
    return _c.resize_nearest_neighbor(images, size, align_corners, name, half_pixel_centers)


def resize_area(images, size, align_corners=False, name=None):
    """A batch of images of another size, each pixel the mean of what it covers.

    Source: tf.image.resize_area.
    """
    return _raw.resize_area(images, size, align_corners, name=name)
