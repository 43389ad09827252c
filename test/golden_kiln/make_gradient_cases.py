# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records gradients of ops as TensorFlow finds them. In each graph y is differentiated by x0, x1, ..., and dx0, dx1, ... are the gradients:
test/unit/Autodiff/GradientValuesTest.cpp finds them again with Kiln's own gradients(). Run it with a Python that has TensorFlow."""
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
rng = np.random.RandomState(11)


def numbers(*shape):
    return rng.uniform(-2, 2, size=shape)


def record(name, about, function, values, dtype=tf.float64, rtol=1e-10, atol=1e-12, more=()):
    """The gradients of the sum of what `function` gives, each of its tensors weighted."""
    with Case("gradients_" + name, about, rtol=rtol, atol=atol) as case:
        xs = [tf.placeholder(dtype, np.shape(value), name=f"x{i}") for i, value in enumerate(values)]
        terms = []
        for tensor in function(*xs):
            flat = tf.reshape(tf.cast(tensor, dtype), [-1])
            terms.append(tf.reduce_sum(flat * (1 + 0.25 * tf.cast(tf.range(tf.size(flat)), dtype))))
        y = tf.add_n(terms, name="y")
        found = tf.gradients(y, xs)
        outs = [tf.identity(gradient, name=f"dx{i}") for i, gradient in enumerate(found) if gradient is not None]
        for feeds in (values, *more):
            case.run([y, *outs], dict(zip(xs, feeds)))


def lists():
    def rows(x):
        return raw.TensorListFromTensor(tensor=x, element_shape=[2])

    def get(handle, index):
        return raw.TensorListGetItem(input_handle=handle, index=index, element_shape=[2], element_dtype=tf.float64)

    def stack(handle):
        return raw.TensorListStack(input_handle=handle, element_shape=[2], element_dtype=tf.float64)

    x, item = numbers(3, 2), numbers(2)
    record("list_stack", "a list of rows and the tensor of it", lambda x: [stack(rows(x)) ** 2], [x])
    record("list_item", "elements of a list, one of them twice", lambda x: [get(rows(x), 1) ** 2, get(rows(x), 2) * get(rows(x), 1)], [x])

    def changed(x, item):
        handle = raw.TensorListSetItem(input_handle=rows(x), index=1, item=item)
        return [stack(handle) ** 3, get(rows(x), 1)]

    record("list_set", "an element that is another", changed, [x, item])

    def grown(x, item):
        handle = raw.TensorListSetItem(input_handle=rows(x), index=4, item=item, resize_if_index_out_of_bounds=True)
        return [get(handle, 4) ** 2 * get(handle, 2)]

    record("list_grown", "an element behind the end", grown, [x, item])

    def pushed(x, item):
        handle = raw.TensorListPushBack(input_handle=raw.TensorListPushBack(input_handle=rows(x), tensor=item), tensor=item * item)
        shorter, last = raw.TensorListPopBack(input_handle=handle, element_shape=[2], element_dtype=tf.float64)
        return [stack(shorter) ** 2, last]

    record("list_push", "elements pushed and popped", pushed, [x, item])

    def popped(x):
        shorter, last = raw.TensorListPopBack(input_handle=rows(x), element_shape=[2], element_dtype=tf.float64)
        return [last ** 2]

    record("list_pop", "only the element that is popped", popped, [x])
    record("list_resized", "a list of fewer elements", lambda x: [stack(raw.TensorListResize(input_handle=rows(x), size=2)) ** 2], [x])

    def gathered(x):
        return [raw.TensorListGather(input_handle=rows(x), indices=[2, 0], element_shape=[2], element_dtype=tf.float64) ** 2]

    record("list_gather", "some elements of a list", gathered, [x])

    def scattered(x):
        first = raw.TensorListScatter(tensor=x, indices=[2, 0, 1], element_shape=[2])
        second = raw.TensorListScatterV2(tensor=x, indices=[1, 0, 3], element_shape=[2], num_elements=5)
        return [stack(first) ** 2, get(second, 3) * get(second, 1)]

    record("list_scatter", "rows as elements in another order", scattered, [x])

    def scattered_into(x, part):
        handle = raw.TensorListScatterIntoExistingList(input_handle=rows(x), tensor=part, indices=[2, 0])
        return [stack(handle) ** 2]

    record("list_scatter_into", "rows as elements of a list that is there", scattered_into, [x, numbers(2, 2)])

    def joined(x):
        parts = raw.TensorListSplit(tensor=x, element_shape=[-1, 2], lengths=[1, 3, 2])
        second = raw.TensorListConcatV2(input_handle=parts, element_shape=[-1, 2], leading_dims=[1, 3, 2], element_dtype=tf.float64)
        return [second.tensor ** 2, raw.TensorListConcat(input_handle=parts, element_dtype=tf.float64, element_shape=[None, 2]).tensor ** 3]

    record("list_concat", "parts of a tensor joined again", joined, [numbers(6, 2)])


def optionals():
    def values(x, y):
        optional = raw.OptionalFromValue(components=[x * x, y])
        got = raw.OptionalGetValue(optional=optional, output_types=[tf.float64] * 2, output_shapes=[[3], [2]])
        return [got[0], got[1] ** 2]

    record("optional", "what is in an optional", values, [numbers(3), numbers(2)])


def rounded():
    x = np.float32([-8, -6.01, -5.9, -1.3, -0.2, 0, 0.4, 0.5, 1.7, 5.99, 6, 7.5]).reshape(3, 4)
    kept = dict(dtype=tf.float32, rtol=1e-6, atol=1e-6)

    def straight(x):
        return [raw.QuantizeAndDequantizeV2(input=x * x, input_min=-2.0, input_max=2.0, range_given=True),
                raw.QuantizeAndDequantizeV3(input=x, input_min=-2.0, input_max=2.0, num_bits=4),
                tf.quantization.fake_quant_with_min_max_args(x, -3.0, 4.0, num_bits=4, narrow_range=True)]

    record("rounded", "rounding counts as the identity", straight, [x], **kept)
    record("rounded_in_range", "and as a constant outside of a range", lambda x, low, high: [raw.QuantizeAndDequantizeV4(
        input=x, input_min=low, input_max=high, range_given=True)], [x, np.float32(-2), np.float32(3)], **kept)
    record("rounded_by_inputs", "a range that is learned", lambda x, low, high: [raw.FakeQuantWithMinMaxVars(
        inputs=x, min=low, max=high, num_bits=5)], [x, np.float32(-2), np.float32(3)], **kept)
    record("rounded_by_channel", "a range of each channel that is learned", lambda x, low, high: [raw.FakeQuantWithMinMaxVarsPerChannel(
        inputs=x, min=low, max=high)], [x, np.float32([-1, -2, -3, -4]), np.float32([4, 3, 2, 1])], **kept)


def samples():
    alpha = np.array([[0.3, 1.0, 2.5], [4.0, 0.7, 10.0]])
    record("samples_gamma", "samples of gamma distributions", lambda a: [raw.StatelessRandomGammaV2(shape=[4, 2, 3], seed=[3, 5], alpha=a)], [alpha],
           rtol=1e-6, atol=1e-9)
    key, counter = np.uint64([7]), np.uint64([1, 2])
    record("samples_gamma_by_key", "the same by a key", lambda a: [raw.StatelessRandomGammaV3(shape=[2, 3], key=key, counter=counter, alg=1, alpha=a)],
           [alpha], rtol=1e-6, atol=1e-9)
    record("samples_gamma_drawn", "samples of a stream", lambda a: [raw.RandomGamma(shape=[3], alpha=a, seed=4, seed2=9)], [alpha], rtol=1e-6, atol=1e-9)
    record("samples_normal", "samples of normal distributions between bounds",
           lambda mean, stddev, low, high: [raw.StatelessParameterizedTruncatedNormal(shape=[4, 2, 3], seed=[3, 5], means=mean, stddevs=stddev, minvals=low,
                                                                                     maxvals=high)],
           [numbers(3), np.array([[0.5], [2.0]]), np.float64(-2.5), np.array([2.5, 3.0, 4.0])], rtol=1e-8, atol=1e-10)


def images():
    edges = np.array([[0, 0, 0], [1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1], [0.5, 0.5, 0.2], [0.2, 0.5, 0.5],
                      [0.5, 0.2, 0.5], [-1, 2, 0.5], [3, 1, 2], [1e-3, 1e-4, 0], [0.25, 0.75, 0.5], [-2, -1, -3], [0.3, 0.2, 0.9]])
    record("image_hue", "hue, saturation and value, with ties", lambda x: [raw.RGBToHSV(images=x)], [edges])
    places = np.float32([[0, 0, 1, 1], [0.2, 0.1, 0.7, 0.9], [0.8, 1, 0.1, 0], [-0.3, 0.2, 1.4, 0.5]])
    for method in ("bilinear", "nearest"):
        record("image_crops_" + method, "boxes of images as images of one size", lambda x, boxes, method=method: [raw.CropAndResize(
            image=x, boxes=boxes, box_ind=[0, 1, 1, 0], crop_size=[3, 4], method=method)], [np.float32(numbers(2, 5, 7, 3)), places], dtype=tf.float32,
               rtol=1e-4, atol=1e-4)
    record("image_dilated", "the largest of sums in windows", lambda x, f: [raw.Dilation2D(
        input=x, filter=f, strides=[1, 1, 2, 1], rates=[1, 2, 1, 1], padding="SAME")], [numbers(2, 5, 6, 3), numbers(2, 2, 3)])


def normalized():
    def twice(x, scale, offset, **options):
        empty = np.float32([])
        y = raw.FusedBatchNormV3(**{"x": x, "scale": scale, "offset": offset, "mean": empty, "variance": empty, "epsilon": 0.01, **options})
        return [gradient ** 2 for gradient in tf.gradients(y.y ** 3, [x, scale, offset])]

    def fixed(x, scale, offset):
        return twice(x, scale, offset, mean=np.float32([0.5, 0, -0.3, 1]), variance=np.float32([1, 2, 0.5, 0.7]), is_training=False)

    values = [np.float32(numbers(2, 3, 2, 4)), np.float32([1.5, 0.5, -1, 2]), np.float32([0.1, 0.2, 0.3, -1])]
    record("normalized_twice", "the gradient of the gradient of batch normalization", twice, values, dtype=tf.float32, rtol=2e-4, atol=2e-3)
    record("normalized_fixed", "the same with given statistics", fixed, values, dtype=tf.float32, rtol=2e-4, atol=2e-3)


def matrices():
    square = numbers(3, 3) * 0.3 + np.diag([2, 2.7, 3.4])
    for name, value, options in (("square", square, {}), ("tall", numbers(4, 2), {}), ("wide", numbers(2, 2, 3), {}), ("whole", numbers(3, 2), {"full_matrices": True}),
                                 ("values", numbers(3, 2), {"compute_uv": False})):
        def squares(x, options=options):
            found = raw.Svd(input=x, **options)
            parts = [found.s] if options.get("compute_uv") is False else [found.s, found.u ** 2, found.v ** 2]
            return parts

        record("svd_" + name, "singular values and squares of vectors", squares, [value], rtol=1e-8, atol=1e-8)
    record("bands_solved", "a banded triangular system", lambda a, b: [raw.BandedTriangularSolve(matrix=a, rhs=b),
                                                                     raw.BandedTriangularSolve(matrix=a, rhs=b, lower=False, adjoint=True)],
           [3 + rng.uniform(size=(2, 4)), numbers(4, 3)])
    record("bands_multiplied", "a product with a tridiagonal matrix", lambda a, b, c, x: [raw.TridiagonalMatMul(superdiag=a, maindiag=b, subdiag=c, rhs=x)],
           [numbers(2, 1, 4), numbers(2, 1, 4), numbers(2, 1, 4), numbers(2, 4, 3)])
    record("tridiagonal_solved", "a tridiagonal system", lambda d, b: [raw.TridiagonalSolve(diagonals=d, rhs=b)],
           [numbers(2, 3, 4) + np.array([[0], [6], [0]]), numbers(2, 4, 3)])


if __name__ == "__main__":
    only = set(sys.argv[1:])
    for make in (lists, optionals, rounded, samples, images, normalized, matrices):
        if not only or make.__name__ in only:
            make()
