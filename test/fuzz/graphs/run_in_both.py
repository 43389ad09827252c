"""Runs a graph that kiln-fuzz-graphs --write left in TensorFlow, without its rewrites, and in Kiln."""

import os
import re

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
import numpy as np
import tensorflow.compat.v1 as tf

import kiln

tf.disable_v2_behavior()

# What a node may give that can be fetched.
NOT_FETCHED = (tf.resource, tf.variant)


def plain_config():
    """No rewrites, one thread: what the kernels give, in order."""
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    config.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.OFF
    return config


def read_feeds(path):
    graph = tf.GraphDef.FromString(path.read_bytes())
    return {node.name + ":0": tf.make_ndarray(node.attr["value"].tensor) for node in graph.node}


def read_graph(folder):
    """The graph, without those nodes that nobody asks for which TensorFlow takes into no graph."""
    graph = tf.GraphDef.FromString((folder / "graph.pb").read_bytes())
    bad = [node.name for node in graph.node if node.name.startswith("bad_") and node.op not in ("Const", "Placeholder")]
    for name in bad:
        alone = tf.GraphDef()
        alone.node.extend(node for node in graph.node if node.name == name or (node.name.startswith("bad_") and node.name not in bad))
        try:
            import_graph(alone)
        except ValueError:
            graph.node.remove(next(node for node in graph.node if node.name == name))
    return graph


def import_graph(graph_def):
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(graph_def, name="")
    return graph


def requests_of(request, feeds):
    """What is run, in order: (fetches, targets, feeds, whether it begins a session)."""
    runs = [(request["fetches"], request["targets"], feeds[run % len(feeds)], run == 0) for run in range(request["runs"])]
    for ask in request.get("asks", []):
        # By a session of its own: the one fetch, all of them, and the one again with other feeds.
        own, other = feeds[ask["set"]], feeds[(ask["set"] + 1) % len(feeds)]
        runs += [(ask["fetches"], [], own, True), (request["fetches"], request["targets"], other, False), (ask["fetches"], [], other, False)]
    return runs


def error_of(error):
    """The code, the node and the text."""
    node = re.search(r"\{\{node ([^}]*)\}\}|\[node ([^\]]*)\]", str(error))
    return (type(error).__name__.removesuffix("Error"), node.group(1) or node.group(2) if node else "", str(error))


def all_runs(open_session, run_once, request, feeds):
    """What each run gives: values, or an error as error_of() has it. Nothing is run behind an error where there is a state."""
    results, session = [], None
    for fetches, targets, values, begins in requests_of(request, feeds):
        if results and isinstance(results[-1], tuple) and request.get("hasState", True):
            break
        try:
            if begins:
                session = open_session()
            results.append(run_once(session, fetches, targets, values))
        except Exception as error:  # of any kind: it is what is compared
            results.append(error_of(error))
            if session is None:
                break
    return results


def in_tensorflow(graph_def, request, feeds):
    try:
        graph = import_graph(graph_def)
    except Exception as error:
        return [error_of(error)]

    def open_session():
        session = tf.Session(graph=graph, config=plain_config())
        if request["init"]:
            session.run([graph.get_operation_by_name(name) for name in request["init"]])
        return session

    def run_once(session, fetches, targets, values):
        return session.run([fetches, [graph.get_operation_by_name(name) for name in targets]], values)[0]

    return all_runs(open_session, run_once, request, feeds)


def in_kiln(graph_def, request, feeds):
    try:
        graph = kiln.Graph.load(graph_def.SerializeToString())
    except Exception as error:
        return [error_of(error)]

    def open_session():
        session = kiln.Session(graph, mode="native", threads=1)
        if request["init"]:
            session.run(request["init"])
        return session

    return all_runs(open_session, lambda session, fetches, targets, values: session.run([fetches, targets], values)[0], request, feeds)
