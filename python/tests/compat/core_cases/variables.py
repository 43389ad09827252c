"""Variables and what changes them."""


def made(tf):
    v = tf.Variable([1.0, 2.0], name="v", trainable=False)
    w = tf.get_variable("w", [2, 2], initializer=tf.ones_initializer())
    r = tf.get_variable("r", [2], use_resource=True, initializer=tf.zeros_initializer())
    i = tf.Variable(3, dtype=tf.int64)
    f = tf.Variable(lambda: tf.constant([[1.0]]), dtype=tf.float32, name="f")
    s = tf.Variable("text", name="s", collections=["c"])
    assert s.name and tf.get_collection("c")
    return [v, w, r, i, f, v + 1, w[0], r * 2, tf.matmul(w, f * tf.ones([2, 2])), v.initialized_value(), r.read_value(), v.value()]


def changed(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    a = tf.assign(v, [3.0, 4.0])
    with tf.control_dependencies([a]):
        b = tf.assign_add(v, [1.0, 1.0], name="b")
    with tf.control_dependencies([b]):
        c = v.assign_sub([0.5, 0.5])
    with tf.control_dependencies([c]):
        d = tf.scatter_update(v, [0], [9.0])
    with tf.control_dependencies([d]):
        e = tf.scatter_add(v, [1, 1], [1.0, 2.0])
    with tf.control_dependencies([e]):
        f = v[0].assign(7.0)
    with tf.control_dependencies([f]):
        return [tf.identity(v), tf.is_variable_initialized(v)]


def scattered(tf):
    def fresh():
        return tf.Variable([1.0, 2.0, 3.0])

    ix, up = tf.constant([0, 2]), tf.constant([4.0, 5.0])
    return [
        tf.scatter_sub(fresh(), ix, up), tf.scatter_mul(fresh(), ix, up), tf.scatter_div(fresh(), ix, up), tf.scatter_min(fresh(), ix, up),
        tf.scatter_max(fresh(), ix, up), tf.scatter_nd_update(fresh(), [[1]], [8.0]), tf.scatter_nd_add(fresh(), [[1]], [8.0]),
        tf.scatter_nd_sub(fresh(), [[1]], [8.0]), fresh().scatter_add(tf.IndexedSlices(up, ix)), fresh().scatter_sub(tf.IndexedSlices(up, ix)),
        fresh().scatter_update(tf.IndexedSlices(up, ix)), fresh().scatter_nd_add([[0]], [1.0]), fresh().scatter_nd_sub([[0]], [1.0]),
        fresh().scatter_nd_update([[0]], [1.0]),
        tf.count_up_to(tf.Variable(1), 5), tf.batch_scatter_update(tf.Variable([[1.0, 2.0]]), [[1]], [[5.0]]),
    ]  # fmt: skip


def resources_scattered(tf):
    def fresh():
        return tf.Variable([1.0, 2.0, 3.0], use_resource=True)

    slices = tf.IndexedSlices(tf.constant([4.0, 5.0]), tf.constant([0, 2]))
    return [
        fresh().sparse_read([1]), fresh().gather_nd([[1]]), fresh().scatter_max(slices), fresh().scatter_min(slices),
        fresh().scatter_mul(slices), fresh().scatter_div(slices), fresh().scatter_update(slices),
    ]  # fmt: skip


resources_scattered.values_only = True


def variable_without_a_value(tf):
    tf.Variable()


def variable_of_an_unknown_shape(tf):
    tf.Variable(tf.placeholder(tf.float32))


def variable_in_no_list(tf):
    tf.Variable(1.0, collections="c")


def variable_that_is_not_there(tf):
    with tf.variable_scope("s", reuse=True):
        tf.get_variable("v", [1])


def variable_of_another_shape(tf):
    tf.get_variable("v", [1])
    with tf.variable_scope("", reuse=True):
        tf.get_variable("v", [2])


def variable_of_another_type(tf):
    tf.get_variable("v", [1])
    with tf.variable_scope("", reuse=True):
        tf.get_variable("v", [1], tf.int32)


def variable_without_a_shape(tf):
    tf.get_variable("v")


def variable_of_a_value_and_a_shape(tf):
    tf.get_variable("v", [1], initializer=tf.constant(1.0))


def assignment_of_another_shape(tf):
    tf.assign(tf.Variable([1.0, 2.0]), [1.0])


def assignment_of_another_type(tf):
    tf.assign(tf.Variable([1.0, 2.0]), tf.constant([1, 2]))


def scatter_of_no_slices(tf):
    tf.Variable([1.0]).scatter_add(3)


def scopes(tf):
    with tf.variable_scope("a", initializer=tf.ones_initializer()) as a:
        v = tf.get_variable("v", [2])
        with tf.variable_scope("b", reuse=tf.AUTO_REUSE):
            w = tf.get_variable("w", [1])
            assert tf.get_variable("w", [1]) is w
    with tf.variable_scope(a, reuse=True):
        assert tf.get_variable("v", [2]) is v
    with tf.variable_scope(None, "d", [v]):
        tf.get_variable("x", [1], dtype=tf.float64)
    with tf.variable_scope(None, default_name="d"):
        tf.get_local_variable("y", [1], initializer=tf.zeros_initializer())
    with tf.name_scope("n"):
        tf.get_variable("z", [1], initializer=tf.constant_initializer(3.0))
        tf.Variable(1.0, name="q")
    return None


def initializers(tf):
    shape, made = [3, 2], []
    for i, each in enumerate([
        tf.zeros_initializer(), tf.ones_initializer(tf.float32), tf.constant_initializer([1, 2, 3, 4, 5, 6]), tf.random_uniform_initializer(-1, 1, seed=3),
        tf.random_normal_initializer(0.0, 2.0, seed=3), tf.truncated_normal_initializer(seed=3), tf.glorot_uniform_initializer(seed=3),
        tf.glorot_normal_initializer(seed=3), tf.variance_scaling_initializer(2.0, "fan_in", "uniform", seed=3), tf.orthogonal_initializer(seed=3),
        tf.initializers.identity(), tf.uniform_unit_scaling_initializer(seed=3),
    ]):  # fmt: skip
        made.append(tf.get_variable(f"v{i}", shape, initializer=each))
    return None
