# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names, variables and nodes that are added."""
from error_cases import case, tf

# Names and lookups.

def node(name):
    return lambda: tf.constant(1, name=name)


for key, name in {"space": "a b", "colon": "a:b", "underscore": "_x"}.items():
    case(f"names/node_{key}")(node(name))


@case("names/root_scope")
def _():
    with tf.name_scope("_x"):
        pass


@case("names/inner_scope")
def _():
    with tf.name_scope("outer"), tf.name_scope("a:b"):
        pass


def lookup(name, tensor=True, operation=True):
    def program():
        tf.constant(1.0, name="c")
        tf.get_default_graph().as_graph_element(name, tensor, operation)
    return program


for key, (name, tensor, operation) in {
        "tensor_of_no_operation": ("nope:0", True, False),
        "output_that_is_not_there": ("c:1", True, False),
        "operation_that_is_not_there": ("nope", False, True),
        "output_that_is_no_number": ("c:x", True, False),
        "two_outputs": ("c:0:1", True, False),
        "operation_as_a_tensor": ("c", True, False),
        "nothing_as_a_tensor": ("nope", True, False),
        "tensor_as_an_operation": ("c:0", False, True)}.items():
    case(f"names/{key}")(lookup(name, tensor, operation))


@case("names/tensor_of_another_graph")
def _():
    with tf.Graph().as_default():
        other = tf.constant(1.0, name="c2")
    tf.get_default_graph().as_graph_element(other)


@case("names/input_of_another_graph")
def _():
    with tf.Graph().as_default():
        other = tf.constant(1.0, name="c2")
    tf.add(tf.constant(1.0, name="c"), other)


@case("names/device")
def _():
    with tf.device("/nothing:x:y"):
        tf.constant(1)


# Variables and their scopes.

@case("variables/exists")
def _():
    with tf.variable_scope("foo"):
        tf.get_variable("a", [3])
        tf.get_variable("a", [3])


@case("variables/missing")
def _():
    with tf.variable_scope("foo", reuse=True):
        tf.get_variable("zzz", [3])


@case("variables/missing_beside_one_without_a_scope")
def _():
    tf.Variable(1.0, name="foo/zzz")
    with tf.variable_scope("foo", reuse=True):
        tf.get_variable("zzz", [])


def shared(**other):
    def program():
        with tf.variable_scope("foo", reuse=tf.AUTO_REUSE):
            tf.get_variable("a", [3])
            tf.get_variable("a", **other)
    return program


case("variables/other_shape")(shared(shape=[4]))
case("variables/other_dtype")(shared(shape=[3], dtype=tf.int32))


def variable(name="v", **options):
    return lambda: tf.get_variable(name, **options)


case("variables/no_shape")(variable("ns"))
case("variables/constant_and_shape")(variable(shape=[2], initializer=tf.constant([1.0, 2.0])))
case("variables/constant_of_another_dtype")(lambda: tf.get_variable(
    "v", dtype=tf.int32, initializer=tf.constant(1.0)))
case("variables/partial_shape")(variable(shape=[2, None]))
case("variables/complex")(variable("cv", shape=[2], dtype=tf.complex64))


@case("variables/scope_without_a_name")
def _():
    with tf.variable_scope(None):
        pass


@case("variables/reuse_without_a_name")
def _():
    with tf.variable_scope(None, default_name="d", reuse=True):
        pass


@case("variables/scopes_out_of_order")
def _():
    first, second = tf.variable_scope("first"), tf.variable_scope("second")
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)


@case("variables/value_of_unknown_shape")
def _():
    tf.Variable(tf.placeholder(tf.float32), name="v")


@case("variables/initial_value_of_another_dtype")
def _():
    tf.Variable(tf.constant(1.0), dtype=tf.int32, name="v")


@case("variables/value_from_inside_of_a_loop")
def _():
    def body(i):
        tf.Variable(i + 1, name="v")
        return i + 1
    tf.while_loop(lambda i: i < 3, body, [0])


@case("variables/assign_another_shape")
def _():
    tf.assign(tf.Variable([1.0, 2.0], name="v"), [1.0, 2.0, 3.0])


@case("variables/assign_another_shape_to_a_resource")
def _():
    tf.Variable([1.0, 2.0], name="vr", use_resource=True).assign([1.0, 2.0, 3.0])


@case("variables/assign_another_dtype")
def _():
    tf.assign(tf.Variable([1.0, 2.0], name="v"), tf.constant([1, 2]))


@case("variables/add_another_dtype")
def _():
    tf.assign_add(tf.Variable([1.0, 2.0], name="v"), tf.constant([1, 2]))


@case("variables/assign_another_dtype_to_a_resource")
def _():
    tf.Variable([1.0, 2.0], name="vr", use_resource=True).assign(tf.constant([1, 2]))


def partitioned(shape, cuts, again=None, **options):
    def program():
        with tf.variable_scope("s", partitioner=lambda shape, dtype: cuts):
            tf.get_variable("p", shape=shape, dtype=tf.float32)
        if again:
            again()
    return program


def reused(**options):
    def program():
        with tf.variable_scope("s", reuse=options.pop("reuse", True),
                               partitioner=lambda shape, dtype: [2, 1]):
            tf.get_variable(**options)
    return program


case("variables/cut_along_two_axes")(partitioned([4, 4], [2, 2]))
case("variables/cut_into_nothing")(partitioned([4, 4], [0, 1]))
case("variables/cuts_of_another_rank")(partitioned([4, 4], [2]))
case("variables/cut_of_a_partial_shape")(partitioned([4, None], [2, 1]))
case("variables/cut_twice")(partitioned([4, 4], [2, 1], reused(name="p", shape=[4, 4], reuse=False)))
case("variables/cut_of_another_shape")(partitioned([4, 4], [2, 1], reused(name="p", shape=[5, 4])))
case("variables/cut_that_is_not_there")(partitioned([4, 4], [2, 1], reused(name="q", shape=[4, 4])))


@case("variables/cut_of_a_whole_one")
def _():
    with tf.variable_scope("s"):
        tf.get_variable("p", shape=[4, 4])
    with tf.variable_scope("s", reuse=True, partitioner=lambda shape, dtype: [2, 1]):
        tf.get_variable("p", shape=[4, 4])


# What adding a node says.

case("nodes/shapes")(lambda: tf.add(tf.zeros([2, 3]), tf.zeros([4, 5])))
case("nodes/matrices")(lambda: tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5])))
case("nodes/matrices_in_batches")(lambda: tf.matmul(tf.zeros([2, 3, 4]), tf.zeros([2, 5, 6])))
case("nodes/batches_of_matrices")(lambda: tf.matmul(tf.zeros([2, 3, 4]), tf.zeros([3, 4, 6])))
case("nodes/no_elements")(lambda: tf.add(tf.zeros([0]), tf.zeros([2])))
case("nodes/about_equal")(lambda: tf.raw_ops.ApproximateEqual(x=tf.zeros([2, 3]), y=tf.zeros([2, 4])))
case("nodes/dtypes")(lambda: tf.add(tf.constant(1), tf.constant(1.0)))
case("nodes/float_beside_integers")(lambda: tf.constant(1) + 1.5)
case("nodes/list_of_dtypes")(lambda: tf.add_n([tf.constant(1), tf.constant(1.0)]))
case("nodes/dtype_not_allowed")(lambda: tf.sqrt(tf.constant(4)))
case("nodes/constant_of_a_text")(lambda: tf.constant("a", tf.int32))
case("nodes/text_of_a_number")(lambda: tf.constant(1, tf.string))
case("nodes/too_many_elements")(lambda: tf.constant([1, 2, 3], shape=[2]))
case("nodes/reshape")(lambda: tf.reshape(tf.zeros([2, 3]), [4, 2]))
case("nodes/concat")(lambda: tf.concat([tf.zeros([2, 3]), tf.zeros([3, 3])], 1))
case("nodes/random_integers")(lambda: tf.random_uniform([2], dtype=tf.int32))
case("nodes/pack")(lambda: tf.stack([tf.zeros([2]), tf.zeros([3])]))
case("nodes/pack_axis")(lambda: tf.stack([tf.zeros([2]), tf.zeros([2])], axis=3))
case("nodes/unstack")(lambda: tf.unstack(tf.placeholder(tf.float32, [None], name="x")))
case("nodes/mask")(lambda: tf.boolean_mask(tf.zeros([2]), tf.constant(True)))
