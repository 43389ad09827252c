"""tf.contrib.graph_editor: what is selected, walks, and copies of parts with other inputs."""

import numpy as np
import pytest

import kiln.compat.v1 as tf

ge = tf.contrib.graph_editor


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


@pytest.fixture
def chain():
    """a and b; c = a + b behind f; d = foo/c * c; e = -d."""
    a, b = tf.constant([1.0, 2.0], name="a"), tf.constant([3.0, 4.0], name="b")
    f = tf.no_op(name="f")
    with tf.control_dependencies([f]):
        c = tf.add(a, b, name="c")
    with tf.name_scope("foo"):
        d = tf.multiply(tf.identity(c, name="c"), c, name="d")
    return a, b, c, d, tf.negative(d, name="e"), f


def _names(elements):
    return [each.name for each in elements]


def test_elements_are_selected_by_names_and_conditions(graph, chain):
    a, b, c, d, e, f = chain
    assert _names(ge.select_ops("^foo/", graph=graph)) == ["foo/c", "foo/d"]
    assert _names(ge.select_ts("^foo/", graph=graph)) == ["foo/c:0", "foo/d:0"]
    ops, ts = ge.select_ops_and_ts("^foo/c$", "(?#ts)^e", [a], b.op, graph=graph)
    assert (_names(ops), _names(ts)) == (["foo/c", "b"], ["e:0", "a:0"])
    assert ge.select_ops(graph, positive_filter=lambda op: op.type == "NoOp") == [f]
    assert _names(ge.get_name_scope_ops(graph, "foo/")) == ["foo/c", "foo/d"]
    assert ge.filter_ts_from_regex(c.op, "^a") == [a] and ge.get_tensors(graph)[0] is a
    assert ge.filter_ops([a.op, b.op], True) == [a.op, b.op]
    with pytest.raises(ValueError, match="Use the keyword argument 'graph' to use regex."):
        ge.select_ops("a")
    with pytest.raises(ValueError, match="Wrong keywords argument: x."):
        ge.select_ts(a, x=1)
    with pytest.raises(ValueError, match="Expected a string or a regex"):
        ge.make_regex(3)


def test_walks_follow_what_operations_take_and_give(graph, chain):
    a, b, c, d, e, f = chain
    controls = ge.ControlOutputs(graph)
    assert controls.get(f) == [c.op] and controls.get(c.op) == ()
    assert _names(ge.get_backward_walk_ops(d)) == ["foo/d", "foo/c", "c", "a", "b"]
    assert f in ge.get_backward_walk_ops(d, control_inputs=True)
    assert _names(ge.get_forward_walk_ops([a])) == ["c", "foo/c", "foo/d", "e"]
    assert _names(ge.get_forward_walk_ops(f, inclusive=False, control_outputs=controls))[0] == "c"
    assert _names(ge.get_forward_walk_ops(a.op, stop_at_ts=[d])) == ["a", "c", "foo/c", "foo/d"]
    assert _names(ge.get_walks_intersection_ops([c], [d])) == ["foo/c", "foo/d"]
    assert set(ge.get_walks_union_ops([d], [c])) == {e.op, a.op, b.op, c.op}
    inputs, outputs, inside = ge.compute_boundary_ts([c.op, d.op.inputs[0].op])
    assert (inputs, inside) == ([a, b], [c]) and outputs == [c, d.op.inputs[0]]
    assert ge.get_within_boundary_ops(graph, c.op, [d.op], inclusive=False) == [a.op, b.op, c.op, d.op.inputs[0].op]
    assert set(ge.get_ops_ios(c.op, control_ios=controls)) == {a.op, b.op, f, d.op, d.op.inputs[0].op}
    with pytest.raises(ValueError, match="Boundary is intersecting with the seeds."):
        ge.get_within_boundary_ops(graph, c.op, [c.op])
    with pytest.raises(TypeError, match="Expected a util.ControlOutputs"):
        ge.check_cios(control_ios=3)


def test_targets_are_computed_from_what_replaces_tensors(graph, chain):
    a, b, c, d, e, f = chain
    other = tf.constant([10.0, 20.0], name="other")
    new, kept = ge.graph_replace([e, b], {a: other}, dst_scope="copy")
    assert new.name == "copy/e:0" and kept is b
    assert new.op.inputs[0].op.inputs[0].op.name == "copy/foo/c"
    copied = graph.get_operation_by_name("copy/c")
    assert copied.inputs[0] is other and copied.inputs[1] is b and copied.control_inputs == [f]
    assert ge.graph_replace(e, {c: other}).name == "e_1:0"
    with pytest.raises(ValueError, match="Targets and replacements are not connected!"):
        ge.graph_replace(a, {e: other})
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(new), [-169.0, -576.0])


def test_a_loop_is_replaced_as_a_whole():
    x, y = tf.constant(1.0, name="x"), tf.constant(5.0, name="y")
    end = tf.while_loop(lambda i, s: i < 3.0, lambda i, s: (i + 1.0, s * x), [0.0, 2.0])[1]
    new = ge.graph_replace(end, {x: y}, dst_scope="again")
    with tf.Session() as session:
        assert session.run([end, new]) == [2.0, 250.0]


def test_placeholders_are_named_after_tensors():
    with tf.name_scope("s"):
        t = tf.constant(1.0, name="t")
    assert ge.placeholder_name(t) == "s/geph__t_0" and ge.placeholder_name(t, "z") == "z/geph__t_0"
    made = ge.make_placeholder_from_tensor(t)
    assert made.op.type == "Placeholder" and made.name == "s/geph__t_0:0"
    assert ge.placeholder_name(made) == "s/geph__t_0" and ge.ph(tf.int32, [2]).shape == [2]
    with pytest.raises(TypeError):
        ge.placeholder_name(3)
