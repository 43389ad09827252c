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


def media():
    with Case("message_media", "pictures as PNG files and sounds as WAV files", rtol=0, atol=0) as case:
        x = tf.placeholder(tf.float32, None, "x")
        tag = tf.placeholder(tf.string, None, "tag")
        r = np.random.RandomState(0)
        # Noise, which no version of zlib makes smaller, and flat colours.
        noise = r.rand(4, 7, 9, 4).astype("f4")
        pictures = [raw.ImageSummary(tag=tag, tensor=tf.cast(x * scale, dtype), max_images=n)
                    for dtype, scale, n in [(tf.float32, 1, 3), (tf.float64, 1, 1), (tf.float16, 1, 2), (tf.uint8, 255, 3)]]
        for channels in (1, 3, 4):
            case.run(pictures, {x: noise[:, :, :, :channels], tag: b"a"})
        case.run(pictures[:3], {x: noise[:, :, :, :3] * 2 - 0.7, tag: b"b/c"})
        case.run(pictures[0], {x: -noise, tag: b""})
        case.run(pictures[0], {x: noise[:1] * 1e30, tag: b"a"})
        case.run(pictures[0], {x: noise[:0], tag: b"a"})
        odd = noise[:2].copy()
        odd[0, 0, 0, 0], odd[0, 1, 1, 2], odd[1, :, :, :] = np.nan, np.inf, -np.inf
        case.run(pictures[:3], {x: odd[:, :, :, :3], tag: b"a"})
        for name, color in [("grey", np.array([1, 2, 3, 4], np.uint8)), ("short", np.array([1], np.uint8)), ("float", np.array([1, 2, 3], "f4"))]:
            case.run(raw.ImageSummary(tag=tag, tensor=x, bad_color=tf.make_tensor_proto(color), name=name), {x: odd[:, :, :, :3], tag: b"a"})
        case.run(pictures[0], {x: noise[0], tag: b"a"})
        case.run(pictures[0], {x: noise[:, :, :, :2], tag: b"a"})
        case.run(pictures[0], {x: noise[:, :0], tag: b"a"})
        case.run(pictures[0], {x: noise, tag: texts("a")})
        rate = tf.placeholder(tf.float32, None, "rate")
        sounds = [raw.AudioSummaryV2(tag=tag, tensor=x, sample_rate=rate, max_outputs=n) for n in (3, 1)]
        wave = (r.rand(4, 6, 2) * 2.4 - 1.2).astype("f4")
        case.run(sounds, {x: wave, tag: b"a", rate: 44100})
        case.run(sounds, {x: wave[:, :, 0], tag: b"a/b", rate: 0.5})
        case.run(sounds, {x: wave[:0], tag: b"a", rate: 8000.5})
        case.run(sounds, {x: wave[:, :0], tag: b"a", rate: 8000})
        case.run(sounds[0], {x: np.array([[np.nan, np.inf, -np.inf, 1, -1, 0.5, 1e-5, 1.5 / 32768, 2.5 / 32768]], "f4"), tag: b"a", rate: 1})
        case.run(sounds[0], {x: wave[:, :, :0], tag: b"a", rate: 8000})
        case.run(sounds[0], {x: wave, tag: b"a", rate: -1})
        case.run(sounds[0], {x: wave, tag: b"a", rate: 0})
        case.run(sounds[0], {x: wave[0, 0], tag: b"a", rate: 1})
        case.run(sounds[0], {x: wave, tag: texts("a"), rate: 1})


def builders():
    with Case("message_builders", "tf.summary: names, tags, families and collections", rtol=0, atol=0) as case:
        x = tf.placeholder(tf.float32, [2, 4, 3, 1], "x")
        mean = tf.reduce_mean(x, name="mean")
        s = tf.summary
        s.scalar("lo ss!", mean)
        s.scalar("loss", mean, family="fam")
        s.scalar("/a:b", mean, collections=["mine"])
        with tf.name_scope("scope"):
            s.scalar("loss", mean)
            s.histogram("h", x)
            s.histogram("h", x)
        s.image("im", x, max_outputs=1)
        s.image("ims", x, family="f a")
        s.audio("au", tf.reshape(x, [2, 12]), 8000.0, max_outputs=2)
        s.audio("au", tf.reshape(x, [2, 6, 2]), 8000)
        s.text("te", tf.as_string(mean))
        s.merge(tf.get_collection("mine"), collections=["merged"], name="one")
        s.merge_all("mine")
        merged = s.merge_all()
        s.merge_all(scope="scope", name="some")
        case.run(merged, {x: np.arange(24).reshape(2, 4, 3, 1) / 24})


def flows():
    with Case("message_flows", "a conditional, loops in one another and in it, and a queue with its runner; flows.meta is the MetaGraph of it, without the gradients") as case:
        x, p = tf.placeholder(tf.float32, [2], "x"), tf.placeholder(tf.bool, [], "p")
        v = tf.Variable([1.0, 2.0], name="v")
        a = tf.cond(p, lambda: x * v, lambda: tf.while_loop(lambda i, s: i < 2, lambda i, s: [i + 1, s * x], [0, x + 1.0], parallel_iterations=3)[1])

        def body(i, s):
            return [i + 1, tf.cond(tf.reduce_sum(s) > 1.0, lambda: s * 0.5 + v, lambda: s * x)]

        b = tf.while_loop(lambda i, s: i < 3, body, [0, x], maximum_iterations=4, swap_memory=True)[1]
        loss = tf.reduce_sum(a + b, name="loss")
        tf.train.batch([x * 2.0], 2, num_threads=2)
        tf.train.maybe_batch([x], p, 2, name="kept")
        case.init()
        tf.train.export_meta_graph(os.path.join(case.dir, "flows.meta"))
        gradients = tf.gradients(loss, [x, v])
        for value in ([0.5, 0.25], [1.5, -0.5]):
            for taken in (True, False):
                case.run([loss] + gradients, {x: value, p: taken})


def sparse():
    """Sparse tensors as messages: one, rows, back and stacked, with every error of messages that are none."""
    with Case("message_sparse", "sparse tensors serialized, and stacked when they are read", rtol=0, atol=0) as case:
        indices, shape = tf.placeholder(tf.int64, None, "indices"), tf.placeholder(tf.int64, None, "shape")
        serialized = tf.placeholder(tf.string, None, "serialized")
        places = [[0, 1], [0, 3], [2, 0], [2, 2], [3, 3]]
        sparse_of = {}
        for t in ("float32", "string", "int8", "bool", "bfloat16"):
            values = tf.placeholder(t, None, "values_" + t)
            feed = {values: [b"a", b"", b"long" * 9, b"d", b"e"] if t == "string" else [1, 0, 1, 1, 0] if t == "bool" else [3, -1, 0, 7, 5]}
            one = raw.SerializeSparse(sparse_indices=indices, sparse_values=values, sparse_shape=shape)
            rows = raw.SerializeManySparse(sparse_indices=indices, sparse_values=values, sparse_shape=shape)
            back = list(raw.DeserializeSparse(serialized_sparse=one, dtype=t))
            many = list(raw.DeserializeManySparse(serialized_sparse=rows, dtype=t))
            nested = list(raw.DeserializeSparse(serialized_sparse=tf.reshape(tf.stack([one] * 6), [2, 3, 3]), dtype=t))
            case.run([one, rows], {indices: places, shape: [5, 4], **feed})
            case.run(back + many + nested, {indices: places, shape: [5, 4], **feed})
            case.run(rows, {indices: np.zeros([0, 3]), shape: [2, 4, 1], values: np.zeros([0], tf.as_dtype(t).as_numpy_dtype)})
            sparse_of[t] = (values, feed, one, rows)
        values, feed, one, rows = sparse_of["float32"]
        texts = {}
        with tf.Session(graph=case.graph) as s:
            for name, extents in (("a", [5, 4]), ("b", [7, 9])):
                texts[name] = s.run(one, {indices: places, shape: extents, **feed})
            texts["cube"] = s.run(one, {indices: [p + [0] for p in places], shape: [5, 4, 2], **feed})
            texts["words"] = s.run(sparse_of["string"][2], {indices: places, shape: [5, 4], **sparse_of["string"][1]})
            texts["numbers"] = s.run(raw.SerializeTensor(tensor=tf.constant([[1.0]])))
        given = list(raw.DeserializeSparse(serialized_sparse=serialized, dtype=tf.float32))
        a, b, cube = texts["a"], texts["b"], texts["cube"]
        case.run(given, {serialized: np.stack([a, b])})
        case.run(given, {serialized: np.stack([b, a, a])[:, None]})
        for wrong in (np.stack([a, cube]), texts["words"], [a[0], a[1]], np.stack([a, a])[:0], b"x", [b"bad", a[1], a[2]], [a[0], b"bad", a[2]], [a[2], a[1], a[2]],
                      [a[0], texts["numbers"], a[2]], [a[0], a[1], a[0]], [cube[0], a[1], a[2]]):
            case.run(given[1], {serialized: wrong})
        case.run(rows, {indices: [[0], [1]], shape: [4], values: [1, 2]})
        for bad in ([[0, 1], [0, 1], [2, 0], [2, 2], [3, 3]], [[2, 1], [0, 1], [2, 0], [2, 2], [3, 3]], [[0, 1], [0, 9], [2, 0], [2, 2], [3, 3]], [[0, 1]]):
            case.run(rows, {indices: bad, shape: [5, 4], **feed})
        case.run(one, {indices: [1, 2], shape: [5, 4], **feed})
        case.run(one, {indices: places, shape: [[5, 4]], **feed})


CASES = {f.__name__: f for f in (summaries, in_training, tensors, media, builders, flows, sparse)}

if __name__ == "__main__":
    for name in sys.argv[1:] or CASES:
        CASES[name]()
