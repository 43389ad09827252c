"""tensorflow.python.ops.lookup_ops: what tf.lookup is made of."""

from kiln.compat.v1.lookup._buckets import *
from kiln.compat.v1.lookup._collection import initialize_all_tables, tables_initializer
from kiln.compat.v1.lookup._initializers import *
from kiln.compat.v1.lookup._mutable import DenseHashTable, MutableHashTable
from kiln.compat.v1.lookup._tables import *
from kiln.compat.v1.lookup._vocabularies import *

StaticHashTableV1, StaticVocabularyTableV1 = StaticHashTable, StaticVocabularyTable
