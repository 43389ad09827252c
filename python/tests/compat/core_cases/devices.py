"""Devices, containers, colocation."""


def functions(tf):
    def by_type(op):
        return "/job:ps/task:1" if op.type in ("VariableV2", "Const") else "/job:worker"

    with tf.device(by_type):
        v = tf.Variable([1.0], name="v")
        with tf.device("/cpu:0"):
            tf.identity(v)
        w = tf.get_variable("w", [2], use_resource=True)
    tf.identity(w)
    return None


def functions_around_names(tf):
    with tf.device("/job:worker"):
        with tf.device(lambda op: op.device + "/task:3"):
            tf.constant(1, name="a")
            with tf.device("/device:CPU:1"):
                tf.constant(1, name="b")
            with tf.device(None):
                tf.constant(1, name="c")
                with tf.device("/task:7"):
                    tf.constant(1, name="d")
            with tf.device(""):
                tf.constant(1, name="e")
    return None


def functions_that_give_specs(tf):
    with tf.device(lambda op: tf.DeviceSpec(job="ps", device_type="CPU", device_index=0)):
        tf.constant(1)
    with tf.device(tf.DeviceSpec(job="worker")), tf.device(tf.DeviceSpec(task=2)):
        tf.constant(2)
    return None


def functions_see_the_operation(tf):
    with tf.device(lambda op: f"/task:{len(op.inputs)}" if "add" in op.name else "/task:9"):
        x = tf.constant(1.0)
        tf.add(x, x, name="add")
        tf.group(x, name="all")
    return None


def functions_and_colocation(tf):
    with tf.device("/cpu:1"):
        a = tf.constant(1, name="a")
    with tf.device(lambda op: "/task:5"):
        with tf.colocate_with(a):
            tf.constant(2, name="b")
            with tf.device("/cpu:3"):
                tf.constant(2, name="c")
    return None


def functions_and_control_flow(tf):
    with tf.device(lambda op: "/device:CPU:1" if op.type != "Const" else ""):
        x = tf.constant(1.0)
        y = tf.cond(x > 0, lambda: x + 1, lambda: x - 1)
        z = tf.while_loop(lambda i: i < 3.0, lambda i: i + y, [x])
    assert y.graph is z.graph
    return None


def functions_and_gradients(tf):
    with tf.device(lambda op: "/device:CPU:0"):
        x = tf.constant([1.0, 2.0])
        y = tf.reduce_sum(x * x)
    return tf.gradients(y, x)


def empty_names_change_nothing(tf):
    with tf.device("/cpu:0"), tf.device(""):
        tf.constant(1)
    return None


def containers(tf):
    with tf.container("a") as name:
        v = tf.Variable([1.0], name=f"v_{name}")
        q = tf.FIFOQueue(3, [tf.float32], name="q")
        with tf.container(""):
            tf.Variable([1.0], name="w")
        with tf.container("b"):
            tf.get_variable("r", [2], initializer=tf.zeros_initializer(), use_resource=True)
        tf.constant(1)
    assert v.op.get_attr("container") == b"a" and q.name
    return None


def imported(tf):
    with tf.Graph().as_default() as other:
        with tf.device("/cpu:1"):
            a = tf.constant(1, name="a")
        b = tf.identity(a, name="b")
        with tf.colocate_with(a):
            tf.constant(2, name="c")
    with tf.device("/job:worker/cpu:0"):
        tf.import_graph_def(other.as_graph_def(), name="one")
    with tf.device(lambda op: op.device + "/task:1"):
        tf.import_graph_def(other.as_graph_def(), name="two")
    assert b.graph is other
    return None


def no_device(tf):
    with tf.device("/nothing:x:y"):
        tf.constant(1)
