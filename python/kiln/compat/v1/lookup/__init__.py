"""tf.lookup: tables from keys to values.

| looking for | it is in |
| --- | --- |
| StaticHashTable | `_tables.py` |
| KeyValueTensorInitializer, TextFileInitializer | `_initializers.py` |
| StaticVocabularyTable | `_buckets.py` |
| index_table_from_file and its kin (tf.contrib.lookup) | `_vocabularies.py` |
| tables that a run changes | `_mutable.py` |
"""

from kiln.compat.v1.lookup import experimental
from kiln.compat.v1.lookup._buckets import StaticVocabularyTable
from kiln.compat.v1.lookup._initializers import (
    KeyValueTensorInitializer,
    TextFileIndex,
    TextFileInitializer,
)
from kiln.compat.v1.lookup._tables import StaticHashTable

__all__ = [
    "KeyValueTensorInitializer",
    "StaticHashTable",
    "StaticVocabularyTable",
    "TextFileIndex",
    "TextFileInitializer",
    "experimental",
]
