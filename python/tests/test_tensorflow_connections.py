"""kiln.tensorflow: callables whose inputs are other tensors, by which Keras runs models in graphs."""

import numpy as np
import pytest

from tensorflow_beside import on_kiln, same_as_tensorflow, tf

from tensorflow.core.protobuf import config_pb2
from tensorflow.python.keras import backend, layers, models, optimizer_v1


def options_of(feeds, fetches, targets, connections):
    options = config_pb2.CallableOptions(
        feed=[tensor.name for tensor in feeds], fetch=[tensor.name for tensor in fetches], target=[op.name for op in targets]
    )
    for source, target in connections:
        options.tensor_connection.add(from_tensor=source, to_tensor=target)
    return options


def test_a_connected_placeholder_beside_a_fed_one():
    def program():
        x, factor = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [])
        v = tf.Variable([1.0, 2.0])
        raised = tf.assign_add(v, x)
        with tf.Session() as session:
            session.run(v.initializer)
            options = options_of([factor], [x * 2 + factor, factor * 1], [raised.op], [((v * 10).name, x.name)])
            call = session._make_callable_from_options(options)
            return [call(np.float32(1)), call(np.float32(2)), session.run(v)]

    same_as_tensorflow(program)


def test_what_has_an_effect_runs_once():
    """Also where the connected tensor and the fetches both need it."""

    def program():
        queue = tf.FIFOQueue(9, tf.float32, [[]])
        fill, taken = queue.enqueue_many([np.arange(9, dtype="f4")]), queue.dequeue()
        x = tf.placeholder(tf.float32, [])
        noise = tf.random_uniform([2], seed=3) + taken
        with tf.Session() as session:
            session.run(fill)
            alone = session._make_callable_from_options(options_of([], [x * 2], [], [(taken.name, x.name)]))
            both = session._make_callable_from_options(options_of([], [x * 2 + taken, noise], [], [((noise[0] + taken).name, x.name)]))
            return [alone(), both(), alone(), both()]

    same_as_tensorflow(program)


def test_what_would_have_its_effect_twice_is_an_error(on_kiln):
    v = tf.Variable(1.0)
    x = tf.placeholder(tf.float32, [])
    added = tf.assign_add(v, 1.0)
    options = options_of([], [x * 2], [added.op], [((added * 2).name, x.name)])
    with tf.Session() as session:
        with pytest.raises(tf.errors.UnimplementedError, match="AssignAdd' on both"):
            session._make_callable_from_options(options)


@pytest.mark.parametrize("source, target, fetch", [("no:0", "x:0", "y:0"), ("one:0", "no:0", "y:0"), ("one:0", "x:0", "x:0")])
def test_errors_of_connections(source, target, fetch):
    def program():
        x = tf.placeholder(tf.float32, [], name="x")
        tf.multiply(x, 2.0, name="y")
        tf.constant(1.0, name="one")
        with tf.Session() as session:
            session.run("one:0")
            options = config_pb2.CallableOptions(fetch=[fetch])
            options.tensor_connection.add(from_tensor=source, to_tensor=target)
            try:
                session._make_callable_from_options(options)
            except tf.errors.OpError as error:
                return type(error).__name__, error.message

    assert same_as_tensorflow(program)


def test_a_keras_model_of_tensors():
    """Trained, asked and judged on arrays, on constants and on what queue runners bring."""
    rows = np.random.RandomState(0).rand(20, 3).astype("f4")
    labels = (rows @ [[1.0], [2.0], [3.0]]).astype("f4")

    def program():
        results = []
        for kind in ("arrays", "constants", "queue"):
            with tf.Graph().as_default(), tf.Session() as session:
                backend.set_session(session)
                model = models.Sequential([layers.Dense(4, activation="tanh", input_shape=(3,)), layers.Dense(1)])
                model.compile(optimizer_v1.Adam(0.05), "mse", metrics=["mae"])
                values = np.random.RandomState(1)
                model.set_weights([values.rand(*weight.shape) for weight in model.get_weights()])
                if kind == "arrays":
                    history = model.fit(rows, labels, batch_size=10, epochs=3, shuffle=False, verbose=0)
                elif kind == "constants":
                    history = model.fit(tf.constant(rows), tf.constant(labels), steps_per_epoch=2, epochs=3, verbose=0)
                else:
                    batch = tf.train.batch([tf.constant(rows), tf.constant(labels)], 10, enqueue_many=True)
                    coordinator = tf.train.Coordinator()
                    threads = tf.train.start_queue_runners(session, coordinator)
                    history = model.fit(*batch, steps_per_epoch=2, epochs=3, verbose=0)
                    coordinator.request_stop()
                    session.run(tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[0].cancel_op)
                    coordinator.join(threads, stop_grace_period_secs=30)
                results += [history.history["loss"], model.predict(rows[:3]), model.predict(tf.constant(rows), steps=1)]
                results += [np.array(model.evaluate(rows, labels, verbose=0)), model.get_weights()]
        return [np.array(value, "f4") if isinstance(value[0], float) else value for value in results]

    same_as_tensorflow(program, 1e-3)
