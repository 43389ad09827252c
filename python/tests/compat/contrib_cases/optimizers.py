"""Cases of tf.contrib.opt, optimize_loss and create_train_op."""


def _model(tf, resource=False):
    x = tf.constant([[1.0, 2.0], [3.0, -1.0]])
    w = tf.get_variable("w", initializer=tf.constant([[0.5], [1.0]]), use_resource=resource)
    b = tf.get_variable("b", initializer=tf.constant([0.25]), use_resource=resource)
    return tf.reduce_mean(tf.square(tf.matmul(x, w) + b)), [w, b]


def _rows(tf, resource=False):
    table = tf.get_variable("table", initializer=tf.ones([4, 2]), use_resource=resource)
    rows = tf.nn.embedding_lookup(table, tf.constant([0, 2, 2]))
    return tf.reduce_sum(tf.square(rows)), [table]


def _behind(tf, train, variables):
    with tf.control_dependencies([train]):
        return [tf.identity(variable.read_value()) for variable in variables]


def _steps(tf, optimizer, resource=False, model=_model):
    loss, variables = model(tf, resource)
    return _behind(tf, optimizer.minimize(loss), variables)


def lazy_adam(tf, contrib):
    return _steps(tf, contrib.opt.LazyAdamOptimizer(0.1), model=_rows)


def lazy_adam_of_resources(tf, contrib):
    return _steps(tf, contrib.opt.LazyAdamOptimizer(0.1), True, _rows)


def lazy_adam_dense(tf, contrib):
    return _steps(tf, contrib.opt.LazyAdamOptimizer(learning_rate=tf.constant(0.1)))


def nadam(tf, contrib):
    return _steps(tf, contrib.opt.NadamOptimizer(0.1))


def nadam_of_rows(tf, contrib):
    return _steps(tf, contrib.opt.NadamOptimizer(0.1), model=_rows)


def lars(tf, contrib):
    return _steps(tf, contrib.opt.LARSOptimizer(0.1, weight_decay=0.01, skip_list=["b"]))


def lars_of_resources(tf, contrib):
    return _steps(tf, contrib.opt.LARSOptimizer(0.1, use_nesterov=True), True)


def lars_of_negative_momentum(tf, contrib):
    return contrib.opt.LARSOptimizer(0.1, momentum=-1.0)


def adam_w(tf, contrib):
    return _steps(tf, contrib.opt.AdamWOptimizer(0.01, 0.1))


def adam_w_of_resources(tf, contrib):
    return _steps(tf, contrib.opt.AdamWOptimizer(0.01, 0.1), True)


def momentum_w_of_some(tf, contrib):
    loss, variables = _model(tf)
    optimizer = contrib.opt.MomentumWOptimizer(0.01, 0.1, 0.9)
    return _behind(tf, optimizer.minimize(loss, decay_var_list=variables[:1]), variables)


def extended(tf, contrib):
    extended = contrib.opt.extend_with_decoupled_weight_decay(tf.train.AdagradOptimizer)
    return _steps(tf, extended(weight_decay=0.01, learning_rate=0.1), model=_rows)


def moving_averages(tf, contrib):
    loss, variables = _model(tf)
    optimizer = contrib.opt.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(0.1), 0.9)
    train = optimizer.minimize(loss)
    optimizer.swapping_saver()
    return _behind(tf, train, variables)


def saver_before_the_step(tf, contrib):
    optimizer = contrib.opt.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(0.1))
    return optimizer.swapping_saver()


def clipped_variables(tf, contrib):
    loss, variables = _model(tf)
    inner = tf.train.GradientDescentOptimizer(0.1)
    optimizer = contrib.opt.VariableClippingOptimizer(inner, {variables[0]: [0]}, 0.5)
    return _behind(tf, optimizer.minimize(loss), variables)


def clipped_rows(tf, contrib):
    loss, variables = _rows(tf)
    inner = tf.train.GradientDescentOptimizer(0.1)
    optimizer = contrib.opt.VariableClippingOptimizer(inner, {variables[0]: [1]}, 0.5)
    return _behind(tf, optimizer.minimize(loss), variables)


def scipy_interface(tf, contrib):
    loss, variables = _model(tf)
    contrib.opt.ScipyOptimizerInterface(
        loss, equalities=[variables[1][0]], var_to_bounds={variables[0]: (-1.0, 1.0)}
    )


def optimize_loss(tf, contrib):
    loss, variables = _model(tf)
    step = tf.train.get_or_create_global_step()
    train = contrib.layers.optimize_loss(loss, step, 0.1, "SGD")
    return _behind(tf, train, [*variables, step])


def optimize_loss_with_everything(tf, contrib):
    loss, variables = _model(tf)
    step = tf.train.get_or_create_global_step()
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, tf.no_op(name="update"))
    train = contrib.layers.optimize_loss(
        loss,
        step,
        tf.constant(0.1),
        tf.train.AdamOptimizer,
        gradient_multipliers={"w:0": 0.5, variables[1]: 2.0},
        clip_gradients=1.0,
        learning_rate_decay_fn=lambda rate, step: tf.train.exponential_decay(rate, step, 10, 0.9),
        summaries=["learning_rate", "loss", "gradients", "gradient_norm"],
        name="mine",
        colocate_gradients_with_ops=True,
    )
    return _behind(tf, train, variables)


def optimize_loss_of_rows(tf, contrib):
    loss, variables = _rows(tf)
    train = contrib.layers.optimize_loss(
        loss,
        tf.train.create_global_step(),
        None,
        lambda: tf.train.MomentumOptimizer(0.1, 0.9),
        clip_gradients=contrib.layers.optimizers.adaptive_clipping_fn(report_summary=True, static_max_norm=2.0),
        summaries=[],
        increment_global_step=False,
    )
    return _behind(tf, train, variables)


def optimize_loss_by_unknown_name(tf, contrib):
    loss, _ = _model(tf)
    contrib.layers.optimize_loss(loss, tf.train.create_global_step(), 0.1, "Best")


def optimize_loss_without_rate(tf, contrib):
    loss, _ = _model(tf)
    contrib.layers.optimize_loss(loss, tf.train.create_global_step(), None, "Adam")


def optimize_loss_with_an_integer(tf, contrib):
    loss, _ = _model(tf)
    contrib.layers.optimize_loss(loss, tf.train.create_global_step(), 1, "Adam")


def optimize_loss_with_unknown_summary(tf, contrib):
    loss, _ = _model(tf)
    contrib.layers.optimize_loss(loss, tf.train.create_global_step(), 0.1, "Adam", summaries=["all"])


def create_train_op(tf, contrib):
    loss, variables = _model(tf)
    train = contrib.slim.learning.create_train_op(
        loss,
        tf.train.GradientDescentOptimizer(0.1),
        clip_gradient_norm=0.5,
        gradient_multipliers={"w": 0.5},
        summarize_gradients=True,
    )
    return _behind(tf, train, variables)


def create_train_op_with_updates(tf, contrib):
    x = contrib.layers.batch_norm(tf.constant([[1.0, 2.0], [3.0, 5.0]]), center=True)
    loss = tf.reduce_sum(x * x)
    return contrib.slim.learning.create_train_op(
        loss, tf.train.AdamOptimizer(0.1), global_step=None, check_numerics=False
    )


def create_train_op_of_rows(tf, contrib):
    loss, variables = _rows(tf)
    train = contrib.training.create_train_op(
        loss,
        tf.train.GradientDescentOptimizer(0.1),
        transform_grads_fn=contrib.training.clip_gradient_norms_fn(1.0),
        variables_to_train=variables,
        summarize_gradients=True,
    )
    return _behind(tf, train, variables)
