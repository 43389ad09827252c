"""tf.contrib.layers: layers as functions, with initializers, regularizers and summaries.

The functions make layers of tf.layers, or their ops, in variable scopes; all of them take their
arguments from tf.contrib.framework.arg_scope too.

| looking for | it is in |
| --- | --- |
| fully_connected, dropout, bias_add | `_dense.py` |
| conv2d and its kin | `_convolutions.py`, `_separable.py`, `_pooling.py` |
| batch_norm | `_batch_norm.py` |
| layer_norm, instance_norm, group_norm, unit_norm | `_norms.py` |
| embed_sequence, safe_embedding_lookup_sparse | `_embeddings.py` |
| flatten, one_hot_encoding, softmax, stack, repeat | `_shapes.py` |
| feature columns | `feature_column.py`, `feature_column_ops.py` |
| optimize_loss | `optimizers.py` |
"""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding

from kiln.compat.v1.contrib.layers import (
    initializers as initializers,
    optimizers as optimizers,
    regularizers as regularizers,
    summaries as summaries,
    utils as utils,
)
from kiln.compat.v1.contrib.framework._arg_scope import (
    add_arg_scope as add_arg_scope,
    arg_scope as arg_scope,
)
from kiln.compat.v1.contrib.layers._batch_norm import *
from kiln.compat.v1.contrib.layers._building import (
    add_variable_to_collections as _add_variable_to_collections,
)
from kiln.compat.v1.contrib.layers._building import (
    build_variable_getter as _build_variable_getter,
)
from kiln.compat.v1.contrib.layers._building import (
    model_variable_getter as _model_variable_getter,
)
from kiln.compat.v1.contrib.layers._convolutions import *
from kiln.compat.v1.contrib.layers._dense import *
from kiln.compat.v1.contrib.layers._embeddings import *
from kiln.compat.v1.contrib.layers._norms import *
from kiln.compat.v1.contrib.layers._pooling import *
from kiln.compat.v1.contrib.layers._separable import *
from kiln.compat.v1.contrib.layers._shapes import *
from kiln.compat.v1.contrib.layers._shapes import _inner_flatten
from kiln.compat.v1.contrib.layers.initializers import *
from kiln.compat.v1.contrib.layers.optimizers import *
from kiln.compat.v1.contrib.layers.regularizers import *
from kiln.compat.v1.contrib.layers.summaries import *

_COLUMNS = (
    "SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY bucketized_column create_feature_spec_for_parsing "
    "crossed_column embedding_column one_hot_column real_valued_column shared_embedding_columns "
    "sparse_column_with_hash_bucket sparse_column_with_integerized_feature sparse_column_with_keys "
    "sparse_column_with_vocabulary_file sparse_feature_cross weighted_sparse_column"
).split()
_COLUMN_LAYERS = (
    "check_feature_columns infer_real_valued_columns input_from_feature_columns "
    "joint_weighted_sum_from_feature_columns parse_feature_columns_from_examples "
    "sequence_input_from_feature_columns transform_features weighted_sum_from_feature_columns"
).split()
_words = [f"{name}=contrib.layers.feature_column.{name}" for name in _COLUMNS]
_words += [f"{name}=contrib.layers.feature_column_ops.{name}" for name in _COLUMN_LAYERS]

__getattr__, __dir__ = _forwarding(__name__, " ".join(_words))
