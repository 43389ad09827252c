"""Copies of parts of graphs with other tensors for some that they take."""

from kiln._kiln import front as _c
from kiln.compat import v1 as tf
from kiln.compat.v1 import _messages
from kiln.compat.v1.contrib.graph_editor._walks import ControlOutputs, get_walks_intersection_ops


class _Part:
    """A MetaGraphDef of operations: what they take from outside stands in it as placeholders."""

    def __init__(self, ops, replacements, src_scope):
        self._ops, self._replacements = set(ops), replacements
        self._scope = src_scope.rstrip("/") + "/" if src_scope else ""
        self.message, self.inputs = _messages.MetaGraphDef(), {}
        self.ops = sorted(ops, key=lambda op: op._id)
        for op in self.ops:
            self._add(op)
        outside = [name.encode() for name in self.inputs]
        if outside:
            self.message.collection_def["unbound_inputs"].bytes_list.value.extend(outside)

    def _name(self, op):
        if not op.name.startswith(self._scope):
            raise ValueError(f"{op.name} does not belong to source scope: {self._scope}.")
        return op.name[len(self._scope) :]

    def _add(self, op):
        node = self.message.graph_def.node.add()
        node.CopyFrom(op.node_def)
        node.name = self._name(op)
        if "frame_name" in node.attr:
            # A loop is known by it: the copy is another one, so that one run may have both.
            node.attr["frame_name"].s += f"_{op.graph.version}".encode()
        del node.input[:]
        for tensor in op.inputs:
            if tensor.op in self._ops:
                node.input.append(f"{self._name(tensor.op)}:{tensor.value_index}")
            else:
                node.input.append(self._outside(self._replacements.get(tensor, tensor)))
        for control in op.control_inputs:
            inside = control in self._ops
            node.input.append("^" + self._name(control) if inside else self._outside(control))
        places = {"loc:@" + other.name: "loc:@" + self._name(other) for other in self._ops}
        if "_class" in node.attr:
            kept = [places[name.decode()].encode() for name in node.attr["_class"].list.s if name.decode() in places]
            node.attr["_class"].list.s[:] = kept

    def _outside(self, element):
        """The name of what stands for a tensor, or for an operation that is waited for."""
        is_tensor = isinstance(element, tf.Tensor)
        key = ("" if is_tensor else "^") + "outside/" + element.name.replace(":", "_")
        if key not in self.inputs:
            stub = self.message.graph_def.node.add(name=key.lstrip("^"), op="Placeholder" if is_tensor else "NoOp")
            if is_tensor:
                stub.attr["dtype"].type = element.dtype.base_dtype.as_datatype_enum
            self.inputs[key] = element
        return key


def graph_replace(target_ts, replacement_ts, dst_scope="", src_scope="", reuse_dst_scope=False):
    """The targets, computed again with other tensors: copies what is between them.

    target_ts: a tensor, or a structure of them. replacement_ts: a dict from tensors to those that take their places.
    dst_scope: the scope of the copies, made unique unless it is reused; without one their names are made unique.
    Errors: ValueError where the targets need none of what is replaced. Source: tf.contrib.graph_editor.graph_replace;
    differs: loops that are copied are loops of their own, collections do not get the copies.
    """
    targets = tf.nest.flatten(target_ts)
    graph = targets[0].graph
    controls = ControlOutputs(graph)
    ops = get_walks_intersection_ops(list(replacement_ts), targets, control_ios=controls)
    if not ops:
        raise ValueError("Targets and replacements are not connected!")
    part = _Part(_with_whole_loops(ops, controls), replacement_ts, src_scope)
    scope = dst_scope.rstrip("/") + "/" if dst_scope and reuse_dst_scope else dst_scope
    with graph.as_default(), tf.control_dependencies(None), tf.device(None), graph.name_scope(None):
        before = graph.version
        _c.import_meta_graph(part.message.SerializeToString(), scope or None, False, part.inputs)
        copies = dict(zip(part.ops, graph.get_operations()[before:]))
    return tf.nest.map_structure(
        lambda t: copies[t.op].outputs[t.value_index] if t.op in copies else t, target_ts
    )


def _with_whole_loops(ops, controls):
    """The operations, with all of a loop where some of it is among them."""
    found = dict.fromkeys(ops)
    for op in ops:
        if op.type in ("Exit", "RefExit"):
            within = get_walks_intersection_ops(_enters(op), [op], control_ios=controls)
            found.update(dict.fromkeys(within))
    return list(found)


def _enters(exit_op):
    """The operations that a loop is entered by."""
    seen, wave, enters = set(), [exit_op], []
    while wave:
        op = wave.pop()
        if op in seen:
            continue
        seen.add(op)
        if op.type in ("Enter", "RefEnter"):
            enters.append(op)
        else:
            wave += [t.op for t in op.inputs]
    return enters
