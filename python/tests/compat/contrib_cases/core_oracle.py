"""TensorFlow 2.21 under names of 1.15 that it has elsewhere, or not at all; for the recording only.

tf.layers and tf.nn.rnn_cell are those of its private modules. tf.contrib.rnn, seq2seq and
legacy_seq2seq come from the folder tensorflow/contrib of TensorFlow 1.15's sources, which
TENSORFLOW_CONTRIB names.
"""

import os
import sys
import types

from contrib_cases import tensorflow_oracle


def _everything(*modules):
    return types.SimpleNamespace(**{name: value for module in modules for name, value in vars(module).items()})


def _module(name, **members):
    """A module that stands for one that is not there."""
    module = sys.modules[name] = types.ModuleType(name)
    module.__dict__.update(members)
    return module


def _gather_tree(*args, **kwargs):
    """An op that TensorFlow 2.21 does not have."""
    raise NotImplementedError


def _mend():
    """Puts back what the sources of tensorflow/contrib look for."""
    import numpy
    from tensorflow.python.framework import tensor_util
    from tensorflow.python.keras.legacy_tf_layers import base, core
    from tensorflow.python.ops import control_flow_ops, while_loop
    from tensorflow.python.util import nest
    from tf_slim.layers import layers

    numpy.Inf = numpy.inf
    control_flow_ops.while_loop = while_loop.while_loop
    tensor_util.is_tensor = tensor_util.is_tf_type
    nest.is_sequence = nest.is_nested
    _module("tensorflow.contrib.compiler", jit=_module("tensorflow.contrib.compiler.jit"))
    for name in ("", ".python", ".python.framework"):
        # Without what their __init__ imports.
        package = _module("tensorflow.contrib.framework" + name)
        package.__path__ = [os.path.join(os.environ["TENSORFLOW_CONTRIB"], "framework", *name.split(".")[1:])]
    _module("tensorflow.contrib.seq2seq.ops.gen_beam_search_ops", gather_tree=_gather_tree)
    loader = _module("tensorflow.contrib.util.loader", load_op_library=lambda path: None)
    _module("tensorflow.contrib.util", loader=loader)
    _module("tensorflow.python.layers.base", **vars(base))
    _module("tensorflow.python.layers.core", **vars(core))
    own = _module("tensorflow.contrib.layers.python.layers.layers", **vars(layers))
    _module("tensorflow.contrib.layers.python.layers", layers=own)


def _names_of(folder, *files):
    return tensorflow_oracle._names_of(*(f"{folder}.python.ops.{file}" for file in files))


def namespaces():
    """`tf`, and what stands for tf.contrib."""
    os.environ["TF_USE_LEGACY_KERAS"], os.environ["TF_ENABLE_ONEDNN_OPTS"] = "1", "0"
    import tensorflow.compat.v1 as tf

    tensorflow_oracle._mend()
    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.FATAL)
    from tensorflow.python.keras.legacy_tf_layers import base, convolutional, core, pooling
    from tensorflow.python.ops import rnn, rnn_cell_impl
    from tf_keras.src.legacy_tf_layers import normalization

    tf.layers = _everything(base, convolutional, core, normalization, pooling)
    tf.nn.rnn_cell = rnn_cell_impl
    _mend()
    cells = _names_of("rnn", "core_rnn_cell", "rnn", "fused_rnn_cell", "rnn_cell", "lstm_ops", "gru_ops")
    for name, value in vars(rnn_cell_impl).items():
        if isinstance(value, type) and not hasattr(cells, name):
            setattr(cells, name, value)
    cells.static_rnn, cells.transpose_batch_time = rnn.static_rnn, rnn._transpose_batch_time
    decoding = "decoder", "helper", "basic_decoder", "attention_wrapper", "beam_search_decoder", "loss"
    return tf, types.SimpleNamespace(
        rnn=cells, seq2seq=_names_of("seq2seq", *decoding), legacy_seq2seq=_names_of("legacy_seq2seq", "seq2seq")
    )
