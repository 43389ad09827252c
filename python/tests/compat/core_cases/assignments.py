"""What assignments to resource variables leave: variables that are read behind them."""


def _resource(tf, value, name=None):
    return tf.Variable(value, use_resource=True, name=name)


def left(tf):
    v = _resource(tf, [1.0, 2.0], "v")
    made = [
        v.assign([3.0, 4.0], name="a"), v.assign_add([1.0, 1.0], name="b"), v.assign_sub([1.0, 1.0], name="c"),
        tf.assign(v, [5.0, 6.0]), tf.assign_add(v, [1.0, 1.0]), tf.assign_sub(v, [1.0, 1.0]),
        tf.scatter_update(v, [0], [9.0]), v.scatter_add(tf.IndexedSlices(tf.constant([1.0]), tf.constant([1]))),
        v.scatter_nd_update([[0]], [8.0]), v[1:].assign([7.0]),
    ]  # fmt: skip
    for each, op in zip(made, ["AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp"]):
        assert not isinstance(each, tf.Tensor) and each.op.type == op
        assert each.name == each.op.name, each.name
        assert each.handle is v.handle and each.shape == v.shape and each.dtype == v.dtype
    return None


def read(tf):
    v = _resource(tf, 1.0)
    up = v.assign_add(2.0)
    reads = [up.value(), up.read_value(), tf.identity(up), up * 2.0, tf.convert_to_tensor(up)]
    with tf.control_dependencies([up]):
        reads.append(tf.constant(1.0))
    with tf.control_dependencies([v]):
        reads.append(tf.constant(1.0))
    return [tf.group(up), *reads[:2]]


def fetched(tf):
    return [_resource(tf, 1.0).assign_add(2.0), _resource(tf, [1.0, 2.0]).assign([5.0, 6.0])]


def again(tf):
    v = _resource(tf, [1.0, 2.0])
    first = v.assign([3.0, 4.0])
    second = first.assign_add([1.0, 1.0])
    third = second.scatter_sub(tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])))
    return [third.read_value()]


def operations(tf):
    v, w = _resource(tf, 1.0, "v"), tf.Variable(1.0, name="w")
    made = [each.assign(2.0, read_value=False) for each in (v, w)]
    made += [each.assign_add(2.0, read_value=False) for each in (v, w)]
    made += [each.assign_sub(2.0, read_value=False) for each in (v, w)]
    assert all(isinstance(each, tf.Operation) for each in made)
    return None


def in_a_branch(tf):
    v = _resource(tf, 1.0, "v")
    return [tf.cond(tf.constant(True), lambda: v.assign(2.0), lambda: v.assign_add(5.0))]


def in_a_loop(tf):
    v = _resource(tf, 1.0, "v")
    return [tf.while_loop(lambda x: x < 9.0, lambda x: v.assign_add(x), [1.0])]
