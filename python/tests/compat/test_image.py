"""tf.image: sizes, colors, boxes; values as TensorFlow 2.21 gives them."""

import inspect

import numpy as np
import pytest

import kiln.compat.v1 as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        made.seed = 3
        yield made


IMAGE = (np.arange(24, dtype="f4") / 24).reshape(2, 4, 3)


def value(tensor):
    with tf.Session() as session:
        return session.run(tensor)


def test_images_are_cut_padded_turned_and_resized():
    assert (value(tf.image.flip_left_right(IMAGE)) == IMAGE[:, ::-1]).all()
    assert (value(tf.image.rot90(IMAGE, 3)) == np.rot90(IMAGE, 3)).all()
    assert (value(tf.image.central_crop(np.ones((4, 4, 1), "f4"), 0.5))).shape == (2, 2, 1)
    padded = value(tf.image.pad_to_bounding_box(IMAGE, 1, 0, 4, 4))
    assert (padded[1:3] == IMAGE).all() and not padded[[0, 3]].any()
    resized = tf.image.resize_images(IMAGE, [4, 4], tf.image.ResizeMethod.NEAREST_NEIGHBOR)
    assert (value(resized) == IMAGE.repeat(2, 0)).all()
    with pytest.raises(ValueError, match="Resize method is not implemented"):
        tf.image.resize_images(IMAGE, [4, 4], 7)


def test_colors():
    assert value(tf.image.convert_image_dtype(IMAGE, tf.uint8, saturate=True)).dtype == np.uint8
    np.testing.assert_allclose(value(tf.image.rgb_to_grayscale(np.ones((1, 1, 3), "f4"))), [[[0.9999]]], rtol=1e-5)
    bright = value(tf.image.random_brightness(IMAGE, 0.2, seed=1)) - IMAGE
    assert np.ptp(bright) < 1e-6 and abs(bright[0, 0, 0]) <= 0.2


def test_boxes():
    boxes = [[0, 0, 1, 1], [0, 0, 1, 1.1], [2, 2, 3, 3]]
    assert list(value(tf.image.non_max_suppression(boxes, [0.5, 0.6, 0.7], 3))) == [2, 1]
    sampled = tf.image.sample_distorted_bounding_box([2, 4, 3], [[[0.1, 0.1, 0.8, 0.9]]], seed=3)
    assert sampled.begin.dtype is tf.int32 and value(sampled.bboxes).shape == (1, 1, 4)


def test_arguments_are_tensorflows():
    parameters = inspect.signature(tf.image.resize_images).parameters
    assert list(parameters) == ["images", "size", "method", "align_corners", "preserve_aspect_ratio", "name"]


def test_files_of_images_are_read_and_written():
    pixels = (np.arange(12 * 10 * 3) % 200).astype("u1").reshape(12, 10, 3)
    flat = np.full((8, 8, 3), 77, "u1")
    jpeg = tf.image.encode_jpeg(flat, quality=100)
    assert (value(tf.image.decode_jpeg(jpeg)) == 77).all()
    assert value(tf.image.decode_jpeg(jpeg, ratio=4, channels=1)).shape == (2, 2, 1)
    assert value(tf.image.decode_and_crop_jpeg(jpeg, [1, 2, 3, 4])).shape == (3, 4, 3)
    assert list(value(tf.image.extract_jpeg_shape(jpeg))) == [8, 8, 3]
    png = tf.image.encode_png(pixels)
    for decode in (tf.image.decode_png, tf.image.decode_jpeg, tf.image.decode_image, tf.io.decode_image):
        assert (value(decode(png)) == pixels).all()
    assert value(tf.image.decode_image(png, dtype=tf.float64)).max() == pixels.max() / 255
    assert value(tf.image.decode_gif(png)).shape == (1, 12, 10, 3)
    header = b"BM" + bytes(8) + b"\x20\0\0\0" + bytes(4) + b"\1\0\0\0\1\0\0\0\1\0\x18\0\0\0"
    assert list(value(tf.image.decode_bmp(header + b"\1\2\3\0"))[0, 0]) == [3, 2, 1]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Unknown image file format"):
        value(tf.image.decode_image(b"no picture"))
