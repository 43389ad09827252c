# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's summaries and other messages made of tensors. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
NUMBERS = [tf.float32, tf.float64, tf.float16, tf.bfloat16, tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.uint32, tf.uint64]


def texts(*elements):
    return np.array([element.encode() for element in elements], object)


def summaries():
    with Case("message_summaries", "scalar, histogram, tensor and merged summaries", rtol=0, atol=0) as case:
        x = tf.placeholder(tf.float64, None, "x")
        casts = [tf.cast(x, dtype) for dtype in NUMBERS]
        histograms = [raw.HistogramSummary(tag=f"h{i}", values=value) for i, value in enumerate(casts)]
        scalars = [raw.ScalarSummary(tags="s", values=tf.reshape(value, [-1])[0]) for value in casts]
        case.run(histograms, {x: [3, 0, 7]})
        case.run(histograms[:4], {x: [[-1.0, -1e-13], [0.0, 1e-13], [200.5, 1.0]]})
        case.run(histograms[1], {x: [1e300, -1e300, 1e20, -1e21]})
        case.run(histograms[0], {x: np.zeros([0, 3])})
        case.run(histograms[0], {x: [1.0, np.nan]})
        case.run(histograms[0], {x: [[1.0], [np.inf]]})
        case.run(scalars, {x: 5})
        case.run(scalars[:2], {x: np.nan})
        tags, values = tf.placeholder(tf.string, None, "tags"), tf.placeholder(tf.float32, None, "values")
        both = raw.ScalarSummary(tags=tags, values=values)
        case.run(both, {tags: texts("a", "b"), values: [1.5, -2]})
        case.run(both, {tags: texts("a", "").reshape(2, 1), values: [[0], [-0.0]]})
        case.run(both, {tags: np.zeros([0], object), values: np.zeros([0], "f4")})
        case.run(both, {tags: texts("a"), values: [[1.0]]})
        case.run(both, {tags: texts("a", "b"), values: [1.0]})
        merged = raw.MergeSummary(inputs=[both, tf.stack([scalars[0], raw.ScalarSummary(tags="z", values=values[0])])])
        case.run(merged, {tags: texts("a", "b"), values: [1.5, -2], x: 1})
        case.run(merged, {tags: texts("a", "s"), values: [1.5, -2], x: 1})
        text = tf.placeholder(tf.string, None, "text")
        again = raw.MergeSummary(inputs=[text])
        image = tf.Summary(value=[tf.Summary.Value(tag="i", image=tf.Summary.Image(height=1, width=2, encoded_image_string=b"\0z")), tf.Summary.Value(node_name="n")])
        case.run(again, {text: image.SerializeToString()})
        case.run(again, {text: np.array([b"\xff\xff"], object)})
        metadata = tf.SummaryMetadata(plugin_data=tf.SummaryMetadata.PluginData(plugin_name="text", content=b"\0z"), display_name="d", summary_description="e")
        tensors = [raw.TensorSummaryV2(tag=tag, tensor=tensor, serialized_summary_metadata=text) for tag, tensor in [("t", x), ("", tf.as_string(x)), ("b", x > 1)]]
        case.run(tensors, {x: [[1, 2, 3]], text: metadata.SerializeToString()})
        case.run(tensors, {x: 1, text: b""})
        case.run(tensors[0], {x: np.zeros([0, 2]), text: b"\xff"})
        case.run(tensors[0], {x: 1, text: texts("a")})
        case.run(raw.TensorSummary(tensor=x), {x: [1, 2]})


def in_training():
    with Case("message_training", "summaries of a step that trains: what they show is of before it", rtol=1e-6, atol=1e-6) as case:
        x = tf.placeholder(tf.float32, [None, 3], "x")
        w = tf.Variable([[1.0], [2.0], [3.0]], name="w")
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
        train = tf.train.GradientDescentOptimizer(0.125).minimize(loss)
        before = tf.get_default_graph().get_tensor_by_name("w/read:0")
        tag = tf.where(loss > 1, "high", "low")
        shown = raw.ScalarSummary(tags=tag, values=tf.round(loss))
        case.init()
        for _ in range(3):
            case.run([shown, train], {x: [[1, 0, 0], [0, 0, 1]]})
        case.run(w)
        loop = tf.while_loop(lambda i, _: i < 3, lambda i, text: (i + 1, raw.MergeSummary(inputs=[text, raw.ScalarSummary(tags=tf.as_string(i), values=i)])), [0, ""])
        case.run(loop)


def tensors():
    with Case("message_tensors", "SerializeTensor and ParseTensor", rtol=0, atol=0) as case:
        x = tf.placeholder(tf.float64, None, "x")
        casts = [tf.cast(x, dtype) for dtype in [*NUMBERS, tf.bool]] + [tf.as_string(x), tf.constant([1 + 2j], tf.complex64)]
        messages = [raw.SerializeTensor(tensor=value) for value in casts]
        back = [raw.ParseTensor(serialized=message, out_type=value.dtype) for message, value in zip(messages, casts) if value.dtype != tf.complex64]
        for value in [[[1.0, 0.0, 3.0]], 2.0, np.zeros([0, 2])]:
            case.run(messages, {x: value})
            case.run(back, {x: value})
        case.run(back[0] * 2 + tf.ones([3]), {x: [1, 2, 3]})
        text = tf.placeholder(tf.string, None, "text")
        parsed = raw.ParseTensor(serialized=text, out_type=tf.float32)
        case.run(parsed, {text: tf.make_tensor_proto([1.5] * 4).SerializeToString()})
        for bad in [b"\xff\xff", tf.make_tensor_proto(1).SerializeToString(), texts("a", "b"), b"\x08\x01\x12\x0d\x12\x0b\x08" + b"\xff" * 9 + b"\x01"]:
            case.run(parsed, {text: bad})


CASES = {f.__name__: f for f in (summaries, in_training, tensors)}

if __name__ == "__main__":
    for name in sys.argv[1:] or CASES:
        CASES[name]()
