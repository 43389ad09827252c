"""Images cut, padded, mirrored and turned."""

from kiln._kiln import front as _c


def flip_left_right(image):
    """Mirrors images along their width.

    image: [height, width, channels] or a batch of them. Source: tf.image.flip_left_right.
    """
    return _c.flip_left_right(image)


def flip_up_down(image):
    """Mirrors images along their height.

    image: [height, width, channels] or a batch of them. Source: tf.image.flip_up_down.
    """
    return _c.flip_up_down(image)


def random_flip_left_right(image, seed=None):
    """Mirrors an image along its width, or each of a batch, with probability 1/2.

    Source: tf.image.random_flip_left_right.
    """
    return _c.random_flip_left_right(image, seed)


def random_flip_up_down(image, seed=None):
    """Mirrors an image along its height, or each of a batch, with probability 1/2.

    Source: tf.image.random_flip_up_down.
    """
    return _c.random_flip_up_down(image, seed)


def rot90(image, k=1, name=None):
    """Turns images counter-clockwise by 90 degrees, k times.

    k: a number or a scalar of int32. Source: tf.image.rot90.
    """
    return _c.rot90(image, k, name)


def transpose_image(image, name=None):
    """Swaps height and width.

    Source: tf.image.transpose_image.
    """
    return _c.transpose_image(image, name)


def central_crop(image, central_fraction):
    """The middle of images: a fraction of the height and of the width.

    central_fraction: above 0, at most 1. Errors: ValueError. Source: tf.image.central_crop.
    """
    return _c.central_crop(image, central_fraction)


def crop_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    """A part of images.

    Errors: ValueError where it is known not to lie inside. Source: tf.image.crop_to_bounding_box.
    """
    return _c.crop_to_bounding_box(image, offset_height, offset_width, target_height, target_width)


def pad_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    """Images in a larger one of zeros, at an offset.

    Errors: ValueError where they are known not to fit. Source: tf.image.pad_to_bounding_box.
    """
    return _c.pad_to_bounding_box(image, offset_height, offset_width, target_height, target_width)


def resize_image_with_crop_or_pad(image, target_height, target_width):
    """Cuts images in the middle, or puts zeros around them, to a height and a width.

    Source: tf.image.resize_image_with_crop_or_pad.
    """
    return _c.resize_image_with_crop_or_pad(image, target_height, target_width)


def random_crop(value, size, seed=None, name=None):
    """A part of a tensor of this size, at a random place.

    size: an extent for each axis. Source: tf.random_crop.
    """
    return _c.random_crop(value, size, seed, name)
