# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow's functions of sparse tensors, sets, texts and examples add to a graph. test/unit/Build/SparseCompositionsTest.cpp
builds the same graphs. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

SP = tf.SparseTensor


def parts(*all):
    """The tensors that sparse tensors, lists and tensors are made of."""
    flat = []
    for each in all:
        flat += parts(*each) if isinstance(each, (list, tuple)) else [each.indices, each.values, each.dense_shape] if isinstance(each, SP) else [each]
    return flat


def feed_of(sparse, indices, values, shape):
    return {sparse.indices: np.reshape(indices, [-1, len(shape)]), sparse.values: values, sparse.dense_shape: shape}


def tensors():
    with Case("composed_sparse", "what makes sparse tensors, rearranges them and makes dense ones of them") as case:
        a, b = tf.sparse_placeholder(tf.float32, [3, 4], "a"), tf.sparse_placeholder(tf.float32, name="b")
        c = tf.sparse_placeholder(tf.int64, [None, 4])
        s, k = SP([[0, 1], [2, 0]], [1.5, 2.5], [3, 4]), tf.placeholder(tf.int64, [2], "k")
        t, n = tf.placeholder(tf.float32, [2, 3], "t"), tf.placeholder(tf.int32, [], "n")
        d = tf.sparse_placeholder(tf.float32, k, "d")
        all = [s, tf.sparse.from_dense(t), tf.sparse.from_dense([[0, 1], [2, 0]], name="dense"), tf.sparse.eye(3), tf.sparse.eye(n, 4, dtype=tf.int32, name="wide")]
        all += [tf.sparse_tensor_to_dense(a), tf.sparse_tensor_to_dense(s, default_value=-1.0, name="full"), tf.sparse_to_dense([[0, 1]], [2, 2], [5]), tf.sparse_to_dense(k, [9], 1.0, validate_indices=False, name="ones"), tf.sparse_to_indicator(c, 6), tf.sparse_to_indicator(SP([[0, 0], [1, 1]], [2, 0], [2, 2]), n, name="indicator")]
        all += [tf.sparse_reorder(a), tf.sparse_reorder(s, name="order"), tf.sparse_reshape(s, [2, 6]), tf.sparse_reshape(s, [-1, 2], name="pairs"), tf.sparse_reshape(a, k), tf.sparse_transpose(s), tf.sparse_transpose(a, [1, 0], name="turned"), tf.sparse_transpose(b), tf.sparse.expand_dims(s), tf.sparse.expand_dims(a, 0, name="more")]
        all += [tf.sparse_concat(1, [s, s]), tf.sparse_concat(0, [s, a], name="joined"), tf.sparse_concat(-1, [a, b], expand_nonconcat_dim=True), tf.sparse_concat(0, [a])]
        all += tf.sparse_split(sp_input=a, num_split=2, axis=1) + [tf.sparse_slice(s, [0, 0], [2, 2]), tf.sparse_slice(a, k, [1, 3], name="cut")]
        all += [tf.sparse_retain(s, [True, False]), tf.sparse_retain(a, a.values > 0), tf.sparse_reset_shape(s), tf.sparse_reset_shape(s, [4, 5]), tf.sparse_reset_shape(b, [9, 9])]
        all += [tf.sparse_fill_empty_rows(s, 9.0), tf.sparse_fill_empty_rows(a, 7, name="filled"), tf.sparse_merge(c, SP(c.indices, tf.cast(c.values, tf.float32), c.dense_shape), 9), tf.sparse_merge([c, c], c, [5, n], name="merged", already_sorted=True), d]
        rows = tf.IndexedSlices(t, tf.constant([4, 2]), tf.constant([6, 3]))
        all += [tf.sparse_mask(rows, [2]).values, tf.sparse_mask(rows, [4, 5], name="mask").indices]
        feed = {**feed_of(a, [[0, 3], [1, 0], [2, 2]], [1, -2, 3], [3, 4]), **feed_of(b, [[0, 0], [2, 1]], [5, 6], [3, 2]), **feed_of(c, [[0, 0], [1, 3]], [1, 4], [2, 4]), **feed_of(d, [[1, 1]], [2], [2, 6]), k: [2, 6], t: [[0, 1, 2], [3, 0, 0]], n: 6}
        case.run(parts(all), feed)


def arithmetic():
    with Case("composed_sparse_arithmetic", "sums, products and reductions of sparse tensors, sets, crosses, labels", rtol=1e-4) as case:
        a, b = tf.sparse_placeholder(tf.float32, [2, 3], "a"), tf.sparse_placeholder(tf.float32, name="b")
        i, t = tf.sparse_placeholder(tf.int32, [2, 3], "i"), tf.placeholder(tf.float32, [2, 3], "t")
        s = SP([[0, 1], [1, 2]], [2.0, 4.0], [2, 3])
        all = [tf.sparse_add(a, s), tf.sparse_add(a, b, 0.5), tf.sparse_add(a, t), tf.sparse_add(t, s), a * t, s * [[2.0]], a / t, i / tf.cast(t, tf.int32)]
        all += [tf.sparse_tensor_dense_matmul(a, tf.transpose(t)), tf.sparse_tensor_dense_matmul(a, t, adjoint_a=True, name="product"), tf.sparse_tensor_dense_matmul(s, t, adjoint_b=True), tf.sparse_tensor_dense_matmul(tf.transpose(t), a)]
        all += [tf.sparse_softmax(a), tf.sparse_softmax(s, name="soft"), tf.sparse_maximum(a, s), tf.sparse_minimum(a, b, name="least")]
        all += [tf.sparse_reduce_sum(a), tf.sparse_reduce_sum(b), tf.sparse_reduce_sum(a, 1, keepdims=True), tf.sparse_reduce_max(a, [0]), tf.sparse_reduce_sum_sparse(a, 0), tf.sparse.reduce_max_sparse(b, axis=1)]
        u, v = tf.placeholder(tf.int32, [2, 3], "u"), tf.sparse_placeholder(tf.string, name="v")
        sets = tf.sets
        all += [sets.set_size(i), sets.set_intersection(u, [[1, 2], [3, 4]]), sets.set_union(u, i), sets.set_difference(i, u), sets.set_difference(u, u, aminusb=False, validate_indices=False), sets.set_intersection(v, v)]
        all += [tf.sparse.cross([v, tf.as_string(u)]), tf.sparse.cross([i, v], name="crossed", separator="+"), tf.sparse.cross_hashed([v, u], num_buckets=100), tf.sparse.cross_hashed([v, v], hash_key=7, name="hashed")]
        all += [tf.edit_distance(v, v), tf.edit_distance(i, i, normalize=False, name="distance")]
        texts = [tf.serialize_sparse(a), tf.serialize_many_sparse(s, name="many")]
        all += texts + [tf.deserialize_many_sparse(texts[1], tf.float32), tf.deserialize_many_sparse(texts[1], tf.float32, rank=2, name="again")]
        logits, lengths, labels = tf.placeholder(tf.float32, [4, 2, 3], "logits"), tf.placeholder(tf.int32, [2], "lengths"), tf.sparse_placeholder(tf.int32, name="labels")
        all += [tf.nn.ctc_loss(labels, logits, lengths), tf.nn.ctc_loss(labels, tf.transpose(logits, [1, 0, 2]), lengths, preprocess_collapse_repeated=True, time_major=False), tf.nn.ctc_greedy_decoder(logits, lengths), tf.nn.ctc_beam_search_decoder(logits, lengths, beam_width=5, top_paths=2, merge_repeated=False)]
        all += list(tf.nn.collapse_repeated(u, lengths)) + list(tf.nn.collapse_repeated([[1, 1, 2], [3, 3, 3]], [3, 2], name="collapsed"))
        feed = {**feed_of(a, [[0, 0], [0, 2], [1, 1]], [1, -2, 3], [2, 3]), **feed_of(b, [[0, 0], [1, 2]], [0.25, 5], [2, 3]), **feed_of(i, [[0, 0], [0, 1], [1, 0]], [1, 2, 3], [2, 3]), **feed_of(v, [[0, 0], [1, 0], [1, 1]], [b"x", b"y", b"z"], [2, 2])}
        feed.update({t: [[1, 2, 4], [8, 5, 2]], u: [[1, 1, 2], [3, 4, 4]], logits: np.sin(np.arange(24) * 1.3).reshape(4, 2, 3), lengths: [3, 2], **feed_of(labels, [[0, 0], [0, 1], [1, 0]], [0, 1, 1], [2, 2])})
        case.run(parts(all), feed)


def texts():
    with Case("composed_texts", "texts split, joined, matched and formatted; safe embeddings") as case:
        t, u, n = tf.placeholder(tf.string, [None], "t"), tf.placeholder(tf.string, None, "u"), tf.placeholder(tf.int32, [2, 2], "n")
        s = tf.sparse_placeholder(tf.float32, name="s")
        all = [tf.string_split(t), tf.string_split(["a,b", "c"], sep=",", skip_empty=False, name="commas"), tf.string_split(t, delimiter=t[0]), tf.strings.split(t), tf.strings.split("a b  c", sep=" ", maxsplit=1, name="split")]
        all += [tf.reduce_join(t), tf.reduce_join(u), tf.reduce_join([["a", "b"], ["c", "d"]], 0, separator="-", name="joined"), tf.reduce_join([["a", "b"]], axis=[0, 1], keep_dims=True)]
        all += [tf.strings.regex_full_match(t, "a.*"), tf.strings.regex_full_match(t, t[0], name="match"), tf.strings.regex_replace(t, "[ab]", "x"), tf.strings.regex_replace(t, t[0], "x", replace_global=False, name="replaced")]
        all += [tf.strings.format("n: {}", n), tf.strings.format("% and %", [n, t], placeholder="%", summarize=1, name="format")]
        prints = [tf.print(t[0]), tf.print("n is", n, output_stream=sys.stdout, name="line"), tf.print("{}", n, s, sep=", ", end="", summarize=-1)]
        assert prints
        w = tf.Variable(np.arange(12, dtype=np.float32).reshape(4, 3), name="w")
        r = tf.Variable(np.arange(8, dtype=np.float64).reshape(4, 2), name="r", use_resource=True)
        ids = SP(s.indices, tf.cast(s.values, tf.int64), s.dense_shape)
        fixed = tf.sparse_placeholder(tf.int64, [2, 1, 2], "fixed")
        safe = tf.nn.safe_embedding_lookup_sparse
        all += [safe(w, ids), safe(w, ids, s, combiner="sum", default_id=1, name="own"), safe([w], fixed, combiner="sqrtn"), safe(r, fixed, default_id=3)]
        case.init()
        case.run(parts(all), {t: [b"ab cd", b"b"], u: [[b"x", b"y"]], n: [[1, 2], [3, 4]], **feed_of(s, [[0, 0], [0, 1], [2, 0]], [3, 1, -1], [3, 2]), **feed_of(fixed, [[0, 0, 1], [1, 0, 0]], [2, -1], [2, 1, 2])})


def example(**features):
    made = tf.train.Example()
    for name, values in features.items():
        kind = "bytes_list" if isinstance(values[0], bytes) else "float_list" if isinstance(values[0], float) else "int64_list"
        getattr(made.features.feature[name], kind).value.extend(values)
    return made


def examples():
    with Case("composed_examples", "examples and lines of values, parsed as features say") as case:
        e, one, u = tf.placeholder(tf.string, [None], "e"), tf.placeholder(tf.string, [], "one"), tf.placeholder(tf.string, None, "u")
        features = {"v": tf.VarLenFeature(tf.int64), "f": tf.FixedLenFeature([2], tf.float32), "d": tf.FixedLenFeature([], tf.string, "none"), "l": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True), "p p": tf.FixedLenSequenceFeature([1], tf.float32, allow_missing=True, default_value=-1.0)}
        crossed = {"s": tf.SparseFeature("i", "x", tf.float32, 9), "m": tf.SparseFeature(["i", "j"], "x", tf.float32, [9, 5], already_sorted=True), "n": tf.FixedLenFeature([1, 2], tf.int64, [[7, 8]])}
        all = [list(tf.parse_example(e, features).items()), list(tf.parse_example(e, crossed, name="crossed", example_names=["a", "b"]).items()), list(tf.parse_single_example(one, features).items()), list(tf.parse_single_example(u, {"v": tf.VarLenFeature(tf.int64)}, name="single").items())]
        context = {"c": tf.FixedLenFeature([], tf.int64), "w": tf.VarLenFeature(tf.string)}
        steps = {"q": tf.FixedLenSequenceFeature([2], tf.float32), "r": tf.VarLenFeature(tf.int64), "z": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True)}
        many = [tf.placeholder(tf.string, [None], "many"), tf.placeholder(tf.string, [], "sequence")]
        found = list(tf.io.parse_sequence_example(many[0], context, steps)) + list(tf.parse_single_sequence_example(many[1], context, steps)) + list(tf.parse_single_sequence_example(many[1], sequence_features={"r": tf.VarLenFeature(tf.int64)}, example_name="x", name="steps"))
        all += [list(each.items()) for each in found]
        lines = tf.placeholder(tf.string, [None], "lines")
        all += [list(enumerate(tf.decode_csv(lines, [[0], [""], [1.5]]))), list(enumerate(tf.decode_csv(lines, [tf.constant([], tf.int32), ["x"]], field_delim=",", use_quote_delim=False, name="csv", na_value="?", select_cols=[0, 1])))]
        first, second = example(v=[1, 2], f=[1.0, 2.0], l=[4], i=[3], j=[2], x=[0.5]), example(v=[3], f=[0.0, 9.0], d=[b"there"], i=[1, 8], j=[0, 4], x=[1.5, 2.5], n=[1, 2])
        second.features.feature["p p"].float_list.value.append(6)
        sequence = tf.train.SequenceExample(context=example(c=[5], w=[b"a", b"b"]).features)
        for step in range(2):
            sequence.feature_lists.feature_list["q"].feature.add().float_list.value.extend([step, 1])
            sequence.feature_lists.feature_list["r"].feature.add().int64_list.value.extend([step] * step)
        texts = [each.SerializeToString() for each in (first, second, sequence)]
        feed = {e: texts[:2], one: texts[0], u: texts[1], many[0]: [texts[2]], many[1]: texts[2], lines: [b"1,a,2.5", b"2,b,"]}
        case.run([each for pairs in all for _, value in pairs for each in parts(value)], feed)


for record in (tensors, arithmetic, texts, examples):
    if len(sys.argv) == 1 or record.__name__ in sys.argv[1:]:
        record()
