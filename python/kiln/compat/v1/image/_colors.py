"""Colors, brightness and types of images."""

from kiln._generated import raw_ops as _raw
from kiln._kiln import front as _c


def convert_image_dtype(image, dtype, saturate=False, name=None):
    """Images of another type: floats are in [0, 1), integers use their whole range.

    saturate: values beyond the type's ends become its ends. Source: tf.image.convert_image_dtype.
    """
    return _c.convert_image_dtype(image, dtype, saturate, name)


def per_image_standardization(image):
    """Images with mean 0 and variance 1.

    Source: tf.image.per_image_standardization.
    """
    return _c.per_image_standardization(image)


def adjust_brightness(image, delta):
    """Adds to all pixels, as floats in [0, 1).

    Source: tf.image.adjust_brightness.
    """
    return _c.adjust_brightness(image, delta)


def adjust_contrast(images, contrast_factor):
    """Scales the distance of each pixel from the mean of its channel.

    Source: tf.image.adjust_contrast.
    """
    return _c.adjust_contrast(images, contrast_factor)


def adjust_gamma(image, gamma=1, gain=1):
    """gain * image ** gamma, of floats in [0, 1).

    Errors: ValueError for a gamma below 0. Source: tf.image.adjust_gamma.
    """
    return _c.adjust_gamma(image, gamma, gain)


def adjust_hue(image, delta, name=None):
    """Turns the hue of RGB images by a part of the circle, in [-1, 1].

    Source: tf.image.adjust_hue.
    """
    return _c.adjust_hue(image, delta, name)


def adjust_saturation(image, saturation_factor, name=None):
    """Scales the saturation of RGB images.

    Source: tf.image.adjust_saturation.
    """
    return _c.adjust_saturation(image, saturation_factor, name)


def random_brightness(image, max_delta, seed=None):
    """adjust_brightness() by a random number in [-max_delta, max_delta).

    Errors: ValueError. Source: tf.image.random_brightness.
    """
    return _c.random_brightness(image, max_delta, seed)


def random_contrast(image, lower, upper, seed=None):
    """adjust_contrast() by a random factor in [lower, upper).

    Errors: ValueError. Source: tf.image.random_contrast.
    """
    return _c.random_contrast(image, lower, upper, seed)


def random_hue(image, max_delta, seed=None):
    """adjust_hue() by a random number in [-max_delta, max_delta).

    Errors: ValueError. Source: tf.image.random_hue.
    """
    return _c.random_hue(image, max_delta, seed)


def random_saturation(image, lower, upper, seed=None):
    """adjust_saturation() by a random factor in [lower, upper).

    Errors: ValueError. Source: tf.image.random_saturation.
    """
    return _c.random_saturation(image, lower, upper, seed)


def rgb_to_grayscale(images, name=None):
    """RGB images as one channel of brightness.

    Source: tf.image.rgb_to_grayscale.
    """
    return _c.rgb_to_grayscale(images, name)


def grayscale_to_rgb(images, name=None):
    """Images of one channel, with it three times.

    Source: tf.image.grayscale_to_rgb.
    """
    return _c.grayscale_to_rgb(images, name)


def rgb_to_hsv(images, name=None):
    """RGB images as hue, saturation, value.

    Source: tf.image.rgb_to_hsv.
    """
    return _raw.rgb_to_hsv(images, name=name)


def hsv_to_rgb(images, name=None):
    """Hue, saturation, value as RGB images.

    Source: tf.image.hsv_to_rgb.
    """
    return _raw.hsv_to_rgb(images, name=name)


def rgb_to_yiq(images):
    """RGB images as YIQ.

    Source: tf.image.rgb_to_yiq.
    """
    return _c.rgb_to_yiq(images)


def yiq_to_rgb(images):
    """YIQ images as RGB.

    Source: tf.image.yiq_to_rgb.
    """
    return _c.yiq_to_rgb(images)


def rgb_to_yuv(images):
    """RGB images as YUV.

    Source: tf.image.rgb_to_yuv.
    """
    return _c.rgb_to_yuv(images)


def yuv_to_rgb(images):
    """YUV images as RGB.

    Source: tf.image.yuv_to_rgb.
    """
    return _c.yuv_to_rgb(images)
