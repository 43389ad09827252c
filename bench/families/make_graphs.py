#!/usr/bin/env python3
"""Writes the ops that bench/compare runs beside TensorFlow's executor, one family a graph; needs tensorflow-cpu 2.21.

make_graphs.py [DIR]: graphs and workloads.json, and the same as workloads.tsv for tf_capi.cc, in the
form of ../graphs. Names end in the size: small, middle, large, as layers of real networks have them.
"""
import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow.compat.v1 as tf  # noqa: E402
from tensorflow.python.framework.graph_util_impl import extract_sub_graph  # noqa: E402

SIZES = ("small", "middle", "large")
raw = tf.raw_ops


class Work:
    """What a step feeds, fetches and updates."""

    def __init__(self):
        self.feeds, self.fetches, self.targets = {}, [], []

    def floats(self, *shape):
        return self.feed("float32", shape, 0)

    def indices(self, below, *shape):
        return self.feed("int32", shape, below)

    def feed(self, dtype, shape, below):
        # The first dimension is a batch, which graphs leave open.
        x = tf.placeholder(dtype, [None, *shape[1:]], "x%d" % len(self.feeds))
        self.feeds[x.name] = {"shape": list(shape), "dtype": dtype, **({"below": below} if below else {})}
        return x

    def fetch(self, *tensors):
        self.fetches += [t.name for t in tensors]


def table(rows, columns):
    return tf.get_variable("table", [rows, columns], initializer=tf.random_normal_initializer(seed=1))


def gather(work, rows, columns, count):
    work.fetch(tf.gather(table(rows, columns), work.indices(rows, count)))


def scatter(work, rows, columns, count):
    work.fetch(tf.scatter_nd(tf.expand_dims(work.indices(rows, count), 1), work.floats(count, columns),
                             [rows, columns]))


def segment_sum(work, rows, columns, count):
    work.fetch(tf.math.unsorted_segment_sum(work.floats(count, columns), work.indices(rows, count), rows))


def embedding_update(work, rows, columns, count):
    found = tf.gather(table(rows, columns), work.indices(rows, count))
    loss = tf.reduce_sum(tf.square(found))
    work.targets.append(tf.train.GradientDescentOptimizer(0.01).minimize(loss).name)


def embedding_adagrad(work, rows, columns, count):
    found = tf.gather(table(rows, columns), work.indices(rows, count))
    loss = tf.reduce_sum(tf.square(found))
    work.targets.append(tf.train.AdagradOptimizer(0.01).minimize(loss).name)


def unique(work, below, count):
    work.fetch(*tf.unique(work.indices(below, count)))


def top_k(work, rows, columns, k):
    work.fetch(*tf.math.top_k(work.floats(rows, columns), k))


def cumsum(work, rows, columns):
    work.fetch(tf.cumsum(work.floats(rows, columns), axis=1))


def transpose(work, rows, columns):
    work.fetch(tf.transpose(work.floats(rows, columns)))


def heads(work, rows, steps, heads, width):
    work.fetch(tf.transpose(work.floats(rows, steps, heads, width), [0, 2, 1, 3]))


def concat(work, rows, columns):
    work.fetch(tf.concat([work.floats(rows, columns) for _ in range(4)], 1))


def cross_entropy(work, rows, classes):
    logits, labels = work.floats(rows, classes), work.indices(classes, rows)
    op = raw.SparseSoftmaxCrossEntropyWithLogits(features=logits, labels=labels)
    work.fetch(op.loss, op.backprop)


def conv(work, batch, image, inputs, outputs, window, stride=1):
    x = work.floats(batch, image, image, inputs)
    w = tf.get_variable("w", [window, window, inputs, outputs], initializer=tf.random_normal_initializer(seed=1))
    work.fetch(tf.nn.conv2d(x, w, stride, "SAME"))


def conv_image_gradient(work, batch, image, inputs, outputs, window):
    dy = work.floats(batch, image, image, outputs)
    w = tf.get_variable("w", [window, window, inputs, outputs], initializer=tf.random_normal_initializer(seed=1))
    work.fetch(raw.Conv2DBackpropInput(input_sizes=[batch, image, image, inputs], filter=w, out_backprop=dy,
                                       strides=[1, 1, 1, 1], padding="SAME"))


def conv_filter_gradient(work, batch, image, inputs, outputs, window):
    x, dy = work.floats(batch, image, image, inputs), work.floats(batch, image, image, outputs)
    work.fetch(raw.Conv2DBackpropFilter(input=x, filter_sizes=[window, window, inputs, outputs], out_backprop=dy,
                                        strides=[1, 1, 1, 1], padding="SAME"))


def depthwise(work, batch, image, channels):
    w = tf.get_variable("w", [3, 3, channels, 1], initializer=tf.random_normal_initializer(seed=1))
    work.fetch(tf.nn.depthwise_conv2d(work.floats(batch, image, image, channels), w, [1, 1, 1, 1], "SAME"))


def pool(work, batch, image, channels, op):
    x = work.floats(batch, image, image, channels)
    y = op(value=x, ksize=[1, 3, 3, 1], strides=[1, 2, 2, 1], padding="SAME") if op is raw.AvgPool else \
        op(input=x, ksize=[1, 3, 3, 1], strides=[1, 2, 2, 1], padding="SAME")
    work.fetch(y)


def pool_gradient(work, batch, image, channels, op):
    x = work.floats(batch, image, image, channels)
    y = op(x, 3, 2, "SAME")
    work.fetch(tf.gradients(tf.reduce_sum(tf.square(y)), x)[0])


def batch_norm(work, batch, image, channels):
    x = work.floats(batch, image, image, channels)
    scale, offset = tf.ones([channels]), tf.zeros([channels])
    work.fetch(*tf.nn.fused_batch_norm(x, scale, offset, is_training=True)[:3])


def batch_norm_gradient(work, batch, image, channels):
    x = work.floats(batch, image, image, channels)
    scale, offset = tf.get_variable("scale", [channels]), tf.get_variable("offset", [channels])
    y = tf.nn.fused_batch_norm(x, scale, offset, is_training=True)[0]
    work.fetch(*tf.gradients(tf.reduce_sum(tf.square(y)), [x, scale, offset]))


def string_split(work, rows, columns, width):
    """Lines of numbers, split, read and put into a matrix for a dense layer."""
    lines = tf.strings.reduce_join(tf.strings.as_string(work.indices(100, rows, columns)), 1, separator=",")
    parts = tf.string_split(lines, ",")
    numbers = tf.reshape(tf.strings.to_number(parts.values), [rows, columns])
    work.fetch(tf.matmul(numbers, table(columns, width)))


def parse_example(work, rows, columns, width):
    """Examples of a table, by number, parsed for a dense layer."""
    example = tf.train.Example()
    example.features.feature["x"].float_list.value.extend(float(i) for i in range(columns))
    lines = tf.fill([100], example.SerializeToString())
    parsed = tf.io.parse_example(tf.gather(lines, work.indices(100, rows)),
                                 {"x": tf.io.FixedLenFeature([columns], tf.float32)})
    work.fetch(tf.matmul(parsed["x"], table(columns, width)))


def sparse_layer(work, rows, columns, width):
    """Rows of four entries each, ordered and added to themselves, times a matrix."""
    places = tf.constant([[row, (7 * row + 3 * k) % columns] for row in range(rows) for k in range(3, -1, -1)], tf.int64)
    wide = tf.sparse.reorder(tf.SparseTensor(places, work.floats(4 * rows), [rows, columns]))
    twice = tf.sparse.add(wide, wide)
    work.fetch(tf.sparse.sparse_dense_matmul(twice, table(columns, width)), tf.sparse.reduce_sum(twice, 1))


def resize(work, batch, image, channels, method):
    work.fetch(tf.image.resize(work.floats(batch, image, image, channels), [2 * image, 2 * image], method))


rows = ((1000, 32, 64), (50000, 64, 1024), (200000, 128, 16384))
images = ((1, 28, 16), (8, 28, 64), (32, 56, 128))
planes = ((1, 28, 16, 16), (8, 28, 64, 64), (32, 28, 128, 128))
lines = ((2, 4, 4), (64, 32, 64), (1024, 128, 256))
FAMILIES = {
    "gather": (gather, rows), "scatter": (scatter, rows), "segment_sum": (segment_sum, rows),
    "embedding_update": (embedding_update, rows), "embedding_adagrad": (embedding_adagrad, rows),
    "unique": (unique, ((100, 100), (10000, 10000), (1000000, 1000000))),
    "top_k": (top_k, ((1, 1000, 5), (64, 1000, 5), (64, 50000, 100))),
    "cumsum": (cumsum, ((1, 100), (64, 1000), (1024, 4096))),
    "transpose": (transpose, ((64, 64), (512, 784), (4096, 2048))),
    "transpose_heads": (heads, ((1, 32, 4, 16), (8, 128, 8, 64), (32, 256, 12, 64))),
    "concat": (concat, ((1, 64), (64, 512), (4096, 1024))),
    "cross_entropy": (cross_entropy, ((1, 10), (64, 1000), (1024, 10000))),
    "conv3x3": (lambda *a: conv(*a, 3), planes), "conv1x1": (lambda *a: conv(*a, 1), planes),
    "conv3x3_stride2": (lambda *a: conv(*a, 3, 2), planes),
    "conv3x3_image_gradient": (lambda *a: conv_image_gradient(*a, 3), planes),
    "conv1x1_image_gradient": (lambda *a: conv_image_gradient(*a, 1), planes),
    "conv3x3_filter_gradient": (lambda *a: conv_filter_gradient(*a, 3), planes),
    "conv1x1_filter_gradient": (lambda *a: conv_filter_gradient(*a, 1), planes),
    "depthwise": (depthwise, images),
    "max_pool": (lambda *a: pool(*a, raw.MaxPool), images), "avg_pool": (lambda *a: pool(*a, raw.AvgPool), images),
    "max_pool_gradient": (lambda *a: pool_gradient(*a, tf.nn.max_pool2d), images),
    "avg_pool_gradient": (lambda *a: pool_gradient(*a, tf.nn.avg_pool2d), images),
    "batch_norm": (batch_norm, images), "batch_norm_gradient": (batch_norm_gradient, images),
    "resize_bilinear": (lambda *a: resize(*a, "bilinear"), images),
    "resize_nearest": (lambda *a: resize(*a, "nearest"), images),
    "string_split": (string_split, lines), "parse_example": (parse_example, lines),
    "sparse_layer": (sparse_layer, lines),
}


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    tf.disable_v2_behavior()
    workloads = {}
    for family, (make, sizes) in FAMILIES.items():
        for size, numbers in zip(SIZES, sizes):
            name, work = f"{family}_{size}", Work()
            with tf.Graph().as_default() as graph:
                make(work, *numbers)
                tf.group(tf.global_variables_initializer(), name="init")
            keep = ["init", *work.targets, *[fetch.split(":")[0] for fetch in work.fetches]]
            with open(os.path.join(folder, name + ".pb"), "wb") as file:
                file.write(extract_sub_graph(graph.as_graph_def(), keep).SerializeToString())
            workloads[name] = {"init": "init", "fetches": work.fetches, "targets": work.targets, "bytes": None,
                               "flops": None, "feeds": work.feeds}
    with open(os.path.join(folder, "workloads.json"), "w") as file:
        json.dump(workloads, file, indent=1)
        file.write("\n")
    with open(os.path.join(folder, "workloads.tsv"), "w") as file:
        for name, work in workloads.items():
            feeds = ";".join(f"{feed}|{spec['dtype']}|{'x'.join(map(str, spec['shape'])) or 'scalar'}|"
                             f"{spec.get('below', 0)}" for feed, spec in work["feeds"].items())
            file.write("\t".join([name, work["init"], ",".join(work["fetches"]), ",".join(work["targets"]), feeds])
                       + "\n")


if __name__ == "__main__":
    main()
