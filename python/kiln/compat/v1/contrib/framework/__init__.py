"""tf.contrib.framework: arg_scope, variables of models, checkpoints, checks of tensors.

| looking for | it is in |
| --- | --- |
| arg_scope and its kin | `_arg_scope.py` |
| model_variable, get_variables and its kin, the global step | `_variables.py` |
| assign_from_checkpoint, assign_from_values | `_assignments.py` |
| with_shape, names and graphs | `_tensors.py` |
| smart_cond | `_smart_cond.py` |
| nest | `nest.py` |
"""

from kiln.compat.v1._util.deprecation import (
    deprecated as deprecated,
    deprecated_arg_values as deprecated_arg_values,
    deprecated_args as deprecated_args,
)
from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.framework._arg_scope import *
from kiln.compat.v1.contrib.framework._assignments import *
from kiln.compat.v1.contrib.framework._smart_cond import *
from kiln.compat.v1.contrib.framework._tensors import *
from kiln.compat.v1.contrib.framework._tensors import is_tensor as is_tensor
from kiln.compat.v1.contrib.framework._variables import *

__getattr__, __dir__ = _forwarding(
    __name__,
    """
    BoundedTensorSpec CriticalSection RecordInput
    TensorSpec argsort sort py_func assert_same_float_dtype=debugging.assert_same_float_dtype
    assert_scalar=debugging.assert_scalar broadcast_to convert_to_tensor_or_sparse_tensor
    convolutional_delta_orthogonal=initializers.convolutional_delta_orthogonal
    convolutional_orthogonal_1d=initializers.convolutional_orthogonal_1d
    convolutional_orthogonal_2d=initializers.convolutional_orthogonal_2d
    convolutional_orthogonal_3d=initializers.convolutional_orthogonal_3d
    init_from_checkpoint=train.init_from_checkpoint invert_permutation is_non_decreasing
    is_numeric_tensor is_strictly_increasing list_variables=train.list_variables
    load_checkpoint=train.load_checkpoint load_variable=train.load_variable
    """,
)
