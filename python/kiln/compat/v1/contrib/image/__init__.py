"""tf.contrib.image: images turned, moved and seen in perspective."""

from kiln._generated import raw_ops as _raw
from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.image._matrices import (
    angles_to_projective_transforms,
    compose_transforms as compose_transforms,
    flat_transforms_to_matrices as flat_transforms_to_matrices,
    matrices_to_flat_transforms as matrices_to_flat_transforms,
    translations_to_projective_transforms,
)

import kiln.compat.v1 as _tf

_DTYPES = {_tf.uint8, _tf.int32, _tf.int64, _tf.float16, _tf.float32, _tf.float64}


def transform(images, transforms, interpolation="NEAREST", output_shape=None, name=None):
    """Images under projective transforms, with zeros for what lies beyond them.

    images: [batch, height, width, channels], [height, width, channels] or [height, width]. transforms: [8] or
    [batch, 8]: output (x, y) is the input's ((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k), where
    k = c0 x + c1 y + 1. output_shape: height and width, the image's own by default.
    Errors: TypeError, ValueError. Source: tf.contrib.image.transform.
    """
    with _tf.name_scope(name, "transform"):
        image = _tf.convert_to_tensor(images, name="images")
        transforms = _tf.convert_to_tensor(transforms, dtype=_tf.float32, name="transforms")
        rank = image.shape.ndims
        if image.dtype.base_dtype not in _DTYPES:
            raise TypeError(f"Invalid dtype {image.dtype}.")
        if rank is None:
            raise TypeError("image_or_images rank must be statically known")
        if rank not in (2, 3, 4):
            raise TypeError("Images should have rank between 2 and 4.")
        batch = {2: lambda: image[None, :, :, None], 3: lambda: image[None], 4: lambda: image}[rank]()
        if output_shape is None:
            static = batch.shape[1:3]
            output_shape = static.as_list() if static.is_fully_defined() else _tf.shape(batch)[1:3]
        output_shape = _tf.convert_to_tensor(output_shape, dtype=_tf.int32, name="output_shape")
        if not output_shape.shape.is_compatible_with([2]):
            raise ValueError(
                f"output_shape must be a 1-D Tensor of 2 elements: new_height, new_width, instead got {output_shape}"
            )
        if transforms.shape.ndims is None:
            raise TypeError("transform_or_transforms rank must be statically known")
        if transforms.shape.ndims not in (1, 2):
            raise TypeError(f"Transforms should have rank 1 or 2, but got rank {transforms.shape.ndims}")
        if transforms.shape.ndims == 1:
            transforms = transforms[None]
        output = _raw.image_projective_transform_v2(batch, transforms, output_shape, interpolation.upper())
        return {2: lambda: output[0, :, :, 0], 3: lambda: output[0], 4: lambda: output}[rank]()


def rotate(images, angles, interpolation="NEAREST", name=None):
    """Images turned counter-clockwise by angles in radians, a scalar or one an image.

    Errors: TypeError. Source: tf.contrib.image.rotate.
    """
    with _tf.name_scope(name, "rotate"):
        image = _tf.convert_to_tensor(images)
        rank = image.shape.ndims
        if image.dtype.base_dtype not in _DTYPES:
            raise TypeError(f"Invalid dtype {image.dtype}.")
        if rank is None:
            raise TypeError("image_or_images rank must be statically known")
        if rank not in (2, 3, 4):
            raise TypeError("Images should have rank between 2 and 4.")
        batch = {2: lambda: image[None, :, :, None], 3: lambda: image[None], 4: lambda: image}[rank]()
        sides = _tf.cast(_tf.shape(batch)[1:3], _tf.float32)
        transforms = angles_to_projective_transforms(angles, sides[0], sides[1])
        output = transform(batch, transforms, interpolation)
        return {2: lambda: output[0, :, :, 0], 3: lambda: output[0], 4: lambda: output}[rank]()


def translate(images, translations, interpolation="NEAREST", name=None):
    """Images moved by [dx, dy], one for all or one an image. Source: tf.contrib.image.translate."""
    with _tf.name_scope(name, "translate"):
        return transform(images, translations_to_projective_transforms(translations), interpolation)


__getattr__, __dir__ = _forwarding(__name__, "")
