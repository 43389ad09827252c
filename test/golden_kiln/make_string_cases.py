# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does with strings. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
TEXTS = np.array([[b"a", b"bb", b"", b"d\0e"], [b"\xff\xfe", "wörter".encode(), b"x" * 40, b"a"]], object)


def moves():
    with Case("string_moves", "every op that moves strings, on constants and on feeds of two sizes") as case:
        s = tf.placeholder(tf.string, [None, 4], name="s")
        v = tf.constant(TEXTS[0], name="v")
        c = tf.placeholder(tf.bool, [None, 4], name="c")
        i = tf.placeholder(tf.int32, [None], name="i")
        fetches = [
            tf.identity(s), raw.IdentityN(input=[s, i])[0], tf.stop_gradient(s), raw.PreventGradient(input=s),
            tf.reshape(s, [-1]), tf.expand_dims(s, 1), tf.squeeze(tf.expand_dims(s, 0)), tf.fill([2, 3], v[1]),
            tf.tile(s, [2, 1]), tf.tile(v, [3]), tf.broadcast_to(v, [3, 4]), tf.stack([s, s], 1), *tf.unstack(v),
            tf.concat([s, s], 0), tf.concat([s, s], 1), raw.Concat(concat_dim=1, values=[s, s]), *tf.split(s, 2, 1),
            *tf.split(v, [1, 3]), tf.slice(s, [0, 1], [-1, 2]), s[::-1, 1:], s[:, 0], v[1:3], v[::2],
            tf.gather(v, i), tf.gather(s, [3, 0], axis=1), raw.Gather(params=v, indices=i), tf.transpose(s),
            tf.reverse(s, [0]), tf.reverse(s, [0, 1]), tf.pad(s, [[1, 0], [0, 2]]),
            tf.pad(v, [[1, 1]], constant_values="z"), tf.one_hot(i, 3, on_value="on", off_value="off"),
            raw.ZerosLike(x=s), tf.where(c, s, tf.reverse(s, [1])), raw.SelectV2(condition=c, t=s, e=v),
            tf.equal(s, v), tf.not_equal(s, "a"), tf.equal(v, tf.reverse(v, [0])), raw.Add(x=s, y=v),
            raw.Add(x=v, y="!"), tf.shape(s), tf.size(s), tf.rank(s),
            tf.constant("", shape=[0, 2]), tf.constant("one", shape=[2, 2]), tf.constant(TEXTS)]
        for rows in (1, 2, 0):
            texts = TEXTS[:rows]
            case.run(fetches, {s: texts, c: np.arange(4 * rows).reshape(rows, 4) % 3 == 0, i: np.arange(rows)})
        many = np.array([[b"%d.%d" % (row, column) for column in range(4)] for row in range(21)], object)
        case.run(fetches, {s: many, c: np.arange(84).reshape(21, 4) % 7 == 0, i: np.arange(21) % 4})
        case.run(tf.gather(v, i), {i: [0, 4]})


def variables(name, use_resource):
    with Case(name, "variables of strings: initialized, assigned, read around an assignment") as case:
        with tf.variable_scope("scope", use_resource=use_resource):
            v = tf.get_variable("v", initializer=tf.constant([b"left", b"", b"r\0ght"]))
            w = tf.get_variable("w", initializer=tf.constant("scalar"))
        p = tf.placeholder(tf.string, [3], name="p")
        set_v = tf.assign(v, p, name="set_v")
        turn = tf.assign(v, tf.reverse(v, [0]), name="turn")
        with tf.control_dependencies([set_v]):
            after = tf.identity(v.read_value() if use_resource else v, name="after")
        case.run(v)
        case.init()
        case.run([v, w])
        case.run(after, {p: np.array([b"1", b"22", b"333"], object)})
        case.run([v, w])
        case.run(turn.op)
        case.run(turn.op)
        case.run([turn, w] if not use_resource else [turn.op, w])
        case.run(v)
        case.run(tf.assign(w, tf.gather(p, 1)).op, {p: np.array([b"x", b"y", b"z"], object)})
        case.run([w, tf.is_variable_initialized(v) if not use_resource else v.is_initialized()])


def of(values):
    """Bytes in an array of objects, as feeds of strings are recorded."""
    flat = np.array(values, object)
    return np.array([v.encode() if isinstance(v, str) else v for v in flat.ravel()], object).reshape(flat.shape)


FORMATS = [dict(), dict(precision=3), dict(scientific=True), dict(shortest=True), dict(width=12), dict(width=12, fill="0"),
           dict(width=12, fill="-"), dict(width=12, fill="+"), dict(fill=" "), dict(precision=0),
           dict(scientific=True, precision=2, width=15, fill="0"), dict(precision=200)]
NUMBERS = ["1", "+1", " 1 ", "-5", "007", "\t9\n"]
FLOATS = NUMBERS + ["1.5", "-1.5e3", ".5", "5.", "inf", "-INF", "infinity", "nan", "0x10", "0x1p3", "-0x.8", "1e400", "-1e400",
                    "1e-400", "0.000001e300", "1e+5", "3.4e39", "1e-46", "1e-40", "16777217", "0.1", "1" + "0" * 400,
                    "0." + "0" * 400 + "1", "1e99999999999999999999", "1e-99999999999999999999"]


def text():
    with Case("string_numbers", "AsString and StringToNumber: formats, edges, texts that are no number", rtol=0, atol=0) as case:
        f32 = tf.constant([0.1, -2.5, 1e10, 3.0, np.inf, -np.inf, np.nan, 1e-7, -0.0, 1234567.0], tf.float32)
        f64 = tf.constant([0.1, 1e300, -1e-300, 123456789.125], tf.float64)
        i32 = tf.constant([5, -17, 2**31 - 1, -2**31], tf.int32)
        i64 = tf.constant([-2**63, 2**63 - 1, 0], tf.int64)
        b, s = tf.constant([True, False]), tf.constant(["a", "", "long enough", "ö"])
        for options in FORMATS:
            case.run([raw.AsString(input=x, **options) for x in (f32, f64)])
            if not set(options) & {"precision", "scientific", "shortest"}:
                case.run([raw.AsString(input=x, **options) for x in (i32, i64, b)])
        case.run([raw.AsString(input=s), raw.AsString(input=s, width=4), raw.AsString(input=tf.zeros([0, 3]))])
        for x, options in ((i32, dict(precision=1)), (i32, dict(shortest=True)), (b, dict(precision=2)), (f32, dict(fill="x")),
                           (f32, dict(fill="00")), (f32, dict(scientific=True, shortest=True))):
            case.run(raw.AsString(input=x, **options))
        p = tf.placeholder(tf.string, [None], name="p")
        to = {t: raw.StringToNumber(string_tensor=p, out_type=t) for t in (tf.float32, tf.float64, tf.int32, tf.int64)}
        case.run([to[tf.int32], to[tf.int64]], {p: of(NUMBERS)})
        case.run([to[tf.float32], to[tf.float64]], {p: of(FLOATS)})
        case.run([to[tf.int32]], {p: of(["2147483647", "-2147483648"])})
        case.run([to[tf.int64]], {p: of(["9223372036854775807", "-9223372036854775808"])})
        for wrong in ("1e", "", "  ", "1 2", "1d", "1_0", "+-1", "--1", "1f", "- 1", "nan(1)", "0x", "e5", "."):
            case.run(to[tf.float32], {p: of(["1", wrong])})
        for wrong in ("1.5", "", "0x10", "2147483648", "-2147483649", "-", "1e3", "+ 1", "+-1"):
            case.run(to[tf.int32], {p: of(["1", wrong])})
        case.run(to[tf.int64], {p: of(["9223372036854775808"])})


def cases():
    """Unicode's, of one character to several, of a sigma that ends a word or does not; bytes that are no characters."""
    with Case("string_cases", "StringLower and StringUpper of utf-8") as case:
        p = tf.placeholder(tf.string, [None], name="p")
        ops = [op(input=p, encoding="utf-8") for op in (raw.StringLower, raw.StringUpper)]
        words = ["Straße", "ΟΔΥΣΣΕΥΣ", "ΑΣ ΣΑ Σ", "ΑΣ.", "ΑΣ.Α", "1Σ", "Α\u0345Σ\u0301", "a\u00adΣ\u00ad", "İI\u0307ıi", "ŉǅﬀᾳΐ\u1fb7", "ⅷⓐ𐐀ꙁ\U0001e922", "日本 x", ""]
        case.run(ops, {p: of(words)})
        case.run(ops, {p: np.array([b"A\xff", b"A\xe2\x82", b"\xc3(", b"\xed\xa0\x80q", b"\xf4\x90\x80\x80", b"A\0B", b"\xce", b"\xf8\x88\x80a"], object)})
        every = tf.concat([tf.range(1, 0xd800), tf.range(0xe000, 0x110000)], 0)
        every = raw.UnicodeEncode(input_values=every, input_splits=tf.stack([tf.constant(0, tf.int64), tf.size(every, out_type=tf.int64)]), output_encoding="UTF-8")
        case.run([raw.StringToHashBucketFast(input=op(input=every, encoding="utf-8"), num_buckets=2**60) for op in (raw.StringLower, raw.StringUpper)])
        case.run([raw.StringLower(input=tf.strings.join([p, "Σ"]), encoding="utf-8")], {p: of(words)})
    with Case("string_case_errors", "StringUpper of encodings that TensorFlow has not") as case:
        p = tf.placeholder(tf.string, [None], name="p")
        for encoding in ("UTF-8", "latin-1"):
            case.run(raw.StringUpper(input=p, encoding=encoding), {p: of(["a"])})


def pieces():
    with Case("string_pieces", "StringJoin, ReduceJoin, Substr, StringLength, StringStrip, StringLower, StringUpper") as case:
        s = tf.placeholder(tf.string, [None, 3], name="s")
        v = tf.constant([" aB\t", "öß€😀x", ""])
        case.run([raw.StringJoin(inputs=[s, "x", s], separator="-"), raw.StringJoin(inputs=[v, v]), raw.StringJoin(inputs=["a", "b"]),
                  raw.StringJoin(inputs=[s], separator="-"), raw.StringLength(input=s), raw.StringLength(input=v),
                  raw.StringLength(input=v, unit="UTF8_CHAR"), raw.StringLength(input=tf.constant([b"\xff\x80", b"\x80\x80a"]), unit="UTF8_CHAR"),
                  raw.StringStrip(input=tf.constant([" a \t\n", "\v\f x", b"\0 a", "a  b", "", "  "])),
                  raw.StringLower(input=v), raw.StringUpper(input=v),
                  *[raw.ReduceJoin(inputs=s, reduction_indices=np.array(axes, np.int32), **options)
                    for axes, options in ((0, {}), (1, {}), ([0, 1], {}), ([1, 0], {}), ([], {}), (-1, dict(separator=", ")),
                                          ([0], dict(keep_dims=True)), ([0, 1], dict(keep_dims=True)), ([1, 0], dict(separator="+")))]],
                 {s: of([["a", "b", "c"], ["d", "", "f"]])})
        rows = tf.reduce_join(s, 0, separator="/")
        case.run([rows, tf.reduce_join(s, 1)], {s: np.zeros((0, 3), object)})
        for axes in (5, [0, 0], [1, -1]):
            try:
                case.run(raw.ReduceJoin(inputs=s, reduction_indices=np.array(axes, np.int32)), {s: of([["a", "b", "c"]])})
            except ValueError:  # found while the graph is built
                pass
        t, p, n = (tf.placeholder(d, name=name) for d, name in ((tf.string, "t"), (tf.int32, "pos"), (tf.int64, "n")))
        sub = raw.Substr(input=t, pos=p, len=tf.cast(n, tf.int32))
        utf = raw.Substr(input=t, pos=p, len=tf.cast(n, tf.int32), unit="UTF8_CHAR")
        words = of(["hello", "world"])
        for where, how_many in ((1, 3), ([1, -2], [100, 1]), (5, 1), (-5, 2), (0, -1), ([0, 5], [0, 0])):
            case.run(sub, {t: words, p: where, n: how_many})
        case.run(sub, {t: of("hello"), p: [0, 1], n: [2, 2]})
        case.run(sub, {t: of([["ab", "cd"], ["ef", "gh"]]), p: [0, 1], n: [1, 1]})
        for where, how_many in ((1, 2), (-2, 2), (0, 99), (5, 1), (-5, 1)):
            case.run(utf, {t: of(["öß€😀x"]), p: where, n: how_many})
        for where in (6, -6, [0, 7]):
            case.run(sub, {t: words, p: where, n: np.ones_like(where)})
        for where in (6, -6):
            case.run(utf, {t: of(["öß€😀x"]), p: where, n: 1})
        case.run(sub, {t: words, p: [0, 1, 2], n: [1, 1, 1]})
        case.run(sub, {t: words, p: 0, n: [1]})


def branches():
    with Case("string_branches", "strings that only one branch gives, looked at where the branch goes on behind what waits for it") as case:
        s = tf.placeholder(tf.string, [None], name="s")
        p = tf.placeholder(tf.bool, [], name="p")
        off, on = raw.Switch(data=s, pred=p)
        marked = raw.Add(x=on, y="!", name="marked")
        length = raw.Merge(inputs=[tf.size(marked), tf.size(off) + 10], name="length")[0]
        doubled = tf.multiply(length, 2, name="doubled")
        # The branch goes on with a number from behind its first part, and with the strings of that.
        again = raw.Switch(data=doubled, pred=p)[1]
        whole = raw.Add(x=marked, y=tf.as_string(again), name="whole")
        result = raw.Merge(inputs=[whole, off], name="result")
        for texts in ([b"a", b"bb"], [b"c"], []):
            for way in (True, False):
                case.run([result[0], result[1], doubled], {s: np.array(texts, object), p: way})
        case.run(whole, {s: np.array([b"x"], object), p: True})
        case.run(whole, {s: np.array([b"x"], object), p: False})


def buckets():
    with Case("string_buckets", "hashes of strings of all lengths, and their letters in base 64", rtol=0, atol=0) as case:
        s = tf.placeholder(tf.string, None, name="s")
        letters = raw.EncodeBase64(input=s), raw.EncodeBase64(input=s, pad=True)
        fetches = [raw.StringToHashBucketFast(input=s, num_buckets=2**62 + 1), raw.StringToHashBucketFast(input=s, num_buckets=10), raw.StringToHashBucket(string_tensor=s, num_buckets=2**62 + 1),
                   raw.StringToHashBucketStrong(input=s, num_buckets=2**62 + 1, key=[98765, 132]), raw.StringToHashBucketStrong(input=s, num_buckets=7, key=[-1, 2**62]), *letters, *[raw.DecodeBase64(input=letter) for letter in letters]]
        random = np.random.RandomState(3)
        lengths = [*range(70), 127, 128, 129, 191, 192, 193, 300]
        case.run(fetches, {s: np.array([random.bytes(n) for n in lengths], object)})
        for value in (b"one", np.zeros([0, 2], object), TEXTS):
            case.run(fetches, {s: value})
        decoded = raw.DecodeBase64(input=s)
        for value in (b"", b"YQ", b"YQ==", b"YWI=", b"YWI", b"-_-_", b"+/+/", b"YWJjZ", b"YQ=", b"Y===", b"====", b"a b=", b"YQ==YQ==", b"YR", b"\xff\0AA"):
            case.run(decoded, {s: value})
        case.run(raw.StringToHashBucketStrong(input=s, num_buckets=7, key=[1]), {s: b"a"})


def ngrams():
    with Case("string_ngrams", "StringNGrams: widths, pads, short rows and wrong splits", rtol=0, atol=0) as case:
        for splits in (tf.int32, tf.int64):
            data, ends = tf.placeholder(tf.string, None, name=f"data_{splits.name}"), tf.placeholder(splits, None, name=f"ends_{splits.name}")
            letters = np.array([b"a", b"b", b"c", b"", b"\xff\0e"], object)

            def joined(widths, pad=0, short=False):
                return list(raw.StringNGrams(data=data, data_splits=ends, separator="|", ngram_widths=widths, left_pad="<L>", right_pad="R", pad_width=pad,
                                             preserve_short_sequences=short))

            several = [part for settings in (([2],), ([3], -1), ([2, 4], 1), ([3], 0, True), ([3], -1, True), ([4], 1, True), ([], 0, True), ([], 2, True), ([],), ([1, 9], 5))
                       for part in joined(*settings)]
            for of in ([0, 2, 5], [0, 1, 1, 5], [0, 5], [0, 0, 0, 0, 5]):
                case.run(several, {data: letters, ends: of})
            case.run(several, {data: np.zeros([0], object), ends: [0, 0, 0]})
            case.run(joined([1]), {data: letters[None], ends: [0, 5]})
            plain = joined([2])
            for of in ([1, 5], [0, 6], [0, 3, 2, 5], [0, 2], [0]):
                case.run(plain, {data: letters, ends: of})
            for settings in (([0],), ([2, -1],), ([], -1, True)):
                case.run(joined(*settings), {data: letters, ends: [0, 5]})


def splits():
    with Case("string_splits", "StringSplit, StringSplitV2, UnsortedSegmentJoin and DecodePaddedRaw", rtol=0, atol=0) as case:
        s, separator = tf.placeholder(tf.string, None, name="s"), tf.placeholder(tf.string, None, name="separator")
        old = [part for skips in (True, False) for part in raw.StringSplit(input=s, delimiter=separator, skip_empty=skips)]
        new = [part for count in (-1, 0, 1, 2) for part in raw.StringSplitV2(input=s, sep=separator, maxsplit=count)]
        texts = np.array([b"a b  c", b"", b" x,y ,,z ", b",", b"\tone\n two", b"aXXbXXXc"], object)
        for mark in (b" ", b",", b", ", b"", b"XX", b"nothing"):
            case.run(old, {s: texts, separator: mark})
            case.run(new, {s: texts, separator: mark})
        for fetches in (old, new):
            case.run(fetches, {s: np.zeros([0], object), separator: b" "})
            case.run(fetches[:3], {s: TEXTS, separator: b" "})
            case.run(fetches[:3], {s: texts, separator: texts})
        words = raw.StringSplitV2(input=s, sep=" ")
        case.run(tf.string_to_number(words.values) * 2, {s: np.array([b"1 2", b"3.5"], object)})
        segments, count = tf.placeholder(tf.int32, None), tf.placeholder(tf.int64, None)
        joined = raw.UnsortedSegmentJoin(inputs=s, segment_ids=segments, num_segments=count, separator="-")
        for ids, number in (([0, 2], 3), ([[0, 1, 0, 2], [2, 2, 1, 0]], 4), ([1, 1], 2), ([0, 3], 3), ([-1, 0], 3), ([0], 3), ([[[0]]], 3), (0, 3), ([0, 1], -1), ([0, 1], [3]), ([0, 1], np.zeros([0], "i8"))):
            case.run(joined, {s: TEXTS, segments: ids, count: number})
        length = tf.placeholder(tf.int32, None)
        for dtype in (tf.uint8, tf.int16, tf.float32, tf.float64, tf.bfloat16):
            for order in (True, False):
                padded = raw.DecodePaddedRaw(input_bytes=s, fixed_length=length, out_type=dtype, little_endian=order)
                for size in (8, 16, 0, -8, 7):
                    case.run(padded, {s: TEXTS, length: size})
        case.run(padded, {s: TEXTS, length: [8]})


def characters():
    with Case("string_unicode", "characters of strings in several encodings, whole, cut and damaged", rtol=0, atol=0) as case:
        s = tf.placeholder(tf.string, None, name="s")
        whole = "aé€😀\n\0z"
        damaged = [b"", b"\xff", b"a\x80b", b"\xc0\xaf", b"\xe2\x82", b"\xe2\x82(", b"\xf0\x90\x28", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xe0\x80\x80x"]
        wide = [b"\xd8\x3d", b"\xd8\x3d\0a", b"\xde\0\0a", b"\0", b"\0a\0", b"\0\x11\0\0", b"\0\0\xd8\0", b"\0\0\0a\0"]
        forms = {"UTF-8": [whole.encode(), *damaged], "utf-16-be": [whole.encode("utf-16-be"), *wide], "UTF-16LE": [whole.encode("utf-16-le")], "UTF-32-BE": [whole.encode("utf-32-be"), *wide[4:]],
                 "US-ASCII": [b"abc", b"a\xe9"], "ISO-8859-1": [b"a\xe9\xff"]}
        for name, values in forms.items():
            ops = []
            for attributes in (dict(errors="replace"), dict(errors="ignore"), dict(errors="replace", replacement_char=63, replace_control_characters=True)):
                ops += [*raw.UnicodeDecode(input=s, input_encoding=name, Tsplits=tf.int32, **attributes), *raw.UnicodeDecodeWithOffsets(input=s, input_encoding=name, **attributes)]
                ops += [raw.UnicodeTranscode(input=s, input_encoding=name, output_encoding=to, **attributes) for to in ("UTF-8", "UTF-16-BE", "UTF-32-BE")]
            case.run(ops, {s: np.array(values, object)})
            strict = [raw.UnicodeDecode(input=s, input_encoding=name, errors="strict").char_values, raw.UnicodeTranscode(input=s, input_encoding=name, output_encoding="UTF-8", errors="strict")]
            for value in values[:2]:
                for fetch in strict:
                    case.run(fetch, {s: value})
        case.run(ops, {s: np.zeros([0, 2], object)})
        case.run(raw.UnicodeDecode(input=s, input_encoding="of nobody").char_values, {s: b"a"})
        values, splits = tf.placeholder(tf.int32, None), tf.placeholder(tf.int64, None)
        for attributes in (dict(), dict(errors="ignore"), dict(errors="strict"), dict(replacement_char=63)):
            encoded = [raw.UnicodeEncode(input_values=values, input_splits=splits, output_encoding=to, **attributes) for to in ("UTF-8", "UTF-16-BE", "UTF-32-BE")]
            for codes, ends in (([97, 233, 8364, 128512], [0, 2, 2, 4]), ([97, 0xD800, 0x110000, -1, 0xFFFD], [0, 5]), ([], [0])):
                case.run(encoded[:1] if "errors" in attributes else encoded, {values: codes, splits: ends})
        for codes, ends in (([97], []), ([97], [1]), ([97], [0, 2]), ([97, 98], [0, 2, 1, 2]), ([97, 98], [0, 3, 2]), ([[97]], [0, 1])):
            case.run(encoded[0], {values: codes, splits: ends})


if __name__ == "__main__":
    branches()
    buckets()
    cases()
    characters()
    moves()
    ngrams()
    text()
    pieces()
    splits()
    variables("string_variables", False)
    variables("string_resource_variables", True)
