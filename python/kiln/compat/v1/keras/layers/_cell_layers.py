"""Recurrent layers of one kind of cell."""

from kiln.compat.v1.keras import regularizers
from kiln.compat.v1.keras.layers._cells import GRUCell, LSTMCell, SimpleRNNCell
from kiln.compat.v1.keras.layers._recurrent import RNN

__all__ = ["GRU", "LSTM", "SimpleRNN"]


class _OfCell(RNN):
    """A recurrent layer of one kind of cell, with its arguments."""

    def __init__(self, cell_class, given, kwargs):
        arguments = {name: given[name] for name in cell_class.ARGUMENTS}
        cell = cell_class(**arguments, dtype=kwargs.get("dtype"))
        super().__init__(
            cell,
            return_sequences=given["return_sequences"],
            return_state=given["return_state"],
            go_backwards=given["go_backwards"],
            stateful=given["stateful"],
            unroll=given["unroll"],
            activity_regularizer=regularizers.get(given["activity_regularizer"]),
            **kwargs,
        )

    def __getattr__(self, name):
        # Before there is a cell nothing of it is asked for.
        cell = self.__dict__.get("cell")
        if cell is not None and name in cell.ARGUMENTS:
            return getattr(cell, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def get_config(self):
        config = super().get_config()
        del config["cell"]
        inner = self.cell.get_config()
        config.update((name, inner[name]) for name in self.cell.ARGUMENTS)
        config["activity_regularizer"] = regularizers.serialize(self.activity_regularizer)
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        return cls(**config)


class SimpleRNN(_OfCell):
    """SimpleRNNCell over the steps of sequences. Source: tf.keras.layers.SimpleRNN."""

    def __init__(
        self,
        units,
        activation="tanh",
        use_bias=True,
        kernel_initializer="glorot_uniform",
        recurrent_initializer="orthogonal",
        bias_initializer="zeros",
        kernel_regularizer=None,
        recurrent_regularizer=None,
        bias_regularizer=None,
        activity_regularizer=None,
        kernel_constraint=None,
        recurrent_constraint=None,
        bias_constraint=None,
        dropout=0.0,
        recurrent_dropout=0.0,
        return_sequences=False,
        return_state=False,
        go_backwards=False,
        stateful=False,
        unroll=False,
        **kwargs,
    ):
        kwargs.pop("implementation", None)
        super().__init__(SimpleRNNCell, dict(locals()), kwargs)


class GRU(_OfCell):
    """GRUCell over the steps of sequences. Source: tf.keras.layers.GRU."""

    def __init__(
        self,
        units,
        activation="tanh",
        recurrent_activation="hard_sigmoid",
        use_bias=True,
        kernel_initializer="glorot_uniform",
        recurrent_initializer="orthogonal",
        bias_initializer="zeros",
        kernel_regularizer=None,
        recurrent_regularizer=None,
        bias_regularizer=None,
        activity_regularizer=None,
        kernel_constraint=None,
        recurrent_constraint=None,
        bias_constraint=None,
        dropout=0.0,
        recurrent_dropout=0.0,
        implementation=1,
        return_sequences=False,
        return_state=False,
        go_backwards=False,
        stateful=False,
        unroll=False,
        reset_after=False,
        **kwargs,
    ):
        super().__init__(GRUCell, dict(locals(), implementation=implementation or 1), kwargs)


class LSTM(_OfCell):
    """LSTMCell over the steps of sequences. Source: tf.keras.layers.LSTM."""

    def __init__(
        self,
        units,
        activation="tanh",
        recurrent_activation="hard_sigmoid",
        use_bias=True,
        kernel_initializer="glorot_uniform",
        recurrent_initializer="orthogonal",
        bias_initializer="zeros",
        unit_forget_bias=True,
        kernel_regularizer=None,
        recurrent_regularizer=None,
        bias_regularizer=None,
        activity_regularizer=None,
        kernel_constraint=None,
        recurrent_constraint=None,
        bias_constraint=None,
        dropout=0.0,
        recurrent_dropout=0.0,
        implementation=1,
        return_sequences=False,
        return_state=False,
        go_backwards=False,
        stateful=False,
        unroll=False,
        **kwargs,
    ):
        super().__init__(LSTMCell, dict(locals(), implementation=implementation or 1), kwargs)
