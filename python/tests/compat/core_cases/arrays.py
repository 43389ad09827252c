"""Functions of arrays: parts, other shapes, other orders."""

import numpy as np


def _x(tf, shape=(2, 3, 4), name="x"):
    return tf.constant(np.arange(np.prod(shape), dtype=np.float32).reshape(shape), name=name)


def _open(tf):
    return tf.placeholder_with_default(np.arange(6, dtype=np.float32).reshape(2, 3), [None, None])


def shapes(tf):
    x, y = _x(tf), _open(tf)
    return [
        tf.shape(x), tf.shape(y), tf.shape(y, out_type=tf.int64, name="s"), tf.size(x), tf.size(y), tf.rank(x), tf.rank(y),
        *tf.shape_n([x, y]), tf.size([1, 2]), tf.shape(tf.SparseTensor([[0, 1]], [1], [2, 3])), tf.size(x, out_type=tf.int64),
        tf.rank([[1]]), tf.broadcast_dynamic_shape([2, 1], tf.shape(x)[1:2]),
    ]  # fmt: skip


def reshapes(tf):
    x, y = _x(tf), _open(tf)
    return [
        tf.reshape(x, [6, -1]), tf.reshape(y, [-1]), tf.reshape(y, [tf.shape(y)[1], 2]), tf.reshape(x, tf.constant([4, 6])),
        tf.expand_dims(x, 0), tf.expand_dims(y, -1, name="e"), tf.expand_dims(x, axis=2), tf.expand_dims(x, dim=1),
        tf.squeeze(tf.ones([1, 2, 1])), tf.squeeze(tf.ones([1, 2, 1]), [0]), tf.squeeze(tf.ones([1, 2, 1]), axis=2),
        tf.squeeze(tf.ones([1, 2]), squeeze_dims=[0]), tf.broadcast_to([1, 2], [3, 2]), tf.tile(y, [1, 2]),
        tf.ensure_shape(y, [2, None]), tf.reshape([1], []),
    ]  # fmt: skip


def reshape_to_another_size(tf):
    tf.reshape(_x(tf), [5, 5])


def reshape_with_two_open_extents(tf):
    tf.reshape(_x(tf), [-1, -1])


def expand_dims_with_two_names(tf):
    tf.expand_dims(_x(tf), 0, dim=1)


def expand_dims_without_axis(tf):
    tf.expand_dims(_x(tf))


def expand_dims_out_of_range(tf):
    tf.expand_dims(_x(tf), 9)


def squeeze_of_two(tf):
    tf.squeeze(_x(tf), [0])


def transposes(tf):
    x, y = _x(tf), _open(tf)
    return [
        tf.transpose(x), tf.transpose(y), tf.transpose(x, [1, 0, 2], name="t"), tf.matrix_transpose(x), tf.linalg.transpose(y),
        tf.transpose(x, perm=(2, 1, 0)), tf.reverse(x, [0]), tf.reverse_v2(x, [-1, 1]), tf.roll(x, 1, 0),
        tf.roll(x, shift=[1, -1], axis=[0, 2]), tf.reverse_sequence(y, [1, 2], seq_dim=1), tf.transpose([[1, 2]]),
        tf.reverse_sequence(y, [1, 2], seq_axis=1, batch_axis=0, name="r"),
    ]  # fmt: skip


def transpose_of_another_rank(tf):
    tf.transpose(_x(tf), [0, 1])


def joins(tf):
    x, y = _x(tf), _open(tf)
    return [
        tf.concat([x, x], 0), tf.concat([y, y], 1, name="c"), tf.concat([x], 2), tf.concat([y, [[9.0, 9.0, 9.0]]], axis=0),
        tf.stack([y, y]), tf.stack([x, x], axis=-1, name="s"), tf.stack([1, 2]), tf.concat(x, 0), tf.parallel_stack([[1], [2]]),
        tf.stack([np.int32(1), 2]), tf.stack([tf.constant(1), 2]), tf.concat(values=[[1], [2]], axis=tf.constant(0)),
        tf.add_n([x, x]), tf.accumulate_n([x, x, x]), tf.meshgrid([1, 2], [3, 4, 5])[0], tf.meshgrid([1, 2], [3], indexing="ij")[1],
        tf.dynamic_stitch([[0, 2], [1]], [[1.0, 3.0], [2.0]]),
    ]  # fmt: skip


def concat_of_other_shapes(tf):
    tf.concat([tf.ones([2, 3]), tf.ones([3, 2])], 0)


def concat_of_an_axis_that_is_not_there(tf):
    tf.concat([tf.ones([2, 3]), tf.ones([2, 3])], 2)


def stack_of_other_shapes(tf):
    tf.stack([tf.ones([2]), tf.ones([3])])


def stack_at_an_axis_that_is_not_there(tf):
    tf.stack([tf.ones([2]), tf.ones([2])], 5)


def parts(tf):
    x, y = _x(tf), _open(tf)
    return [
        *tf.split(x, 2), *tf.split(x, [1, 3], axis=2), *tf.split(y, 3, 1, name="s"), *tf.unstack(x), *tf.unstack(y, num=3, axis=1),
        tf.slice(x, [0, 1, 0], [1, 2, -1]), tf.slice(y, [0, 0], tf.shape(y)), tf.strided_slice(x, [0], [2], [1]),
        tf.strided_slice(x, [0, 0], [2, 3], [1, 2], name="ss"), tf.gather(x, [1, 0]), tf.gather(x, [1], axis=2),
        tf.gather(y, 1, axis=-1), tf.gather_nd(x, [[0, 1], [1, 2]]),
        tf.gather(x, [[0], [1]], batch_dims=1, axis=1), *tf.dynamic_partition(y, [0, 1], 2), tf.boolean_mask(x, [True, False]),
        tf.boolean_mask(y, y > 2), tf.boolean_mask(x, [True, False, True], axis=1, name="b"), *tf.split(y, [1, -1], 1),
        *tf.split(tf.constant([1, 2, 3, 4]), tf.constant([1, 3]), num=2),
    ]  # fmt: skip


def batch_gather(tf):
    return tf.batch_gather(_open(tf), [[0, 1], [2, 0]])


def slices(tf):
    x, y = _x(tf), _open(tf)
    i = tf.constant(1)
    return [
        x[0], x[:, 1], x[..., -1], x[:, None], x[0, 1, 2], x[::2, 1:], x[1:, ::-1], x[i], x[i:, 0], y[0], y[:, i], y[-1, 1:],
        y[tf.newaxis, ..., 0], x[:, :, tf.constant(0) : i + 1], x[0][1], y[:i], x[1], x[np.int64(1)],
        x[-1:], y[..., tf.newaxis], x[tf.constant(0), 1],
    ]  # fmt: skip


def slice_with_a_float(tf):
    _x(tf)[1.5]


def slice_with_a_text(tf):
    _x(tf)["a"]


def slice_with_a_float_tensor(tf):
    _x(tf)[tf.constant(1.0)]


def slice_with_two_ellipses(tf):
    _x(tf)[..., 0, ...]


def too_many_indices(tf):
    _x(tf)[0, 0, 0, 0]


def index_out_of_range(tf):
    _x(tf)[5]


def split_that_does_not_fit(tf):
    tf.split(_x(tf), 2, axis=1)


def split_without_a_number(tf):
    tf.split(_x(tf), tf.placeholder(tf.int32, [None]))


def split_of_other_sizes(tf):
    tf.split(_x(tf), [1, 1], axis=1)


def unstack_of_unknown_size(tf):
    tf.unstack(_open(tf))


def unstack_of_unknown_rank(tf):
    tf.unstack(tf.placeholder(tf.float32))


def unstack_at_an_axis_that_is_not_there(tf):
    tf.unstack(_x(tf), axis=5)


def boolean_mask_of_unknown_rank(tf):
    tf.boolean_mask(_x(tf), tf.placeholder(tf.bool))


def boolean_mask_of_a_scalar(tf):
    tf.boolean_mask(_x(tf), True)


def gather_of_floats(tf):
    tf.gather(_x(tf), [1.0])


def selections(tf):
    x = _open(tf)
    return [
        tf.where(x > 2), tf.where(x > 2, x, -x), tf.where([True, False], x, x + 10, name="w"), tf.one_hot([0, 2], 3),
        tf.one_hot(1, 3, on_value=5, off_value=-1), tf.one_hot([[1]], 2, axis=0, dtype=tf.int32), tf.sequence_mask([1, 3]),
        tf.sequence_mask([1, 3], 4, tf.float32, name="m"), *tf.unique([1, 1, 3]), *tf.unique_with_counts([2, 2, 5], tf.int64),
        *tf.setdiff1d([1, 2, 3], [2]), tf.invert_permutation([2, 0, 1]), *tf.nn.top_k(x, 2), tf.argmax(x, 1), tf.argmin(x, axis=0),
        tf.arg_max(x, 1), tf.arg_min(x, dimension=0), tf.argmax(x, dimension=1), tf.argsort(x), tf.sort(x, direction="DESCENDING"),
        tf.searchsorted([1.0, 3.0, 5.0], [2.0, 6.0]), tf.searchsorted([1, 3], [3], side="right"), tf.argmax(x, 1, output_type=tf.int32),
        tf.edit_distance(tf.SparseTensor([[0, 0]], [1], [1, 1]), tf.SparseTensor([[0, 0], [0, 1]], [1, 2], [1, 2])),
        tf.where_v2(x > 2, x, 0.0), tf.unravel_index([3, 5], [2, 3]), tf.repeat([1, 2], [2, 1]), tf.repeat(x, 2, axis=1),
        tf.histogram_fixed_width(x, [0.0, 6.0], 3), tf.histogram_fixed_width_bins(x, [0.0, 6.0], nbins=3), tf.confusion_matrix([0, 1], [0, 1]),
        tf.confusion_matrix([0, 1], [0, 1], num_classes=3, weights=[1, 2], dtype=tf.float32, name="cm"), tf.bincount([1, 1, 2]),
    ]  # fmt: skip


def where_with_one_value(tf):
    tf.where([True], [1])


def one_hot_without_depth(tf):
    tf.one_hot([1])


def one_hot_of_other_types(tf):
    tf.one_hot([1], 2, on_value=1.0, off_value=0, dtype=tf.int32)


def paddings(tf):
    x = _open(tf)
    y = tf.ones([1, 2, 2, 1])
    return [
        tf.pad(x, [[1, 0], [0, 1]]), tf.pad(x, [[1, 1], [1, 1]], "REFLECT", name="p"), tf.pad(x, [[1, 1], [1, 1]], mode="SYMMETRIC"),
        tf.pad(x, tf.constant([[0, 0], [1, 1]]), constant_values=9), tf.space_to_depth(y, 2), tf.depth_to_space(tf.ones([1, 1, 1, 4]), 2),
        tf.space_to_batch(y, [[0, 0], [0, 0]], 2), tf.batch_to_space(tf.ones([4, 1, 1, 1]), [[0, 0], [0, 0]], 2),
        tf.space_to_batch_nd(y, [2, 2], [[0, 0], [0, 0]]), tf.batch_to_space_nd(tf.ones([4, 1, 1, 1]), [2, 2], [[0, 0], [0, 0]]),
        tf.extract_image_patches(tf.ones([1, 3, 3, 1]), [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID"), tf.required_space_to_batch_paddings([3, 3], [2, 2])[0],
    ]  # fmt: skip


def pad_of_another_mode(tf):
    tf.pad(_open(tf), [[1, 1], [1, 1]], "other")


def diagonals(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return [
        tf.diag([1, 2]), tf.diag_part(x), tf.matrix_diag([[1, 2]]), tf.matrix_diag_part(x), tf.matrix_set_diag(x, [9.0, 8.0]),
        tf.matrix_band_part(x, 0, -1), tf.linalg.diag([1.0, 2.0]), tf.linalg.tensor_diag([1.0]), tf.linalg.tensor_diag_part(x),
        tf.linalg.band_part(x, 1, 0, name="b"), tf.linalg.set_diag(x, [0.0, 0.0]), tf.trace(x), tf.linalg.trace(x, name="t"),
    ]  # fmt: skip


def casts(tf):
    x = tf.constant([1.7, -2.2])
    return [
        tf.cast(x, tf.int32), tf.to_float([1]), tf.to_double([1]), tf.to_int32(x), tf.to_int64(x, name="i"), tf.to_bfloat16(x),
        tf.cast(x, tf.float32), tf.cast([True], tf.float32), tf.cast(tf.SparseTensor([[0]], [1], [2]), tf.float32).values,
        tf.saturate_cast([300.0, -5.0], tf.uint8), tf.bitcast(tf.constant([1.0]), tf.int32), tf.identity(x), tf.identity_n([x, [1]])[1],
        tf.stop_gradient(x), tf.quantize_v2 and tf.guarantee_const(x), tf.check_numerics(x, "m"), tf.cast(3, "int64"),
    ]  # fmt: skip


def cast_of_text(tf):
    tf.cast(["a"], tf.float32)


def segments(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    return [
        tf.segment_sum(x, [0, 0, 1]), tf.segment_mean(x, [0, 0, 1]), tf.segment_max(x, [0, 0, 1]), tf.segment_min(x, [0, 0, 1]),
        tf.segment_prod(x, [0, 0, 1], name="p"), tf.unsorted_segment_sum(x, [1, 0, 1], 2), tf.unsorted_segment_mean(x, [1, 0, 1], 3),
        tf.unsorted_segment_sqrt_n(x, [1, 0, 1], 2), tf.unsorted_segment_max(x, [1, 0, 1], 2), tf.unsorted_segment_min(x, [1, 0, 1], 2),
        tf.unsorted_segment_prod(x, [1, 0, 1], 2), tf.sparse_segment_sum(x, [0, 2], [0, 0]), tf.sparse_segment_mean(x, [0, 2], [0, 0]),
        tf.sparse_segment_sqrt_n(x, [0, 2], [0, 0], name="n"), tf.sparse_segment_sum(x, [0, 2], [0, 1], num_segments=3),
    ]  # fmt: skip
