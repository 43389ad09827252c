# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what the functions of tf.image add to a graph; test/unit/Build/Image*Test.cpp builds the same graphs. Run it with a Python that has
TensorFlow."""
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case
from tensorflow.python.ops import image_ops_impl

image = tf.image
rng = np.random.RandomState(11)


def floats(*shape):
    return rng.uniform(size=shape).astype(np.float32)


def bytes_of(*shape):
    return rng.randint(0, 256, size=shape).astype(np.uint8)


def placeholders():
    """A picture and a batch of known rank, one of open rank."""
    return (tf.placeholder(tf.float32, [4, 5, 3], "known"), tf.placeholder(tf.float32, [None, None, 3], "open"),
            tf.placeholder(tf.uint8, [None, 4, 5, 3], "batch"), tf.placeholder(tf.float32, None, "any"))


def turns():
    with Case("image_function_turns", "images mirrored and turned, by chance and not") as case:
        known, open, batch, any = placeholders()
        k = tf.placeholder(tf.int32, [], "k")
        all = []
        for x in (known, open, batch, any):
            all += [image.flip_left_right(x), image.flip_up_down(x), image.rot90(x), image.rot90(x, k, name="turned"), image.transpose_image(x), image.transpose(x, name="swapped")]
        all += [image.flip_left_right(tf.Variable(np.zeros((2, 2, 1)), dtype=tf.float32)), image.flip_up_down(bytes_of(2, 2, 1)), image.rot90([[[1], [2]]], 3)]
        case.init()
        feed = {known: floats(4, 5, 3), open: floats(3, 2, 3), batch: bytes_of(2, 4, 5, 3), any: floats(2, 3, 2, 1)}
        for turn in range(-1, 5):
            case.run(all, {**feed, k: turn})
        case.run(all[18:20], {any: floats(3, 4, 2)})  # TensorFlow optimizes the other transpositions to what fails
        case.run(all[18], {any: np.zeros((2, 0, 3))})


def chances():
    with Case("image_function_chances", "images changed by chance", seed=5) as case:
        known, open, batch, any = placeholders()
        all = []
        for x in (known, open, batch, any):
            all += [image.random_flip_left_right(x), image.random_flip_up_down(x, seed=3)]
        for x in (known, batch):
            all += [image.random_brightness(x, 0.25), image.random_contrast(x, 0.5, 1.5, seed=1), image.random_hue(x, 0.2), image.random_saturation(x, 0, 2, seed=2)]
        all += [tf.random_crop(known, [2, 3, 3]), tf.random_crop(open, tf.constant([1, 2, 3]), seed=7, name="cut")]
        feed = {known: floats(4, 5, 3), open: floats(3, 2, 3), batch: bytes_of(2, 4, 5, 3), any: floats(2, 2, 1)}
        for _ in range(3):
            case.run(all, feed)
        case.run(all[6:8], {any: floats(3, 2, 2, 1)})


def branches():
    tf.enable_control_flow_v2()
    with Case("image_function_branches", "images turned in branches that are functions", seed=5) as case:
        known, _, _, any = placeholders()
        k = tf.placeholder(tf.int32, [], "k")
        all = [image.flip_left_right(any), image.random_flip_up_down(known, seed=3), image.random_flip_left_right(any), image.rot90(known, k)]
        image.transpose(any, name="swapped")  # TensorFlow optimizes it to what fails
        feed = {known: floats(4, 5, 3), any: floats(2, 3, 2, 1)}
        for turn in (0, 1, 2, 3, 4):
            case.run(all, {**feed, k: turn})
    tf.disable_control_flow_v2()


def crops():
    with Case("image_function_crops", "parts of images, and images among zeros") as case:
        known, open, batch, any = placeholders()
        a, b, h, w = (tf.placeholder(tf.int32, [], name) for name in "abhw")
        fraction = tf.placeholder(tf.float32, [], "fraction")
        all = []
        for x in (known, open, batch):
            all += [image.central_crop(x, 0.5), image.central_crop(x, 1), image.central_crop(x, fraction), image.central_crop(x, tf.constant(0.7))]
        for x in (known, open, batch, any):
            all += [image.crop_to_bounding_box(x, 1, 1, 2, 2), image.crop_to_bounding_box(x, a, b, h, w), image.crop_to_bounding_box(x, a, 1, 2, w)]
            all += [image.pad_to_bounding_box(x, 1, 2, 6, 8), image.pad_to_bounding_box(x, a, b, 5 + h, 6 + w), image.pad_to_bounding_box(x, 0, b, h + 6, 9)]
            all += [image.resize_image_with_crop_or_pad(x, 3, 7), image.resize_image_with_crop_or_pad(x, h, w), image.resize_image_with_crop_or_pad(x, 6, w)]
        all.append(image.resize_image_with_crop_or_pad(floats(5, 4, 1), 2, 6))
        feed = {known: floats(4, 5, 3), open: floats(3, 4, 3), batch: bytes_of(2, 4, 5, 3), any: floats(3, 4, 2), a: 1, b: 0, h: 2, w: 1, fraction: 0.6}
        case.run(all, feed)
        case.run(all, {**feed, h: 1, w: 3, fraction: 1})
        for wrong in ({a: -1}, {h: 0}, {w: 9}):
            case.run(all[13], {**feed, **wrong})
            case.run(all[16], {**feed, **wrong})
            case.run(all[19], {**feed, **wrong})


def resizes():
    with Case("image_function_resizes", "images of other sizes") as case:
        known, open, batch, any = placeholders()
        size, h = tf.placeholder(tf.int32, [2], "size"), tf.placeholder(tf.int32, [], "h")
        all = []
        for x in (known, open, batch):
            all += [image.resize_images(x, [3, 7]), image.resize_images(x, size, name="by"), image.resize_images(x, [h, 2], method=1), image.resize_images(x, (4, 5))]
            all += [image.resize_images(x, [8, 8], 1, True), image.resize_images(x, [8, 6], preserve_aspect_ratio=True), image.resize_images(x, size, preserve_aspect_ratio=True)]
            all += [image.resize_images(x, tf.shape(x)[-3:-1]), image.resize_images(x, tf.stack([6, tf.shape(x)[1]]))]
            all += [image.resize_image_with_pad(x, 7, 6), image.resize_image_with_pad(x, h, 6, method=1, align_corners=True)]
        all += [image.resize_image_with_pad(any, 6, 7), image.resize_bilinear(batch, [2, 3], half_pixel_centers=True), image.resize_nearest_neighbor(batch, size, True, "near")]
        all += [image.resize_bicubic(batch, size, True, "cubic"), image.resize_bicubic(batch, [2, 3], half_pixel_centers=True), image.resize_area(batch, size, True, "area")]
        for x in (known, batch):
            all += [image.resize_images(x, size, image.ResizeMethod.BICUBIC), image.resize_images(x, [3, 2], image.ResizeMethod.AREA, name="means"), image.resize_image_with_pad(x, 5, 3, method=2)]
        case.init()
        feed = {known: floats(4, 5, 3), open: floats(3, 4, 3), batch: bytes_of(2, 4, 5, 3), any: floats(3, 4, 2), size: [6, 3], h: 5}
        case.run(all, feed)
        case.run(all, {**feed, size: [4, 9], h: 2, any: floats(9, 4, 1)})
        case.run(all[10], {**feed, h: 0})


def types():
    with Case("image_function_types", "images of other types") as case:
        all, feed = [], {}
        kinds = [tf.uint8, tf.int8, tf.uint16, tf.int16, tf.int32, tf.int64, tf.float16, tf.float32, tf.float64, tf.bfloat16]
        for kind in kinds:
            x = tf.placeholder(kind, [6], kind.name)
            for other in kinds:
                all += [image.convert_image_dtype(x, other), image.convert_image_dtype(x, other, saturate=True, name="to_" + other.name)]
            feed[x] = [-2.0, -0.25, 0.0, 0.3, 1.0, 7.0] if kind.is_floating else [kind.min, kind.max, 0, 1, kind.max // 2, kind.max // 3]
        wide, most = tf.placeholder(tf.uint32, [3], "wide"), tf.placeholder(tf.uint64, [3], "most")
        all += [image.convert_image_dtype(x, kind) for x in (wide, most) for kind in (tf.uint8, tf.int32, tf.float32)]
        all += [image.convert_image_dtype(known, kind, True) for known in ([0.5, 2.0], bytes_of(3)) for kind in (tf.uint16, tf.float32)]
        all = [a if a.dtype != tf.bfloat16 else tf.cast(a, tf.float32) for a in all]
        case.init()
        feed.update({wide: [0, 2**32 - 1, 2**31 + 5], most: [0, 2**64 - 1, 2**63 + 2**40]})
        case.run(all, feed)


def colors():
    with Case("image_function_colors", "colors, brightness and contrast of images", atol=2e-6) as case:
        known, open, batch, any = placeholders()
        half, double = tf.placeholder(tf.float16, [2, 3, 3], "half"), tf.placeholder(tf.float64, [None, 3, 3], "double")
        by = tf.placeholder(tf.float32, [], "by")
        all = []
        for x in (known, open, batch, any):
            all += [image.per_image_standardization(x), image.adjust_brightness(x, 0.2), image.adjust_brightness(x, by), image.adjust_contrast(x, 0.5), image.adjust_contrast(x, by)]
            all += [image.adjust_gamma(x), image.adjust_gamma(x, by, gain=2.0), image.adjust_gamma(x, 0.5, by), image.adjust_hue(x, 0.1), image.adjust_hue(x, by, name="hued")]
            all += [image.adjust_saturation(x, 0.5), image.adjust_saturation(x, by, name="saturated"), image.rgb_to_grayscale(x), image.rgb_to_grayscale(x, name="gray")]
            all += [image.grayscale_to_rgb(x[..., :1]), image.grayscale_to_rgb(x[..., 1:2], name="rgb")]
        for x in (known, open):
            all += [image.rgb_to_yiq(x), image.yiq_to_rgb(x), image.rgb_to_yuv(x), image.yuv_to_rgb(x)]
        for x in (half, double):
            all += [image.adjust_brightness(x, 0.2), image.adjust_gamma(x, 2), image.rgb_to_grayscale(x)]
        all += [image.adjust_contrast(double, by), image.adjust_hue(double, 0.1), image.adjust_saturation(double, 2.0)]
        colored = image.grayscale_to_rgb(any, name="colored")
        contents = tf.placeholder(tf.string, [None], "contents")
        jpeg = [image.is_jpeg(contents), image.is_jpeg(contents, name="jpeg")]
        png = [image.encode_png(batch[0]), image.encode_png(np.uint8([[[1], [2]]]), compression=3, name="png")]
        case.init()
        feed = {known: floats(4, 5, 3), open: floats(3, 2, 3), batch: bytes_of(2, 4, 5, 3), any: floats(2, 3, 2, 3), half: floats(2, 3, 3), double: floats(2, 3, 3), by: 0.4}
        exact = [a for a in all if a.dtype == tf.float32]
        whole = [a for a in all if a.dtype == tf.uint8]
        rest = [a for a in all if a.dtype in (tf.float16, tf.float64)]
        for value in (0.4, 0.9):
            case.run(exact, {**feed, by: value})
            case.run(whole, {**feed, by: value}, atol=1)
            case.run(rest, {**feed, by: value}, rtol=2e-3)
        case.run(exact[6], {**feed, by: -1})
        case.run(colored, feed)
        case.run([image.decode_png(each) for each in png], {batch: bytes_of(1, 4, 5, 3)})
        case.run(jpeg, {contents: [b"\xff\xd8\xff\xe0", b"\xff\xd8", b"\x89PNG", b""]})


def samples():
    with Case("image_function_samples", "parts of images drawn by chance", seed=5) as case:
        size, boxes, least = tf.placeholder(tf.int32, [3], "size"), tf.placeholder(tf.float32, [None, None, 4], "boxes"), tf.placeholder(tf.float32, [], "least")
        all = [image.sample_distorted_bounding_box(size, boxes, seed=3), image.sample_distorted_bounding_box(size, boxes, 3, 4, least, [0.5, 2.0], [0.1, 0.9], 20, True, "drawn")]
        all.append(image.sample_distorted_bounding_box(tf.shape(tf.zeros([30, 40, 3])), [[[0.1, 0.2, 0.9, 0.8]]], 9, min_object_covered=0.5, use_image_if_no_bounding_boxes=True))
        image.sample_distorted_bounding_box(size, boxes, name="any")
        for _ in range(3):
            case.run([part for each in all for part in each], {size: [50, 70, 3], boxes: [[[0.2, 0.3, 0.7, 0.9]]], least: 0.25})


def qualities():
    with Case("image_function_qualities", "how like two images are, and where one changes", rtol=1e-4, atol=1e-5) as case:
        one, two = tf.placeholder(tf.float32, [None, None, None, 2], "one"), tf.placeholder(tf.float32, [2, 13, 12, 2], "two")
        bytes1, bytes2 = tf.placeholder(tf.uint8, [13, 12, 2], "bytes1"), tf.placeholder(tf.uint8, None, "bytes2")
        most = tf.placeholder(tf.float32, [], "most")
        all = []
        for a, b, value in ((one, two, 1.0), (two, two, 1.0), (bytes1, bytes2, 255), (two, one, most)):
            all += [image.psnr(a, b, value), image.psnr(a, b, value, name="signal"), image.ssim(a, b, value), image.ssim(a, b, value, filter_size=5, filter_sigma=1.0, k1=0.02, k2=0.05)]
        all += [image.ssim_multiscale(one, two, 1.0, power_factors=(0.5, 0.5), filter_size=4), image.ssim_multiscale(two, two, 1.0, (0.2, 0.3, 0.5), filter_size=3), image.ssim_multiscale(bytes1, bytes2, 255, [1.0])]
        for x in (one, two):
            all += [image.total_variation(x), image.total_variation(x[0], name="varied"), *image.image_gradients(x), image.sobel_edges(x)]
        case.init()
        first, second = (rng.randint(0, 17, size=(2, 13, 12, 2)).astype(np.float32) / 16 for _ in range(2))
        second = first * 0.75 + second * 0.25
        feed = {one: first, two: second, bytes1: first[0] * 255, bytes2: second[0] * 255, most: 1.0}
        case.run(all, feed)
        case.run(all, {**feed, one: second, most: 2.0})
        case.run(all[8:12], {**feed, bytes2: bytes_of(3, 13, 12, 2)})
        case.run(all[8], {**feed, bytes2: bytes_of(13, 12, 1)})


def boxes():
    with Case("image_function_boxes", "boxes in images, drawn and chosen") as case:
        images, boxes = tf.placeholder(tf.float32, [None, None, None, 3], "images"), tf.placeholder(tf.float32, [None, None, 4], "boxes")
        scores, most = tf.placeholder(tf.float32, [None], "scores"), tf.placeholder(tf.int32, [], "most")
        of_class, overlaps = tf.placeholder(tf.float32, [None, None, 2], "of_class"), tf.placeholder(tf.float32, [None, None], "overlaps")
        by = tf.placeholder(tf.float32, [], "by")
        all = [image.draw_bounding_boxes(images, boxes), image.draw_bounding_boxes(images, boxes, "drawn", [[1.0, 0.0, 0.5]]), image.draw_bounding_boxes(images, [[[0.1, 0.2, 0.8, 0.9]]])]
        all += [image.crop_and_resize(images, boxes[0], [0, 0, 0], [2, 3]), image.crop_and_resize(images, boxes[0], box_indices=[0, 0, 0], crop_size=[1, 1], method="nearest", extrapolation_value=0.5, name="cut")]
        one = boxes[0]
        all += [image.non_max_suppression(one, scores, most), image.non_max_suppression(one, scores, 2, by, 0.3, name="best")]
        all += [*image.non_max_suppression_with_scores(one, scores, most), *image.non_max_suppression_with_scores(one, scores, 2, 0.4, by, soft_nms_sigma=0.5, name="scored")]
        padded = image_ops_impl.non_max_suppression_padded_v1
        all += [*padded(one, scores, most), *padded(one, scores, 5, by, 0.1, True, name="filled")]
        all += [image.non_max_suppression_overlaps(overlaps, scores, most), image.non_max_suppression_overlaps(overlaps, scores, most, 0.3, by, name="shared")]
        several = tf.expand_dims(boxes, 2)
        all += [*image.combined_non_max_suppression(several, of_class, 2, 3), *image.combined_non_max_suppression(several, of_class, most, 4, by, 0.2, True, False, name="classes")]
        case.init()
        feed = {images: floats(1, 6, 7, 3), boxes: [[[0, 0, 1, 1], [0, 0.1, 1, 1], [0.5, 0.5, 0.9, 0.7]]], scores: [0.6, 0.9, 0.2], most: 2, of_class: floats(1, 3, 2), overlaps: floats(3, 3), by: 0.5}
        case.run(all, feed)
        case.run(all, {**feed, most: 3, by: 0.1})


only = set(sys.argv[1:])
for make in (turns, chances, branches, crops, resizes, types, colors, samples, qualities, boxes):
    if not only or make.__name__ in only:
        make()
