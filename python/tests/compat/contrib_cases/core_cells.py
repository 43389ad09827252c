"""Cases of recurrent networks, many of them on cells as programs write them."""

import collections


def _sequence(tf, *shape):
    return tf.random_uniform(shape or (2, 5, 3), seed=3)


def _start(tf):
    return tf.variable_scope("net", initializer=tf.constant_initializer(0.1))


def _linear_cell(tf):
    class LinearCell(tf.nn.rnn_cell.RNNCell):
        """tf.get_variable() in call()."""

        def __init__(self, units, **kwargs):
            super().__init__(**kwargs)
            self._units = units

        @property
        def state_size(self):
            return self._units

        @property
        def output_size(self):
            return self._units

        def call(self, inputs, state):
            joined = tf.concat([inputs, state], 1)
            weights = tf.get_variable("weights", [joined.shape[1], self._units])
            bias = tf.get_variable("bias", [self._units], initializer=tf.zeros_initializer())
            output = tf.tanh(tf.matmul(joined, weights) + bias)
            return output, output

    return LinearCell


def _old_cell(tf):
    class OldCell(tf.nn.rnn_cell.RNNCell):
        """__call__ with a variable scope of its own, as TensorFlow 0.12 had it."""

        def __init__(self, units):
            self._units = units

        @property
        def state_size(self):
            return (self._units, self._units)

        @property
        def output_size(self):
            return self._units

        def __call__(self, inputs, state, scope=None):
            with tf.variable_scope(scope or type(self).__name__):
                c, h = state
                with tf.variable_scope("gates"):
                    w = tf.get_variable("w", [inputs.get_shape()[1] + self._units, 2 * self._units])
                    i, j = tf.split(tf.matmul(tf.concat([inputs, h], 1), w), 2, 1)
                c = c * tf.sigmoid(i) + tf.tanh(j)
                h = tf.tanh(c)
            return h, (c, h)

    return OldCell


def _built_cell(tf):
    class BuiltCell(tf.nn.rnn_cell.RNNCell):
        """build(), add_variable(), an own zero_state(), a state of two parts."""

        State = collections.namedtuple("State", ("memory", "step"))

        def __init__(self, units, **kwargs):
            super().__init__(**kwargs)
            self._units = units

        @property
        def state_size(self):
            return self.State(tf.TensorShape([self._units, 2]), 1)

        @property
        def output_size(self):
            return tf.TensorShape([self._units])

        def build(self, shape):
            self._kernel = self.add_variable("kernel", [shape[-1], self._units])
            self._scale = self.add_weight("scale", [self._units, 2], initializer=tf.ones_initializer(), trainable=False)
            super().build(shape)

        def call(self, inputs, state):
            memory = state.memory * self._scale + tf.expand_dims(tf.matmul(inputs, self._kernel), 2)
            return tf.reduce_sum(memory, 2), self.State(memory, state.step + 1.0)

        def zero_state(self, batch_size, dtype):
            with tf.name_scope("Begin"):
                return self.State(tf.ones(tf.stack([batch_size, self._units, 2]), dtype), tf.zeros([batch_size, 1], dtype))

    return BuiltCell


def _wrapper(tf):
    class Projected(tf.nn.rnn_cell.RNNCell):
        """Around another cell; variables of its own in the call."""

        def __init__(self, cell, size):
            super().__init__()
            self._cell, self._size = cell, size

        @property
        def state_size(self):
            return self._cell.state_size

        @property
        def output_size(self):
            return self._size

        def zero_state(self, batch_size, dtype):
            with tf.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
                return self._cell.zero_state(batch_size, dtype)

        def call(self, inputs, state):
            output, state = self._cell(inputs, state)
            return tf.layers.dense(output, self._size, name="projection"), state

    return Projected


def own_cell(tf, contrib):
    with _start(tf):
        outputs, state = tf.nn.dynamic_rnn(_linear_cell(tf)(4), _sequence(tf), [5, 2], dtype=tf.float32)
    return [outputs, state]


def own_cell_twice(tf, contrib):
    cell = _linear_cell(tf)(4, name="twice")
    with _start(tf):
        first, _ = tf.nn.dynamic_rnn(cell, _sequence(tf), dtype=tf.float32)
        second, _ = tf.nn.dynamic_rnn(cell, _sequence(tf), dtype=tf.float32)
        output, _ = cell(_sequence(tf)[:, 0], cell.zero_state(2, tf.float32))
    tf.constant([len(cell.variables), len(cell.trainable_weights)])
    return [first, second, output]


def own_cell_static(tf, contrib):
    steps = tf.unstack(_sequence(tf), axis=1)
    with _start(tf):
        outputs, state = tf.nn.static_rnn(_linear_cell(tf)(4), steps, dtype=tf.float32)
        more, _ = tf.nn.static_rnn(_linear_cell(tf)(4), steps, dtype=tf.float32, sequence_length=[1, 4], scope="more")
    return [outputs[-1], more[-1], state]


def old_cell(tf, contrib):
    cell = _old_cell(tf)(4)
    with _start(tf):
        outputs, state = tf.nn.dynamic_rnn(cell, _sequence(tf), dtype=tf.float32)
        cells = tf.nn.rnn_cell.MultiRNNCell([_old_cell(tf)(4), _old_cell(tf)(4)])
        more, _ = tf.nn.dynamic_rnn(cells, _sequence(tf), dtype=tf.float32, scope="more")
    return [outputs, *state, more]


def built_cell(tf, contrib):
    cell = _built_cell(tf)(4)
    with _start(tf):
        outputs, state = tf.nn.dynamic_rnn(cell, _sequence(tf), [3, 5], dtype=tf.float32)
        again, _ = tf.nn.dynamic_rnn(
            cell, tf.transpose(_sequence(tf), [1, 0, 2]), initial_state=cell.zero_state(2, tf.float32), time_major=True
        )
    return [outputs, again, *state]


def built_cell_gradients(tf, contrib):
    cell = _built_cell(tf)(4)
    with _start(tf):
        outputs, _ = tf.nn.dynamic_rnn(cell, _sequence(tf), [3, 5], dtype=tf.float32)
    return tf.gradients(outputs, tf.trainable_variables())


def wrapped(tf, contrib):
    cells = tf.nn.rnn_cell
    with _start(tf):
        outputs, state = tf.nn.dynamic_rnn(_wrapper(tf)(cells.GRUCell(4), 2), _sequence(tf), dtype=tf.float32)
        stack = cells.MultiRNNCell([_wrapper(tf)(cells.BasicLSTMCell(4), 3), _linear_cell(tf)(3)])
        more, _ = tf.nn.dynamic_rnn(cells.ResidualWrapper(stack), _sequence(tf), dtype=tf.float32, scope="more")
        stack = cells.DropoutWrapper(_built_cell(tf)(4), 0.5, 0.9, 0.8, seed=3)
        dropped, _ = tf.nn.dynamic_rnn(stack, _sequence(tf), dtype=tf.float32, scope="dropped")
        stack = cells.DeviceWrapper(_linear_cell(tf)(4), "/cpu:0")
        placed, _ = tf.nn.dynamic_rnn(stack, _sequence(tf), dtype=tf.float32, scope="placed")
    return [outputs, state, more, placed]


def variational_dropout(tf, contrib):
    cells = tf.nn.rnn_cell
    with _start(tf):
        cell = cells.DropoutWrapper(
            cells.LSTMCell(4), 0.5, 0.9, 0.8, variational_recurrent=True, input_size=3, dtype=tf.float32, seed=3
        )
        outputs, _ = tf.nn.dynamic_rnn(cell, _sequence(tf), dtype=tf.float32)
    return outputs


def bidirectional(tf, contrib):
    make = _linear_cell(tf)
    lengths = tf.placeholder_with_default([5, 2], [None])
    with _start(tf):
        (forward, backward), states = tf.nn.bidirectional_dynamic_rnn(
            make(4), _built_cell(tf)(4), _sequence(tf), lengths, dtype=tf.float32
        )
        outputs, _, _ = tf.nn.static_bidirectional_rnn(
            make(4), make(2), tf.unstack(_sequence(tf), axis=1), dtype=tf.float32, scope="static"
        )
    return [forward, backward, states[0], outputs[0]]


def raw(tf, contrib):
    inputs = tf.TensorArray(tf.float32, 5).unstack(_sequence(tf, 5, 2, 3))
    cell = _built_cell(tf)(4)

    def step(time, output, state, loop_state):
        done = time >= 5
        if output is None:
            state, emit, loop_state = cell.zero_state(2, tf.float32), None, tf.zeros([2, 4])
        else:
            emit, loop_state = (output, {"twice": output * 2.0}), loop_state + output
        if output is None:
            emit = (tf.zeros([4]), {"twice": tf.zeros([4])})
        finished = done | (time >= tf.constant([5, 3]))
        following = tf.cond(done, lambda: tf.zeros([2, 3]), lambda: inputs.read(time))
        return finished, following, state, emit, loop_state

    with _start(tf):
        arrays, state, loop_state = tf.nn.raw_rnn(cell, step)
    return [arrays[0].stack(), arrays[1]["twice"].stack(), state.memory, loop_state]


def native_cells(tf, contrib):
    cells = tf.nn.rnn_cell
    made = []
    with _start(tf):
        for i, cell in enumerate([
            cells.BasicRNNCell(4), cells.BasicRNNCell(4, tf.nn.relu, name="mine"), cells.GRUCell(4), cells.BasicLSTMCell(4),
            cells.BasicLSTMCell(4, 0.5, state_is_tuple=False), cells.LSTMCell(4), cells.LSTMCell(4, True, 0.5, num_proj=2, proj_clip=0.3),
            cells.LSTMCell(4, num_proj=2, num_unit_shards=2, num_proj_shards=2), cells.LSTMCell(4, activation="relu"),
            cells.MultiRNNCell([cells.GRUCell(4), cells.LSTMCell(3)]),
            cells.MultiRNNCell([cells.GRUCell(4), cells.GRUCell(3)], state_is_tuple=False),
        ]):  # fmt: skip
            outputs, _ = tf.nn.dynamic_rnn(cell, _sequence(tf), dtype=tf.float32, scope=f"n{i}")
            made.append(outputs)
    return made


def native_cells_with_getters(tf, contrib):
    def getter(getter, name, *args, **kwargs):
        return tf.multiply(getter(name, *args, **kwargs), 2.0, name="twice")

    cells = tf.nn.rnn_cell
    made = []
    for i, cell in enumerate([cells.GRUCell(4), cells.BasicLSTMCell(4), cells.LSTMCell(4, True), _linear_cell(tf)(4)]):
        with tf.variable_scope(f"n{i}", custom_getter=getter, initializer=tf.constant_initializer(0.1)):
            made.append(cell(_sequence(tf)[:, 0], cell.zero_state(2, tf.float32))[0])
    return made


def gradients_of_native_cells(tf, contrib):
    cells = tf.nn.rnn_cell
    with _start(tf):
        cell = cells.MultiRNNCell([cells.GRUCell(4), cells.LSTMCell(3), cells.BasicRNNCell(2)])
        outputs, _ = tf.nn.dynamic_rnn(cell, _sequence(tf), [4, 5], dtype=tf.float32)
    return tf.gradients(outputs, tf.trainable_variables())


def state_saving(tf, contrib):
    cell = tf.nn.rnn_cell.GRUCell(4)

    class Saver:
        def state(self, name):
            return tf.zeros([2, 4], name=name)

        def save_state(self, name, value):
            return tf.identity(value, name=name + "_saved")

    with _start(tf):
        outputs, state = tf.nn.static_state_saving_rnn(cell, tf.unstack(_sequence(tf), axis=1), Saver(), "s")
    return [outputs[-1], state]


def unknown_extents(tf, contrib):
    x = tf.placeholder_with_default(_sequence(tf), [None, None, 3])
    lengths = tf.placeholder_with_default([5, 2], None)
    cell = _linear_cell(tf)(4)
    with _start(tf):
        outputs, state = tf.nn.dynamic_rnn(cell, x, lengths, cell.zero_state(tf.shape(x)[0], tf.float32))
        more, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(4), x, tf.shape(x)[0:1] + [1, 0], dtype=tf.float32, swap_memory=True, parallel_iterations=4)
    return [outputs, state, more]


def several_inputs(tf, contrib):
    class Pairs(tf.nn.rnn_cell.RNNCell):
        state_size = property(lambda self: [2, 3])
        output_size = property(lambda self: (3, 2))

        def call(self, inputs, state):
            first, second = inputs
            return (state[1] + second, state[0]), [state[0] + first, state[1]]

    x = (_sequence(tf, 2, 5, 2), _sequence(tf, 2, 5, 3))
    outputs, state = tf.nn.dynamic_rnn(Pairs(), x, [3, 5], dtype=tf.float32)
    return [*outputs, *state]


def no_cell(tf, contrib):
    tf.nn.dynamic_rnn(3, _sequence(tf), dtype=tf.float32)


def no_dtype(tf, contrib):
    tf.nn.dynamic_rnn(_linear_cell(tf)(4), _sequence(tf))


def wrong_lengths(tf, contrib):
    tf.nn.dynamic_rnn(_linear_cell(tf)(4), _sequence(tf), [[1]], dtype=tf.float32)


def abstract_cell(tf, contrib):
    tf.nn.rnn_cell.RNNCell().zero_state(2, tf.float32)


def wrong_state(tf, contrib):
    cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(4)])
    cell(_sequence(tf)[:, 0], tf.zeros([2, 4]))


def same_cell_twice(tf, contrib):
    tf.nn.rnn_cell.MultiRNNCell([])


def dropout_of_nothing(tf, contrib):
    tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell, 0.5)


def dropout_out_of_range(tf, contrib):
    tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(4), 1.5)
