"""Conditionals, loops, order, and what they refuse."""


def _p(tf, value=True):
    return tf.placeholder_with_default(value, [])


def conds(tf):
    p, x = _p(tf), tf.constant(2.0)
    a = tf.cond(p, lambda: x + 1, lambda: x - 1)
    b, c = tf.cond(p, lambda: (x, 1), lambda: (x * 2, 3), name="pair")
    d = tf.cond(p, lambda: {"k": x}, lambda: {"k": -x})["k"]
    e = tf.cond(p, lambda: [x], lambda: [x + 1], strict=True)[0]
    f = tf.cond(p, lambda: [x], lambda: [x + 1])
    g = tf.cond(p, true_fn=lambda: tf.constant(1), false_fn=lambda: tf.constant(2))
    return [a, b, c, d, e, f, g]


def cond_of_operations(tf):
    p = _p(tf)
    v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
    done = tf.cond(p, lambda: tf.group(v.assign_add(1.0)), lambda: tf.no_op())
    with tf.control_dependencies([done]):
        return tf.identity(v)


cond_of_operations.values_only = True


def cond_without_a_function(tf):
    tf.cond(_p(tf), lambda: 1)


def cond_of_no_function(tf):
    tf.cond(_p(tf), 1, lambda: 1)


def cond_of_other_types(tf):
    tf.cond(_p(tf), lambda: tf.constant(1), lambda: tf.constant(1.0))


def cond_of_other_structures(tf):
    tf.cond(_p(tf), lambda: (1, 2), lambda: 1)


def cond_of_other_lengths(tf):
    tf.cond(_p(tf), lambda: [1, 2], lambda: [1, 2, 3])


def cond_that_gives_nothing(tf):
    tf.cond(_p(tf), lambda: None, lambda: 1)


def cond_of_a_python_bool(tf):
    tf.cond(True, lambda: 1, lambda: 2)


def cond_with_old_and_new_names(tf):
    tf.cond(_p(tf), lambda: 1, lambda: 2, fn1=lambda: 3)


def cases(tf):
    x = tf.placeholder_with_default(3.0, [])
    a = tf.case([(x < 1, lambda: tf.constant(1)), (x < 5, lambda: tf.constant(2))], default=lambda: tf.constant(3))
    b = tf.case({x < 1: lambda: x, x > 2: lambda: -x}, default=lambda: x * 2, exclusive=True, name="dict")
    c = tf.case([(x > 1, lambda: (x, x))], default=lambda: (x, -x), strict=True)
    d = tf.case([(x > 1, lambda: tf.constant("a")), (x > 2, lambda: tf.constant("b"))])
    return [a, b, *c, d]


def case_of_no_list(tf):
    tf.case(3)


def case_of_no_pairs(tf):
    tf.case([1, 2])


def case_of_python_bools(tf):
    tf.case([(True, lambda: 1)])


def case_of_no_functions(tf):
    tf.case([(_p(tf), 3)])


def case_of_a_default_that_is_none(tf):
    tf.case([(_p(tf), lambda: 1)], default=3)


def exclusive_case_of_a_dict(tf):
    x = tf.placeholder_with_default(3.0, [])
    tf.case({x < 1: lambda: x, x > 2: lambda: -x})
    return None


def loops(tf):
    a = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])
    b, c = tf.while_loop(lambda i, j: i < 3, lambda i, j: (i + 1, j * 2.0), [0, 1.0], name="two")
    d = tf.while_loop(lambda i, t: i < 2, lambda i, t: (i + 1, tf.concat([t, t], 0)), [0, tf.ones([1])],
                      shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])[1]  # fmt: skip
    e = tf.while_loop(lambda i: True, lambda i: i + 1, [0], maximum_iterations=4)
    f = tf.while_loop(lambda i: i < 3, lambda i: [i + 1], [0], parallel_iterations=1, back_prop=False, return_same_structure=True)
    return [a, b, c, d, e, f[0]]


loops.values_only = True


def loop_without_variables(tf):
    tf.while_loop(lambda: True, lambda: None, [])


def loop_of_no_condition(tf):
    tf.while_loop(3, lambda i: i, [0])


def loop_of_no_body(tf):
    tf.while_loop(lambda i: i < 3, 3, [0])


def loop_with_another_number_of_results(tf):
    tf.while_loop(lambda i, j: i < 3, lambda i, j: (i + 1,), [0, 1])


def loop_of_another_shape(tf):
    tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, tf.concat([t, t], 0)), [0, tf.ones([1])])


def loop_of_another_type(tf):
    tf.while_loop(lambda i: i < 3, lambda i: tf.cast(i, tf.float32), [0])


def loop_with_no_iterations_at_once(tf):
    tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], parallel_iterations=0)


def loop_with_a_bad_invariant(tf):
    tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], shape_invariants=[[]])


def orders(tf):
    x, y = tf.constant(1.0), tf.constant(2.0)
    with tf.control_dependencies([x, y.op]):
        z = tf.identity(x)
        with tf.control_dependencies(None):
            w = tf.identity(y)
    tf.group(x, y, name="g")
    tf.group([x, [y]])
    tf.group()
    a, b = tf.tuple([x, y])
    c = tf.tuple([x, None], name="t", control_inputs=[y.op])[0]
    return [z, w, a, b, c]


def group_of_a_number(tf):
    tf.group(3)


def group_with_another_keyword(tf):
    tf.group(tf.constant(1), other=3)


def tuple_of_nothing(tf):
    tf.tuple([None])


def dependencies_on_a_number(tf):
    with tf.control_dependencies([3]):
        tf.constant(1)


def maps(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    return [
        tf.map_fn(lambda v: v * 2, x), tf.map_fn(lambda v: (v, v + 1), x, dtype=(tf.float32, tf.float32))[1],
        tf.scan(lambda a, v: a + v, x), tf.foldl(lambda a, v: a - v, x), tf.foldr(lambda a, v: a - v, x, initializer=1.0),
        tf.scan(lambda a, v: (a[0] + v, v), x, initializer=(0.0, 0.0))[0], tf.map_fn(lambda v: v[0] + v[1], (x, x), dtype=tf.float32),
    ]  # fmt: skip


maps.values_only = True


def map_of_a_scalar(tf):
    tf.map_fn(lambda x: x, tf.constant(1))
