"""Parts of graphs exported as messages, and imported into others."""

import importlib


def _meta_graph(tf):
    ours = tf.__name__.startswith("kiln")
    return importlib.import_module(
        "kiln.compat.v1.train._scoped_meta_graphs" if ours else "tensorflow.python.framework.meta_graph"
    )


def _network(tf):
    """Two layers, the second of which takes from outside of its scope."""
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    with tf.name_scope("first"), tf.device("/cpu:0"):
        w = tf.Variable(tf.ones([2, 3]), name="w")
        h = tf.matmul(x, w, name="h")
    with tf.name_scope("second"):
        with tf.control_dependencies([x]):
            b = tf.Variable([1.0, 2.0, 3.0], name="b")
        with tf.colocate_with(w.op):
            beside = tf.identity(h, name="beside")
        with tf.colocate_with(b.op), tf.control_dependencies([w.initializer]):
            y = tf.add(beside, b, name="y")
    tf.add_to_collection("answers", y)
    tf.add_to_collection("answers", w)
    tf.add_to_collection("texts", "a text")
    return x, w, h, b, y


def _names(tf, message):
    """What a message says, as nodes of names without inputs."""
    for node in message.graph_def.node:
        inputs = ",".join(node.input).replace("^", ".").replace(":", ".").replace("$", "")
        places = ",".join(place.decode() for place in node.attr["_class"].list.s).replace(":@", ".")
        tf.constant(f"{node.name} {node.op} {inputs} {places} {node.device}", name="node")
    for key in sorted(message.collection_def):
        tf.constant(f"{key} {message.collection_def[key].WhichOneof('kind')}", name="collection")
        values = message.collection_def[key].node_list.value or message.collection_def[key].bytes_list.value
        if key in ("answers", "texts", "unbound_inputs", "inputs_of_it"):
            tf.constant([tf.compat.as_str(value) for value in values], name=key)
    tf.constant(sorted(op.name for op in message.meta_info_def.stripped_op_list.op), name="ops")


def exported_scope(tf):
    with tf.Graph().as_default() as graph:
        _network(tf)
    message, variables = _meta_graph(tf).export_scoped_meta_graph(graph=graph, export_scope="second")
    assert sorted(variables) == ["b:0"]
    _names(tf, message)


def exported_scope_without_devices(tf):
    with tf.Graph().as_default() as graph:
        _network(tf)
    message = tf.train.export_meta_graph(graph=graph, export_scope="first", clear_devices=True)
    _names(tf, message)


def exported_with_another_name_for_inputs(tf):
    with tf.Graph().as_default() as graph:
        _network(tf)
    message, _ = _meta_graph(tf).export_scoped_meta_graph(
        graph=graph, export_scope="second", unbound_inputs_col_name="inputs_of_it"
    )
    _names(tf, message)


def exported_with_one_saver(tf):
    with tf.Graph().as_default() as graph:
        _network(tf)
        saver = tf.train.Saver(name="one")
        tf.train.Saver(name="two")
    message = tf.train.export_meta_graph(
        graph=graph, saver_def=saver.saver_def, clear_extraneous_savers=True, strip_default_attrs=True
    )
    _names(tf, message)


def exported_of_some_collections(tf):
    with tf.Graph().as_default() as graph:
        _network(tf)
    _names(tf, tf.train.export_meta_graph(graph=graph, clear_devices=True, collection_list=["texts"]))


def imported_scope(tf):
    with tf.Graph().as_default() as graph:
        h = tf.placeholder(tf.float32, name="h")
        with tf.name_scope("second"):
            b = tf.Variable([1.0, 2.0, 3.0], name="b")
            tf.add(tf.cond(b[0] > 0.0, lambda: b * 2.0, lambda: b), h, name="y")
    message, _ = _meta_graph(tf).export_scoped_meta_graph(graph=graph, export_scope="second")
    outside = [tf.compat.as_str(name) for name in message.collection_def["unbound_inputs"].bytes_list.value]
    h = tf.ones([4, 3], name="ones")
    inputs = dict.fromkeys(outside, h)
    variables = _meta_graph(tf).import_scoped_meta_graph(message, import_scope="again", input_map=inputs)
    assert sorted(variables) == ["b:0"] and variables["b:0"].name == "again/b:0"


def imported_scope_without_its_inputs(tf):
    with tf.Graph().as_default() as graph:
        _network(tf)
    message, _ = _meta_graph(tf).export_scoped_meta_graph(graph=graph, export_scope="second")
    _meta_graph(tf).import_scoped_meta_graph(message, import_scope="again")


def imported_of_some_collections(tf):
    with tf.Graph().as_default() as graph:
        _network(tf)
    message = tf.train.export_meta_graph(graph=graph)
    found = _meta_graph(tf).import_scoped_meta_graph(
        message, clear_devices=True, restore_collections_predicate=lambda key: key != "texts"
    )
    assert sorted(found) == ["first/w:0", "second/b:0"]


def copied(tf):
    with tf.Graph().as_default() as graph:
        with tf.name_scope("a"):
            tf.Variable(1.0, name="v")
    found = _meta_graph(tf).copy_scoped_meta_graph("a", "b", from_graph=graph)
    assert sorted(found) == ["v:0"]

