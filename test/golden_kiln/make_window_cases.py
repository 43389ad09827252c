# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does with windows: convolutions, pools, their gradients, normalizations and resizing. Run it
with a Python that has TensorFlow. oneDNN is off: with it TensorFlow gives inputs for empty results, and ends the process for
ranks that are wrong."""
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case
from tensorflow.python.framework import test_util

raw = tf.raw_ops
rng = np.random.RandomState(3)


def numbers(*shape, dtype=np.float32):
    return (rng.standard_normal(shape) * 2).astype(dtype)


def convolutions():
    with Case("window_convolutions", "convolutions of images of open sizes, with gradients", rtol=1e-4, atol=1e-4) as case:
        x = tf.placeholder(tf.float32, [None, None, None, 4], "x")
        fetches = []
        for size, stride, padding, dilation, channels in [
                ((3, 3), 1, "SAME", 1, 4), ((3, 3), 2, "SAME", 1, 4), ((2, 3), 2, "VALID", 1, 4), ((1, 1), 1, "VALID", 1, 4),
                ((1, 1), 2, "SAME", 1, 4), ((3, 2), 1, "SAME", 2, 4), ((4, 5), 3, "SAME", 1, 4),
                ((3, 3), 1, [[0, 0], [1, 3], [0, 2], [0, 0]], 1, 4), ((2, 2), 2, [[0, 0], [4, 0], [0, 5], [0, 0]], 1, 4)]:
            w = tf.constant(numbers(*size, channels, 5))
            y = tf.nn.conv2d(x, w, [1, stride, stride, 1], padding, dilations=[1, dilation, dilation, 1])
            fetches.append(y)
            if dilation == 1:
                fetches += tf.gradients(tf.square(y), [x, w])
        for feeds in (numbers(2, 7, 9, 4), numbers(1, 8, 6, 4), numbers(3, 5, 5, 4)):
            case.run(fetches, {x: feeds})
        groups = tf.nn.conv2d(x, tf.constant(numbers(3, 3, 2, 6)), [1, 1, 1, 1], "SAME")
        case.run([groups], {x: numbers(2, 5, 4, 4)})
        case.run([fetches[0], fetches[3]], {x: numbers(0, 5, 4, 4)})
        wide = tf.nn.conv2d(x, tf.constant(numbers(3, 3, 4, 70)), [1, 2, 2, 1], "SAME")
        case.run([wide] + tf.gradients(wide, x), {x: numbers(1, 30, 29, 4)})
        deep = tf.placeholder(tf.float32, [1, 6, 6, 300], "deep")
        w = tf.constant(numbers(3, 3, 300, 3))
        y = tf.nn.conv2d(deep, w, [1, 1, 1, 1], "SAME")
        case.run([y] + tf.gradients(y, [deep, w]), {deep: numbers(1, 6, 6, 300)}, rtol=1e-3, atol=1e-3)

    with Case("window_dtypes", "convolutions and pools of other types", rtol=1e-6, atol=1e-6) as case:
        for dtype, tolerance in [(tf.float64, 1e-9), (tf.float16, 2e-2), (tf.bfloat16, 2e-1), (tf.int32, 0)]:
            rounded = np.round(numbers(2, 5, 6, 3))
            x = tf.cast(tf.constant(rounded), dtype)
            w = tf.cast(tf.constant(np.round(numbers(3, 2, 3, 4))), dtype)
            y = raw.Conv2D(input=x, filter=w, strides=[1, 2, 1, 1], padding="SAME")
            dx = raw.Conv2DBackpropInput(input_sizes=[2, 5, 6, 3], filter=w, out_backprop=y, strides=[1, 2, 1, 1], padding="SAME")
            case.run([tf.cast(y, tf.float64), tf.cast(dx, tf.float64)], rtol=tolerance, atol=tolerance)
            if dtype != tf.int32:
                dw = raw.Conv2DBackpropFilter(input=x, filter_sizes=[3, 2, 3, 4], out_backprop=y, strides=[1, 2, 1, 1], padding="SAME")
                means = raw.AvgPool(value=x, ksize=[1, 2, 2, 1], strides=[1, 1, 1, 1], padding="SAME")
                case.run([tf.cast(dw, tf.float64), tf.cast(means, tf.float64)], rtol=tolerance, atol=tolerance)
        for dtype in (tf.int8, tf.uint8, tf.int16, tf.uint16, tf.int64, tf.float16, tf.bfloat16, tf.float64):
            x = tf.cast(tf.constant(np.abs(np.round(numbers(2, 5, 4, 3)))), dtype)
            largest = raw.MaxPool(input=x, ksize=[1, 3, 2, 1], strides=[1, 2, 1, 1], padding="SAME")
            back = raw.MaxPoolGrad(orig_input=x, orig_output=largest, grad=largest, ksize=[1, 3, 2, 1], strides=[1, 2, 1, 1], padding="SAME")
            case.run([tf.cast(largest, tf.float64), tf.cast(back, tf.float64)])

    with Case("window_depthwise", "depthwise convolutions with gradients", rtol=1e-4, atol=1e-4) as case:
        x = tf.placeholder(tf.float32, [None, None, 6, 3], "x")
        fetches = []
        for size, stride, padding, multiples in [((3, 3), 1, "SAME", 1), ((3, 3), 2, "SAME", 1), ((2, 2), 1, "VALID", 2), ((1, 3), 2, "SAME", 3)]:
            w = tf.constant(numbers(*size, 3, multiples))
            y = tf.nn.depthwise_conv2d_native(x, w, [1, stride, stride, 1], padding)
            fetches += [y] + tf.gradients(tf.square(y), [x, w])
        for rows in (5, 8):
            case.run(fetches, {x: numbers(2, rows, 6, 3)})

    with Case("window_volumes", "convolutions and pools in three dimensions, with gradients", rtol=1e-4, atol=1e-4) as case:
        x = tf.placeholder(tf.float32, [None, 5, 6, 4, 2], "x")
        fetches = []
        for size, stride, padding in [((3, 3, 3), 1, "SAME"), ((2, 3, 1), 2, "SAME"), ((2, 2, 2), 2, "VALID")]:
            w = tf.constant(numbers(*size, 2, 3))
            y = tf.nn.conv3d(x, w, [1, stride, stride, stride, 1], padding)
            fetches += [y] + tf.gradients(tf.square(y), [x, w])
            for pool in (tf.nn.max_pool3d, tf.nn.avg_pool3d):
                y = pool(x, [1, *size, 1], [1, stride, stride, stride, 1], padding)
                fetches += [y] + tf.gradients(tf.square(y), [x])
        case.run(fetches, {x: numbers(2, 5, 6, 4, 2)})


def pools():
    with Case("window_pools", "pools of images of open sizes, with gradients", rtol=1e-5, atol=1e-5) as case:
        x = tf.placeholder(tf.float32, [None, None, None, 3], "x")
        fetches = []
        for size, stride, padding in [((2, 2), 2, "VALID"), ((3, 3), 2, "SAME"), ((3, 2), 1, "VALID"), ((1, 1), 2, "SAME"), ((5, 4), 1, "SAME"), ((7, 6), 2, "VALID")]:
            for pool in (tf.nn.max_pool, tf.nn.avg_pool):
                y = pool(x, [1, *size, 1], [1, stride, stride, 1], padding)
                fetches += [y] + tf.gradients(tf.square(y), [x])
        for feeds in (numbers(2, 7, 9, 3), numbers(1, 8, 6, 3), np.zeros((2, 7, 6, 3), np.float32)):
            case.run(fetches, {x: feeds})
        case.run(fetches[:4], {x: numbers(0, 5, 4, 3)})
        case.run(fetches[:1], {x: numbers(2, 1, 4, 3)})
        y = tf.nn.max_pool(x, [1, 2, 3, 1], [1, 2, 2, 1], [[0, 0], [1, 0], [2, 1], [0, 0]])
        case.run([y] + tf.gradients(y, x), {x: numbers(2, 7, 9, 3)})
        sizes = tf.placeholder(tf.int32, [4], "sizes")
        computed = raw.MaxPoolV2(input=x, ksize=sizes, strides=sizes, padding="SAME")
        back = raw.MaxPoolGradV2(orig_input=x, orig_output=computed, grad=computed, ksize=sizes, strides=sizes, padding="SAME")
        for size in (2, 3):
            case.run([computed, back], {x: numbers(2, 7, 9, 3), sizes: [1, size, size, 1]})
        across = raw.MaxPool(input=x, ksize=[1, 1, 1, 3], strides=[1, 1, 1, 3], padding="VALID")
        case.run([across], {x: numbers(2, 3, 4, 3)})

    with Case("window_places", "the places of the largest elements", rtol=0, atol=0) as case:
        x = tf.placeholder(tf.float32, [None, None, 6, 2], "x")
        for size, stride, padding, batch in [(2, 2, "VALID", False), (3, 2, "SAME", True), (3, 1, "SAME", False)]:
            y, places = tf.nn.max_pool_with_argmax(x, [1, size, size, 1], [1, stride, stride, 1], padding, include_batch_in_index=batch)
            narrow = raw.MaxPoolWithArgmax(input=x, ksize=[1, size, size, 1], strides=[1, stride, stride, 1], padding=padding,
                                           Targmax=tf.int32, include_batch_in_index=batch)
            again = raw.MaxPoolGradGrad(orig_input=x, orig_output=y, grad=x, ksize=[1, size, size, 1], strides=[1, stride, stride, 1], padding=padding)
            for rows in (5, 4):
                case.run([y, places, narrow.argmax, again], {x: np.round(numbers(2, rows, 6, 2))})


def norms():
    with Case("window_norms", "batch and local response normalization, with gradients", rtol=1e-4, atol=1e-4) as case:
        x = tf.placeholder(tf.float32, [None, None, 3, 5], "x")
        scale, offset = tf.constant(numbers(5)), tf.constant(numbers(5))
        mean, variance = tf.constant(numbers(5)), tf.constant(np.abs(numbers(5)) + 0.5)
        fetches = []
        for op in (raw.FusedBatchNorm, raw.FusedBatchNormV2, raw.FusedBatchNormV3):
            trained = op(x=x, scale=scale, offset=offset, mean=[], variance=[], epsilon=0.01)
            fetches += list(trained[:5]) + tf.gradients(tf.square(trained.y) * x, [x, scale, offset])
            mixed = op(x=x, scale=scale, offset=offset, mean=mean, variance=variance, exponential_avg_factor=0.25)
            fetches += list(mixed[:3])
            fixed = op(x=x, scale=scale, offset=offset, mean=mean, variance=variance, is_training=False)
            fetches += [fixed.y] + tf.gradients(tf.square(fixed.y), [x, scale, offset])
        fetches.append(tf.nn.batch_normalization(x, mean, variance, offset, scale, 0.01))
        for radius, beta in [(1, 0.5), (2, 0.75), (5, 1.0)]:
            y = tf.nn.lrn(x, radius, bias=1.5, alpha=0.3, beta=beta)
            fetches += [y] + tf.gradients(tf.square(y), x)
        for rows in (4, 2):
            case.run(fetches, {x: numbers(2, rows, 3, 5)})
        volume = tf.placeholder(tf.float32, [2, 3, 2, 2, 5], "volume")
        y = raw.FusedBatchNormV3(x=volume, scale=scale, offset=offset, mean=[], variance=[], data_format="NDHWC")
        case.run(list(y[:5]) + tf.gradients(tf.square(y.y) * volume, volume), {volume: numbers(2, 3, 2, 2, 5)})
        for dtype in (tf.float16, tf.bfloat16):
            y = raw.FusedBatchNormV3(x=tf.cast(x, dtype), scale=scale, offset=offset, mean=[], variance=[])
            case.run([tf.cast(y.y, tf.float32), y.batch_mean], {x: numbers(2, 3, 3, 5)}, rtol=2e-2, atol=2e-2)

    with Case("window_resizes", "images of other sizes", rtol=1e-4, atol=1e-4) as case:
        x = tf.placeholder(tf.float32, [None, None, 5, 2], "x")
        size = tf.placeholder(tf.int32, [2], "size")
        whole = tf.placeholder(tf.uint8, [2, 3, 4, 1], "whole")
        for align, centers in [(False, False), (True, False), (False, True)]:
            bilinear = raw.ResizeBilinear(images=x, size=size, align_corners=align, half_pixel_centers=centers)
            nearest = raw.ResizeNearestNeighbor(images=x, size=size, align_corners=align, half_pixel_centers=centers)
            fixed = raw.ResizeNearestNeighbor(images=whole, size=[5, 2], align_corners=align, half_pixel_centers=centers)
            smooth = raw.ResizeBilinear(images=whole, size=[5, 2], align_corners=align, half_pixel_centers=centers)
            fetches = [bilinear, nearest] + tf.gradients(tf.square(bilinear), x) + tf.gradients(tf.square(nearest), x)
            for rows, to in [(4, [7, 3]), (3, [1, 9]), (4, [4, 5])]:
                case.run(fetches, {x: numbers(2, rows, 5, 2), size: to})
            case.run([fixed, smooth], {whole: rng.randint(0, 255, (2, 3, 4, 1))})


def errors():
    with Case("window_errors", "what does not fit", rtol=1e-5, atol=1e-5) as case:
        x, w, dy = (tf.placeholder(tf.float32, None, name) for name in ("x", "w", "dy"))
        one = [1, 1, 1, 1]
        conv = raw.Conv2D(input=x, filter=w, strides=one, padding="VALID")
        for image, filters in [((2, 5, 6), (3, 3, 3, 4)), ((2, 5, 6, 3), (3, 3, 3)), ((2, 5, 6, 3), (3, 3, 2, 4)), ((2, 5, 6, 4), (3, 3, 2, 3)),
                               ((2, 1, 6, 3), (3, 3, 3, 4)), ((2, 2, 6, 3), (3, 3, 3, 4)), ((2, 5, 6, 3), (0, 3, 3, 4)), ((2, 5, 6, 4), (3, 3, 2, 4))]:
            case.run(conv, {x: np.ones(image), w: np.ones(filters)})
        sizes = tf.placeholder(tf.int32, None, "sizes")
        for_image = raw.Conv2DBackpropInput(input_sizes=sizes, filter=w, out_backprop=dy, strides=one, padding="VALID")
        for_filter = raw.Conv2DBackpropFilter(input=x, filter_sizes=sizes, out_backprop=dy, strides=one, padding="VALID")
        for image, filters, places in [((2, 5, 6, 3), (3, 3, 3, 4), (2, 3, 3, 4)), ((2, 5, 6), (3, 3, 3, 4), (2, 3, 4, 4)), ((5, 6), (3, 3, 3, 4), (2, 3, 4, 4)),
                                       ((2, 5, 6, 3), (3, 3, 3, 4), (1, 3, 4, 4)), ((2, 5, 6, 3), (3, 3, 3, 4), (2, 3, 4, 5)), ((2, 5, 6, 3), (3, 3, 3), (2, 3, 4, 4))]:
            case.run(for_image, {sizes: image, w: np.ones(filters), dy: np.ones(places)})
            case.run(for_filter, {x: np.ones(image), sizes: filters, dy: np.ones(places)})
        for ksize, strides in [([1, 3, 3, 1], one), ([2, 2, 2, 1], one), ([1, 2, 1, 2], [1, 1, 1, 2]), ([1, 2, 2, 1], [2, 1, 1, 1])]:
            pool = raw.MaxPool(input=x, ksize=ksize, strides=strides, padding="VALID")
            for image in ((2, 5, 6), (2, 1, 6, 4), (2, 5, 6, 4)):
                case.run(pool, {x: np.ones(image)})
        norm = raw.FusedBatchNormV3(x=x, scale=w, offset=[1.0, 2.0], mean=[], variance=[])
        for image, scale in [((2, 3, 2), [2]), ((2, 3, 2, 2), [2, 2]), ((2, 3, 2, 2), [3]), ((2, 3, 2, 3), [3]), ((2, 3, 2, 2), [2])]:
            case.run(norm.y, {x: np.ones(image), w: np.ones(scale)})
        resized = raw.ResizeBilinear(images=x, size=sizes)
        for image, to in [((2, 3, 2), [2, 2]), ((2, 3, 2, 1), [2]), ((2, 3, 2, 1), [0, 2]), ((2, 0, 2, 1), [2, 2]), ((0, 3, 2, 1), [2, 2])]:
            case.run(resized, {x: np.ones(image), sizes: to})
        case.run(raw.LRN(input=x), {x: np.ones((2, 3, 4))})


def empty_filter():
    with Case("window_empty_filter", "a filter without elements, which is an error of a run, not of its graph") as case:
        x = tf.placeholder(tf.float32, [1, 4, 4, 2], "x")
        conv = raw.Conv2D(input=x, filter=np.ones([1, 0, 2, 3], np.float32), strides=[1, 1, 1, 1], padding="SAME")
        case.run(conv, {x: np.ones([1, 4, 4, 2])})
        case.run(tf.reduce_sum(x), {x: np.ones([1, 4, 4, 2])})


def later_gradients():
    with Case("window_places_gradients", "gradients that go to the places of the largest elements") as case:
        x = tf.placeholder(tf.float32, [None, None, 6, 2], "x")
        for size, stride, padding, batch, index in [(2, 2, "VALID", False, tf.int64), (3, 1, "SAME", True, tf.int64), (3, 2, "SAME", False, tf.int64)]:
            how = dict(ksize=[1, size, size, 1], strides=[1, stride, stride, 1], padding=padding, include_batch_in_index=batch)
            y, places = raw.MaxPoolWithArgmax(input=x, Targmax=index, **how)
            back = raw.MaxPoolGradWithArgmax(input=x, grad=y * 2, argmax=places, **how)
            for rows in (5, 4):
                case.run(back, {x: np.round(numbers(2, rows, 6, 2))})

    with Case("window_norm_gradients_old", "gradients of the oldest batch normalization, which later graphs cannot hold", rtol=1e-5, atol=1e-5) as case:
        test_util.set_producer_version(tf.get_default_graph(), 8)
        given = [numbers(2, 3, 4, 2), *(np.abs(numbers(2)) + 0.5 for _ in range(3)), numbers(2, 3, 4, 2)]
        for scales in (True, False):
            for t in (tf.float32, tf.float64):
                inputs = dict(zip(("t", "m", "v", "gamma", "backprop"), (tf.constant(g, t) for g in given)))
                case.run([*raw.BatchNormWithGlobalNormalizationGrad(**inputs, variance_epsilon=0.01, scale_after_normalization=scales)])


def second_gradients():
    with Case("window_pools_twice", "gradients of maxima's gradients, and maxima across channels that inputs tell", rtol=0, atol=0) as case:
        x = tf.placeholder(tf.float32, [None, None, 6, 2], "x")
        volume = tf.placeholder(tf.float32, [None, 4, None, 5, 2], "volume")
        sizes, steps = tf.placeholder(tf.int32, [4], "sizes"), tf.placeholder(tf.int32, [4], "steps")
        for padding in ("VALID", "SAME"):
            y = raw.MaxPoolV2(input=x, ksize=sizes, strides=steps, padding=padding)
            again = raw.MaxPoolGradGradV2(orig_input=x, orig_output=y, grad=x, ksize=sizes, strides=steps, padding=padding)
            for rows, size, step in [(5, 2, 2), (4, 3, 1), (7, 3, 2)]:
                case.run([y, again], {x: np.round(numbers(2, rows, 6, 2)) + 0.0, sizes: [1, size, size, 1], steps: [1, step, step, 1]})
            how = dict(ksize=[1, 2, 3, 2, 1], strides=[1, 1, 2, 1, 1], padding=padding)
            y = tf.nn.max_pool3d(volume, how["ksize"], how["strides"], padding)
            again = raw.MaxPool3DGradGrad(orig_input=volume, orig_output=y, grad=volume, **how)
            for rows in (5, 4):
                case.run([y, again], {volume: np.round(numbers(2, 4, rows, 5, 2)) + 0.0})
            across = raw.MaxPoolV2(input=x, ksize=sizes, strides=steps, padding=padding)
            case.run(across, {x: numbers(2, 3, 6, 2), sizes: [1, 1, 1, 2], steps: [1, 1, 1, 2]})
        for size, step in ([[1, 2, 2, 2], [1, 1, 1, 2]], [[1, 1, 1, 2], [1, 1, 1, 1]], [[2, 1, 1, 1], [1, 1, 1, 1]]):
            case.run(across, {x: numbers(2, 3, 6, 2), sizes: size, steps: step})


def empty_norms():
    with Case("window_norms_empty", "statistics of no images, and gradients") as case:
        x = tf.placeholder(tf.float32, [None, 3, None, 5], "x")
        scale, offset = tf.constant(numbers(5)), tf.constant(numbers(5))
        y = raw.FusedBatchNormV3(x=x, scale=scale, offset=offset, mean=[], variance=[], epsilon=0.01)
        back = tf.gradients(tf.square(y.y), [x, scale, offset])
        for shape in ((0, 3, 4, 5), (2, 3, 0, 5)):
            case.run(list(y[:5]) + back, {x: np.zeros(shape, np.float32)})


def batches():
    with Case("window_batches", "convolutions of images with any number of batch dimensions", rtol=1e-4, atol=1e-4) as case:
        x = tf.placeholder(tf.float32, None, "x")
        volumes = tf.placeholder(tf.float32, [None, None, 5, 6, 4, 2], "volumes")
        w, cube = tf.placeholder(tf.float32, None, "w"), tf.constant(numbers(2, 3, 2, 2, 3))
        kinds = {}
        for count in (0, 1, 2, 3):
            for stride, dilation, padding in [(1, 1, "SAME"), (2, 1, "VALID"), (1, 2, "SAME")]:
                kinds[count, stride, dilation] = raw.Conv(input=x, filter=w, strides=[1, stride, stride, 1], padding=padding,
                                                          dilations=[1, dilation, dilation, 1], batch_dims=count)
        padded = raw.Conv(input=x, filter=w, strides=[1, 1, 2, 1], padding="EXPLICIT", explicit_paddings=[0, 0, 1, 3, 0, 2, 0, 0])
        spatial = [raw.Conv(input=volumes, filter=cube, strides=[1, stride, stride, stride, 1], padding=padding, batch_dims=2)
                   for stride, padding in [(1, "SAME"), (2, "VALID")]]
        filters = numbers(3, 2, 3, 4)
        for count, shape in [(0, (7, 6, 3)), (1, (2, 7, 6, 3)), (2, (2, 3, 7, 6, 3)), (3, (2, 1, 2, 7, 6, 3)), (1, (0, 7, 6, 3)), (1, (2, 8, 5, 3))]:
            feeds = {x: numbers(*shape), w: filters}
            case.run([y for (n, *_), y in kinds.items() if n == count] + ([padded] if count == 1 else []), feeds)
        for rows in (2, 1):
            case.run(spatial, {volumes: numbers(rows, 2, 5, 6, 4, 2)})
        for dtype, tolerance in [(tf.float64, 1e-9), (tf.float16, 2e-2), (tf.bfloat16, 2e-1)]:
            y = raw.Conv(input=tf.cast(x, dtype), filter=tf.cast(w, dtype), strides=[1, 1, 1, 1], padding="SAME")
            case.run(tf.cast(y, tf.float64), {x: np.round(numbers(2, 5, 6, 3)), w: np.round(filters)}, rtol=tolerance, atol=tolerance)
        y = kinds[1, 2, 1]
        for images, own in [((2, 7, 6, 5), (3, 2, 3, 4)), ((2, 7, 6, 3), (0, 2, 3, 4)), ((2, 7, 3), (3, 2, 3, 4)), ((2, 2, 6, 3), (4, 2, 3, 4)),
                            ((2, 7, 6, 3), (3, 2, 4)), ((2, 7, 6, 5, 3), (3, 2, 3, 3, 4))]:
            case.run(y, {x: np.zeros(images, np.float32), w: np.zeros(own, np.float32)})


only = set(sys.argv[1:])
for make in (convolutions, pools, norms, errors, empty_filter, later_gradients, second_gradients, empty_norms, batches):
    if not only or make.__name__ in only:
        make()
