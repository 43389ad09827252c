"""Folders of tests, and graphs compared."""

import os
import sys
import tempfile

_folder = None


def get_temp_dir():
    """A folder for the files of this process's tests; TEST_TMPDIR where that is set. Source: tf.test.get_temp_dir."""
    global _folder
    if _folder is None:
        given = os.environ.get("TEST_TMPDIR")
        if given:
            os.makedirs(given, exist_ok=True)
        program = os.path.basename(sys.argv[0]) or "test"
        _folder = tempfile.mkdtemp(prefix=program, dir=given)
    return _folder


def assert_equal_graph_def(actual, expected, checkpoint_v2=False, hash_table_shared_name=False):
    """Raises AssertionError where two GraphDefs differ in their nodes. Source: tf.test.assert_equal_graph_def."""
    for graph_def, name in ((actual, "actual"), (expected, "expected")):
        if type(graph_def).__name__ != "GraphDef":
            raise TypeError(f"Expected tf.GraphDef for {name}, got {type(graph_def).__name__}")
    texts = [_nodes(graph_def, checkpoint_v2, hash_table_shared_name) for graph_def in (actual, expected)]
    if texts[0] == texts[1]:
        return
    for name in sorted({*texts[0], *texts[1]}):
        if texts[0].get(name) != texts[1].get(name):
            raise AssertionError(
                f"node {name!r} differs: got {texts[0].get(name) or 'none'}, expected {texts[1].get(name) or 'none'}"
            )


def _nodes(graph_def, checkpoint_v2, hash_table_shared_name):
    texts = {}
    for node in graph_def.node:
        copy = type(node)()
        copy.CopyFrom(node)
        data = [name for name in copy.input if not name.startswith("^")]
        controls = sorted(name for name in copy.input if name.startswith("^"))
        del copy.input[:]
        copy.input.extend(data + controls)
        if checkpoint_v2 and copy.op in ("SaveV2", "RestoreV2"):
            del copy.input[:]
        if hash_table_shared_name and copy.op.startswith("HashTable"):
            copy.attr.pop("shared_name", None)
        texts[node.name] = str(copy)
    return texts
