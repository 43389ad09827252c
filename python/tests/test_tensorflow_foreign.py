"""kiln.tensorflow: ops that Kiln does not have, and dtypes that it does not compute with."""

import warnings

import numpy as np
import pytest

from tensorflow_beside import foreign_square, on_kiln, same_as_tensorflow, tf

from tensorflow.core.framework import attr_value_pb2
from tensorflow.python.framework import function
from tensorflow.python.ops import functional_ops

import kiln
import kiln.tensorflow

ROWS = np.arange(12, dtype="f4").reshape(4, 3)


@pytest.mark.parametrize("shape", [[4, 3], [None, 3], None])
def test_an_op_of_tensorflow_among_kilns(shape):
    def program():
        x = tf.placeholder(tf.float32, shape)
        y = foreign_square(x + 1) * 2 + x
        slope = tf.gradients(y, x)[0]
        with tf.Session() as session:
            return [session.run([y, slope], {x: ROWS}) for _ in range(3)]

    same_as_tensorflow(program)


def test_a_training_step_through_one():
    def program():
        x = tf.placeholder(tf.float32, [None, 3])
        w = tf.get_variable("w", [3, 2], initializer=tf.ones_initializer())
        loss = tf.reduce_mean(tf.square(foreign_square(tf.nn.relu(x @ w) + 2)))
        step = tf.train.GradientDescentOptimizer(1e-4).minimize(loss)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return [session.run([loss, step], {x: ROWS})[0] for _ in range(5)] + [session.run(w)]

    same_as_tensorflow(program, 1e-4)


def test_attributes_that_are_tensors():
    def program():
        x = tf.placeholder(tf.float32, [None, 4, 4, 1])
        green = tf.make_tensor_proto(np.array([0, 255, 0, 255], np.uint8))
        summaries = [tf.summary.image("image", x, max_outputs=2), tf.raw_ops.ImageSummary(tag="tag", tensor=x, bad_color=green)]
        images = np.arange(32, dtype="f4").reshape(2, 4, 4, 1) / 32
        images[1, 0] = np.nan
        with tf.Session() as session:
            return [session.run(summaries, {x: images[:count]}) for count in (1, 2)]

    same_as_tensorflow(program)


def test_errors_of_ops_with_such_attributes(on_kiln):
    x = tf.placeholder(tf.float32)
    summary = tf.raw_ops.ImageSummary(tag="tag", tensor=x, bad_color=tf.make_tensor_proto(np.array([0, 255], np.uint8)))
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="Tensor must be 4-D with last dim 1, 3, or 4, not") as raised:
            session.run(summary, {x: np.ones([2])})
        assert raised.value.op is summary.op


def test_in_branches_loops_and_functions():
    def program():
        n = tf.placeholder(tf.int32, [])
        looped = tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, foreign_square(x) + x), [0, tf.constant([2.0])])[1]
        chosen = tf.cond(n > 2, lambda: foreign_square(looped), lambda: looped)
        with tf.Session() as session:
            return [session.run([looped, chosen], {n: k}) for k in (0, 2, 5)]

    same_as_tensorflow(program)


def test_strings_and_found_out_sizes():
    def program():
        text = tf.placeholder(tf.string, [None])
        parts = tf.strings.split(text, sep=" ")
        encoded = tf.io.encode_base64(text)
        numbers = tf.strings.unicode_decode(text[0], "UTF-8")
        with tf.Session() as session:
            return [
                session.run([parts.values, parts.indices, encoded, numbers], {text: value})
                for value in (["a b", "c"], ["d"], ["", "e f g", b"h"])
            ]

    same_as_tensorflow(program)


def test_errors_of_its_kernels(on_kiln):
    text = tf.placeholder(tf.string, [None])
    decoded = tf.io.decode_base64(text, name="decoded")
    with tf.Session() as session:
        assert list(session.run(decoded, {text: ["YQ"]})) == [b"a"]
        with pytest.raises(tf.errors.InvalidArgumentError, match="base64") as caught:
            session.run(decoded, {text: ["!!!!"]})
    assert caught.value.op is decoded.op and "function_node" not in caught.value.message


def test_one_warning_an_op_type_and_a_count(on_kiln):
    x = tf.placeholder(tf.float32, [1, 3], name="x")
    first, second = (tf.raw_ops.IsotonicRegression(input=y).output for y in (x, x + 1))
    with tf.Session() as session, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        session.run(first, {x: [[1, 2, 3]]})
        session.run([first, second], {x: [[1, 2, 3]]})
        assert [str(warning.message) for warning in caught if "IsotonicRegression" in str(warning.message)] == [
            "kiln.tensorflow runs op IsotonicRegression by TensorFlow's kernel"
        ]
        stats = kiln.RunStats()
        session._kiln.session.run([first.name, second.name], {"x:0": np.ones([1, 3], "f4")}, stats=stats)
        assert stats.ops_foreign == 2


def test_without_foreign_ops():
    def error_of(name):
        with tf.Graph().as_default(), tf.Session() as session:
            with pytest.raises(tf.errors.OpError) as caught:
                session.run(foreign_square(tf.constant([3.0]), name))
            return caught.value.message

    with kiln.tensorflow.install(foreign=False):
        message = error_of("never")
        assert "op 'FusedPadConv2D'" in message and "never" in message
    with kiln.tensorflow.install(), tf.Graph().as_default(), tf.Session() as session:
        np.testing.assert_allclose(session.run(foreign_square(tf.constant([3.0]))), [9])
    with kiln.tensorflow.install(foreign=False):
        message = error_of("again")
        assert "op 'FusedPadConv2D'" in message and "again" in message


def test_the_environment_forbids_them(monkeypatch):
    monkeypatch.setenv("KILN_TENSORFLOW_FOREIGN", "0")
    with kiln.tensorflow.install(), tf.Graph().as_default(), tf.Session() as session:
        with pytest.raises(tf.errors.OpError, match="'FusedPadConv2D'"):
            session.run(foreign_square(tf.constant([3.0])))


def test_stateful_ops_are_an_error(on_kiln):
    now = tf.raw_ops.SyncDevice(name="now")
    with tf.Session() as session:
        with pytest.raises(tf.errors.NotFoundError, match="SyncDevice: it keeps state") as caught:
            session.run(now)
        assert caught.value.op is now
        assert session.run(tf.constant(2) + 1) == 3


def test_a_form_without_a_kernel_is_an_error_in_a_sessions_words(on_kiln):
    y = tf.linalg.lu(tf.placeholder(tf.float16, [2, 2]))[0]
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="No OpKernel was registered to support Op 'Lu'") as caught:
            session.run(y, {y.op.inputs[0]: np.ones([2, 2])})
        assert caught.value.op is y.op


def mapped(function, rows):
    """MapDefun of a tf.function of a vector: TensorFlow's Python has no other way to this op."""
    concrete = function.get_concrete_function(tf.TensorSpec([3], tf.float32))
    concrete.add_to_graph(tf.get_default_graph())
    return tf.raw_ops.MapDefun(
        arguments=[rows], captured_inputs=[], output_types=[tf.float32], output_shapes=[[3]], f=concrete, name="mapped"
    )[0]


def test_attributes_that_are_functions():
    def program():
        inner = tf.function(lambda x: x * x + 1, autograph=False)
        x = tf.placeholder(tf.float32, [None, 3])
        y = mapped(tf.function(lambda row: inner(row) - row, autograph=False), x)
        again = tf.cond(tf.reduce_sum(x) > 0, lambda: mapped(tf.function(inner, autograph=False), x), lambda: x)

        @function.Defun(tf.float32, tf.float32, func_name="cube")
        def cube(x, dy):
            return x * x * x * dy

        x0 = tf.placeholder(tf.float32, [])
        slope = functional_ops.symbolic_gradient([x0, tf.constant(2.0), tf.constant(1.0)], [tf.float32, tf.float32], cube)
        # As the gradient of a call has it: a function with attributes.
        cube.add_to_graph(tf.get_default_graph())
        named = attr_value_pb2.NameAttrList(name=cube.name)
        named.attr["_noinline"].b = True
        again_slope = functional_ops.symbolic_gradient([x0, tf.constant(3.0), tf.constant(1.0)], [tf.float32, tf.float32], named)
        square = function.Defun(tf.float32, func_name="square")(lambda x: x * x)
        within = function.Defun(tf.float32, func_name="within")(lambda x: functional_ops.Gradient([x, 1.0], square)[0])
        total = functional_ops.For(1, 4, 1, [x0], function.Defun(tf.int32, tf.float32)(lambda i, v: v * tf.cast(i, tf.float32)))
        with tf.Session() as session:
            return [session.run([y, again, slope, again_slope, within(x0), total], {x: rows, x0: 2}) for rows in (ROWS, -ROWS[:2], ROWS)]

    same_as_tensorflow(program)


def test_functions_with_gradients_of_their_own():
    """In the place of what differentiating their bodies would give, also within functions that call them."""

    def program():
        @function.Defun(tf.float32, tf.float32, tf.float32)
        def gradient(x, w, dy):
            return 100 * dy * w, tf.reduce_sum(10 * dy * x)

        @function.Defun(tf.float32, tf.float32, grad_func=gradient)
        def scaled(x, w):
            return x * w

        @function.Defun(tf.float32, tf.float32)
        def within(x, w):
            return scaled(x, w) + x

        @function.Defun(tf.float32, python_grad_func=lambda op, dy: 7 * dy)
        def by_hand(x):
            return x * x

        x = tf.placeholder(tf.float32, [None])
        w = tf.get_variable("w", initializer=2.0)
        slopes = [tf.gradients(y, [x, w]) for y in (scaled(x, w), within(x, w), by_hand(scaled(x, w)))]
        step = tf.train.GradientDescentOptimizer(0.001).minimize(tf.reduce_sum(within(x, w)))
        with tf.Session() as session:
            session.run(w.initializer)
            return [session.run([slopes, step, w], {x: row}) for row in (ROWS[0], ROWS[1], [5.0])]

    same_as_tensorflow(program)


def test_functions_of_one_name_in_two_graphs(on_kiln):
    for factor in (2.0, 3.0):
        with tf.Graph().as_default(), tf.Session() as session:
            body = function.Defun(tf.int32, tf.float32, func_name="body")(lambda i, v: v * factor)
            assert session.run(functional_ops.For(0, 3, 1, [tf.constant(1.0)], body)) == [factor**3]


def test_functions_that_keep_state_are_an_error_that_says_why(on_kiln):
    y = mapped(tf.function(lambda row: row * tf.random.uniform([3]), autograph=False), tf.constant(ROWS))
    with tf.Session() as session:
        with pytest.raises(tf.errors.UnimplementedError, match="its function has op 'RandomUniform', which keeps state") as caught:
            session.run(y)
        assert caught.value.op is y.op


NAMES = "complex64 complex128 qint8 quint8 qint16 quint16 qint32 float8_e5m2 float8_e4m3fn int4 uint4 half bfloat16 bool"
DTYPES = [tf.dtypes.as_dtype(name) for name in NAMES.split()]


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.name)
def test_every_dtype_is_stored_fed_fetched_and_handed_over(dtype, on_kiln):
    value = np.array([1, 0, 1, 1, 0, 1, 1], "i1").astype(dtype.as_numpy_dtype)
    x = tf.placeholder(dtype, [None])
    same = tf.identity(x)
    chosen = tf.cond(tf.shape(x)[0] > 3, lambda: tf.identity(x), lambda: tf.constant(value[:1], dtype))
    queue = tf.FIFOQueue(3, [dtype], [[7]])
    put, take = queue.enqueue([x]), queue.dequeue()
    plain = tf.Variable(tf.constant(value, dtype), use_resource=False, name="plain")
    resource = tf.Variable(tf.constant(value, dtype), use_resource=True, name="resource")
    set_plain = tf.assign(plain, x)
    with tf.Session() as session:
        session.run([plain.initializer, resource.initializer])
        session.run(put, {x: value})
        results = session.run([same, chosen, plain, resource.read_value(), tf.constant(value, dtype), take], {x: value})
        results.append(session.run(set_plain, {x: value}))
    # Quantized numbers come as the integers that they are.
    expected = value.dtype[0] if dtype.is_quantized else value.dtype
    for result in results:
        assert result.dtype == expected and result.tobytes() == value.tobytes()


def test_complex_arithmetic():
    def program():
        x = tf.placeholder(tf.complex64, [None, 4])
        y = tf.signal.fft(x * 2) + tf.complex(tf.ones([4]), tf.zeros([4]))
        parts = [tf.real(y), tf.imag(y), tf.abs(y), tf.concat([y, x], 1), tf.reduce_sum(y), tf.matmul(x, x, transpose_b=True)]
        grad = tf.gradients(tf.reduce_sum(tf.abs(y)), x)
        with tf.Session() as session:
            value = (np.arange(8) + 1j * np.arange(8)[::-1]).reshape(2, 4)
            return [session.run(parts + grad, {x: value}) for _ in range(2)]

    same_as_tensorflow(program)


@pytest.mark.parametrize("control_flow_v2", [False, True], ids=["version 1", "functional"])
def test_arrays_and_lists_of_complex_numbers(control_flow_v2):
    def program():
        before = tf.control_flow_v2_enabled()
        (tf.enable_control_flow_v2 if control_flow_v2 else tf.disable_control_flow_v2)()
        try:
            x = tf.placeholder(tf.complex64, [None, 4])
            spectra = tf.map_fn(tf.signal.fft, x)
            scanned = tf.scan(lambda a, row: a * row, x)
            slope = tf.gradients(tf.reduce_sum(tf.abs(tf.scan(lambda a, row: a * row + row, x))), x)[0]
        finally:
            (tf.enable_control_flow_v2 if before else tf.disable_control_flow_v2)()
        value = (np.arange(8) + 1j * np.arange(8)[::-1]).reshape(2, 4)
        with tf.Session() as session:
            return [session.run([spectra, scanned, slope], {x: rows}) for rows in (value, value[:1], value)]

    same_as_tensorflow(program, 1e-4)
