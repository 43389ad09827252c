"""Projective transforms as vectors of eight numbers, and as matrices of nine, the last of them 1."""

import kiln.compat.v1 as _tf


def angles_to_projective_transforms(angles, image_height, image_width, name=None):
    """The transforms, [n, 8], that turn images around their middle.

    angles: in radians, counter-clockwise: a scalar or a vector. image_height, image_width: of float32.
    Errors: TypeError. Source: tf.contrib.image.angles_to_projective_transforms.
    """
    with _tf.name_scope(name, "angles_to_projective_transforms"):
        angles = _tf.convert_to_tensor(angles, name="angles", dtype=_tf.float32)
        if angles.shape.ndims not in (0, 1):
            raise TypeError("Angles should have rank 0 or 1.")
        angles = angles[None] if angles.shape.ndims == 0 else angles
        right, bottom = image_width - 1, image_height - 1
        sine, cosine = _tf.sin(angles), _tf.cos(angles)
        x = (right - (cosine * right - sine * bottom)) / 2.0
        y = (bottom - (sine * right + cosine * bottom)) / 2.0
        zero = _tf.zeros_like(angles)
        return _tf.stack([cosine, -sine, x, sine, cosine, y, zero, zero], axis=1)


def translations_to_projective_transforms(translations, name=None):
    """The transforms, [n, 8], that move images.

    translations: [dx, dy], or a matrix of such. Errors: TypeError.
    Source: tf.contrib.image.translations_to_projective_transforms.
    """
    with _tf.name_scope(name, "translations_to_projective_transforms"):
        moves = _tf.convert_to_tensor(translations, name="translations", dtype=_tf.float32)
        if moves.shape.ndims is None:
            raise TypeError("translation_or_translations rank must be statically known")
        if moves.shape.ndims not in (1, 2):
            raise TypeError("Translations should have rank 1 or 2.")
        moves = moves[None] if moves.shape.ndims == 1 else moves
        x, y = -moves[:, 0], -moves[:, 1]
        one, zero = _tf.ones_like(x), _tf.zeros_like(x)
        return _tf.stack([one, zero, x, zero, one, y, zero, zero], axis=1)


def compose_transforms(*transforms):
    """The transform that does what these do, one after the other.

    transforms: [8] or [n, 8]. Source: tf.contrib.image.compose_transforms.
    """
    assert transforms, "transforms cannot be empty"
    with _tf.name_scope("compose_transforms"):
        composed = flat_transforms_to_matrices(transforms[0])
        for transform in transforms[1:]:
            composed = _tf.matmul(composed, flat_transforms_to_matrices(transform))
        return matrices_to_flat_transforms(composed)


def flat_transforms_to_matrices(transforms):
    """Matrices, [n, 3, 3], of transforms: [8] or [n, 8].

    Errors: ValueError. Source: tf.contrib.image.flat_transforms_to_matrices.
    """
    with _tf.name_scope("flat_transforms_to_matrices"):
        transforms = _tf.convert_to_tensor(transforms, name="transforms")
        if transforms.shape.ndims not in (1, 2):
            raise ValueError(f"Transforms should be 1D or 2D, got: {transforms}")
        flat = _tf.reshape(transforms, [-1, 8])
        return _tf.reshape(_tf.concat([flat, _tf.ones([_tf.shape(flat)[0], 1])], axis=1), [-1, 3, 3])


def matrices_to_flat_transforms(transform_matrices):
    """Transforms, [n, 8], of matrices: [3, 3] or [n, 3, 3].

    Errors: ValueError. Source: tf.contrib.image.matrices_to_flat_transforms.
    """
    with _tf.name_scope("matrices_to_flat_transforms"):
        matrices = _tf.convert_to_tensor(transform_matrices, name="transform_matrices")
        if matrices.shape.ndims not in (2, 3):
            raise ValueError(f"Matrices should be 2D or 3D, got: {matrices}")
        flat = _tf.reshape(matrices, [-1, 9])
        return (flat / flat[:, 8:9])[:, :8]
