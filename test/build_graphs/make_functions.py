"""Records functions.pb: what TensorFlow 2.21's Python functions add to a graph, a name scope each; test/unit/Build/BuildFunctionsTest.cpp makes the same. Needs tensorflow-cpu."""
import os
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
HERE = os.path.dirname(os.path.abspath(__file__))
X = tf.placeholder(tf.float32, [None, 3], "X")
S = tf.placeholder(tf.float32, [2, 3], "S")
U = tf.placeholder(tf.float32, None, "U")
I = tf.placeholder(tf.int32, [4], "I")
B = tf.placeholder(tf.bool, [2, 3], "B")
T3 = tf.placeholder(tf.float32, [2, 3, 4], "T3")
IMG = tf.placeholder(tf.float32, [None, 8, 8, 1], "IMG")
V = tf.Variable([1.0, 2.0, 3.0], name="V")
R = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="R", use_resource=True)
tf.set_random_seed(7)

CALLS = {
    "add": lambda: tf.add(X, 2), "add_number": lambda: tf.add(1.5, X), "subtract": lambda: tf.subtract(X, [1, 2, 3]), "multiply": lambda: tf.multiply(2.0, X), "divide": lambda: tf.divide(X, 3), "divide_number": lambda: tf.divide(3, X),
    "divide_named": lambda: tf.divide(X, 3, name="q"), "truediv": lambda: tf.truediv(I, 2), "div": lambda: tf.div(I, 3), "div_float": lambda: tf.div(X, 3), "floordiv": lambda: tf.floordiv(I, 2), "mod": lambda: tf.mod(I, 3), "pow": lambda: tf.pow(X, 2),
    "abs": lambda: tf.abs(X), "negative": lambda: tf.negative(X), "cast": lambda: tf.cast(X, tf.int32), "cast_same": lambda: tf.identity(tf.cast(X, tf.float32)), "cast_number": lambda: tf.cast(3, tf.float32), "add_n": lambda: tf.add_n([X, X]), "add_n_one": lambda: tf.add_n([X], name="one"),
    "clip": lambda: tf.clip_by_value(X, -1, 1.0), "operators": lambda: [X + 1, 1 + X, X - 1, 1 - X, X * 2, 2 * X, X / 2, 2 / X, X % 2, X < 1, X >= 1, 1 > X, -X], "operators_int": lambda: [I / 2, I + I, I % 3], "variable_operators": lambda: [V + 1, 1 + V, X * V, V * V],
    "resource_operators": lambda: [R + 1, R * R, tf.matmul(R, R), 2 * R], "logical": lambda: [tf.logical_and(B, True), B & B, B | B, ~B],
    "reduce_sum": lambda: tf.reduce_sum(X), "reduce_sum_axis": lambda: tf.reduce_sum(X, 1), "reduce_sum_axes": lambda: tf.reduce_sum(X, [0, 1], keepdims=True), "reduce_unknown": lambda: tf.reduce_mean(U), "reduce_mean": lambda: tf.reduce_mean(T3, name="m"), "reduce_max": lambda: tf.reduce_max(X, axis=-1), "reduce_min": lambda: tf.reduce_min(X),
    "reduce_prod": lambda: tf.reduce_prod(X), "reduce_any": lambda: tf.reduce_any(B), "reduce_all": lambda: tf.reduce_all(B, 0), "argmax": lambda: tf.argmax(X, 1), "argmin": lambda: tf.argmin(X, 0, output_type=tf.int32), "cumsum": lambda: tf.cumsum(X, 1, exclusive=True), "cumprod": lambda: tf.cumprod(X, reverse=True),
    "matmul": lambda: tf.matmul(X, S, transpose_b=True), "matmul_batch": lambda: tf.matmul(T3, T3, transpose_a=True), "matmul_list": lambda: tf.matmul(S, [[1.0], [2.0], [3.0]]), "range": lambda: tf.range(5), "range_float": lambda: tf.range(1, 5.0, 0.5), "range_tensor": lambda: tf.range(tf.size(U)),
    "constant_fill": lambda: tf.constant(3, shape=[2, 2]), "constant_last": lambda: tf.constant([1.0, 2.0], shape=[2, 2]), "constant_long": lambda: tf.constant(2 ** 40), "constant_text": lambda: tf.constant(["a", "bc"]), "zeros": lambda: tf.zeros([2, 3]), "zeros_large": lambda: tf.zeros([40, 50], tf.int32), "zeros_tensor": lambda: tf.zeros(tf.shape(X)),
    "zeros_packed": lambda: tf.zeros([tf.shape(X)[0], 3]), "ones": lambda: tf.ones([3], tf.int64), "ones_bool": lambda: tf.ones([2], tf.bool), "zeros_like": lambda: tf.zeros_like(S), "zeros_like_dynamic": lambda: tf.zeros_like(X), "zeros_like_cast": lambda: tf.zeros_like(X, tf.int32), "ones_like": lambda: tf.ones_like(S), "ones_like_dynamic": lambda: tf.ones_like(X), "fill": lambda: tf.fill([2, 2], 9.0),
    "shape": lambda: [tf.shape(X), tf.shape(S), tf.shape(S, out_type=tf.int64)], "size": lambda: [tf.size(X), tf.size(S)], "rank": lambda: [tf.rank(X), tf.rank(U)], "expand_dims": lambda: tf.expand_dims(X, -1), "squeeze": lambda: tf.squeeze(tf.expand_dims(X, 0), [0]), "concat": lambda: tf.concat([X, X], 0), "concat_one": lambda: tf.concat([X], 0),
    "stack": lambda: tf.stack([S, S]), "stack_axis": lambda: tf.stack([S, S], axis=1), "stack_mixed": lambda: tf.stack([tf.shape(X)[0], 3]), "stack_constant": lambda: tf.stack([1, 2]), "unstack": lambda: tf.unstack(S), "split": lambda: tf.split(S, 3, 1), "split_sizes": lambda: tf.split(S, [1, 2], 1), "transpose": lambda: tf.transpose(S), "transpose_perm": lambda: tf.transpose(T3, [1, 0, 2]), "transpose_unknown": lambda: tf.transpose(U),
    "gather": lambda: tf.gather(X, I), "gather_axis": lambda: tf.gather(X, I, axis=1), "where": lambda: tf.where(B), "where_select": lambda: tf.where(B, S, S), "one_hot": lambda: tf.one_hot(I, 5), "one_hot_values": lambda: tf.one_hot(I, 5, 2, 1, axis=0), "one_hot_type": lambda: tf.one_hot(I, 5, dtype=tf.int64), "pad": lambda: tf.pad(S, [[1, 1], [0, 2]]), "pad_value": lambda: tf.pad(S, [[1, 1], [0, 2]], constant_values=1.0), "pad_mirror": lambda: tf.pad(S, [[1, 1], [0, 2]], "REFLECT"),
    "slices": lambda: [S[0], S[:, 1], S[0:1, ..., tf.newaxis], S[::-1], T3[..., 0], S[tf.size(B) - 5, 1]], "boolean_mask": lambda: tf.boolean_mask(S, B), "boolean_mask_rows": lambda: tf.boolean_mask(X, tf.placeholder(tf.bool, [None], "rows")), "reshape": lambda: tf.reshape(X, [-1, 1]), "reshape_mixed": lambda: tf.reshape(X, [tf.size(X), 1]), "tile": lambda: tf.tile(X, [2, 1]),
    "random_uniform": lambda: tf.random_uniform([2, 3]), "random_uniform_bounds": lambda: tf.random_uniform([2], -1.0, 1.0, seed=3), "random_uniform_zero": lambda: tf.random_uniform([2], 0, 2.0), "random_uniform_int": lambda: tf.random_uniform([2], 0, 9, tf.int32), "random_normal": lambda: tf.random_normal([2], stddev=0.1), "truncated_normal": lambda: tf.truncated_normal(tf.shape(X), 1.0), "random_shuffle": lambda: tf.random_shuffle(I), "multinomial": lambda: tf.multinomial(S, 4),
    "bias_add": lambda: tf.nn.bias_add(X, [1.0, 2.0, 3.0]), "softmax": lambda: tf.nn.softmax(X), "softmax_named": lambda: tf.nn.softmax(X, name="p"), "log_softmax": lambda: tf.nn.log_softmax(X), "xent": lambda: tf.nn.softmax_cross_entropy_with_logits(labels=S, logits=S), "xent_v2": lambda: tf.nn.softmax_cross_entropy_with_logits_v2(labels=X, logits=X), "sparse_xent": lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.cast(X[:, 0], tf.int32), logits=X),
    "sigmoid_xent": lambda: tf.nn.sigmoid_cross_entropy_with_logits(labels=S, logits=S), "conv2d": lambda: tf.nn.conv2d(IMG, tf.ones([3, 3, 1, 2]), [1, 1, 1, 1], "SAME"), "max_pool": lambda: tf.nn.max_pool(IMG, [1, 2, 2, 1], [1, 2, 2, 1], "VALID"), "avg_pool": lambda: tf.nn.avg_pool(IMG, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"), "in_top_k": lambda: tf.nn.in_top_k(S, [0, 1], 1),
    "dropout": lambda: tf.nn.dropout(X, rate=0.25), "dropout_seed": lambda: tf.nn.dropout(S, rate=0.5, seed=4), "dropout_tensor": lambda: tf.nn.dropout(X, rate=tf.placeholder(tf.float32, [], "rate")), "embedding_lookup": lambda: tf.nn.embedding_lookup(V, I), "embedding_resource": lambda: tf.nn.embedding_lookup(R, I),
    "group": lambda: tf.group(X, S), "tuple": lambda: tf.tuple([X, S]), "assign": lambda: [tf.assign(V, [1.0, 1.0, 1.0]), tf.assign_add(V, V), tf.assign_sub(V, 2 * V, use_locking=True)], "report": lambda: tf.report_uninitialized_variables([V, R]), "relu": lambda: tf.nn.relu(X), "sigmoid": lambda: tf.sigmoid(X), "squared_difference": lambda: tf.squared_difference(X, 1.0), "maximum": lambda: tf.maximum(X, 0.0),
}
for name, call in CALLS.items():
    with tf.name_scope("t_" + name):
        call()
with open(os.path.join(HERE, "functions.pb"), "wb") as f:
    f.write(tf.get_default_graph().as_graph_def().SerializeToString(deterministic=True))
print(len(CALLS), "functions,", len(tf.get_default_graph().get_operations()), "nodes")
