"""Cells with a memory."""

import kiln.compat.v1 as tf
from kiln.compat.v1 import logging
from kiln.compat.v1.contrib.rnn._linear import Linear
from kiln.compat.v1.nn.rnn_cell import LSTMStateTuple, RNNCell


def _concat_variable(name, shape, dtype, num_shards):
    """A variable of several parts, "W_0", "W_1" ..., as one tensor."""
    if num_shards > shape[0]:
        raise ValueError(f"Too many shards: shape={shape}, num_shards={num_shards}")
    rows, more = divmod(shape[0], num_shards)
    parts = [
        tf.get_variable(f"{name}_{i}", [rows + (i < more), *shape[1:]], dtype=dtype) for i in range(num_shards)
    ]
    if len(parts) == 1:
        return parts[0]
    full_name = f"{tf.get_variable_scope().name}/{name}/concat:0"
    for value in tf.get_collection(tf.GraphKeys.CONCATENATED_VARIABLES):
        if value.name == full_name:
            return value
    whole = tf.concat(parts, 0, name=f"{name}/concat")
    tf.add_to_collection(tf.GraphKeys.CONCATENATED_VARIABLES, whole)
    return whole


def _layer_norm(gain, shift, inputs, scope, **dtype):
    """Normalized rows, with gamma and beta of a scope of their own."""
    shape = inputs.get_shape()[-1:]
    with tf.variable_scope(scope):
        tf.get_variable("gamma", shape=shape, initializer=tf.constant_initializer(gain), **dtype)
        tf.get_variable("beta", shape=shape, initializer=tf.constant_initializer(shift), **dtype)
    return tf.contrib.layers.layer_norm(inputs, reuse=True, scope=scope)


class _Memory(RNNCell):
    """A cell whose state is (c, h), of num_units and, with a projection, num_proj columns."""

    def __init__(self, num_units, num_proj=None, reuse=None, state_is_tuple=True, **kwargs):
        super().__init__(_reuse=reuse, **kwargs)
        if not state_is_tuple:
            logging.warn(
                "%s: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True.", self
            )
        self._num_units, self._num_proj, self._state_is_tuple = num_units, num_proj, state_is_tuple

    @property
    def output_size(self):
        return self._num_proj if self._num_proj else self._num_units

    @property
    def state_size(self):
        sizes = self._num_units, self.output_size
        return LSTMStateTuple(*sizes) if self._state_is_tuple else sum(sizes)


class CoupledInputForgetGateLSTMCell(_Memory):
    """Long short-term memory that takes in as much as it forgets, http://arxiv.org/abs/1503.04069.

    Arguments as tf.nn.rnn_cell.LSTMCell has them; layer_norm: whether the gates and the memory
    are normalized, with norm_gain and norm_shift to begin with. Variables "W_0", "B",
    "W_F_diag", "W_O_diag", "W_P_0". Source: tf.contrib.rnn.CoupledInputForgetGateLSTMCell.
    """

    def __init__(
        self, num_units, use_peepholes=False, initializer=None, num_proj=None, proj_clip=None, num_unit_shards=1,
        num_proj_shards=1, forget_bias=1.0, state_is_tuple=True, activation=tf.tanh, reuse=None, layer_norm=False,
        norm_gain=1.0, norm_shift=0.0,
    ):  # fmt: skip
        super().__init__(num_units, num_proj, reuse, state_is_tuple)
        self._use_peepholes, self._initializer, self._proj_clip = use_peepholes, initializer, proj_clip
        self._num_unit_shards, self._num_proj_shards = num_unit_shards, num_proj_shards
        self._forget_bias, self._activation = forget_bias, activation
        self._layer_norm, self._norm_gain, self._norm_shift = layer_norm, norm_gain, norm_shift

    def _norm(self, inputs, scope):
        return _layer_norm(self._norm_gain, self._norm_shift, inputs, scope) if self._layer_norm else inputs

    def call(self, inputs, state):
        units = self._num_units
        projected = units if self._num_proj is None else self._num_proj
        if self._state_is_tuple:
            c_before, m_before = state
        else:
            c_before = tf.slice(state, [0, 0], [-1, units])
            m_before = tf.slice(state, [0, units], [-1, projected])
        columns = inputs.get_shape().with_rank(2).dims[1].value
        if columns is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        dtype = inputs.dtype
        kernel = _concat_variable("W", [columns + projected, 3 * units], dtype, self._num_unit_shards)
        bias = tf.get_variable("B", shape=[3 * units], initializer=tf.zeros_initializer(), dtype=dtype)
        product = tf.matmul(tf.concat([inputs, m_before], 1), kernel)
        if not self._layer_norm:
            product = tf.nn.bias_add(product, bias)
        j, f, o = tf.split(value=product, num_or_size_splits=3, axis=1)
        j, f, o = self._norm(j, "transform"), self._norm(f, "forget"), self._norm(o, "output")
        if self._use_peepholes:
            forget_peephole = tf.get_variable("W_F_diag", shape=[units], dtype=dtype)
            output_peephole = tf.get_variable("W_O_diag", shape=[units], dtype=dtype)
            keep = tf.sigmoid(f + self._forget_bias + forget_peephole * c_before)
        else:
            keep = tf.sigmoid(f + self._forget_bias)
        c = self._norm(keep * c_before + (1 - keep) * self._activation(j), "state")
        show = tf.sigmoid(o + output_peephole * c) if self._use_peepholes else tf.sigmoid(o)
        m = show * self._activation(c)
        if self._num_proj is not None:
            m = tf.matmul(m, _concat_variable("W_P", [units, self._num_proj], dtype, self._num_proj_shards))
            if self._proj_clip is not None:
                m = tf.clip_by_value(m, -self._proj_clip, self._proj_clip)
        return m, LSTMStateTuple(c, m) if self._state_is_tuple else tf.concat([c, m], 1)


class LayerNormBasicLSTMCell(_Memory):
    """Long short-term memory with normalized gates and dropout of what it takes in.

    https://arxiv.org/abs/1607.06450, https://arxiv.org/abs/1603.05118. layer_norm: whether gates
    and memory are normalized, with norm_gain and norm_shift to begin with; a bias stands in
    their place otherwise. dropout_keep_prob: a number or a tensor; dropout_prob_seed. Variables
    "kernel", "input/gamma", "input/beta", "transform/...", "forget/...", "output/...",
    "state/...". Source: tf.contrib.rnn.LayerNormBasicLSTMCell.
    """

    def __init__(
        self, num_units, forget_bias=1.0, input_size=None, activation=tf.tanh, layer_norm=True, norm_gain=1.0,
        norm_shift=0.0, dropout_keep_prob=1.0, dropout_prob_seed=None, reuse=None,
    ):  # fmt: skip
        super().__init__(num_units, reuse=reuse)
        if input_size is not None:
            logging.warn("%s: The input_size parameter is deprecated.", self)
        self._forget_bias, self._activation = forget_bias, activation
        self._layer_norm, self._norm_gain, self._norm_shift = layer_norm, norm_gain, norm_shift
        self._keep_prob, self._seed = dropout_keep_prob, dropout_prob_seed

    def _norm(self, inputs, scope, dtype=tf.float32):
        return _layer_norm(self._norm_gain, self._norm_shift, inputs, scope, dtype=dtype)

    def _linear(self, args):
        size, dtype = 4 * self._num_units, args.dtype
        weights = tf.get_variable("kernel", [args.get_shape()[-1], size], dtype=dtype)
        product = tf.matmul(args, weights)
        if not self._layer_norm:
            product = tf.nn.bias_add(product, tf.get_variable("bias", [size], dtype=dtype))
        return product

    def call(self, inputs, state):
        c, h = state
        args = tf.concat([inputs, h], 1)
        i, j, f, o = tf.split(value=self._linear(args), num_or_size_splits=4, axis=1)
        dtype = args.dtype
        if self._layer_norm:
            i = self._norm(i, "input", dtype=dtype)
            j = self._norm(j, "transform", dtype=dtype)
            f = self._norm(f, "forget", dtype=dtype)
            o = self._norm(o, "output", dtype=dtype)
        g = self._activation(j)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            g = tf.nn.dropout(g, self._keep_prob, seed=self._seed)
        new_c = c * tf.sigmoid(f + self._forget_bias) + tf.sigmoid(i) * g
        if self._layer_norm:
            new_c = self._norm(new_c, "state", dtype=dtype)
        new_h = self._activation(new_c) * tf.sigmoid(o)
        return new_h, LSTMStateTuple(new_c, new_h)


class GLSTMCell(_Memory):
    """Long short-term memory whose units are in groups that do not see each other.

    https://arxiv.org/abs/1703.10722. number_of_groups: divides the columns of inputs, num_units
    and num_proj. Errors: ValueError. Source: tf.contrib.rnn.GLSTMCell.
    """

    def __init__(
        self, num_units, initializer=None, num_proj=None, number_of_groups=1, forget_bias=1.0, activation=tf.tanh,
        reuse=None,
    ):  # fmt: skip
        super().__init__(num_units, num_proj, reuse)
        if num_units % number_of_groups != 0:
            raise ValueError("num_units must be divisible by number_of_groups")
        if num_proj and num_proj % number_of_groups != 0:
            raise ValueError("num_proj must be divisible by number_of_groups")
        self._initializer, self._forget_bias, self._activation = initializer, forget_bias, activation
        self._number_of_groups = number_of_groups
        self._group_shape = [(num_proj or num_units) // number_of_groups, num_units // number_of_groups]
        self._linear1, self._linear2 = [None] * number_of_groups, None

    def _get_input_for_group(self, inputs, group_id, group_size):
        return tf.slice(
            input_=inputs, begin=[0, group_id * group_size], size=[self._batch_size, group_size],
            name=f"GLSTM_group{group_id}_input_generation",
        )  # fmt: skip

    def _gates_of_group(self, inputs, m_before, group, group_size):
        with tf.variable_scope(f"group{group}"):
            x = tf.concat(
                [
                    self._get_input_for_group(inputs, group, group_size),
                    self._get_input_for_group(m_before, group, self._group_shape[0]),
                ],
                axis=1,
            )
            if self._linear1[group] is None:
                self._linear1[group] = Linear(x, 4 * self._group_shape[1], False)
            return tf.split(self._linear1[group](x), 4, 1)

    def call(self, inputs, state):
        c_before, m_before = state
        self._batch_size = inputs.shape.dims[0].value or tf.shape(inputs)[0]
        columns, groups = inputs.shape.dims[1].value, self._number_of_groups
        if columns is None:
            raise ValueError("input size must be statically known")
        if columns % groups != 0:
            raise ValueError(f"input size ({columns}) must be divisible by number_of_groups ({groups})")
        with tf.variable_scope(tf.get_variable_scope(), initializer=self._initializer):
            parts = zip(*(self._gates_of_group(inputs, m_before, group, columns // groups) for group in range(groups)))
            zeros = tf.constant_initializer(0.0, dtype=inputs.dtype)
            biases = [
                tf.get_variable(name=f"bias_{gate}", shape=[self._num_units], dtype=inputs.dtype, initializer=zeros)
                for gate in "ijfo"
            ]
            i, j, f, o = (
                tf.nn.bias_add(tf.concat(list(part), axis=1), bias) for part, bias in zip(parts, biases)
            )
        c = tf.sigmoid(f + self._forget_bias) * c_before + tf.sigmoid(i) * tf.tanh(j)
        m = tf.sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            with tf.variable_scope("projection"):
                if self._linear2 is None:
                    self._linear2 = Linear(m, self._num_proj, False)
                m = self._linear2(m)
        return m, LSTMStateTuple(c, m)


def _random_exp_initializer(minval, maxval, seed=None, dtype=tf.float32):
    """Numbers whose logarithms are uniformly distributed."""

    def initializer(shape, dtype=dtype, partition_info=None):
        return tf.exp(tf.random_uniform(shape, tf.log(minval), tf.log(maxval), dtype, seed=seed))

    return initializer


class PhasedLSTMCell(_Memory):
    """Long short-term memory whose units are open at times of their own, https://arxiv.org/abs/1610.09513.

    Inputs are (time, x): [batch, 1], [batch, columns]. leak: how much passes while a unit is
    closed. ratio_on: the share of its period for which a unit is open, trained unless
    trainable_ratio_on is False. period_init_min, period_init_max: the periods to begin with.
    Source: tf.contrib.rnn.PhasedLSTMCell.
    """

    def __init__(
        self, num_units, use_peepholes=False, leak=0.001, ratio_on=0.1, trainable_ratio_on=True, period_init_min=1.0,
        period_init_max=1000.0, reuse=None,
    ):  # fmt: skip
        super().__init__(num_units, reuse=reuse)
        self._use_peepholes, self._leak = use_peepholes, leak
        self._ratio_on, self._trainable_ratio_on = ratio_on, trainable_ratio_on
        self._period_init_min, self._period_init_max = period_init_min, period_init_max
        self._linears = {}

    def _linear(self, name, args, size):
        """The product with a kernel of this name's."""
        if name not in self._linears:
            self._linears[name] = Linear(args, size, True)
        return self._linears[name](args)

    def _get_cycle_ratio(self, time, phase, period):
        """Where in its period each unit is. The gradient of the remainder is 1."""
        phase = tf.cast(phase, dtype=time.dtype)
        period = tf.cast(period, dtype=time.dtype)
        shifted = time - phase
        remainder = tf.stop_gradient(tf.mod(shifted, period) - shifted) + shifted
        return tf.cast(remainder / period, dtype=tf.float32)

    def call(self, inputs, state):
        c_before, h_before = state
        time, x = inputs
        units = self._num_units
        peepholes = [c_before] if self._use_peepholes else []
        with tf.variable_scope("mask_gates"):
            gates = tf.sigmoid(self._linear("mask_gates", [x, h_before, *peepholes], 2 * units))
            admit, keep = tf.split(axis=1, num_or_size_splits=2, value=gates)
        with tf.variable_scope("new_input"):
            taken = tf.tanh(self._linear("new_input", [x, h_before], units))
        c = c_before * keep + admit * taken
        with tf.variable_scope("output_gate"):
            peepholes = [c] if self._use_peepholes else []
            show = tf.sigmoid(self._linear("output_gate", [x, h_before, *peepholes], units))
        h = tf.tanh(c) * show
        k = self._openness(time)
        c = k * c + (1 - k) * c_before
        h = k * h + (1 - k) * h_before
        return h, LSTMStateTuple(c, h)

    def _openness(self, time):
        """How open each unit is: it opens, closes, and is closed for the rest of its period."""
        units = [self._num_units]
        period = tf.get_variable(
            "period", units, initializer=_random_exp_initializer(self._period_init_min, self._period_init_max)
        )
        phase = tf.get_variable(
            "phase", units, initializer=tf.random_uniform_initializer(0.0, period.initial_value)
        )
        ratio_on = tf.get_variable(
            "ratio_on", units, initializer=tf.constant_initializer(self._ratio_on), trainable=self._trainable_ratio_on
        )
        ratio = self._get_cycle_ratio(time, phase, period)
        opening = 2 * ratio / ratio_on
        closing = 2 - opening
        closed = self._leak * ratio
        k = tf.where(ratio < ratio_on, closing, closed)
        return tf.where(ratio < 0.5 * ratio_on, opening, k)


class TimeFreqLSTMCell(RNNCell):
    """Long short-term memory over parts of the input of feature_size columns, frequency_skip apart.

    Each part sees the output of the one before. The state has c and h of each part beside one
    another. Source: tf.contrib.rnn.TimeFreqLSTMCell.
    """

    def __init__(
        self, num_units, use_peepholes=False, cell_clip=None, initializer=None, num_unit_shards=1, forget_bias=1.0,
        feature_size=None, frequency_skip=1, reuse=None,
    ):  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units, self._use_peepholes, self._cell_clip = num_units, use_peepholes, cell_clip
        self._initializer, self._num_unit_shards, self._forget_bias = initializer, num_unit_shards, forget_bias
        self._feature_size, self._frequency_skip = feature_size, frequency_skip

    @property
    def output_size(self):
        return self._num_units

    @property
    def state_size(self):
        return 2 * self._num_units

    def _make_tf_features(self, inputs):
        columns = inputs.get_shape().with_rank(2).dims[-1].value
        if columns is None:
            raise ValueError("Cannot infer input_size from static shape inference.")
        count = int((columns - self._feature_size) / self._frequency_skip) + 1
        return [tf.slice(inputs, [0, i * self._frequency_skip], [-1, self._feature_size]) for i in range(count)]

    def call(self, inputs, state):
        features, units, dtype = self._make_tf_features(inputs), self._num_units, inputs.dtype
        rows = features[0].get_shape().as_list()[1] + 2 * units
        kernel = _concat_variable("W", [rows, 4 * units], dtype, self._num_unit_shards)
        bias = tf.get_variable("B", shape=[4 * units], initializer=tf.zeros_initializer(), dtype=dtype)
        peepholes = None
        if self._use_peepholes:
            peepholes = [tf.get_variable(f"W_{gate}_diag", shape=[units], dtype=dtype) for gate in "FIO"]
        below = tf.zeros([inputs.shape.dims[0].value or inputs.get_shape()[0], units], dtype)
        outputs, states = None, None
        for number, feature in enumerate(features):
            c = tf.slice(state, [0, 2 * number * units], [-1, units])
            m = tf.slice(state, [0, (2 * number + 1) * units], [-1, units])
            product = tf.nn.bias_add(tf.matmul(tf.concat([feature, m, below], 1), kernel), bias)
            c, below = self._step(product, c, peepholes)
            states = tf.concat([c, below] if states is None else [states, c, below], 1)
            outputs = below if outputs is None else tf.concat([outputs, below], 1)
        return outputs, states

    def _step(self, product, before, peepholes):
        i, j, f, o = tf.split(value=product, num_or_size_splits=4, axis=1)
        if peepholes:
            forget, admit, show = peepholes
            c = tf.sigmoid(f + self._forget_bias + forget * before) * before
            c = c + tf.sigmoid(i + admit * before) * tf.tanh(j)
        else:
            c = tf.sigmoid(f + self._forget_bias) * before + tf.sigmoid(i) * tf.tanh(j)
        if self._cell_clip is not None:
            c = tf.clip_by_value(c, -self._cell_clip, self._cell_clip)
        return c, tf.sigmoid(o + show * c if peepholes else o) * tf.tanh(c)
