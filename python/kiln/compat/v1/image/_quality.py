"""How images look, and how alike two of them are."""

from kiln._kiln import front as _c


def total_variation(images, name=None):
    """How much neighboring pixels differ, summed over each image.

    Source: tf.image.total_variation.
    """
    return _c.total_variation(images, name)


def psnr(a, b, max_val, name=None):
    """The peak signal-to-noise ratio of images, in decibel.

    Source: tf.image.psnr.
    """
    return _c.psnr(a, b, max_val, name)


def ssim(img1, img2, max_val, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03):
    """The structural similarity of images (Wang and others, 2004).

    Source: tf.image.ssim.
    """
    return _c.ssim(img1, img2, max_val, filter_size, filter_sigma, k1, k2)


def ssim_multiscale(
    img1,
    img2,
    max_val,
    power_factors=(0.0448, 0.2856, 0.3001, 0.2363, 0.1333),
    filter_size=11,
    filter_sigma=1.5,
    k1=0.01,
    k2=0.03,
):
    """The structural similarity at several scales (Wang and others, 2003).

    Source: tf.image.ssim_multiscale.
    """
    return _c.ssim_multiscale(img1, img2, max_val, power_factors, filter_size, filter_sigma, k1, k2)


def image_gradients(image):
    """The differences of each pixel to the next one: (dy, dx), of zeros at the end.

    Source: tf.image.image_gradients.
    """
    return tuple(_c.image_gradients(image))


def sobel_edges(image):
    """Sobel's filters along height and width: the last axis is [dy, dx].

    Source: tf.image.sobel_edges.
    """
    return _c.sobel_edges(image)
