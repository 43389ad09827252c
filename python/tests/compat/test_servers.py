"""Clusters, servers, devices of replicas, and optimizers of several replicas."""

import threading

import pytest

import kiln.compat.v1 as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def test_a_cluster_has_jobs_with_tasks():
    spec = tf.train.ClusterSpec({"ps": ["a:1", "b:2"], "worker": {1: "c:3", 3: "d:4"}})
    assert spec.jobs == ["ps", "worker"] and spec.num_tasks("worker") == 2
    assert spec.as_dict() == {"ps": ["a:1", "b:2"], "worker": {1: "c:3", 3: "d:4"}}
    assert spec.job_tasks("worker") == [None, "c:3", None, "d:4"]
    assert spec.task_indices("worker") == [1, 3] and spec.task_address("ps", 1) == "b:2"
    assert repr(spec) == "ClusterSpec({'ps': ['a:1', 'b:2'], 'worker': {1: 'c:3', 3: 'd:4'}})"
    again = tf.train.ClusterSpec(spec.as_cluster_def())
    assert again.as_dict() == spec.as_dict() == tf.train.ClusterSpec(spec).as_dict()
    assert spec and not tf.train.ClusterSpec({})
    with pytest.raises(ValueError, match="No such job in cluster: 'x'"):
        spec.num_tasks("x")
    with pytest.raises(ValueError, match="No task with index 2 in job 'worker'"):
        spec.task_address("worker", 2)
    with pytest.raises(TypeError, match="`cluster` must be a dictionary mapping"):
        tf.train.ClusterSpec("x")
    with pytest.raises(TypeError, match="The tasks for job 'ps' must be a list or a dictionary"):
        tf.train.ClusterSpec({"ps": "a:1"})


def test_sessions_of_a_server_share_variables():
    variable = tf.Variable(1.0)
    grow = tf.assign_add(variable, 1.0)
    server = tf.train.Server.create_local_server()
    assert server.target.startswith("grpc://localhost:")
    assert server.server_def.job_name == "localhost" and server.server_def.protocol == "grpc"
    with tf.Session(server.target) as session:
        session.run(variable.initializer)
        session.run(grow)
    with tf.Session(server.target) as session:
        assert session.run(variable) == 2.0
    with tf.Session(tf.train.Server.create_local_server().target) as session:
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(variable)
    tf.Session.reset(server.target)
    with tf.Session(server.target) as session:
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(variable)


def test_the_limit_of_a_server_holds_for_sessions_without_one():
    config = tf.ConfigProto(operation_timeout_in_ms=200)
    server = tf.train.Server.create_local_server(config=config)
    taken = tf.FIFOQueue(1, tf.float32).dequeue()
    with tf.Session(server.target) as session, pytest.raises(tf.errors.DeadlineExceededError):
        session.run(taken)


def test_a_cluster_of_one_task_is_this_process():
    x = tf.constant(2)
    cluster = tf.train.ClusterSpec({"local": ["localhost:2222"]})
    server = tf.train.Server(cluster)
    assert server.target == "grpc://localhost:2222"
    with tf.train.MonitoredTrainingSession(master=server.target) as session:
        assert session.run(x) == 2
    several = {"ps": ["localhost:2223"], "worker": ["localhost:2224"]}
    with pytest.raises(tf.errors.UnimplementedError, match="a cluster of 2 tasks needs several processes or machines"):
        tf.train.Server(several, job_name="worker", task_index=0)
    with pytest.raises(ValueError, match="Must specify an explicit `job_name`."):
        tf.train.Server(several)
    with pytest.raises(TypeError, match="Could not convert `server_or_cluster_def`"):
        tf.train.Server("x")
    with pytest.raises(tf.errors.UnimplementedError, match="is another one"):
        tf.Session("grpc://elsewhere:2222")


def test_one_replica_trains_synchronized():
    weight = tf.get_variable("w", [], initializer=tf.zeros_initializer())
    loss, step = tf.square(weight - 1.0), tf.train.get_or_create_global_step()
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.25), 1)
    with pytest.raises(ValueError, match="Should be called after apply_gradients"):
        optimizer.get_chief_queue_runner()
    train_op = optimizer.minimize(loss, step)
    hooks = [optimizer.make_session_run_hook(is_chief=True), tf.train.StopAtStepHook(last_step=6)]
    # The thread that makes the steps waits for a gradient until the session is closed.
    with tf.train.MonitoredTrainingSession(hooks=hooks, stop_grace_period_secs=0) as session:
        while not session.should_stop():
            session.run(train_op)
        assert session._tf_sess().run(step) == 6
        value = session._tf_sess().run(weight)
    assert value == 1 - 0.5**6


def test_two_replicas_make_a_step_of_their_mean():
    x = tf.placeholder(tf.float32, [])
    weight = tf.get_variable("w", [], initializer=tf.zeros_initializer())
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(1.0), 2)
    train_op = optimizer.minimize(weight * x, step)
    initial, local = tf.global_variables_initializer(), optimizer.chief_init_op
    tokens, runner = optimizer.get_init_tokens_op(0), optimizer.get_chief_queue_runner()
    coordinator = tf.train.Coordinator()
    with tf.Session() as session:
        session.run(initial)
        session.run([local, tokens])
        threads = runner.create_threads(session, coordinator, daemon=True, start=True)
        replicas = [
            threading.Thread(target=session.run, args=(train_op, {x: value})) for value in (1.0, 3.0)
        ]
        for replica in replicas:
            replica.start()
        for replica in replicas:
            replica.join(60)
        assert session.run([weight, step]) == [-2.0, 1]
        coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=0, ignore_live_threads=True)


def test_variables_are_on_parameter_servers_one_after_the_other():
    cluster = tf.train.ClusterSpec({"ps": ["a:1", "b:2"], "worker": ["c:3"]})
    with tf.device(tf.train.replica_device_setter(cluster=cluster)):
        v, w = tf.Variable([1.0], name="v"), tf.Variable([2.0], name="w")
        total = v + w
    assert [v.device, w.device] == ["/job:ps/task:0", "/job:ps/task:1"]
    assert v.initializer.device == "/job:ps/task:0" and total.device == "/job:worker"
    with tf.device(
        tf.train.replica_device_setter(1, worker_device="/job:worker/task:3", ps_ops=["Const"])
    ):
        with tf.device("/cpu:0"):
            constant = tf.constant(1)
        assert constant.device == "/job:ps/task:0/device:CPU:0"
        assert tf.identity(constant).device == "/job:worker/task:3"
    assert tf.train.replica_device_setter(0) is None
    with pytest.raises(TypeError, match="ps_strategy must be callable"):
        tf.train.replica_device_setter(1, ps_strategy=1)


def test_a_function_says_where_operations_are(graph):
    seen = []

    def place(op):
        seen.append((op.type, op.name, op.device, op.outputs[0].shape.as_list()))
        return tf.DeviceSpec(job="a") if op.type == "Const" else "/job:b" + op.device

    with tf.device("/task:7"), tf.device(place):
        x = tf.constant([1.0, 2.0], name="x")
        with graph.device("/gpu:1"):
            y = tf.square(x, name="y")
        with tf.device(""):
            z = tf.square(x, name="z")
        with tf.device(None):
            free = tf.square(x)
        with tf.colocate_with(x):
            beside = tf.square(x)
    assert seen == [
        ("Const", "x", "", [2]), ("Square", "y", "/device:GPU:1", [2]), ("Square", "z", "", [2])
    ]  # fmt: skip
    assert [each.device for each in (x, y, z, free, beside)] == [
        "/job:a/task:7", "/job:b/task:7/device:GPU:1", "/job:b/task:7", "", "/job:a/task:7"
    ]  # fmt: skip
    with tf.device(lambda op: None), pytest.raises(TypeError):
        tf.constant(1)
