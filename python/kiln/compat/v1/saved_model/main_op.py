"""What runs when a model has been loaded."""

from kiln._kiln import front as _c
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._variables import global_variables_initializer, local_variables_initializer


def main_op():
    """An operation that initializes variables and tables. Source: tf.saved_model.main_op.main_op."""
    from kiln.compat.v1.train._training_util import tables_initializer

    return _c.group(
        [global_variables_initializer(), local_variables_initializer(), tables_initializer()]
    )


def main_op_with_restore(restore_op_name):
    """The same, after a restore. Source: tf.saved_model.main_op.main_op_with_restore."""
    with get_default_graph().control_dependencies([main_op()]):
        restore = get_default_graph().get_operation_by_name(restore_op_name)
        return _c.group([restore])
