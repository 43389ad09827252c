"""Variables as VariableDef messages."""

from kiln._kiln import front as _c
from kiln.compat.v1._message_modules import make_module


def _definitions():
    return make_module("tensorflow.core.framework.variable_pb2")


def _below(scope, name):
    return name[len(scope) + 1 :] if scope else name


def to_proto(variable, export_scope):
    """Variable.to_proto(): a VariableDef; None where the variable is not in the scope."""
    scope = (export_scope or "").rstrip("/")
    if scope and not variable.name.startswith(scope + "/"):
        return None
    initial = variable.initial_value
    snapshot = _c.variable_graph_element(variable) if variable._is_resource() else variable.value()
    variable_def = _definitions().VariableDef(
        variable_name=_below(scope, variable.handle.name),
        initial_value_name="" if initial is None else _below(scope, initial.name),
        initializer_name=_below(scope, variable.initializer.name),
        snapshot_name=_below(scope, snapshot.name),
        is_resource=variable._is_resource(),
        trainable=variable.trainable,
    )
    if variable._save_slice_info is not None:
        variable_def.save_slice_info_def.MergeFrom(slice_info_def(variable._save_slice_info, scope))
    return variable_def


def slice_info_def(info, export_scope=None):
    """SaveSliceInfo.to_proto(): a SaveSliceInfoDef; None where it is not in the scope."""
    scope = (export_scope or "").rstrip("/")
    if scope and not info.full_name.startswith(scope + "/"):
        return None
    return _definitions().SaveSliceInfoDef(
        full_name=_below(scope, info.full_name),
        full_shape=info.full_shape,
        var_offset=info.var_offset,
        var_shape=info.var_shape,
    )


def variable_of(variable_def, import_scope):
    """The variable that a VariableDef means in the current graph."""
    scope = (import_scope or "").rstrip("/")
    return _c.variable_from_def(variable_def.SerializeToString(), scope and scope + "/")
