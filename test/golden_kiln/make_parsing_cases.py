# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records how TensorFlow takes tensors out of records: comma-separated values, Example and SequenceExample messages, compressed
strings. Run it with a Python that has TensorFlow."""
import gzip
import os
import sys
import zlib

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops


def texts(*elements):
    return np.array([element if isinstance(element, bytes) else element.encode() for element in elements], object)


def feature(values):
    if values is None:
        return tf.train.Feature()
    if values and isinstance(values[0], float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))
    if values and isinstance(values[0], int):
        return tf.train.Feature(int64_list=tf.train.Int64List(value=values))
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))


def example(**features):
    return tf.train.Example(features=tf.train.Features(feature={key: feature(values) for key, values in features.items()})).SerializeToString(deterministic=True)


def sequence(context, **lists):
    return tf.train.SequenceExample(context=tf.train.Features(feature={key: feature(values) for key, values in context.items()}),
                                    feature_lists=tf.train.FeatureLists(feature_list={key: tf.train.FeatureList(feature=[feature(values) for values in steps]) for key, steps in lists.items()})).SerializeToString(deterministic=True)


def csv():
    with Case("parsing_csv", "DecodeCSV: quotes, missing fields, selected columns, bad numbers", rtol=0, atol=0) as case:
        records = tf.placeholder(tf.string, None, "records")
        all_types = raw.DecodeCSV(records=records, record_defaults=[[1], tf.constant([], tf.int64), [1.5], tf.constant([], tf.float64), [b"none"]])
        for lines in (["1,2,3,4,5", "-7,+8,1e3,.5,\"a,\"\"b\"\"\""], [",9,,1,"], [" 1 , 2,3 , 4 , x "], "1,2,inf,-nan,\r\n", "1,2,1e50,1e-400,z", [], [["1,2,3,4,5"], ["6,7,8,9,0"]], "\n1,2,3,4,\"a\nb\""):
            case.run(all_types, {records: texts(*lines) if isinstance(lines, list) and lines and isinstance(lines[0], str) else np.vectorize(str.encode, otypes=[object])(np.array(lines, object)) if len(lines) else np.zeros([0, 2], object)} if not isinstance(lines, str) else {records: lines.encode()})
        for line in ("1,,3,4,5", "1,2,3", "1,2,3,4,5,6", "x,2,3,4,5", "1,2,3,y,5", "99999999999,2,3,4,5", "1.5,2,3,4,5", "1,2,0x10,4,5", "1,2,3,4,a\"b", "1,2,3,4,\"a", "1,2,3,4,\"a\"b\"", "1,2,3,4,\"a\"b", "1,2,3\n,4,5", "", "\"", "1,2,3,4,\"\"", "+-1,2,3,4,5"):
            case.run(all_types, {records: texts("1,2,3,4,5", line)})
        defaults = [["d0"], ["d1"]]
        for attributes in (dict(field_delim=";"), dict(use_quote_delim=False), dict(na_value="NA"), dict(select_cols=[1, 3])):
            fields = raw.DecodeCSV(records=records, record_defaults=defaults, **attributes)
            for line in ("a;b", "a,b", "\"a\",\"b\"", "NA,", "a,b,c,d", "a,b,c,d,e\"", "a,b,c,", "a,b,c"):
                case.run(fields, {records: line.encode()})
        for attributes in (dict(field_delim=";;"), dict(select_cols=[1]), dict(select_cols=[3, 1]), dict(select_cols=[-1, 1])):
            case.run(raw.DecodeCSV(records=records, record_defaults=defaults, **attributes), {records: b"a,b,c,d"})
        several = tf.placeholder_with_default(texts("a", "b"), None)
        case.run(raw.DecodeCSV(records=records, record_defaults=[several]), {records: b"a"})
        case.run(raw.DecodeCSV(records=records, record_defaults=[several]), {records: b"a", several: texts("a").reshape(1, 1)})


def compressed():
    with Case("parsing_compressed", "DecodeCompressed, of whole, cut and damaged strings", rtol=0, atol=0) as case:
        text = tf.placeholder(tf.string, None, "text")
        plain = b"some text " * 9
        forms = {"ZLIB": zlib.compress(plain), "GZIP": gzip.compress(plain, mtime=0), "": plain}
        for kind, whole in forms.items():
            decoded = raw.DecodeCompressed(bytes=text, compression_type=kind)
            for value in (whole, whole[:-9], whole + whole, b"", b"abcdefgh", texts(whole, b"").reshape(2, 1) if not kind else texts(whole, whole).reshape(2, 1), np.zeros([0, 3], object)):
                case.run(decoded, {text: value})
        case.run(raw.DecodeCompressed(bytes=text, compression_type="FOO"), {text: b""})


def json():
    with Case("parsing_json", "DecodeJSONExample", rtol=0, atol=0) as case:
        text = tf.placeholder(tf.string, None, "text")
        decoded = raw.DecodeJSONExample(json_examples=text)
        one = b'{"features": {"feature": {"a": {"int64List": {"value": ["1", 2]}}, "b": {"floatList": {"value": [1.5, "NaN"]}}, "c": {"bytesList": {"value": ["YWI="]}}}}}'
        for value in (one, texts(one, b"{}").reshape(1, 2), np.zeros([0], object)):
            case.run(decoded, {text: value})
        # The words for others come from the version of protobuf.
        for bad in (b"", b"{"):
            case.run(decoded, {text: bad})


GOOD = [example(a=[1.5, 2.0], b=[3], c=[b"x"], s=[1, 2, 3], v=[1, 2, 3, 4]), example(a=[0.0, -1.0], c=[b"", b"y\0"], s=None, v=[]), example(a=[5.0, 6.0], b=[7], c=[], s=[9], v=[5, 6], other=[b"z"]),
        example(a=[1.0, 1.0], b=[1]) + example(b=[2], s=[4])]
BAD = [b"\x0a", example(a=[1.0]), example(a=[1.0, 2.0, 3.0]), example(a=[1, 2]), example(b=[1]), example(a=[1.0, 2.0], v=[1, 2, 3]), example(a=[1.0, 2.0], c=[1]), example(a=[1.0, 2.0], s=[1.0]), example(a=[1.0, 2.0], v=[1.0]),
       example(a=[1.0, 2.0], b=[1, 2]), example(a=[1.0, 2.0], d=[b"a", b"b"]), b"\x0a\x7f" + b"\x0a" * 20, b"\x0b" * 200]


def examples():
    with Case("parsing_examples", "ParseExample and ParseExampleV2: dense, open, sparse and ragged features, and messages that do not fit", rtol=0, atol=0) as case:
        serialized, names = tf.placeholder(tf.string, None, "serialized"), tf.placeholder(tf.string, None, "names")
        fallbacks = [np.zeros([0], "f4"), np.array([-1], "i8"), np.array(0, "i8"), texts("d")[0]]
        shapes = [[2], [1], [None, 2], []]
        old = raw.ParseExample(serialized=serialized, names=names, sparse_keys=["c", "s"], dense_keys=["a", "b", "v", "d"], dense_defaults=fallbacks, sparse_types=[tf.string, tf.int64], dense_shapes=shapes)
        new = raw.ParseExampleV2(serialized=serialized, names=names, sparse_keys=["c"], dense_keys=["a", "b", "v", "d"], ragged_keys=["s", "t"], dense_defaults=fallbacks, num_sparse=1, sparse_types=[tf.string],
                                 ragged_value_types=[tf.int64, tf.float32], ragged_split_types=[tf.int32, tf.int64], dense_shapes=shapes)
        flat = {True: [x for part in old for x in part], False: [x for part in new for x in part]}
        none = np.zeros([0], object)
        for messages in (texts(*GOOD), texts(GOOD[1]), none, texts(*GOOD[::-1])):
            for fetches in flat.values():
                case.run(fetches, {serialized: messages, names: none})
        case.run(flat[True], {serialized: texts(*GOOD), names: texts("w", "x", "y", "z")})
        for message in GOOD:
            case.run(flat[False], {serialized: message, names: none})
        for message in BAD:
            for fetches in flat.values():
                case.run(fetches, {serialized: texts(GOOD[0], message), names: none})
            case.run(flat[False], {serialized: message, names: none})
        case.run(flat[True], {serialized: texts(GOOD[0], BAD[1]), names: texts("first", "second")})
        case.run(flat[True], {serialized: texts(*GOOD), names: texts("w")})
        for fetches in flat.values():
            case.run(fetches, {serialized: texts(*GOOD).reshape(2, 2), names: none})
        case.run(flat[True], {serialized: GOOD[0], names: none})
        fallback = tf.placeholder(tf.int64, None, "fallback")
        for shape in ([3], [None, 2]):
            op = raw.ParseExample(serialized=serialized, names=names, sparse_keys=[], dense_keys=["b"], dense_defaults=[fallback], sparse_types=[], dense_shapes=[shape])
            for value in ([1, 2], [1, 2, 3], 5):
                case.run(op.dense_values, {serialized: texts(GOOD[1]), names: none, fallback: value})
        case.run(raw.ParseExample(serialized=serialized, names=names, sparse_keys=["b"], dense_keys=["b"], dense_defaults=[np.array([0], "i8")], sparse_types=[tf.int64], dense_shapes=[[1]]).dense_values, {serialized: texts(GOOD[0]), names: none})


def single():
    with Case("parsing_single", "ParseSingleExample", rtol=0, atol=0) as case:
        serialized = tf.placeholder(tf.string, None, "serialized")
        op = raw.ParseSingleExample(serialized=serialized, dense_defaults=[np.zeros([0], "f4"), np.array([-1], "i8"), np.array(0, "i8"), texts("d")[0]], num_sparse=2, sparse_keys=["c", "s"], dense_keys=["a", "b", "v", "d"],
                                    sparse_types=[tf.string, tf.int64], dense_shapes=[[2], [1], [None, 2], []])
        fetches = [x for part in op for x in part]
        for message in GOOD + BAD + [texts(GOOD[0])]:
            case.run(fetches, {serialized: message})
        loss = tf.reduce_sum(op.dense_values[0] * 2.0) + tf.cast(tf.shape(op.dense_values[2])[0], tf.float32)
        case.run([loss, tf.sparse_to_dense(op.sparse_indices[1], op.sparse_shapes[1], op.sparse_values[1])], {serialized: GOOD[0]})


def sequences():
    with Case("parsing_sequences", "ParseSequenceExample, V2 and ParseSingleSequenceExample", rtol=0, atol=0) as case:
        serialized, names, name = tf.placeholder(tf.string, None, "serialized"), tf.placeholder(tf.string, None, "names"), tf.placeholder(tf.string, None, "name")
        good = [sequence(dict(a=[1, 2], b=[b"x"]), d=[[1.0, 2.0], [3.0, 4.0]], s=[[1], [], [2, 3]], o=[[b"p"]]), sequence(dict(b=[b"y", b"z"]), d=[], s=[]), sequence(dict(a=[5, 6], b=None), d=[[7.0, 8.0]], s=[[4, 5, 6], None], o=[[b"q"], [b"r"]])]
        bad = [b"\x0a", sequence(dict(a=[1]), d=[]), sequence(dict(a=[1.0, 2.0]), d=[]), sequence(dict(b=[1]), d=[]), sequence({}), sequence({}, d=[[1.0]]), sequence({}, d=[[1.0, 2.0], [1, 2]]), sequence({}, d=[], s=[[1.0]]), sequence({}, d=[], o=[[b"a", b"b"]]),
               sequence({}, d=[[1.0, 2.0], []])]
        types = dict(context_sparse_types=[tf.string], feature_list_dense_types=[tf.float32, tf.string], context_dense_shapes=[[2]], feature_list_sparse_types=[tf.int64], feature_list_dense_shapes=[[2], []])
        fallbacks = [np.array([-1, -2], "i8")]
        op = raw.ParseSequenceExample(serialized=serialized, debug_name=names, context_dense_defaults=fallbacks, feature_list_dense_missing_assumed_empty=["o"], context_sparse_keys=["b"], context_dense_keys=["a"], feature_list_sparse_keys=["s"],
                                      feature_list_dense_keys=["d", "o"], Ncontext_sparse=1, Ncontext_dense=1, Nfeature_list_sparse=1, Nfeature_list_dense=2, **types)
        new = raw.ParseSequenceExampleV2(serialized=serialized, debug_name=names, context_sparse_keys=["b"], context_dense_keys=["a"], context_ragged_keys=["r"], feature_list_sparse_keys=[], feature_list_dense_keys=["d", "o"], feature_list_ragged_keys=["s"],
                                         feature_list_dense_missing_assumed_empty=[False, True], context_dense_defaults=fallbacks, Ncontext_sparse=1, Nfeature_list_dense=2, context_ragged_value_types=[tf.int64], context_ragged_split_types=[tf.int32],
                                         feature_list_ragged_value_types=[tf.int64], feature_list_ragged_split_types=[tf.int64], **{**types, "feature_list_sparse_types": []})
        old = raw.ParseSingleSequenceExample(serialized=serialized, feature_list_dense_missing_assumed_empty=["o"], context_sparse_keys=["b"], context_dense_keys=["a"], feature_list_sparse_keys=["s"], feature_list_dense_keys=["d", "o"], context_dense_defaults=fallbacks,
                                             debug_name=name, **types)
        lists = [[x for part in which for x in part] for which in (op, new)]
        one = [x for part in old for x in part]
        of_one = [x for key in ("context_sparse_indices", "context_sparse_values", "context_sparse_shapes", "context_dense_values", "context_ragged_values", "feature_list_dense_values", "feature_list_dense_lengths", "feature_list_ragged_values", "feature_list_ragged_inner_splits")
                  for x in getattr(new, key)]
        none = np.zeros([0], object)
        for messages in (texts(*good), texts(good[1]), none):
            for fetches in lists:
                case.run(fetches, {serialized: messages, names: none})
        for message in good:
            case.run(of_one, {serialized: message, names: none})
            case.run(one, {serialized: message, name: b"of"})
        for message in bad:
            for fetches in lists:
                case.run(fetches, {serialized: texts(good[0], message), names: texts("first", "second")})
            case.run(one, {serialized: message, name: b"of"})
        case.run(one, {serialized: texts(good[0]), name: b"of"})
        case.run(lists[0], {serialized: texts(*good).reshape(1, 3), names: none})


CASES = {f.__name__: f for f in (csv, compressed, json, examples, single, sequences)}

if __name__ == "__main__":
    for name in sys.argv[1:] or CASES:
        CASES[name]()
