"""Cases of tf.gradients."""


def _x(tf, *shape, seed=3):
    return tf.random_uniform(shape or (3, 4), 0.2, 0.9, seed=seed)


def _of(tf, function, *inputs):
    return [each for each in tf.gradients(function(*inputs), inputs) if each is not None]


def elementwise(tf, contrib):
    x = _x(tf)
    functions = [
        tf.exp, tf.log, tf.sqrt, tf.rsqrt, tf.square, tf.sigmoid, tf.tanh, tf.sin, tf.cos, tf.tan, tf.asin, tf.acos,
        tf.atan, tf.sinh, tf.cosh, tf.asinh, tf.atanh, tf.abs, tf.sign, tf.negative, tf.reciprocal, tf.erf, tf.erfc,
        tf.lgamma, tf.digamma, tf.expm1, tf.log1p, tf.floor, tf.round, tf.log_sigmoid, tf.identity, tf.stop_gradient,
    ]  # fmt: skip
    made = []
    for function in functions:
        made += _of(tf, function, x)
    return made


def of_two(tf, contrib):
    made = []
    pairs = [(_x(tf), _x(tf, seed=4)), (_x(tf), _x(tf, 4, seed=4)), (_x(tf, 3, 1), _x(tf, 1, 4, seed=4))]
    functions = [
        tf.add, tf.subtract, tf.multiply, tf.divide, tf.maximum, tf.minimum, tf.pow, tf.squared_difference, tf.floordiv,
        tf.mod, tf.atan2, tf.div_no_nan, tf.truediv,
    ]  # fmt: skip
    for x, y in pairs:
        for function in functions:
            made += _of(tf, function, x, y)
    return made


def special_of_two(tf, contrib):
    x, y = _x(tf), _x(tf, seed=4)
    return _of(tf, tf.igamma, x, y) + _of(tf, tf.zeta, x + 2.0, y)


def of_two_unknown_extents(tf, contrib):
    x, y = tf.placeholder_with_default(_x(tf), [None, 4]), tf.placeholder_with_default(_x(tf, 4), [None])
    made = []
    for function in [tf.add, tf.subtract, tf.multiply, tf.divide, tf.maximum, tf.pow, tf.squared_difference]:
        made += _of(tf, function, x, y)
    return made


def reductions(tf, contrib):
    x = _x(tf)
    made = []
    for function in [tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min, tf.reduce_logsumexp]:
        made += _of(tf, function, x)
        made += _of(tf, lambda x, function=function: function(x, 1), x)
        made += _of(tf, lambda x, function=function: function(x, -1, keepdims=True), x)
    made += _of(tf, lambda x: tf.norm(x), x) + _of(tf, lambda x: tf.cumsum(x, 1), x) + _of(tf, lambda x: tf.cumprod(x, 1), x)
    return made + _of(tf, lambda x: tf.nn.moments(x, [0])[1], x) + _of(tf, lambda x: tf.global_norm([x]), x)


def products(tf, contrib):
    x = _x(tf)
    made = _of(tf, tf.reduce_prod, x) + _of(tf, lambda x: tf.reduce_prod(x, 1), x)
    return made + _of(tf, lambda x: tf.reduce_prod(x, -1, keepdims=True), x)


def reductions_of_unknown_extents(tf, contrib):
    x = tf.placeholder_with_default(_x(tf), [None, 4])
    made = []
    for function in [tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_prod, tf.reduce_logsumexp]:
        made += _of(tf, function, x)
        made += _of(tf, lambda x, function=function: function(x, 1), x)
        made += _of(tf, lambda x, function=function: function(x, 0, keepdims=True), x)
    return made


def shapes(tf, contrib):
    x, y = _x(tf), _x(tf, seed=4)
    unknown = tf.placeholder_with_default(x, [None, 4])
    made = []
    for x in [x, unknown]:
        for function in [
            lambda x: tf.reshape(x, [4, 3]), tf.transpose, lambda x: tf.transpose(x[None], [2, 0, 1]), lambda x: x[1:, ::2],
            lambda x: x[..., tf.newaxis], lambda x: x[:, 1], lambda x: tf.expand_dims(x, 1), lambda x: tf.squeeze(x[None]),
            lambda x: tf.tile(x, [2, 1]), lambda x: tf.pad(x, [[1, 1], [0, 2]]), lambda x: tf.pad(x, [[1, 1], [0, 2]], "REFLECT"),
            lambda x: tf.slice(x, [0, 1], [2, 2]), lambda x: tf.reverse(x, [1]), lambda x: tf.stack([x, y], 1),
            lambda x: tf.unstack(x, axis=1)[1], lambda x: tf.split(x, 2, 1)[1], lambda x: tf.split(x, [1, 3], 1)[0],
            lambda x: tf.concat([x, y], 0), lambda x: tf.concat([x, y], -1), lambda x: tf.broadcast_to(x, [2, 3, 4]),
            lambda x: tf.cast(tf.cast(x, tf.float64), tf.float32), lambda x: tf.matrix_transpose(x), lambda x: tf.roll(x, 1, 0),
            lambda x: tf.fill([2, 2], x[0, 0]), lambda x: tf.where(x > 0.5, x, y), lambda x: tf.boolean_mask(x, [True, False, True]),
            lambda x: tf.concat([x] * 18, 1), lambda x: tf.reverse_sequence(x, [1, 2, 4], 1), lambda x: tf.linalg.diag_part(x[:, :3]),
        ]:  # fmt: skip
            made += _of(tf, function, x)
    return made


def gathers(tf, contrib):
    x = _x(tf, 5, 4)
    made = []
    for function in [
        lambda x: tf.convert_to_tensor(tf.gather(x, [1, 1, 3])), lambda x: tf.gather_nd(x, [[1, 2], [0, 0]]),
        lambda x: tf.scatter_nd([[1], [3], [0], [2], [4]], x, [6, 4]),
        lambda x: tf.segment_sum(x, [0, 0, 1, 2, 2]), lambda x: tf.unsorted_segment_sum(x, [0, 2, 1, 0, 2], 3), lambda x: tf.segment_mean(x, [0, 0, 1, 2, 2]),
        lambda x: tf.unsorted_segment_max(x, [0, 2, 1, 0, 2], 3), lambda x: tf.nn.top_k(x, 2)[0], lambda x: tf.dynamic_partition(x, [0, 1, 0, 1, 1], 2)[1],
        lambda x: tf.dynamic_stitch([[0, 2], [1, 3]], [x[:2], x[2:4]]), lambda x: tf.tensor_scatter_update(x, [[1]], x[:1]),
        lambda x: tf.space_to_depth(x[None, :4, :, None], 2), lambda x: tf.space_to_batch_nd(x[None, :4, :, None], [2, 2], [[0, 0], [0, 0]]),
    ]:  # fmt: skip
        made += [tf.convert_to_tensor(each) for each in _of(tf, function, x)]
    return made


def gathers_along_axes(tf, contrib):
    x = _x(tf, 5, 4)
    made = _of(tf, lambda x: tf.gather(x, [[1], [2]], axis=1), x)
    return made + _of(tf, lambda x: tf.gather(x, [[0, 1]] * 5, batch_dims=1, axis=1), x)


def matrices(tf, contrib):
    x, y = _x(tf, 3, 3), _x(tf, 3, 3, seed=4)
    positive = tf.matmul(x, x, transpose_b=True) + tf.eye(3)
    stacked = _x(tf, 2, 3, 3)
    made = []
    for function in [
        tf.matmul, lambda x, y: tf.matmul(x, y, transpose_a=True), lambda x, y: tf.matmul(x, y, transpose_b=True),
        lambda x, y: tf.tensordot(x, y, 1), lambda x, y: tf.linalg.solve(x, y), lambda x, y: tf.linalg.triangular_solve(x, y),
        lambda x, y: tf.linalg.triangular_solve(x, y, lower=False, adjoint=True), lambda x, y: tf.einsum("ij,jk->ik", x, y),
        lambda x, y: tf.einsum("ij,kj->ki", x, y), lambda x, y: tf.einsum("ij,ij->i", x, y),
    ]:  # fmt: skip
        made += _of(tf, function, x, y)
    for function in [tf.linalg.inv, tf.linalg.det, tf.trace, lambda x: tf.linalg.band_part(x, 1, 0), lambda x: tf.linalg.diag_part(x)]:
        made += _of(tf, function, x)
    made += _of(tf, tf.cholesky, positive) + _of(tf, lambda x: tf.linalg.logdet(x), positive)
    made += _of(tf, lambda x: tf.linalg.cholesky_solve(tf.cholesky(x), y), positive)
    made += _of(tf, lambda x, y: tf.matmul(x, y), stacked, _x(tf, 2, 3, 3, seed=5))
    made += _of(tf, lambda x: tf.matmul(x, x, adjoint_a=True), stacked)
    return made + _of(tf, lambda x: tf.linalg.diag(x), y[0])


def decompositions(tf, contrib):
    x = _x(tf, 3, 3)
    positive = tf.matmul(x, x, transpose_b=True) + tf.eye(3)
    made = _of(tf, lambda x: tf.self_adjoint_eig(x)[0], positive)
    return made + _of(tf, lambda x: tf.svd(x, compute_uv=False), x)


def einsums(tf, contrib):
    x, y = _x(tf, 2, 3, 4), _x(tf, 2, 4, 5, seed=4)
    made = []
    for equation in ["bij,bjk->bik", "bij,bjk->bki", "...ij,...jk->...ik", "bij,bjk->b", "abc,acd->abcd"]:
        made += _of(tf, lambda x, y, equation=equation: tf.einsum(equation, x, y), x, y)
    for equation in ["bij->bji", "bij->b", "bij->ij"]:
        made += _of(tf, lambda x, equation=equation: tf.einsum(equation, x), x)
    unknown = tf.placeholder_with_default(x, [None, None, 4])
    return made + _of(tf, lambda x, y: tf.einsum("bij,bjk->bik", x, y), unknown, y)


def branches(tf, contrib):
    x, y = _x(tf), _x(tf, seed=4)
    unknown = tf.placeholder_with_default(True, [])
    made = _of(tf, lambda x, y: tf.cond(unknown, lambda: x * y, lambda: x + 1.0), x, y)
    made += _of(tf, lambda x: tf.case([(unknown, lambda: x * 2.0), (tf.logical_not(unknown), lambda: x)]), x)
    return made


def loops(tf, contrib):
    x, y = _x(tf), _x(tf, seed=4)

    def powers(x, y):
        return tf.while_loop(lambda i, z: i < 3, lambda i, z: (i + 1, z * y + tf.sin(x)), [0, x])[1]

    def nested(x, y):
        def body(i, z):
            return i + 1, tf.while_loop(lambda j, w: j < i, lambda j, w: (j + 1, w * y), [0, z])[1]

        return tf.while_loop(lambda i, z: i < 3, body, [0, x])[1]

    def chosen(x, y):
        def body(i, z):
            return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: z * y, lambda: tf.exp(z))

        return tf.while_loop(lambda i, z: i < 3, body, [0, x])[1]

    unknown = tf.placeholder_with_default(x, [None, 4])
    made = _of(tf, powers, x, y) + _of(tf, nested, x, y) + _of(tf, chosen, x, y) + _of(tf, powers, unknown, y)
    made += _of(tf, lambda x: tf.map_fn(lambda row: row * row, x), x)
    made += _of(tf, lambda x: tf.scan(lambda a, row: a * row, x), x)
    return made + _of(tf, lambda x: tf.foldl(lambda a, row: a + row * a, x), unknown)


def loops_over_rows(tf, contrib):
    table = tf.get_variable("table", [5, 4], initializer=tf.ones_initializer())
    total = tf.while_loop(lambda i, z: i < 3, lambda i, z: (i + 1, z + tf.gather(table, i)), [0, tf.zeros([4])])[1]
    return [tf.convert_to_tensor(each) for each in tf.gradients(total, table)]


def second(tf, contrib):
    x = _x(tf)
    made = []
    for function in [tf.sigmoid, tf.tanh, tf.sqrt, tf.exp, tf.nn.softmax, tf.nn.elu, tf.nn.softplus, tf.reciprocal]:
        first = tf.gradients(function(x), x)[0]
        made += tf.gradients(first, x)
    return made + tf.hessians(tf.reduce_sum(tf.pow(x[0], 3)), x)


def losses_of_classes(tf, contrib):
    x = _x(tf)
    hot = tf.one_hot([0, 3, 1], 4)
    made = _of(tf, lambda x: tf.nn.softmax_cross_entropy_with_logits_v2(labels=hot, logits=x), x)
    made += _of(tf, lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 3, 1], logits=x), x)
    made += _of(tf, lambda x: tf.nn.sigmoid_cross_entropy_with_logits(labels=hot, logits=x), x)
    made += _of(tf, lambda x: tf.nn.log_softmax(x), x) + _of(tf, lambda x: tf.clip_by_value(x, 0.3, 0.6), x)
    return made + _of(tf, lambda x: tf.clip_by_norm(x, 1.0), x)
