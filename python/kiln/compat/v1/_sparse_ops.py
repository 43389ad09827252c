"""SparseTensors: tf.sparse_tensor_to_dense, tf.sparse_add, tf.sparse_concat, tf.sparse_reduce_sum."""

from kiln._generated import raw_ops as _raw
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1._deprecations import deprecated, renamed
from kiln.compat.v1._graph_functions import name_scope
from kiln.compat.v1._shape_ops import broadcast_static_shape
from kiln.compat.v1._sparse import SparseTensor, SparseTensorValue

__all__ = [
    "deserialize_many_sparse", "serialize_many_sparse", "serialize_sparse", "sparse_add",
    "sparse_concat", "sparse_fill_empty_rows", "sparse_maximum", "sparse_minimum",
    "sparse_reduce_max", "sparse_reduce_max_sparse", "sparse_reduce_sum",
    "sparse_reduce_sum_sparse", "sparse_reorder", "sparse_slice", "sparse_softmax", "sparse_split",
    "sparse_tensor_dense_matmul", "sparse_tensor_to_dense", "sparse_to_dense",
]  # fmt: skip

_SPARSE = (SparseTensor, SparseTensorValue)


def _sparse(value):
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    if not isinstance(value, SparseTensor):
        raise TypeError("Input must be a SparseTensor.")
    return value


def _parts(value):
    return value.indices, value.values, value.dense_shape


def sparse_to_dense(
    sparse_indices, output_shape, sparse_values, default_value=0, validate_indices=True, name=None
):
    """A tensor with values at indices, and default_value elsewhere.

    sparse_values: one each, or one for all. validate_indices: that they are in order and
    come once. Source: tf.sparse_to_dense.
    """
    deprecated(
        "ops.sparse_ops.sparse_to_dense",
        "Create a `tf.sparse.SparseTensor` and use `tf.sparse.to_dense` instead.",
    )
    return _raw.sparse_to_dense(
        sparse_indices, output_shape, sparse_values, default_value, validate_indices, name
    )


def sparse_tensor_to_dense(sp_input, default_value=None, validate_indices=True, name=None):
    """The SparseTensor as a tensor, with default_value, or zeros, elsewhere.

    Errors: TypeError for others, so in all of these functions. Source:
    tf.sparse_tensor_to_dense.
    """
    sp_input = _sparse(sp_input)
    if default_value is None:
        default_value = _c.zeros([], sp_input.dtype)
    return _raw.sparse_to_dense(
        sp_input.indices, sp_input.dense_shape, sp_input.values, default_value, validate_indices, name
    )


def sparse_add(a, b, threshold=None, thresh=None):
    """The sum of two SparseTensors, or of one and a tensor, which is a tensor.

    threshold: elements below are left out of a SparseTensor. thresh: its older name.
    Errors: TypeError where neither is sparse. Source: tf.sparse_add.
    """
    threshold = renamed(
        "ops.sparse_ops.sparse_add", "threshold", threshold, "thresh", thresh,
        "thresh is deprecated, use threshold instead",
    )  # fmt: skip
    if not isinstance(a, _SPARSE) and not isinstance(b, _SPARSE):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if not (isinstance(a, _SPARSE) and isinstance(b, _SPARSE)):
        if isinstance(b, _SPARSE):
            a, b = b, a
        return _raw.sparse_tensor_dense_add(*_parts(a), b)
    a, b = _sparse(a), _sparse(b)
    dtype = a.values.dtype.real_dtype.base_dtype
    threshold = convert_to_tensor(threshold or 0, dtype, "threshold")
    indices, values, shape = _raw.sparse_add(*_parts(a), *_parts(b), threshold)
    a.get_shape().assert_is_compatible_with(b.get_shape())
    static_shape = broadcast_static_shape(a.get_shape(), b.get_shape())
    return SparseTensor(indices, values, static_shape.as_list() if static_shape.is_fully_defined() else shape)


def sparse_concat(
    axis, sp_inputs, name=None, expand_nonconcat_dim=False, concat_dim=None, expand_nonconcat_dims=None
):
    """SparseTensors behind one another along an axis. Shapes: equal but for that one.

    expand_nonconcat_dims: other extents may differ; the largest counts. concat_dim,
    expand_nonconcat_dim: older names. Source: tf.sparse_concat.
    """
    axis = renamed(
        "ops.sparse_ops.sparse_concat", "axis", axis, "concat_dim", concat_dim,
        "concat_dim is deprecated, use axis instead",
    )  # fmt: skip
    if not isinstance(sp_inputs, (list, tuple)):
        raise TypeError("Inputs must be a list or tuple.")
    inputs = [_sparse(each) for each in sp_inputs]
    if len(inputs) == 1:
        return inputs[0]
    shapes = [each.dense_shape for each in inputs]
    if expand_nonconcat_dims or expand_nonconcat_dim:
        rows = _c.concat([_raw.reshape(shape, [1, -1]) for shape in shapes], 0, "concat")
        largest = _c.reduce_max(rows, 0)
        shapes = [_with_extent(largest, shape, axis) for shape in shapes]
    indices, values, shape = _raw.sparse_concat(
        [each.indices for each in inputs], [each.values for each in inputs], shapes, axis, name
    )
    static = [each.shape for each in inputs]
    if all(each.is_fully_defined() for each in static):
        extents = static[0].as_list()
        if expand_nonconcat_dims or expand_nonconcat_dim:
            extents = [max(each.as_list()[i] for each in static) for i in range(len(extents))]
        extents[axis] = sum(each.as_list()[axis] for each in static)
        shape = convert_to_tensor(extents, dtypes.int64)
    return SparseTensor(indices, values, shape)


def _with_extent(largest, shape, axis):
    """A vector of the largest extents, with the shape's own at an axis."""
    own = shape[-1:] if axis == -1 else shape[axis : axis + 1]
    return _c.concat([largest[:axis], own, [] if axis == -1 else largest[axis + 1 :]], 0, "concat")


def sparse_split(
    keyword_required=None, sp_input=None, num_split=None, axis=None, name=None, split_dim=None
):
    """A list of num_split parts of a SparseTensor along an axis; arguments are given by name.

    split_dim: the older name of axis. Errors: ValueError where one is missing. Source:
    tf.sparse_split.
    """
    if keyword_required is not None:
        raise ValueError("Keyword arguments are required for this function.")
    for argument, value in (("sp_input", sp_input), ("num_split", num_split)):
        if value is None:
            raise ValueError(f"{argument} is required")
    axis = renamed(
        "ops.sparse_ops.sparse_split", "axis", axis, "split_dim", split_dim,
        "split_dim is deprecated, use axis instead",
    )  # fmt: skip
    if axis is None:
        raise ValueError("axis is required")
    indices, values, shapes = _raw.sparse_split(axis, *_parts(_sparse(sp_input)), num_split, name)
    return [SparseTensor(*parts) for parts in zip(indices, values, shapes)]


def sparse_slice(sp_input, start, size, name=None):
    """The part of a SparseTensor from start on. Source: tf.sparse_slice."""
    sp_input = _sparse(sp_input)
    start = convert_to_tensor(start, dtypes.int64)
    size = convert_to_tensor(size, dtypes.int64)
    with name_scope(name, "SparseSlice", [sp_input]) as scope:
        return SparseTensor(*_raw.sparse_slice(*_parts(sp_input), start, size, scope))


def sparse_reorder(sp_input, name=None):
    """The same elements in row-major order. Source: tf.sparse_reorder."""
    sp_input = _sparse(sp_input)
    indices, values = _raw.sparse_reorder(*_parts(sp_input), name)
    shape = sp_input.get_shape()
    if shape.is_fully_defined():
        return SparseTensor(indices, values, shape.as_list())
    return SparseTensor(indices, values, _raw.identity(sp_input.dense_shape))


def sparse_fill_empty_rows(sp_input, default_value, name=None):
    """(SparseTensor, bool tensor): default_value at [row, 0] of empty rows, and which those are.

    Source: tf.sparse_fill_empty_rows.
    """
    sp_input = _sparse(sp_input)
    with name_scope(name, "SparseFillEmptyRows", [sp_input]):
        default_value = convert_to_tensor(default_value, sp_input.values.dtype)
        indices, values, is_empty, _ = _raw.sparse_fill_empty_rows(*_parts(sp_input), default_value)
        return SparseTensor(indices, values, sp_input.dense_shape), is_empty


def _reduction_arguments(function, axis, keepdims, reduction_axes, keep_dims):
    keepdims = renamed(
        f"ops.sparse_ops.{function}", "keepdims", keepdims, "keep_dims", keep_dims,
        "keep_dims is deprecated, use keepdims instead",
    )  # fmt: skip
    axis = renamed(
        f"ops.sparse_ops.{function}", "axis", axis, "reduction_axes", reduction_axes,
        "reduction_axes is deprecated, use axis instead",
    )  # fmt: skip
    return axis, bool(keepdims)


def _axes(sp_input, axis):
    """The axes, or all of them."""
    if axis is not None:
        return axis
    rank = sp_input.shape.ndims
    if rank:
        return _c.constant(list(range(rank)), dtypes.int32)
    with name_scope(None, "Rank") as scope:
        rank = _raw.size(sp_input.dense_shape, name=scope)
    return _c.range(0, rank)


def sparse_reduce_sum(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None):
    """The sum along axes as a tensor. reduction_axes, keep_dims: older names. Source: tf.sparse_reduce_sum."""
    axis, keepdims = _reduction_arguments("sparse_reduce_sum", axis, keepdims, reduction_axes, keep_dims)
    return _raw.sparse_reduce_sum(*_parts(sp_input), _axes(sp_input, axis), keepdims)


def sparse_reduce_max(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None):
    """The largest of the elements that are there, along axes, as a tensor. Source: tf.sparse_reduce_max."""
    axis, keepdims = _reduction_arguments("sparse_reduce_max", axis, keepdims, reduction_axes, keep_dims)
    return _raw.sparse_reduce_max(*_parts(sp_input), _axes(sp_input, axis), keepdims)


def sparse_reduce_sum_sparse(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None):
    """As sparse_reduce_sum(), a SparseTensor. Source: tf.sparse_reduce_sum_sparse."""
    axis, keepdims = _reduction_arguments(
        "sparse_reduce_sum_sparse", axis, keepdims, reduction_axes, keep_dims
    )
    return SparseTensor(*_raw.sparse_reduce_sum_sparse(*_parts(sp_input), _axes(sp_input, axis), keepdims))


def sparse_reduce_max_sparse(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None):
    """As sparse_reduce_max(), a SparseTensor. Source: tf.sparse_reduce_max_sparse."""
    axis, keepdims = _reduction_arguments(
        "sparse_reduce_max_sparse", axis, keepdims, reduction_axes, keep_dims
    )
    return SparseTensor(*_raw.sparse_reduce_max_sparse(*_parts(sp_input), _axes(sp_input, axis), keepdims))


def sparse_softmax(sp_input, name=None):
    """softmax() of the elements that are there, row by row. Source: tf.sparse_softmax."""
    with name_scope(name, "SparseSoftmax", [sp_input.indices, sp_input.values]):
        values = _raw.sparse_softmax(*_parts(sp_input))
        return SparseTensor(sp_input.indices, values, sp_input.dense_shape)


def sparse_maximum(sp_a, sp_b, name=None):
    """The larger of two SparseTensors' elements; what is not there is 0. Source: tf.sparse_maximum."""
    with name_scope(name, "SparseSparseMaximum", [sp_a.indices]) as scope:
        indices, values = _raw.sparse_sparse_maximum(*_parts(sp_a), *_parts(sp_b), scope)
    return SparseTensor(indices, values, sp_a.dense_shape)


def sparse_minimum(sp_a, sp_b, name=None):
    """The smaller of two SparseTensors' elements; what is not there is 0. Source: tf.sparse_minimum."""
    with name_scope(name, "SparseSparseMinimum", [sp_a.indices]) as scope:
        indices, values = _raw.sparse_sparse_minimum(*_parts(sp_a), *_parts(sp_b), scope)
    return SparseTensor(indices, values, sp_a.dense_shape)


def sparse_tensor_dense_matmul(sp_a, b, adjoint_a=False, adjoint_b=False, name=None):
    """The product of a sparse matrix and a matrix; the sparse one may be the second. Source:
    tf.sparse_tensor_dense_matmul."""
    if isinstance(b, _SPARSE):
        if adjoint_a == adjoint_b:
            adjoint_a = adjoint_b = not adjoint_a
        return _c.transpose(sparse_tensor_dense_matmul(b, sp_a, adjoint_a, adjoint_b))
    sp_a = _sparse(sp_a)
    with name_scope(name, "SparseTensorDenseMatMul", [sp_a.indices, sp_a.values, b]):
        b = convert_to_tensor(b, name="b")
        return _raw.sparse_tensor_dense_mat_mul(*_parts(sp_a), b, adjoint_a, adjoint_b)


def _crossed(inputs, message):
    """Indices, values and shapes of SparseTensors, and tensors, with numbers as int64."""
    if not isinstance(inputs, (tuple, list)):
        raise TypeError("Inputs must be a list")
    if not all(isinstance(each, (SparseTensor, _c.Tensor)) for each in inputs):
        raise TypeError(message)

    def prepared(tensor):
        return tensor if tensor.dtype == dtypes.string else _c.cast(tensor, dtypes.int64)

    sparse = [each for each in inputs if isinstance(each, SparseTensor)]
    dense = [each for each in inputs if not isinstance(each, SparseTensor)]
    values = [prepared(each.values) for each in sparse]
    shapes = [each.dense_shape for each in sparse]
    return [each.indices for each in sparse], values, shapes, [prepared(each) for each in dense]


def sparse_cross(inputs, name=None):
    """All combinations of the elements of a row, as texts joined by "_X_". Source: tf.sparse.cross."""
    separator = convert_to_tensor("_X_", dtypes.string)
    parts = _crossed(inputs, "All inputs must be Tensor or SparseTensor.")
    return SparseTensor(*_raw.sparse_cross_v2(*parts, separator, name))


def sparse_cross_hashed(inputs, num_buckets=0, hash_key=None, name=None):
    """The same as hashes, by num_buckets where it is not 0. Source: tf.sparse.cross_hashed."""
    indices, values, shapes, dense = _crossed(inputs, "All inputs must be SparseTensors")
    numbers = any(each.dtype != dtypes.string for each in (*values, *dense))
    return SparseTensor(
        *_raw.sparse_cross(
            indices, values, shapes, dense, True, num_buckets, hash_key or 0xDECAFCAFFE, dtypes.int64,
            dtypes.int64 if numbers else dtypes.string, name,
        )  # fmt: skip
    )


def serialize_sparse(sp_input, name=None, out_type=dtypes.string):
    """A SparseTensor as three texts. Source: tf.serialize_sparse."""
    return _raw.serialize_sparse(*_parts(_sparse(sp_input)), out_type, name)


def serialize_many_sparse(sp_input, name=None, out_type=dtypes.string):
    """The rows of a SparseTensor as three texts each. Source: tf.serialize_many_sparse."""
    return _raw.serialize_many_sparse(*_parts(_sparse(sp_input)), out_type, name)


def deserialize_many_sparse(serialized_sparse, dtype, rank=None, name=None):
    """The SparseTensor that texts of serialize_many_sparse() were. Source: tf.deserialize_many_sparse."""
    indices, values, shape = _raw.deserialize_many_sparse(serialized_sparse, dtype, name)
    indices.set_shape([None, rank])
    shape.set_shape([rank])
    return SparseTensor(indices, values, shape)
