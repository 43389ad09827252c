"""Graphs with the values of their variables in them."""

from kiln.compat.v1.graph_util import convert_variables_to_constants

VAR_ASSIGN_COLLECTION = "extra_var_assign_ops"


def convert_variables_to_constants_from_session_graph(
    session, graph_def, output_node_names, variable_names_allowlist=None, variable_names_denylist=None
):
    """A GraphDef of what the outputs need, with constants for variables."""
    return convert_variables_to_constants(
        session, graph_def, output_node_names, variable_names_allowlist, variable_names_denylist
    )
