"""SparseTensors of other shapes."""


def _sparse(tf, shape=(3, 4)):
    return tf.SparseTensor([[0, 1], [1, 0], [2, 3]], [1.0, 2.0, 3.0], list(shape))


def _parts(*sparse):
    return [part for each in sparse for part in (each.indices, each.values, each.dense_shape)]


def sparse_reshape(tf):
    x = _sparse(tf)
    return _parts(tf.sparse_reshape(x, [4, 3]), tf.sparse.reshape(x, [2, -1], name="other"))


def sparse_reshape_of_placeholders(tf):
    x = tf.sparse_placeholder(tf.float32, [None, 6])
    y = tf.sparse_reshape(x, tf.placeholder_with_default([3, -1], [2]))
    return _parts(y), {x: ([[0, 1]], [2.0], [2, 6])}


def sparse_reshape_of_another_size(tf):
    tf.sparse_reshape(_sparse(tf), [5, 3])


def sparse_transpose(tf):
    x = _sparse(tf)
    return _parts(tf.sparse_transpose(x), tf.sparse.transpose(x, [1, 0], name="t"))


def sparse_expand_dims(tf):
    x = _sparse(tf)
    return _parts(tf.sparse.expand_dims(x), tf.sparse.expand_dims(x, 0), tf.sparse.expand_dims(x, axis=-2, name="e"))


def sparse_retain(tf):
    return _parts(tf.sparse_retain(_sparse(tf), [True, False, True]), tf.sparse.retain(_sparse(tf), tf.constant([False] * 3)))


def sparse_reset_shape(tf):
    x = _sparse(tf)
    return _parts(tf.sparse_reset_shape(x), tf.sparse_reset_shape(x, [5, 6]))


def sparse_reset_shape_to_a_smaller_one(tf):
    tf.sparse_reset_shape(_sparse(tf), [2, 2])


def sparse_reset_shape_to_another_rank(tf):
    tf.sparse_reset_shape(_sparse(tf), [5, 6, 7])


def sparse_to_indicator(tf):
    ids = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], tf.constant([2, 0, 3], tf.int64), [2, 2])
    return tf.sparse_to_indicator(ids, 5)


def sparse_merge(tf):
    ids = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], tf.constant([2, 0, 3], tf.int64), [2, 2])
    values = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], [0.5, 1.5, 2.5], [2, 2])
    return _parts(tf.sparse_merge(ids, values, 5), tf.sparse.merge([ids, ids], values, [4, 4], name="two"))


def sparse_merge_of_lists(tf):
    ids = tf.SparseTensor([[0, 0]], tf.constant([2], tf.int64), [2, 2])
    tf.sparse_merge(ids, ids, [5])


def sparse_merge_of_a_number(tf):
    ids = tf.SparseTensor([[0, 0]], tf.constant([2], tf.int64), [2, 2])
    tf.sparse_merge([ids], ids, 5)


def sparse_merge_of_tensors(tf):
    tf.sparse_merge(3, 4, 5)


def sparse_eye(tf):
    return _parts(tf.sparse.eye(3), tf.sparse.eye(2, 4, tf.int32, name="e"))


def from_dense(tf):
    return _parts(tf.sparse.from_dense([[1, 0], [0, 2]]), tf.sparse.from_dense(tf.constant([0.0, 3.0]), name="f"))


def arithmetic(tf):
    x = _sparse(tf)
    return _parts(x * tf.constant(2.0), x / tf.ones([3, 4]), -x if hasattr(x, "__neg__") else x)

