"""tf.feature_column: what becomes of the features of examples before a model sees them.

age = tf.feature_column.numeric_column("age")
city = tf.feature_column.categorical_column_with_vocabulary_list("city", ["Bern", "Bonn"])
columns = [age, tf.feature_column.embedding_column(city, dimension=3)]
inputs = tf.feature_column.input_layer({"age": [[3.0]], "city": [["Bonn"]]}, columns)
"""

from kiln.compat.v1.feature_column._base import (
    CategoricalColumn as CategoricalColumn,
    DenseColumn as DenseColumn,
    FeatureColumn as FeatureColumn,
    FeatureTransformationCache as FeatureTransformationCache,
    SequenceDenseColumn as SequenceDenseColumn,
    _CategoricalColumn as _CategoricalColumn,
    _DenseColumn as _DenseColumn,
    _FeatureColumn as _FeatureColumn,
    _SequenceDenseColumn as _SequenceDenseColumn,
    is_feature_column_v2 as is_feature_column_v2,
)
from kiln.compat.v1.feature_column._categorical import (
    CrossedColumn as CrossedColumn,
    HashedCategoricalColumn as HashedCategoricalColumn,
    IdentityCategoricalColumn as IdentityCategoricalColumn,
    SequenceCategoricalColumn as SequenceCategoricalColumn,
    VocabularyFileCategoricalColumn as VocabularyFileCategoricalColumn,
    VocabularyListCategoricalColumn as VocabularyListCategoricalColumn,
    WeightedCategoricalColumn as WeightedCategoricalColumn,
)
from kiln.compat.v1.feature_column._categorical_functions import *
from kiln.compat.v1.feature_column._embedding import (
    EmbeddingColumn as EmbeddingColumn,
    IndicatorColumn as IndicatorColumn,
    SharedEmbeddingColumn as SharedEmbeddingColumn,
)
from kiln.compat.v1.feature_column._embedding_functions import *
from kiln.compat.v1.feature_column._layers import *
from kiln.compat.v1.feature_column._numeric import (
    BucketizedColumn as BucketizedColumn,
    NumericColumn as NumericColumn,
    SequenceNumericColumn as SequenceNumericColumn,
)
from kiln.compat.v1.feature_column._numeric_functions import *

__all__ = [
    "bucketized_column",
    "categorical_column_with_hash_bucket",
    "categorical_column_with_identity",
    "categorical_column_with_vocabulary_file",
    "categorical_column_with_vocabulary_list",
    "crossed_column",
    "embedding_column",
    "indicator_column",
    "input_layer",
    "linear_model",
    "make_parse_example_spec",
    "numeric_column",
    "sequence_categorical_column_with_hash_bucket",
    "sequence_categorical_column_with_identity",
    "sequence_categorical_column_with_vocabulary_file",
    "sequence_categorical_column_with_vocabulary_list",
    "sequence_numeric_column",
    "shared_embedding_columns",
    "weighted_categorical_column",
]

# What tensorflow.python.feature_column calls them.
_BucketizedColumn = BucketizedColumn
_CrossedColumn = CrossedColumn
_EmbeddingColumn = EmbeddingColumn
_HashedCategoricalColumn = HashedCategoricalColumn
_IdentityCategoricalColumn = IdentityCategoricalColumn
_IndicatorColumn = IndicatorColumn
_LazyBuilder = FeatureTransformationCache
_NumericColumn = NumericColumn
_SequenceCategoricalColumn = SequenceCategoricalColumn
_SharedEmbeddingColumn = SharedEmbeddingColumn
_VocabularyFileCategoricalColumn = VocabularyFileCategoricalColumn
_VocabularyListCategoricalColumn = VocabularyListCategoricalColumn
_WeightedCategoricalColumn = WeightedCategoricalColumn
