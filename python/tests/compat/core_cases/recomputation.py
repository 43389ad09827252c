"""Functions that are computed again for their gradients, and parts of variables of another type."""


def recomputed(tf):
    x = tf.constant([1.0, 2.0], name="x")
    w = tf.get_variable("w", [2], use_resource=True, initializer=tf.constant_initializer([3.0, 4.0]))
    plain = tf.recompute_grad(lambda a: tf.sin(a) * a)(x)
    with tf.variable_scope("s", use_resource=True):
        weighed = tf.recompute_grad(lambda a: tf.square(a * w))(x)
    return [plain, *tf.gradients(plain, x), weighed, *tf.gradients(weighed, [x, w])]


recomputed.values_only = True


def parts_of_a_tensor_of_another_type(tf):
    parts = tf.create_partitioned_variables([4], [2], tf.constant([1.0, 2.0, 3.0, 4.0]), dtype=tf.int32)
    assert [part.dtype.base_dtype for part in parts] == [tf.float32, tf.float32]


def parts_of_a_list_of_another_type(tf):
    tf.create_partitioned_variables([4], [2], [1.0, 2.0, 3.0, 4.0], dtype=tf.int32)
