"""Containers of resources, and devices of imported nodes."""


def containers(tf):
    with tf.container("one"):
        tf.Variable(1.0, name="v")
        tf.get_variable("w", [2], use_resource=True, initializer=tf.zeros_initializer())
        with tf.container("two"):
            queue = tf.FIFOQueue(3, [tf.float32])
            tf.TextLineReader().read(tf.train.string_input_producer(["a"], num_epochs=1))
        tf.random_normal([2], seed=3)
        with tf.Graph().as_default():
            assert tf.Variable(1.0).op.get_attr("container") == b""
        with tf.container(""):
            tf.Variable(2.0, name="plain")
    assert queue.queue_ref.op.get_attr("container") == b"two"
    tf.Variable(3.0, name="last")
    return None


def containers_in_branches(tf):
    with tf.container("one"):
        tf.cond(tf.constant(True), lambda: tf.get_variable("x", [1]) * 2.0, lambda: tf.ones([1]))


def _pieces(tf):
    with tf.Graph().as_default() as graph:
        a = tf.constant(1.0, name="a")
        with tf.device("/cpu:0"):
            b = tf.identity(a, name="b")
        with tf.device("/job:worker"):
            c = tf.identity(b, name="c")
        with tf.colocate_with(b.op):
            tf.identity(c, name="d")
        with tf.colocate_with(a.op):
            tf.identity(c, name="e")
    return graph.as_graph_def()


def imported(tf):
    pieces = _pieces(tf)
    for device in ("/task:0", "/job:ps", "/device:GPU:0", None, ""):
        with tf.device("/replica:1"), tf.device(device):
            tf.import_graph_def(pieces)


def imported_by_functions(tf):
    asked = []

    def choose(op):
        asked.append((op.name, op.device))
        return "/job:ps" if op.type == "Const" else "/device:GPU:1"

    with tf.device("/task:3"), tf.device(choose), tf.device("/cpu:1"):
        tf.import_graph_def(_pieces(tf))
    assert [name for name, _ in asked] == ["import/a", "import/b", "import/c"], asked


def imported_without_its_neighbour(tf):
    pieces = _pieces(tf)
    del pieces.node[0]
    pieces.node[0].ClearField("input")
    pieces.node[0].op = "Placeholder"
    pieces.node[0].attr["dtype"].type = 1
    del pieces.node[0].attr["T"]
    tf.import_graph_def(pieces)


def imported_again_whole(tf):
    with tf.Graph().as_default() as graph:
        v = tf.Variable(1.0, name="v")
        tf.identity(v * 2.0, name="y")
        whole = tf.train.export_meta_graph(graph=graph, saver_def=tf.train.Saver().as_saver_def())
    with tf.device("/job:ps"), tf.name_scope("outer"):
        tf.train.import_meta_graph(whole)
        tf.train.import_meta_graph(whole)
        tf.train.import_meta_graph(whole, import_scope="inner")
        tf.train.import_meta_graph(whole, import_scope="inner", clear_devices=True)
