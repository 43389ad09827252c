# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow sees of images from elsewhere: under projective transforms, in glimpses, scaled and moved.
Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
IMAGE = (np.arange(2 * 5 * 7 * 2) * 7 % 101).reshape(2, 5, 7, 2)
TRANSFORMS = np.array([[1, 0, 0, 0, 1, 0, 0, 0], [1, 0, 2, 0, 1, -1, 0, 0], [0.8, -0.6, 1.5, 0.6, 0.8, -1, 0, 0], [2, 0, -3, 0, 2, -3, 0, 0], [-1, 0, 6, 0, -1, 4, 0, 0], [1, 0.2, 0, 0.1, 1, 0, 0.05, -0.03], [1, 0, 0, 0, 1, 0, -0.25, 0],
                       [9, 0, -40, 0, -9, 50, 0, 0], [0, 0, 1e30, 0, 0, -1e30, 0, 0], [0, 0, np.nan, 0, 0, np.inf, 0, 0], [0.5, 0, 0.25, 0, 0.5, 0.25, 0, 0]], "f4")


def transforms():
    with Case("view_transforms", "ImageProjectiveTransformV2 and V3: every type, interpolation and way to fill; shapes that are refused", rtol=1e-6, atol=1e-6) as case:
        matrices, size, value = tf.placeholder(tf.float32, None, "matrices"), tf.placeholder(tf.int32, None, "size"), tf.placeholder(tf.float32, None, "value")
        # What integers become of NaN and of infinite numbers is the processor's business.
        finite = np.isfinite(TRANSFORMS).all(1) & (np.abs(TRANSFORMS) < 1e9).all(1)
        for dtype in (tf.uint8, tf.int32, tf.int64, tf.float16, tf.bfloat16, tf.float32, tf.float64):
            image = tf.placeholder(dtype, None, f"image_{dtype.name}")
            for interpolation in ("NEAREST", "BILINEAR"):
                made = [raw.ImageProjectiveTransformV2(images=image, transforms=matrices, output_shape=size, interpolation=interpolation, fill_mode=mode) for mode in ("CONSTANT", "REFLECT", "WRAP", "NEAREST")]
                made += [raw.ImageProjectiveTransformV3(images=image, transforms=matrices, output_shape=size, fill_value=value, interpolation=interpolation, fill_mode=mode) for mode in ("CONSTANT", "WRAP")]
                for i, matrix in enumerate(TRANSFORMS):
                    if finite[i] or (dtype.is_floating and interpolation == "NEAREST"):
                        case.run(made, {image: IMAGE, matrices: matrix.reshape(1, 8), size: [6, 8], value: 9})
                case.run(made, {image: IMAGE, matrices: TRANSFORMS[1:3], size: [3, 9], value: -2.5 if dtype.is_floating else 3})
                case.run(made, {image: IMAGE[:, :1, :1], matrices: TRANSFORMS[2:4], size: [4, 4], value: 1})
        image = tf.placeholder(tf.float32, None, "image")
        made = raw.ImageProjectiveTransformV2(images=image, transforms=matrices, output_shape=size, interpolation="NEAREST")
        for pixels, matrix, shape in ((IMAGE[0], TRANSFORMS[:1], [4, 6]), (IMAGE, TRANSFORMS[0], [4, 6]), (IMAGE, TRANSFORMS[:3], [4, 6]), (IMAGE, TRANSFORMS[:1, :7], [4, 6]), (IMAGE, TRANSFORMS[:1], [4]), (IMAGE, TRANSFORMS[:1], [[4, 6]]), (IMAGE, TRANSFORMS[:1], [0, 6]),
                                      (IMAGE, TRANSFORMS[:1], [4, -1]), (IMAGE[:0], TRANSFORMS[:1], [4, 6]), (IMAGE[:0], TRANSFORMS[:0], [4, 6]), (IMAGE[:, :0], TRANSFORMS[:1], [4, 6]), (IMAGE[..., :0], TRANSFORMS[:1], [4, 6])):
            case.run(made, {image: pixels, matrices: matrix, size: shape})
        case.run(raw.ImageProjectiveTransformV3(images=image, transforms=matrices, output_shape=size, fill_value=value, interpolation="NEAREST"), {image: IMAGE, matrices: TRANSFORMS[:1], size: [2, 2], value: [1]})
        known = raw.ImageProjectiveTransformV2(images=image, transforms=TRANSFORMS[1:2], output_shape=[3, 4], interpolation="BILINEAR")
        case.run(tf.reduce_sum(known * 2.0, [1, 2]), {image: IMAGE})


def gradients():
    with Case("view_gradients", "gradients of ImageProjectiveTransformV2 and V3", rtol=1e-5, atol=1e-5) as case:
        image, matrices = tf.placeholder(tf.float32, [2, 5, 7, 2], "image"), tf.placeholder(tf.float32, [None, 8], "matrices")
        for interpolation in ("NEAREST", "BILINEAR"):
            for mode in ("CONSTANT", "REFLECT"):
                for made in (raw.ImageProjectiveTransformV2(images=image, transforms=matrices, output_shape=[4, 6], interpolation=interpolation, fill_mode=mode),
                             raw.ImageProjectiveTransformV3(images=image, transforms=matrices, output_shape=[4, 6], fill_value=3.0, interpolation=interpolation, fill_mode=mode)):
                    given = tf.gradients(made * made, [image])
                    for which in ([1], [2], [5, 10]):
                        case.run(given, {image: IMAGE, matrices: TRANSFORMS[which]})


def glimpses():
    with Case("view_glimpses", "ExtractGlimpse and V2: each way to say where, parts beyond the image, sizes that are refused", rtol=0, atol=0) as case:
        image, size, offsets = tf.placeholder(tf.float32, None, "image"), tf.placeholder(tf.int32, None, "size"), tf.placeholder(tf.float32, None, "offsets")
        places = np.array([[0, 0], [0.5, 0.25], [-0.5, 0.3], [2, 3], [-1.25, 1.5], [5, 7], [-7, -9], [1e9, -1e30], [np.nan, np.inf], [0.99, -0.99]], "f4")
        for op in (raw.ExtractGlimpse, raw.ExtractGlimpseV2):
            made = [op(input=image, size=size, offsets=offsets, centered=centered, normalized=normalized, uniform_noise=False, noise="zero") for centered in (True, False) for normalized in (True, False)]
            for shape in ([2, 3], [1, 1], [5, 7], [4, 9], [8, 10], [0, 3], [13, 2]):
                for i in range(0, len(places), 2):
                    case.run(made, {image: IMAGE, size: shape, offsets: places[i : i + 2]})
            noisy = [op(input=image, size=size, offsets=offsets, uniform_noise=uniform, noise=noise) for uniform, noise in ((True, "uniform"), (False, "gaussian"), (False, "uniform"), (False, ""), (True, ""))]
            case.run(noisy, {image: IMAGE, size: [2, 3], offsets: places[:2]})
            case.run(noisy, {image: np.full([2, 5, 7, 1], 3.5), size: [4, 9], offsets: places[2:4]})
            case.run(op(input=image, size=size, offsets=offsets, uniform_noise=False, noise="other"), {image: IMAGE, size: [2, 3], offsets: places[:2]})
            for pixels, shape, where in ((IMAGE[0], [2, 3], places[:2]), (IMAGE, [2], places[:2]), (IMAGE, [[2, 3]], places[:2]), (IMAGE, [-1, 3], places[:2]), (IMAGE, [2, -3], places[:2]), (IMAGE, [2, 3], places[0]), (IMAGE, [2, 3], places[:1]), (IMAGE, [2, 3], places[:2, :1]), (IMAGE[:0], [2, 3], places[:0])):
                case.run(made[0], {image: pixels, size: shape, offsets: where})


def scales():
    with Case("view_scales", "ScaleAndTranslate: every type and kernel, smaller and larger, moved out of the image, what is refused", rtol=1e-5, atol=1e-4) as case:
        size, scale, move = tf.placeholder(tf.int32, None, "size"), tf.placeholder(tf.float32, None, "scale"), tf.placeholder(tf.float32, None, "move")
        image = tf.placeholder(tf.float32, None, "image")
        kernels = ("lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic", "mitchellcubic")
        ways = [([5, 7], [1, 1], [0, 0]), ([10, 14], [2, 2], [0, 0]), ([2, 3], [0.4, 3 / 7], [0, 0]), ([4, 4], [0.8, 1.7], [0.3, -2]), ([9, 3], [1, 1], [2, -3]), ([3, 3], [0.01, 0.01], [0, 0]), ([6, 6], [1, 1], [100, -100]), ([6, 6], [50, 1], [-100, 0.5]), ([1, 1], [0.2, 1 / 7], [0, 0]), ([3, 4], [1e-30, 1e30], [0, 0])]
        for kernel in kernels:
            made = [raw.ScaleAndTranslate(images=image, size=size, scale=scale, translation=move, kernel_type=kernel, antialias=smooth) for smooth in (True, False)]
            for sides, by, to in ways[: len(ways) if kernel in ("lanczos3", "triangle") else 9]:
                # What an integer becomes of an infinite width is the processor's business.
                case.run(made[1] if min(by) < 1e-9 else made, {image: IMAGE, size: sides, scale: by, move: to})
        for dtype in (tf.uint8, tf.int8, tf.int16, tf.uint16, tf.int32, tf.int64, tf.float16, tf.bfloat16, tf.float64):
            other = tf.placeholder(dtype, None, f"image_{dtype.name}")
            case.run(raw.ScaleAndTranslate(images=other, size=size, scale=scale, translation=move), {other: IMAGE, size: [4, 4], scale: [0.8, 1.7], move: [0.3, -2]})
        made = raw.ScaleAndTranslate(images=image, size=size, scale=scale, translation=move)
        for pixels, sides, by, to in ((IMAGE[0], [4, 4], [1, 1], [0, 0]), (IMAGE, [4], [1, 1], [0, 0]), (IMAGE, [[4, 4]], [1, 1], [0, 0]), (IMAGE, [0, 4], [1, 1], [0, 0]), (IMAGE, [4, -4], [1, 1], [0, 0]), (IMAGE, [4, 4], [0, 1], [0, 0]), (IMAGE, [4, 4], [1, -1], [0, 0]), (IMAGE, [4, 4], [np.nan, 1], [0, 0]),
                                      (IMAGE, [4, 4], [1], [0, 0]), (IMAGE, [4, 4], [[1, 1]], [0, 0]), (IMAGE, [4, 4], [1, 1], [0]), (IMAGE, [4, 4], [1, 1], [[0, 0]]), (IMAGE[..., :0], [4, 4], [1, 1], [0, 0]), (IMAGE[:, :0], [4, 4], [1, 1], [0, 0]), (IMAGE[:0], [4, 4], [1, 1], [0, 0])):
            case.run(made, {image: pixels, size: sides, scale: by, move: to})
        case.run(raw.ScaleAndTranslate(images=image, size=size, scale=scale, translation=move, kernel_type="other"), {image: IMAGE, size: [4, 4], scale: [1, 1], move: [0, 0]})


def scale_gradients():
    with Case("view_scale_gradients", "ScaleAndTranslateGrad, and by it the gradient of ScaleAndTranslate", rtol=1e-5, atol=1e-3) as case:
        image, scale, move = tf.placeholder(tf.float32, [None, 5, 7, 2], "image"), tf.placeholder(tf.float32, None, "scale"), tf.placeholder(tf.float32, None, "move")
        for kernel in ("lanczos3", "gaussian", "box", "triangle", "keyscubic"):
            for sides in ([4, 4], [9, 12], [2, 1]):
                made = raw.ScaleAndTranslate(images=image, size=sides, scale=scale, translation=move, kernel_type=kernel)
                given = tf.gradients(made * made, [image])
                for by, to in (([0.8, 1.7], [0.3, -2]), ([0.3, 0.2], [0, 0]), ([1, 1], [50, 0])):
                    case.run(given, {image: IMAGE, scale: by, move: to})
        grad, other = tf.placeholder(tf.float32, None, "grad"), tf.placeholder(tf.float32, None, "other")
        made = raw.ScaleAndTranslateGrad(grads=grad, original_image=other, scale=scale, translation=move)
        dy = np.ones([2, 4, 4, 2])
        for slope, pixels, by, to in ((dy, IMAGE, [1, 1], [0, 0]), (dy[0], IMAGE, [1, 1], [0, 0]), (dy, IMAGE[0], [1, 1], [0, 0]), (dy, IMAGE, [0, 1], [0, 0]), (dy, IMAGE, [1], [0, 0]), (dy, IMAGE, [1, 1], [0]), (dy[:1], IMAGE, [1, 1], [0, 0]), (dy, IMAGE[..., :1], [1, 1], [0, 0]), (dy[:0], IMAGE[:0], [1, 1], [0, 0])):
            case.run(made, {grad: slope, other: pixels, scale: by, move: to})


CASES = {f.__name__: f for f in (transforms, gradients, glimpses, scales, scale_gradients)}

if __name__ == "__main__":
    for name in sys.argv[1:] or CASES:
        CASES[name]()
