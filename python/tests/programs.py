"""TensorFlow 1 programs, as people wrote them: nothing here knows Kiln.

Run as a script it writes the values of all of them as JSON to the file that it is given.
"""

import json
import sys

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

random = np.random.RandomState(42)
ROWS = random.rand(200, 4).astype("f4")
LABELS = (ROWS @ [[1.0], [-2.0], [3.0], [0.5]] + 0.7).astype("f4")
WITH_BIAS = np.c_[np.ones((200, 1), "f4"), ROWS]


def normal_equation():
    x, y = tf.constant(WITH_BIAS), tf.constant(LABELS)
    xt = tf.transpose(x)
    theta = tf.matmul(tf.matmul(tf.matrix_inverse(tf.matmul(xt, x)), xt), y)
    with tf.Session() as session:
        return theta.eval()


def descend(make_update):
    x, y = tf.constant(WITH_BIAS, name="X"), tf.constant(LABELS, name="y")
    theta = tf.Variable(tf.random_uniform([5, 1], -1.0, 1.0, seed=42), name="theta")
    error = tf.matmul(x, theta) - y
    mse = tf.reduce_mean(tf.square(error), name="mse")
    update = make_update(x, theta, error, mse)
    init = tf.global_variables_initializer()
    with tf.Session() as session:
        session.run(init)
        history = []
        for epoch in range(100):
            if epoch % 20 == 0:
                history.append(mse.eval())
            session.run(update)
        return history + [theta.eval()]


def gradients_by_hand():
    return descend(lambda x, theta, error, mse: tf.assign(theta, theta - 0.1 * 2 / 200 * tf.matmul(tf.transpose(x), error)))


def gradients_by_autodiff():
    return descend(lambda x, theta, error, mse: tf.assign(theta, theta - 0.1 * tf.gradients(mse, [theta])[0]))


def gradients_by_an_optimizer():
    return descend(lambda x, theta, error, mse: tf.train.MomentumOptimizer(0.05, 0.9).minimize(mse))


# Those that Kiln has.
OPTIMIZERS = {
    "descent": lambda: tf.train.GradientDescentOptimizer(0.05),
    "momentum": lambda: tf.train.MomentumOptimizer(0.02, 0.9, use_nesterov=True),
    "adam": lambda: tf.train.AdamOptimizer(0.01),
}


def perceptrons(names=None):
    results = []
    for name in names or OPTIMIZERS:
        with tf.Graph().as_default(), tf.variable_scope(name):
            x = tf.placeholder(tf.float32, [None, 4], name="x")
            label = tf.placeholder(tf.int64, [None], name="label")
            w1 = tf.get_variable("w1", [4, 16], initializer=tf.random_normal_initializer(stddev=0.5, seed=1))
            b1 = tf.get_variable("b1", [16], initializer=tf.zeros_initializer())
            w2 = tf.get_variable("w2", [16, 2], initializer=tf.random_normal_initializer(stddev=0.5, seed=2))
            logits = tf.matmul(tf.nn.relu(tf.matmul(x, w1) + b1), w2)
            likelihoods = tf.one_hot(label, 2) * tf.log(tf.nn.softmax(logits))
            loss = -tf.reduce_mean(tf.reduce_sum(likelihoods, 1))
            accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), label), tf.float32))
            train = OPTIMIZERS[name]().minimize(loss)
            labels = (LABELS[:, 0] > LABELS.mean()).astype("i8")
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                for epoch in range(20):
                    for start in range(0, 200, 60):  # the last batch is smaller
                        batch = slice(start, start + 60)
                        session.run(train, feed_dict={x: ROWS[batch], label: labels[batch]})
                results.append(session.run([loss, accuracy, b1], {x: ROWS, label: labels}))
    return results


def queues_with_a_coordinator():
    queue = tf.FIFOQueue(10, [tf.float32], shapes=[[]])
    number = tf.Variable(0.0, use_resource=True)  # TensorFlow's queues hold a reference variable's own memory
    enqueue = queue.enqueue(number.assign_add(1.0, read_value=True))
    runner = tf.train.QueueRunner(queue, [enqueue])
    taken = queue.dequeue() * 2
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        coordinator = tf.train.Coordinator()
        threads = runner.create_threads(session, coord=coordinator, start=True)
        values = [session.run(taken) for _ in range(25)]
        coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=30)
    return values


def python_in_the_graph():
    seen = []

    def smooth(rows, factor):
        seen.append(rows.shape)
        return (rows + factor * rows.mean(0)).astype("f4")

    x, y = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 1])
    factor = tf.Variable(0.25)
    smoothed = tf.py_func(smooth, [x, factor], tf.float32)
    smoothed.set_shape([None, 4])
    w = tf.Variable(tf.zeros([4, 1]))
    loss = tf.reduce_mean(tf.square(tf.matmul(smoothed, w) - y))
    with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.05).minimize(loss, var_list=[w])]):
        train = tf.assign_add(factor, 0.01)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        history = []
        for epoch in range(5):
            for start in range(0, 200, 60):
                batch = slice(start, start + 60)
                history.append(session.run([loss, train], {x: ROWS[batch], y: LABELS[batch]})[0])
        return history + [w.eval(), seen]


def control_flow():
    n = tf.placeholder(tf.int32, [])
    _, total = tf.while_loop(lambda i, t: i < n, lambda i, t: (i + 1, t + tf.cast(i, tf.float32) ** 2), [0, 0.0])
    powers = tf.scan(lambda a, b: a * b, tf.fill([n], 2.0))
    squares = tf.map_fn(lambda v: v * v, tf.range(n))
    chosen = tf.cond(n > 3, lambda: total, lambda: -total)
    kind = tf.case([(n < 2, lambda: tf.constant("few")), (n < 5, lambda: tf.constant("some"))], lambda: tf.constant("many"))
    slope = tf.gradients(tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * v), [0, total])[1], total)[0]
    with tf.Session() as session:
        return [session.run([total, powers, squares, chosen, kind], {n: k}) for k in (1, 4, 7)] + [
            session.run(slope, {n: 3})
        ]


def monitored_session():
    step = tf.train.get_or_create_global_step()
    w = tf.get_variable("w", [4, 1], initializer=tf.zeros_initializer())
    x, y = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 1])
    loss = tf.losses.mean_squared_error(y, tf.matmul(x, w))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    seen = []

    class Watch(tf.train.SessionRunHook):
        def before_run(self, context):
            return tf.train.SessionRunArgs({"loss": loss, "step": step})

        def after_run(self, context, values):
            seen.append(values.results["loss"])

    hooks = [tf.train.StopAtStepHook(last_step=12), tf.train.NanTensorHook(loss), Watch()]
    with tf.train.MonitoredSession(hooks=hooks) as session:
        while not session.should_stop():
            session.run(train, {x: ROWS, y: LABELS})
    return seen


def sessions_with_operators():
    a = tf.Variable([1, 2, 3], name="a")
    b = tf.Variable(tf.ones([3], tf.int32) * 4, name="b", use_resource=True)
    with tf.control_dependencies([tf.assign(a, b.read_value() + a)]):
        less = b.assign_sub([1, 1, 1]).op
    with tf.control_dependencies([less]):
        after = tf.identity(a.read_value() * 10)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [session.run(after) for _ in range(3)] + session.run([a, b])


PROGRAMS = [
    normal_equation, gradients_by_hand, gradients_by_autodiff, gradients_by_an_optimizer, perceptrons,
    queues_with_a_coordinator, python_in_the_graph, control_flow, monitored_session, sessions_with_operators,
]


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return value.decode()
    return value.tolist() if hasattr(value, "tolist") else value


def main(path):
    results = {}
    for program in PROGRAMS:
        with tf.Graph().as_default():
            results[program.__name__] = plain(program())
    with open(path, "w") as file:
        json.dump(results, file)


if __name__ == "__main__":
    main(sys.argv[1])
