# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does with the colors of images and with boxes in them. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops

rng = np.random.RandomState(7)
# Grays, primary colors, ties, negative numbers and what lies above 1.
EDGES = np.float32([[0, 0, 0], [1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1], [0.5, 0.5, 0.2],
                    [0.2, 0.5, 0.5], [0.5, 0.2, 0.5], [-1, 2, 0.5], [3, 1, 2], [1e-3, 1e-4, 0], [0.25, 0.75, 0.5], [-2, -1, -3]])


def pixels(*shape):
    return np.concatenate([EDGES, rng.uniform(size=(np.prod(shape) - len(EDGES), 3)).astype(np.float32)]).reshape(*shape, 3)


def colors():
    with Case("image_colors", "hue, saturation and value, and back", rtol=1e-6, atol=1e-6) as case:
        for dtype, tolerance in [(tf.float32, 1e-6), (tf.float64, 1e-12), (tf.float16, 4e-3), (tf.bfloat16, 3e-2)]:
            x = tf.placeholder(tf.float32, None)
            given = tf.cast(x, dtype)
            outs = [tf.cast(raw.RGBToHSV(images=given), tf.float64), tf.cast(raw.HSVToRGB(images=given), tf.float64)]
            for value in (pixels(3, 9), pixels(30)[:1], np.zeros((0, 3))):
                case.run(outs, {x: value}, rtol=tolerance, atol=tolerance)
        for value in (np.zeros((4, 2)), 1.0):
            case.run(outs[0], {x: value})
    with Case("image_adjusted", "contrast, hue and saturation of images", rtol=1e-5, atol=2e-6) as case:
        x, by = tf.placeholder(tf.float32, None), tf.placeholder(tf.float32, None)
        outs = [raw.AdjustContrastv2(images=x, contrast_factor=by), raw.AdjustSaturation(images=x, scale=by), raw.AdjustHue(images=x, delta=by)]
        for factor in (0.0, 0.3, 1.0, 2.5, -0.7):
            case.run(outs, {x: pixels(2, 4, 5), by: factor})
        case.run(outs, {x: pixels(2, 3, 4, 2), by: 0.9})
        case.run(outs, {x: np.zeros((0, 3, 2, 3)), by: 0.9})
        case.run(outs[0], {x: rng.uniform(size=(2, 5, 4, 2)), by: 1.5})
        for op in outs:
            for value, factor in ((np.zeros((2, 3)), 0.5), (np.zeros((2, 2, 3)), [0.5])):
                case.run(op, {x: value, by: factor})
        for op in outs[1:]:
            case.run(op, {x: np.zeros((2, 3, 4)), by: 0.5})
        for factor in (np.inf, -np.inf, np.nan):
            case.run(outs[1], {x: np.array([EDGES]), by: factor})
        case.run(raw.AdjustHue(images=tf.cast(x, tf.float16), delta=by), {x: pixels(2, 4, 5), by: 0.3})


def crops():
    with Case("image_crops", "boxes of images as images of one size, with gradients", rtol=1e-5, atol=1e-5) as case:
        image, boxes = tf.placeholder(tf.float32, None), tf.placeholder(tf.float32, None)
        of, size = tf.placeholder(tf.int32, None), tf.placeholder(tf.int32, None)
        both = {m: raw.CropAndResize(image=image, boxes=boxes, box_ind=of, crop_size=size, method=m, extrapolation_value=-3) for m in ("bilinear", "nearest")}
        y = both["bilinear"]
        gradients = [raw.CropAndResizeGradImage(grads=both[m], boxes=boxes, box_ind=of, image_size=tf.shape(image), T=tf.float32, method=m) for m in both]
        gradients.append(raw.CropAndResizeGradBoxes(grads=y, image=image, boxes=boxes, box_ind=of))
        places = np.float32([[0, 0, 1, 1], [0.2, 0.1, 0.7, 0.9], [0.8, 1, 0.1, 0], [-0.3, 0.2, 1.4, 0.5], [0.5, 0.5, 0.5, 0.5], [2, 2, 3, 3]])
        feeds = {image: rng.uniform(size=(2, 5, 7, 3)), boxes: places, of: [0, 1, 1, 0, 1, 0], size: [3, 4]}
        for crop in ([3, 4], [1, 1], [6, 1], [9, 11]):
            case.run([*both.values(), *gradients], {**feeds, size: crop})
        case.run([*both.values(), *gradients], {**feeds, boxes: np.zeros((0, 4)), of: []})
        case.run(gradients[0], {**feeds, image: np.zeros((2, 4, 4, 1)), size: [2, 2]})
        for wrong in ({of: [0, 1, 1, 0, 2, 0]}, {of: [0, -1, 1, 0, 1, 0]}, {size: [0, 2]}, {size: [2]}, {size: [[2, 2]]}, {of: [0]},
                      {boxes: places[0]}, {boxes: places[:, :3]}, {image: np.zeros((5, 7, 3))}):
            case.run(y, {**feeds, **wrong})
        for dtype in (tf.uint8, tf.uint16, tf.int8, tf.int16, tf.int32, tf.int64, tf.float16, tf.float64):
            x = tf.constant(np.arange(40).reshape(2, 4, 5, 1) % 17, dtype)
            fixed = dict(boxes=places[:4], box_ind=[0, 1, 1, 0])
            crop = raw.CropAndResize(image=x, crop_size=[3, 2], **fixed)
            outs = [crop, raw.CropAndResizeGradBoxes(grads=crop, image=x, **fixed)]
            if dtype in (tf.float16, tf.float64):
                outs.append(tf.cast(raw.CropAndResizeGradImage(grads=crop, image_size=[2, 4, 5, 1], T=dtype, **fixed), tf.float64))
            case.run(outs, rtol=2e-3 if dtype == tf.float16 else None)


def drawn():
    with Case("image_boxes_drawn", "the lines of boxes in images", rtol=0, atol=0) as case:
        images, boxes, colors = (tf.placeholder(tf.float32, None) for _ in range(3))
        plain, colored = raw.DrawBoundingBoxes(images=images, boxes=boxes), raw.DrawBoundingBoxesV2(images=images, boxes=boxes, colors=colors)
        half = tf.cast(raw.DrawBoundingBoxes(images=tf.cast(images, tf.float16), boxes=boxes), tf.float32)
        places = np.float32([[0, 0, 1, 1], [0.2, 0.1, 0.7, 0.6], [-0.5, 0.3, 0.4, 2], [0.5, 0.5, 0.5, 0.5], [0.9, 0.1, 0.2, 0.4], [2, 2, 3, 3], [-3, -3, -2, -2],
                             [0.1, -1, 0.95, 1.5], [0, 0.8, 0, 0.9], [0.6, 0, 0.6, 1], [0.3, 0.3, 0.8, 0.8], [0.05, 0.9, 0.3, 0.95]])
        for depth in (1, 3, 4):
            feeds = {images: rng.uniform(size=(2, 9, 7, depth)), boxes: np.stack([places, places[::-1]])}
            case.run([plain, half], feeds)
            case.run(colored, {**feeds, colors: rng.uniform(size=(5, 4))})
            case.run(colored, {**feeds, colors: np.zeros((0, 4))})
        for wrong in ({boxes: places}, {images: np.zeros((9, 7, 3))}, {boxes: [places]}, {images: np.zeros((2, 9, 7, 2))}, {colors: np.zeros((2, 3))},
                      {colors: np.zeros(3)}):
            case.run(colored, {colors: np.ones((2, 4)), **feeds, **wrong})
        case.run(plain, {images: np.zeros((0, 3, 3, 3)), boxes: np.zeros((0, 2, 4))})


def suppression():
    with Case("image_suppression", "the best of boxes that overlap") as case:
        boxes, scores = tf.placeholder(tf.float32, None), tf.placeholder(tf.float32, None)
        most, overlap, least = tf.placeholder(tf.int32, None), tf.placeholder(tf.float32, None), tf.placeholder(tf.float32, None)
        corners = np.float32([[0, 0, 1, 1], [1, 1.1, 0, 0.1], [0, -0.1, 1, 0.9], [0, 10, 1, 11], [0, 10.1, 1, 11.1], [0, 100, 1, 101], [0, 0, 0, 1], [0, 0, 1, 1]])
        values = np.float32([0.9, 0.75, 0.6, 0.95, 0.5, 0.3, 0.99, 0.9])
        feeds = {boxes: corners, scores: values, most: 3, overlap: 0.5, least: 0.2}
        plain = dict(boxes=boxes, scores=scores, max_output_size=most)
        limits = dict(plain, iou_threshold=overlap, score_threshold=least)
        outs = [raw.NonMaxSuppression(**plain, iou_threshold=0.4), raw.NonMaxSuppressionV2(**plain, iou_threshold=overlap), raw.NonMaxSuppressionV3(**limits),
                *raw.NonMaxSuppressionV4(**limits), *raw.NonMaxSuppressionV4(**limits, pad_to_max_output_size=True)]
        for sigma in (0.0, 0.5):
            outs += [*raw.NonMaxSuppressionV5(**limits, soft_nms_sigma=sigma), *raw.NonMaxSuppressionV5(**limits, soft_nms_sigma=sigma, pad_to_max_output_size=True)]
        many = rng.uniform(size=(40, 4)).astype(np.float32)
        for change in ({}, {most: 0}, {most: 30}, {overlap: 0.0, most: 9}, {overlap: 1.0, most: 9}, {least: 0.97}, {least: 2.0},
                       {boxes: np.zeros((0, 4)), scores: []}, {boxes: many, scores: np.round(many[:, 0], 1), most: 25, overlap: 0.3}):
            case.run(outs, {**feeds, **change})
        for wrong in ({most: -1}, {overlap: 1.5}, {overlap: -0.1}, {boxes: corners[0]}, {boxes: corners[:, :3]}, {scores: values[:2]}, {scores: [values]}):
            case.run(outs[2], {**feeds, **wrong})
        half = raw.NonMaxSuppressionV5(boxes=tf.cast(boxes, tf.float16), scores=tf.cast(scores, tf.float16), max_output_size=most,
                                       iou_threshold=np.float16(0.5), score_threshold=np.float16(0.2), soft_nms_sigma=np.float16(0))
        case.run([half[0], half[2]], feeds)
        shared = tf.placeholder(tf.float32, None)
        given = raw.NonMaxSuppressionWithOverlaps(overlaps=shared, scores=scores, max_output_size=most, overlap_threshold=overlap, score_threshold=least)
        table = np.abs(rng.standard_normal((8, 8))).astype(np.float32)
        for change in ({}, {overlap: 2.5, most: 9}, {shared: table[:3, :3], scores: values[:3]}, {shared: table[:3]}, {shared: table[0]}, {scores: values[:3]}):
            case.run(given, {**feeds, shared: table, **change})
    with Case("image_suppression_combined", "the best of boxes that overlap, of all classes") as case:
        boxes, scores = tf.placeholder(tf.float32, None), tf.placeholder(tf.float32, None)
        a_class, total = tf.placeholder(tf.int32, None), tf.placeholder(tf.int32, None)
        outs = []
        for pads, clips in ((False, True), (True, True), (False, False), (True, False)):
            outs += raw.CombinedNonMaxSuppression(boxes=boxes, scores=scores, max_output_size_per_class=a_class, max_total_size=total, iou_threshold=0.3,
                                                  score_threshold=0.15, pad_per_class=pads, clip_boxes=clips)
        places = (rng.uniform(size=(2, 9, 3, 4)) * 1.5).astype(np.float32)
        feeds = {boxes: places, scores: rng.uniform(size=(2, 9, 3)), a_class: 3, total: 7}
        for change in ({}, {boxes: places[:, :, :1]}, {a_class: 2, total: 20}, {total: 1}, {boxes: np.zeros((2, 0, 1, 4)), scores: np.zeros((2, 0, 3))}):
            case.run(outs, {**feeds, **change})
        for wrong in ({boxes: places[:, :, :2]}, {boxes: places[0]}, {total: 0}, {boxes: places[:1]}):
            case.run(outs[:4], {**feeds, **wrong})


def refused():
    with Case("image_refused", "boxes that are not finite, images without channels", rtol=1e-5, atol=1e-5) as case:
        image, boxes, of = tf.placeholder(tf.float32, [None] * 4, "image"), tf.placeholder(tf.float32, [None, 4], "boxes"), tf.placeholder(tf.int32, [None], "of")
        size = tf.placeholder(tf.int32, [2], "size")
        for method in ("bilinear", "nearest"):
            cut = raw.CropAndResize(image=image, boxes=boxes, box_ind=of, crop_size=[2, 3], method=method)
            for place in (1, np.nan, np.inf, -np.inf, 9e9):
                case.run(cut, {image: pixels(2, 4, 4, 2), boxes: [[0, 0, 1, 1], [0, 0, place, 1]], of: [1, 0]})
            case.run(cut, {image: pixels(2, 4, 4, 2), boxes: [[0, 0, np.nan, 1]], of: [2]})
        for op in (raw.ResizeBilinear, raw.ResizeNearestNeighbor):
            resized = op(images=image, size=size)
            for shape in ((1, 2, 3, 0), (0, 2, 3, 0), (1, 0, 3, 0), (0, 2, 3, 1)):
                case.run(resized, {image: np.zeros(shape), size: [4, 5]})
            case.run(resized, {image: np.zeros((1, 2, 3, 0)), size: [4, 0]})


def resized():
    with Case("image_resized", "images of other sizes, by cubic interpolation and by means over areas", rtol=0, atol=0) as case:
        x, size = tf.placeholder(tf.float32, None), tf.placeholder(tf.int32, None)
        outs = [raw.ResizeArea(images=x, size=size), raw.ResizeArea(images=x, size=size, align_corners=True)]
        kinds = [{}, {"align_corners": True}, {"half_pixel_centers": True}]
        cubic = [raw.ResizeBicubic(images=x, size=size, **kind) for kind in kinds]
        outs += cubic + [raw.ResizeBicubicGrad(grads=y, original_image=x, **kind) for y, kind in zip(cubic, kinds)]
        outs += [raw.ResizeBicubicGrad(grads=y, original_image=tf.cast(x, tf.float64), **kind) for y, kind in zip(cubic, kinds)]
        for dims in ((2, 5, 7, 3), (1, 4, 4, 1), (2, 3, 1, 5), (1, 1, 6, 2)):
            image = rng.randint(-192, 193, size=dims) / 64
            for to in ([3, 4], [9, 8], [1, 2]):
                case.run(outs, {x: image, size: to})
        case.run(outs, {x: np.zeros((0, 3, 2, 2)), size: [4, 5]})
        case.run(outs[:5], {x: pixels(1, 4, 5), size: [9, 3]})
        for wrong in ({size: [0, 2]}, {size: [2]}, {size: 3}, {x: np.zeros((3, 4, 1))}, {x: np.zeros((1, 0, 4, 1))}, {x: np.zeros((1, 3, 4, 0))}):
            for op in (outs[0], cubic[0]):
                case.run(op, {x: np.zeros((1, 3, 4, 1)), size: [2, 2], **wrong})
        case.run(outs[5], {x: np.zeros((2, 0, 3, 1)), size: [2, 2]})
        for dtype in (tf.uint8, tf.uint16, tf.int8, tf.int16, tf.int32, tf.int64, tf.float16, tf.bfloat16, tf.float64):
            fixed = dict(images=tf.constant(np.arange(60).reshape(1, 4, 5, 3) % 17 - (3 if dtype.min < 0 else 0), dtype), size=[3, 8])
            case.run([raw.ResizeArea(**fixed), raw.ResizeBicubic(**fixed), raw.ResizeBicubic(**fixed, half_pixel_centers=True)])


def sampled():
    with Case("image_sampled_boxes", "parts of images drawn by chance, which cover enough of objects", rtol=0, atol=0, seed=5) as case:
        size, boxes, least = tf.placeholder(tf.int32, None), tf.placeholder(tf.float32, None), tf.placeholder(tf.float32, None)
        given = dict(image_size=size, bounding_boxes=boxes)
        all = [raw.SampleDistortedBoundingBox(**given, seed=3), raw.SampleDistortedBoundingBox(**given, seed=3, seed2=8, min_object_covered=0.5, max_attempts=3)]
        for options in ({}, {"aspect_ratio_range": [0.25, 3], "area_range": [0.2, 0.9]}, {"area_range": [0.9, 1], "max_attempts": 9}, {"area_range": [0.5, 0.25]},
                        {"aspect_ratio_range": [1.0, 1.0], "area_range": [0.001, 0.002]}):
            all.append(raw.SampleDistortedBoundingBoxV2(**given, min_object_covered=least, seed=7, seed2=1, **options))
        whole = raw.SampleDistortedBoundingBoxV2(**given, min_object_covered=least, seed=2, use_image_if_no_bounding_boxes=True)
        objects = [[[0.1, 0.2, 0.6, 0.5], [0.5, 0.5, 1, 1], [0.3, 0.3, 0.3, 0.3]]]
        feed = {size: [40, 60, 3], boxes: objects, least: 0.3}
        for change in ({}, {}, {size: [7, 300, 1]}, {size: [500, 375, 3], least: 0.9}, {size: [1, 1, 3]}, {size: [3, 2, 3]}, {size: [0, 9, 3]}, {least: 0.0}, {least: 1.5},
                       {boxes: [[[0, 0, 1, 1]], [[0.4, 0.4, 0.6, 0.6]]]}, {}):
            case.run([part for op in all for part in op], {**feed, **change})
        for dims in ([30, 20, 3], [100, 100, 1]):
            case.run(list(whole), {**feed, size: dims, boxes: np.zeros((1, 0, 4))})
        for wrong in ({boxes: np.zeros((1, 0, 4))}, {boxes: [[[0, 0, 1, 1.5]]]}, {boxes: [[[np.nan, 0, 1, 1]]]}, {size: [-1, 4, 3]}, {size: [2147483647, 4, 3]},
                      {size: [4, -4, 3]}, {least: -0.5}, {least: np.nan}, {least: [0.5]}, {size: [3, 4]}, {size: [[3, 4, 3]]}, {boxes: objects[0]}, {boxes: [[[0, 0, 1]]]}):
            case.run(all[2][0], {**feed, **wrong})
        for dtype in (tf.uint8, tf.int8, tf.int16, tf.int64):
            case.run(list(raw.SampleDistortedBoundingBoxV2(image_size=tf.constant([90, 110, 3], dtype), bounding_boxes=objects, min_object_covered=0.2, seed=4)))
        for wrong in ({"area_range": [0.0, 1.0]}, {"area_range": [0.1, 1.5]}, {"area_range": [0.5]}, {"aspect_ratio_range": [-1.0, 1.0]}, {"aspect_ratio_range": [1.0]},
                      {"max_attempts": 0}):
            case.run(raw.SampleDistortedBoundingBoxV2(**given, min_object_covered=least, seed=7, **wrong)[0], feed, session=str(wrong))


def sampled_by_seed():
    with Case("image_boxes_by_seed", "parts of images drawn by a seed that is an input", rtol=0, atol=0) as case:
        size, boxes, least, seed = tf.placeholder(tf.int32, None), tf.placeholder(tf.float32, None), tf.placeholder(tf.float32, None), tf.placeholder(tf.int64, None)
        given = dict(image_size=size, bounding_boxes=boxes, min_object_covered=least, seed=seed)
        ops = [raw.StatelessSampleDistortedBoundingBox(**given, **options)
               for options in ({}, {"aspect_ratio_range": [0.25, 3], "area_range": [0.2, 0.9]}, {"area_range": [0.9, 1], "max_attempts": 9})]
        feed = {size: [40, 60, 3], boxes: [[[0.1, 0.2, 0.6, 0.5], [0.5, 0.5, 1, 1]]], least: 0.3, seed: [1, 2]}
        for change in ({}, {}, {seed: [1, 3]}, {seed: [-7, 1 << 40]}, {size: [500, 375, 3], least: 0.9}, {least: 1.5}):
            case.run([part for op in ops for part in op], {**feed, **change})
        for wrong in ({seed: [1]}, {seed: 1}, {seed: [[1, 2]]}, {least: -0.5}, {boxes: np.zeros((1, 0, 4))}):
            case.run(ops[0][0], {**feed, **wrong})
        case.run(list(raw.StatelessSampleDistortedBoundingBox(image_size=tf.constant([90, 110, 3], tf.uint8), bounding_boxes=np.zeros((1, 0, 4), np.float32), min_object_covered=0.2,
                                                              seed=tf.constant([4, 5]), use_image_if_no_bounding_boxes=True)))


only = set(sys.argv[1:])
for make in (colors, crops, drawn, suppression, refused, resized, sampled, sampled_by_seed):
    if not only or make.__name__ in only:
        make()
