"""Texts, and sets."""


def _x(tf):
    return tf.constant(["ab c", "d  e", ""])


def texts(tf):
    x = _x(tf)
    return [
        tf.string_join([x, ["1", "2", "3"]], "-"), tf.strings.join(["a", x], name="j"), tf.string_to_number(["1.5", "2"]),
        tf.strings.to_number(["1"], tf.int32), tf.as_string([1, 2]), tf.as_string([1.5], precision=3, width=8, fill="0"),
        tf.strings.lower(["AB"]), tf.strings.upper(["ab"]), tf.strings.length(x), tf.strings.length(["ä"], unit="UTF8_CHAR"),
        tf.string_strip([" a "]), tf.strings.strip([" a "]), tf.substr(x, 0, 2), tf.strings.substr(x, [0, 1, 0], [1, 2, 0]),
        tf.regex_replace(x, "[a-c]", "_"), tf.strings.regex_replace(x, tf.constant("b"), "B"), tf.strings.regex_full_match(x, "a.*"),
        tf.string_to_hash_bucket(x, 10), tf.string_to_hash_bucket_fast(x, 10), tf.string_to_hash_bucket_strong(x, 10, [1, 2]),
        tf.strings.format("{} and {}", (x, tf.constant(1))), tf.reduce_join([["a", "b"], ["c", "d"]], 0), tf.strings.reduce_join(["a", "b"], separator=","),
        tf.encode_base64(["ab"]), tf.decode_base64(["YWI"]), tf.strings.unicode_transcode(["a"], "UTF-8", "UTF-16-BE"),
        tf.strings.unsorted_segment_join(["a", "b"], [0, 0], 2), tf.reduce_join([["a", "b"]], axis=[0, 1], keep_dims=True),
    ]  # fmt: skip


def splits(tf):
    x = _x(tf)
    found = [tf.string_split(x), tf.string_split(x, "b"), tf.string_split(["a,b"], delimiter=","), tf.string_split(["a  b"], skip_empty=False)]
    found += [tf.strings.split(x, sep=" ", result_type="SparseTensor"), tf.strings.split(["a b"], maxsplit=1, result_type="SparseTensor")]
    return [part for each in found for part in (each.indices, each.values, each.dense_shape)]


def join_of_other_shapes(tf):
    tf.string_join([["a"], ["b", "c"]])


def format_of_another_number(tf):
    tf.strings.format("{} {}", (tf.constant(1),))


def numbers_of_numbers(tf):
    tf.string_to_number([1])


def hash_into_no_buckets(tf):
    tf.string_to_hash_bucket_fast(["a"], 0)


def split_of_a_matrix(tf):
    tf.string_split([["a"]])


def sets(tf):
    a = tf.constant([[1, 2], [3, 4]])
    b = tf.constant([[2, 9], [3, 4]])
    s = tf.SparseTensor([[0, 0], [1, 0]], [1, 3], [2, 2])
    found = [tf.sets.set_intersection(a, b), tf.sets.union(a, b), tf.sets.set_difference(a, b), tf.sets.difference(a, b, aminusb=False)]
    found += [tf.sets.intersection(a, s), tf.sets.set_union(s, s)]
    return [tf.sets.set_size(s), *(part for each in found for part in (each.indices, each.values, each.dense_shape))]


def size_of_a_dense_set(tf):
    tf.sets.set_size([[1]])


def sets_of_other_types(tf):
    tf.sets.union([[1]], tf.constant([[1]], tf.int64))


def sets_of_floats(tf):
    tf.sets.union([[1.0]], [[1.0]])
