"""tensorflow.python.ops.lookup_ops: what tf.lookup is made of."""

from kiln.compat.v1.lookup._buckets import *
from kiln.compat.v1.lookup._collection import initialize_all_tables, tables_initializer
from kiln.compat.v1.lookup._initializers import *
from kiln.compat.v1.lookup._mutable import DenseHashTable, MutableHashTable
from kiln.compat.v1.lookup._tables import *
from kiln.compat.v1.lookup._vocabularies import *



def _without_anonymous(table):
    """A table's class with TensorFlow 2's argument, of which there is but one kind."""

    class Table(table):
        _is_anonymous = False

        def __init__(self, *args, experimental_is_anonymous=False, **kwargs):
            if experimental_is_anonymous:
                raise NotImplementedError("Kiln has no anonymous tables")
            super().__init__(*args, **kwargs)

    Table.__name__, Table.__qualname__, Table.__doc__ = table.__name__, table.__qualname__, table.__doc__
    return Table


StaticHashTable = _without_anonymous(StaticHashTable)
StaticVocabularyTable = _without_anonymous(StaticVocabularyTable)
DenseHashTable = _without_anonymous(DenseHashTable)
MutableHashTable = _without_anonymous(MutableHashTable)
StaticHashTableV1, StaticVocabularyTableV1 = StaticHashTable, StaticVocabularyTable
