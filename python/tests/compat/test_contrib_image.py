"""tf.contrib.image, and glimpses of tf.image."""

import numpy as np
import pytest

import kiln.compat.v1 as tf

IMAGE = np.arange(20, dtype="f4").reshape(4, 5)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def value(tensors):
    with tf.Session() as session:
        return session.run(tensors)


def test_images_are_moved_and_turned():
    image = tf.contrib.image
    moved = np.zeros_like(IMAGE)
    moved[1:, 2:] = IMAGE[:-1, :-2]
    assert (value(image.translate(IMAGE, [2, 1])) == moved).all()
    square = IMAGE[:, :4]
    assert (value(image.rotate(square, np.pi / 2)) == np.rot90(square)).all()
    batch = np.stack([square, square])[..., None]
    turned = value(image.rotate(tf.placeholder_with_default(batch, [None, None, 4, 1]), [0.0, np.pi]))
    assert (turned[0] == batch[0]).all() and (turned[1] == batch[0, ::-1, ::-1]).all()
    assert value(image.transform(IMAGE, [2, 0, 0, 0, 2, 0, 0, 0], "bilinear", [2, 2])).tolist() == [[0, 2], [10, 12]]
    with pytest.raises(TypeError, match="rank between 2 and 4"):
        image.transform([1.0], [1, 0, 0, 0, 1, 0, 0, 0])


def test_transforms_compose():
    image = tf.contrib.image
    turn = image.angles_to_projective_transforms(0.5, 4.0, 5.0)
    back = image.angles_to_projective_transforms(-0.5, 4.0, 5.0)
    composed, matrices = value([image.compose_transforms(turn, back), image.flat_transforms_to_matrices(turn)])
    np.testing.assert_allclose(composed, [[1, 0, 0, 0, 1, 0, 0, 0]], atol=1e-6)
    assert matrices.shape == (1, 3, 3) and matrices[0, 2, 2] == 1
    np.testing.assert_allclose(value(image.matrices_to_flat_transforms(2 * matrices)), value(turn), rtol=1e-6)


def test_transformed_images_have_gradients():
    x = tf.constant(IMAGE)
    moved = tf.contrib.image.translate(x, [1, 0])
    assert (value(tf.gradients(tf.reduce_sum(moved), x)[0]) == (np.arange(5) < 4)).all()


def test_glimpses_and_qualities():
    batch = IMAGE.reshape(1, 4, 5, 1)
    glimpse = tf.image.extract_glimpse(batch, [2, 3], [[0.0, 0.0]])
    assert value(glimpse).ravel().tolist() == [6, 7, 8, 11, 12, 13]
    noisy = value(tf.image.extract_glimpse(batch, [6, 3], [[0.0, 0.0]], uniform_noise=True))
    assert noisy.min() >= 0 and noisy.max() <= 19
    flat = np.full((8, 8, 3), 0.5, "f4")
    assert abs(value(tf.image.adjust_jpeg_quality(flat, 90)) - 0.5).max() < 0.02
    assert value(tf.image.random_jpeg_quality(flat, 20, 80, seed=1)).shape == (8, 8, 3)
    with pytest.raises(ValueError, match="must be less than"):
        tf.image.random_jpeg_quality(flat, 80, 20)
