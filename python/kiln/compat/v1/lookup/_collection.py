"""All tables of a graph."""

from kiln.compat import v1 as tf
from kiln.compat.v1._util.deprecation import deprecated


def tables_initializer(name="init_all_tables"):
    """An operation that fills all tables of the graph. Source: tf.tables_initializer."""
    initializers = tf.get_collection(tf.GraphKeys.TABLE_INITIALIZERS)
    return tf.group(*initializers, name=name) if initializers else tf.no_op(name=name)


@deprecated(
    None, "Use `tf.tables_initializer` instead.", module="tensorflow.python.ops.lookup_ops"
)
def initialize_all_tables(name="init_all_tables"):
    """The older name of tables_initializer()."""
    return tables_initializer(name)
