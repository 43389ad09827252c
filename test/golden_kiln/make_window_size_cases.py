# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does with windows whose sizes, and channels whose numbers, are found in the run. Run it with a
Python that has TensorFlow."""
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case
from tensorflow.python.ops import cond_v2

raw = tf.raw_ops
rng = np.random.RandomState(7)
ONES = [1, 1, 1, 1]


def numbers(*shape, dtype=np.float32):
    return np.round(rng.standard_normal(shape) * 2, 2).astype(dtype)


def found(rank, dtype=tf.float32):
    """A tensor all of whose extents the run finds out, and what feeds it."""
    fed = tf.placeholder(dtype, [None] * rank)
    x = fed
    for axis in range(rank):
        x = tf.gather(x, tf.reshape(tf.where(tf.fill([tf.shape(fed)[axis]], True)), [-1]), axis=axis)
    return x, fed


def groups():
    with Case("window_groups_found", "groups of channels of which the run finds out how many there are", rtol=1e-4, atol=1e-4) as case:
        (x, image), (w, filters) = found(4), found(4)
        plain = raw.Conv2D(input=x, filter=w, strides=ONES, padding="SAME")
        others = [raw.Conv2D(input=x, filter=w, strides=[1, 2, 1, 1], padding="VALID"),
                  raw.Conv2D(input=x, filter=w, strides=ONES, dilations=[1, 2, 1, 1], padding="SAME"),
                  raw.Conv2D(input=x, filter=w, strides=ONES, padding="EXPLICIT", explicit_paddings=[0, 0, 1, 2, 0, 1, 0, 0])]
        for channels, own, outputs in [(4, 4, 3), (4, 2, 6), (4, 1, 4), (6, 2, 3), (3, 3, 0), (0, 2, 4)]:
            case.run([plain] + (others if channels == 4 else []), {image: numbers(2, 5, 4, channels), filters: numbers(3, 2, own, outputs)})
        for channels, own, outputs in [(5, 2, 6), (4, 2, 5), (4, 0, 4), (3, 4, 4)]:
            case.run(plain, {image: numbers(2, 5, 4, channels), filters: numbers(3, 2, own, outputs)})
        case.run(plain, {image: numbers(0, 5, 4, 4), filters: numbers(3, 2, 2, 4)})
        double = raw.Conv2D(input=tf.cast(x, tf.float64), filter=tf.cast(w, tf.float64), strides=ONES, padding="SAME")
        case.run(double, {image: numbers(2, 5, 4, 4), filters: numbers(3, 2, 2, 4)}, rtol=1e-9, atol=1e-9)
        # Two groups, as is known; how many outputs each has is found.
        halves, kernel = tf.placeholder(tf.float32, [2, 5, 4, 4]), tf.placeholder(tf.float32, [3, 2, 2, None])
        chosen = tf.gather(kernel, tf.reshape(tf.where(tf.fill([tf.shape(kernel)[3]], True)), [-1]), axis=3)
        two = raw.Conv2D(input=halves, filter=chosen, strides=ONES, padding="SAME")
        for outputs in (2, 6, 3):
            case.run(two, {halves: numbers(2, 5, 4, 4), kernel: numbers(3, 2, 2, outputs)})


def sizes_again():
    with Case("window_sizes_again", "sizes that a convolution of found channels computes with, and a later node as well", rtol=1e-4, atol=1e-4) as case:
        image, size, w = tf.placeholder(tf.float32, [None] * 4), tf.placeholder(tf.int32, [None]), tf.placeholder(tf.float32, [1, None, 4, 1])
        x = tf.slice(image, [0, 0, 0, 0], size)
        y = raw.Conv2D(input=x, filter=w, strides=[1, 1, 2, 1], padding="VALID")
        for channels in (4, 8):
            case.run([y, tf.size(x)], {image: numbers(2, 3, 5, 8), size: [2, -1, 4, channels], w: numbers(1, 2, 4, 1)})


def no_elements():
    with Case("window_no_elements", "images, filters and channels without elements, known before the run and found in it") as case:
        fed = [tf.placeholder(tf.float32, [None] * 4) for _ in range(2)]
        (x, image), (w, filters) = found(4), found(4)
        for a, b, feeds in [(*fed, fed), (x, w, [image, filters])]:
            for padding in ("SAME", "VALID"):
                y = raw.Conv2D(input=a, filter=b, strides=ONES, padding=padding)
                for of, by in [((1, 3, 2, 2), (0, 1, 2, 2)), ((0, 3, 2, 2), (0, 1, 2, 2)), ((1, 0, 2, 2), (0, 1, 2, 2)), ((1, 3, 2, 2), (1, 0, 2, 0)),
                               ((1, 3, 2, 2), (1, 1, 0, 2)), ((1, 3, 2, 0), (1, 1, 2, 2)), ((1, 3, 2, 0), (0, 1, 2, 2))]:
                    case.run(y, {feeds[0]: numbers(*of), feeds[1]: numbers(*by)})
        fed = [tf.placeholder(tf.float32, [None] * 5) for _ in range(2)]
        y = raw.Conv3D(input=fed[0], filter=fed[1], strides=[1] * 5, padding="SAME")
        for of, by in [((1, 2, 2, 2, 2), (1, 0, 1, 2, 2)), ((0, 2, 2, 2, 2), (1, 0, 1, 2, 2)), ((1, 2, 2, 2, 2), (1, 1, 1, 2, 0)), ((1, 2, 2, 2, 2), (1, 1, 1, 0, 2)),
                       ((0, 2, 2, 2, 2), (1, 1, 1, 2, 2))]:
            case.run(y, {fed[0]: numbers(*of), fed[1]: numbers(*by)})
        (x, image), (w, filters) = found(4), found(4)
        for a, b, feeds in [(image, filters, [image, filters]), (x, w, [image, filters])]:
            y = raw.DepthwiseConv2dNative(input=a, filter=b, strides=ONES, padding="VALID")
            for of, by in [((1, 3, 2, 2), (0, 1, 2, 2)), ((0, 3, 2, 2), (2, 1, 2, 2)), ((1, 3, 2, 2), (1, 1, 2, 0)), ((1, 3, 2, 2), (1, 1, 0, 2))]:
                case.run(y, {feeds[0]: numbers(*of), feeds[1]: numbers(*by)})


def gradients():
    for name, forward, rank in [("conv", "Conv2D", 4), ("volume", "Conv3D", 5), ("depthwise", "DepthwiseConv2dNative", 4)]:
        with Case("window_gradients_found_" + name, f"{forward} and its gradients by filters whose sizes are found in the run", rtol=1e-4, atol=1e-4) as case:
            (x, image), (w, filters), (g, gradient) = found(rank), found(rank), found(rank)
            fetches = {}
            for stride, padding in [(1, "SAME"), (2, "VALID"), (2, "SAME")]:
                how = dict(strides=[1] + [stride] * (rank - 2) + [1], padding=padding)
                last = "V2" if rank == 5 else ""
                fetches[stride, padding] = [
                    getattr(raw, forward)(input=x, filter=w, **how),
                    getattr(raw, forward + "BackpropInput" + last)(input_sizes=tf.shape(x), filter=w, out_backprop=g, **how),
                    getattr(raw, forward + "BackpropFilter" + last)(input=x, filter_sizes=tf.shape(w), out_backprop=g, **how)]
            for size in ((3, 2, 2), (1, 3, 1), (2, 2, 2)):
                channels, outputs = (2, 4) if name == "depthwise" else (2, 3)
                w_shape = (*size[:rank - 2], channels, outputs // 2 if name == "depthwise" else outputs)
                for (stride, padding), three in fetches.items():
                    places = [-(-n // stride) if padding == "SAME" else -(-(n - k + 1) // stride) for n, k in zip((4, 3, 3), size[:rank - 2])]
                    case.run(three, {image: numbers(2, *(4, 3, 3)[:rank - 2], channels), filters: numbers(*w_shape),
                                     gradient: numbers(2, *places, outputs)})
            # Other depths, and a filter without elements.
            feeds = {image: numbers(2, *(4, 3, 3)[:rank - 2], 3), filters: numbers(*(3, 2, 2)[:rank - 2], 2, 4),
                     gradient: numbers(2, *(4, 3, 3)[:rank - 2], 8 if name == "depthwise" else 4)}
            for y in fetches[1, "SAME"]:
                case.run(y, feeds)
            feeds = {image: numbers(2, *(4, 3, 3)[:rank - 2], 2), filters: numbers(0, *(2, 2)[:rank - 3], 2, 4),
                     gradient: numbers(2, *(4, 3, 3)[:rank - 2], 8 if name == "depthwise" else 4)}
            case.run(fetches[1, "SAME"][2], feeds)
            if name != "conv":  # which is an error of dnnl_sgemm
                case.run(fetches[1, "SAME"][1], feeds)


def dilations():
    with Case("window_dilations_found", "morphological dilations by filters whose sizes are found in the run", rtol=1e-5, atol=1e-5) as case:
        (x, image), (w, filters), (g, gradient) = found(4), found(3), found(4)
        for t in (tf.float32, tf.int32):
            a, b, c = (tf.cast(v, t) for v in (x, w, g))
            fetches = {}
            for stride, rate, padding in [(1, 1, "SAME"), (2, 1, "VALID"), (1, 2, "SAME")]:
                how = dict(strides=[1, stride, stride, 1], rates=[1, rate, rate, 1], padding=padding)
                fetches[stride, rate, padding] = [tf.cast(y, tf.float64) for y in (
                    raw.Dilation2D(input=a, filter=b, **how), raw.Dilation2DBackpropInput(input=a, filter=b, out_backprop=c, **how),
                    raw.Dilation2DBackpropFilter(input=a, filter=b, out_backprop=c, **how))]
            for size in ((3, 2), (1, 1), (0, 2)):
                for (stride, rate, padding), three in fetches.items():
                    places = [-(-n // stride) if padding == "SAME" else -(-(n - (k - 1) * rate) // stride) for n, k in zip((5, 4), size)]
                    pixels = numbers(2, 5, 4, 2)
                    if t == tf.float32:
                        pixels.ravel()[::7], pixels.ravel()[1::9], pixels.ravel()[2::11] = np.nan, -np.inf, np.inf
                    case.run(three, {image: pixels, filters: numbers(*size, 2), gradient: numbers(2, *places, 2)})
            case.run(three[0], {image: numbers(2, 5, 4, 2), filters: numbers(2, 2, 3), gradient: numbers(2, 5, 4, 2)})


def branches(v2):
    with Case("window_branches_found_" + ("v2" if v2 else "v1"), "convolutions of sizes found in the run, in branches that are not taken", rtol=1e-4, atol=1e-4) as case:
        cond = cond_v2.cond_v2 if v2 else tf.cond
        (x, image), (w, filters), (g, gradient) = found(4), found(4), found(4)
        taken = tf.placeholder(tf.bool, [])
        sizes = tf.stack([tf.shape(g)[0], tf.shape(x)[1], tf.shape(x)[2], tf.size(tf.unique(tf.range(tf.shape(x)[3])).y)])
        how = dict(strides=ONES, padding="SAME")
        makes = [lambda: raw.Conv2D(input=x, filter=w, **how), lambda: raw.Conv2DBackpropInput(input_sizes=sizes, filter=w, out_backprop=g, **how),
                 lambda: raw.Conv2DBackpropFilter(input=x, filter_sizes=tf.shape(w), out_backprop=g, **how),
                 lambda: raw.DepthwiseConv2dNative(input=x, filter=w, **how),
                 lambda: raw.Dilation2D(input=x, filter=tf.reshape(w, tf.shape(w)[:3]), strides=ONES, rates=ONES, padding="SAME")]
        for make in makes:
            y = cond(taken, lambda: tf.reduce_sum(make()), lambda: tf.constant(-1.0))
            for channels, own, outputs in [(2, 2, 1), (3, 2, 1), (2, 0, 1)]:
                feeds = {image: numbers(2, 4, 3, channels), filters: numbers(3, 2, own, outputs), gradient: numbers(2, 4, 3, outputs)}
                for choice in (True, False):
                    case.run(y, {**feeds, taken: choice})


def volume_gradients():
    with Case("window_volume_gradients", "gradients of the largest of volumes: to all that are equal to it, or nearly", rtol=1e-5, atol=1e-5) as case:
        x, largest, g = (tf.placeholder(tf.float32, [None] * 5) for _ in range(3))
        kinds = {}
        for size, stride, padding in [((2, 2, 2), 2, "VALID"), ((2, 3, 1), 1, "SAME"), ((3, 2, 2), 2, "SAME")]:
            how = dict(ksize=[1, *size, 1], strides=[1, stride, stride, stride, 1], padding=padding)
            back = raw.MaxPool3DGrad(orig_input=x, orig_output=largest, grad=g, **how)
            narrow = [tf.cast(v, tf.bfloat16) for v in (x, largest, g)]
            narrow = tf.cast(raw.MaxPool3DGrad(orig_input=narrow[0], orig_output=narrow[1], grad=narrow[2], **how), tf.float32)
            kinds[padding, stride] = [-(-n // stride) if padding == "SAME" else -(-(n - k + 1) // stride) for n, k in zip((3, 4, 3), size)], back, narrow
        for places, back, narrow in kinds.values():
            pixels, pools = np.round(numbers(1, 3, 4, 3, 2) / 2), np.round(numbers(1, *places, 2) / 2)
            case.run(back, {x: pixels, largest: pools, g: np.round(numbers(1, *places, 2))})
            case.run(narrow, {x: pixels, largest: pools, g: np.round(numbers(1, *places, 2))}, rtol=2e-2, atol=2e-2)
        places, back, _ = kinds["VALID", 2]
        near = np.tile([1, 1 + 1e-6, 1 + 2e-5, 1 - 5e-6, np.nan, np.inf, -np.inf, 9.9e-6, -9.9e-6, 1e-5, 0, -0.0], 2).reshape(1, 2, 2, 2, 3)
        for pool in (1, 0, np.inf, np.nan):
            case.run(back, {x: near, largest: np.full((1, 1, 1, 1, 3), pool), g: np.full((1, 1, 1, 1, 3), 2)})
        case.run(back, {x: near, largest: np.zeros((1, 1, 1, 2, 3)), g: np.zeros((1, 1, 1, 1, 3))})
        case.run(back, {x: near, largest: np.zeros((1, 1, 1, 1, 3)), g: np.zeros((1, 1, 1, 2, 3))})


def pool_edges():
    with Case("window_pool_edges", "the largest of windows of NaN and infinities: images pass over NaN, volumes go on behind it", rtol=0, atol=0) as case:
        x = tf.placeholder(tf.float64, [None] * 4, "x")
        fetches = []
        for dtype in (tf.float32, tf.float64, tf.float16, tf.bfloat16):
            for ksize, stride, padding in ((2, 1, "VALID"), (2, 1, "SAME"), (3, 2, "SAME"), (1, 1, "VALID"), (7, 1, "SAME")):
                narrow = tf.cast(x, dtype)
                fetches.append(tf.cast(tf.nn.max_pool2d(narrow, ksize, stride, padding), tf.float64))
                if dtype in (tf.float32, tf.bfloat16) and ksize < 7:
                    fetches.append(tf.cast(tf.nn.max_pool3d(narrow[:, tf.newaxis], [1, ksize, ksize], [1, stride, stride], padding), tf.float64))
        values = np.tile([3, np.nan, -np.inf, -np.inf, np.inf, -2, np.nan, np.nan, 1e-320, 7, -1, -np.inf, 0], 4)
        for shape in ((1, 5, 4, 2), (1, 3, 3, 5)):
            case.run(fetches, {x: values[:np.prod(shape)].reshape(shape)})
        for value in (-np.inf, np.nan, -1e39):
            case.run(fetches, {x: np.full((1, 4, 4, 1), value)})


def gradient_errors():
    with Case("window_gradient_errors", "gradients of convolutions by sizes that do not fit: what the messages name") as case:
        sizes, other = tf.placeholder(tf.float64, [4], "sizes"), tf.placeholder(tf.float64, [5], "other")
        x, w, g = (tf.placeholder(tf.float32, [None] * 4, name) for name in "xwg")
        volume, block, slope = (tf.placeholder(tf.float32, [None] * 5, name) for name in ("volume", "block", "slope"))
        whole = [tf.cast(1 * v, tf.int32) for v in (sizes, other)]
        how = dict(strides=ONES, padding="VALID")
        of_images = [raw.Conv2DBackpropInput(input_sizes=whole[0], filter=w, out_backprop=g, **how),
                     raw.DepthwiseConv2dNativeBackpropInput(input_sizes=whole[0], filter=w, out_backprop=g, **how)]
        of_filters = [raw.Conv2DBackpropFilter(input=x, filter_sizes=whole[0], out_backprop=g, **how),
                      raw.DepthwiseConv2dNativeBackpropFilter(input=x, filter_sizes=whole[0], out_backprop=g, **how)]
        how["strides"] = ONES + [1]
        of_volumes = [raw.Conv3DBackpropInputV2(input_sizes=whole[1], filter=block, out_backprop=slope, **how),
                      raw.Conv3DBackpropFilterV2(input=volume, filter_sizes=whole[1], out_backprop=slope, **how)]
        ones = lambda *shape: np.ones(shape, np.float32)
        for op, image, filters in zip(of_images, [(1, 5, 5, 2)] * 2, [(2, 2, 2, 3), (2, 2, 2, 1)]):
            depth = filters[3] if filters[3] == 3 else 2
            for told in (image, (-7, 5, 5, 2), (1, 5, -7, 2), (1, 5, 5, -7)):
                case.run(op, {sizes: told, w: ones(*filters), g: ones(1, 4, 4, depth)})
        for op, filters in zip(of_filters, [(2, 2, 2, 3), (2, 2, 2, 1)]):
            depth = filters[3] if filters[3] == 3 else 2
            for told in (filters, (2, -7, 2, filters[3])):
                case.run(op, {sizes: told, x: ones(1, 5, 5, 2), g: ones(1, 4, 4, depth)})
        for op, feeds in ((of_images[1], {sizes: (1, 5, 5, 2), w: ones(2, 2, 2, 1)}), (of_filters[1], {sizes: (2, 2, 2, 1), x: ones(1, 5, 5, 2)})):
            for shape in ((2, 4, 4, 2), (1, 3, 4, 2), (1, 4, 3, 2), (1, 4, 4, 6)):
                case.run(op, {**feeds, g: ones(*shape)})
        for op, feeds in ((of_volumes[0], {other: (1, 3, 5, 5, 2), block: ones(1, 2, 2, 2, 3)}), (of_volumes[1], {other: (1, 2, 2, 2, 3), volume: ones(1, 3, 5, 5, 2)})):
            for shape in ((1, 3, 4, 4, 3), (2, 3, 4, 4, 3), (1, 3, 4, 4, 6)):
                case.run(op, {**feeds, slope: ones(*shape)})


only = set(sys.argv[1:])
for name, make in [("groups", groups), ("sizes_again", sizes_again), ("no_elements", no_elements), ("gradients", gradients), ("dilations", dilations),
                   ("branches", lambda: branches(False)), ("branches_v2", lambda: branches(True)),
                   ("volume_gradients", volume_gradients), ("gradient_errors", gradient_errors), ("pool_edges", pool_edges)]:
    if not only or name in only:
        make()
