"""Each layer in a model: what it gives, in training too where nothing is random, its weights and
its configuration.
"""

import numpy as np
from keras_cases import error_of, sines


def _with_weights(model):
    """Gives a model weights that do not depend on random numbers; variances stay positive."""
    names, values = [weight.name for weight in model.weights], []
    for name, value in zip(names, model.get_weights()):
        made = sines(np.shape(value), 0.5)
        values.append(np.abs(made) + 0.5 if "variance" in name else made)
    model.set_weights(values)
    return model


def _case(name, shapes, *args, dtype="f4", call=None, **kwargs):
    """A case of a layer with arguments; shapes: of the inputs, without the batch."""

    def case(tf):
        layers = tf.keras.layers
        several = isinstance(shapes, list)
        inputs = [
            layers.Input(shape, dtype="float32" if dtype == "f4" else "int32")
            for shape in (shapes if several else [shapes])
        ]
        layer = getattr(layers, name)(*args, **_made(layers, kwargs))
        outputs = layer(inputs if several else inputs[0], **(call or {}))
        model = _with_weights(tf.keras.Model(inputs, outputs))
        if dtype == "f4":
            given = [sines((3, *each.shape.as_list()[1:]), 2.0) for each in inputs]
        else:
            given = [np.arange(3 * int(np.prod(each.shape.as_list()[1:]))) % 5 for each in inputs]
            given = [
                each.reshape([3, *tensor.shape.as_list()[1:]]) for each, tensor in zip(given, inputs)
            ]
        found = {
            "outputs": model.predict(given if several else given[0]),
            "weights": [(weight.name, weight.shape.as_list()) for weight in model.weights],
            "trained": [weight.name for weight in model.trainable_weights],
            "shape": [str(each.shape) for each in model.outputs],
        }
        return found

    return case


def _made(layers, kwargs):
    """Arguments that are layers are written as tuples: a name and arguments."""
    found = {}
    for name, value in kwargs.items():
        if isinstance(value, tuple) and value and value[0] == "layer":
            value = getattr(layers, value[1])(*value[2:])
        found[name] = value
    return found


def _wrapped(name, shape, inner, **kwargs):
    """A case of a wrapper of a layer; inner: its name and arguments."""

    def case(tf):
        layers = tf.keras.layers
        made = getattr(layers, inner[0])(*inner[1:-1], **inner[-1])
        inputs = layers.Input(shape)
        outputs = getattr(layers, name)(made, **kwargs)(inputs)
        model = _with_weights(tf.keras.Model(inputs, outputs))
        return {
            "outputs": model.predict(sines((3, *shape), 2.0)),
            "weights": [(weight.name, weight.shape.as_list()) for weight in model.weights],
        }

    return case


_SEQUENCE, _IMAGE, _VOLUME = (5, 4), (6, 6, 3), (4, 4, 4, 2)
TABLE = {
    "dense": _case("Dense", (4,), 3, activation="relu"),
    "dense_without_bias": _case("Dense", _SEQUENCE, 3, use_bias=False),
    "dense_kernel_constraint": _case("Dense", (4,), 3, kernel_constraint="max_norm"),
    "activation": _case("Activation", (4,), "tanh"),
    "activation_softmax": _case("Activation", _SEQUENCE, "softmax"),
    "flatten": _case("Flatten", _IMAGE),
    "reshape": _case("Reshape", (12,), (3, -1)),
    "permute": _case("Permute", _IMAGE, (2, 3, 1)),
    "repeat_vector": _case("RepeatVector", (4,), 3),
    "masking": _case("Masking", _SEQUENCE, 0.0),
    "dropout": _case("Dropout", (4,), 0.5),
    "spatial_dropout": _case("SpatialDropout1D", _SEQUENCE, 0.5),
    "gaussian_noise": _case("GaussianNoise", (4,), 0.5),
    "gaussian_dropout": _case("GaussianDropout", (4,), 0.5),
    "alpha_dropout": _case("AlphaDropout", (4,), 0.5),
    "activity_regularization": _case("ActivityRegularization", (4,), 0.1, 0.2),
    "leaky_relu": _case("LeakyReLU", (4,), 0.2),
    "prelu": _case("PReLU", _IMAGE, shared_axes=[1, 2]),
    "elu": _case("ELU", (4,), 0.7),
    "thresholded_relu": _case("ThresholdedReLU", (4,), 0.3),
    "softmax": _case("Softmax", _SEQUENCE, axis=1),
    "relu": _case("ReLU", (4,), 6.0),
    "relu_with_slope": _case("ReLU", (4,), negative_slope=0.1, threshold=0.2),
    "embedding": _case("Embedding", (6,), 5, 3, dtype="i4"),
    "embedding_with_mask": _case("Embedding", (6,), 5, 3, mask_zero=True, dtype="i4"),
    "conv1d": _case("Conv1D", _SEQUENCE, 3, 2, activation="relu"),
    "conv1d_causal": _case("Conv1D", _SEQUENCE, 3, 2, padding="causal", dilation_rate=2),
    "conv2d": _case("Conv2D", _IMAGE, 4, (3, 3), activation="relu"),
    "conv2d_same": _case("Conv2D", _IMAGE, 4, 3, strides=2, padding="same", use_bias=False),
    "conv2d_dilated": _case("Conv2D", _IMAGE, 4, 2, dilation_rate=2),
    "conv3d": _case("Conv3D", _VOLUME, 2, 2, padding="same"),
    "conv2d_transpose": _case("Conv2DTranspose", _IMAGE, 2, 3, strides=2, padding="same"),
    "conv3d_transpose": _case("Conv3DTranspose", _VOLUME, 2, 2, strides=2),
    "separable_conv1d": _case("SeparableConv1D", _SEQUENCE, 3, 2),
    "separable_conv2d": _case("SeparableConv2D", _IMAGE, 3, 3, padding="same", depth_multiplier=2),
    "depthwise_conv2d": _case("DepthwiseConv2D", _IMAGE, 3, padding="same"),
    "locally_connected_1d": _case("LocallyConnected1D", _SEQUENCE, 3, 2),
    "locally_connected_2d": _case("LocallyConnected2D", _IMAGE, 2, 3),
    "up_sampling_1d": _case("UpSampling1D", _SEQUENCE, 2),
    "up_sampling_2d": _case("UpSampling2D", _IMAGE, (2, 3)),
    "up_sampling_2d_bilinear": _case("UpSampling2D", _IMAGE, 2, interpolation="bilinear"),
    "up_sampling_3d": _case("UpSampling3D", _VOLUME, 2),
    "zero_padding_1d": _case("ZeroPadding1D", _SEQUENCE, (1, 2)),
    "zero_padding_2d": _case("ZeroPadding2D", _IMAGE, ((1, 0), (2, 1))),
    "zero_padding_3d": _case("ZeroPadding3D", _VOLUME, 1),
    "cropping_1d": _case("Cropping1D", _SEQUENCE, 1),
    "cropping_2d": _case("Cropping2D", _IMAGE, ((1, 2), (0, 1))),
    "cropping_3d": _case("Cropping3D", _VOLUME, 1),
    "max_pooling_1d": _case("MaxPooling1D", _SEQUENCE, 2),
    "max_pooling_2d": _case("MaxPooling2D", _IMAGE, (2, 2), strides=1, padding="same"),
    "max_pooling_3d": _case("MaxPooling3D", _VOLUME, 2),
    "average_pooling_1d": _case("AveragePooling1D", _SEQUENCE, 2),
    "average_pooling_2d": _case("AveragePooling2D", _IMAGE, 3, padding="same"),
    "average_pooling_3d": _case("AveragePooling3D", _VOLUME, 2),
    "global_max_pooling_1d": _case("GlobalMaxPooling1D", _SEQUENCE),
    "global_max_pooling_2d": _case("GlobalMaxPooling2D", _IMAGE),
    "global_max_pooling_3d": _case("GlobalMaxPooling3D", _VOLUME),
    "global_average_pooling_1d": _case("GlobalAveragePooling1D", _SEQUENCE),
    "global_average_pooling_2d": _case("GlobalAveragePooling2D", _IMAGE),
    "global_average_pooling_3d": _case("GlobalAveragePooling3D", _VOLUME),
    "batch_normalization": _case("BatchNormalization", _IMAGE),
    "batch_normalization_of_vectors": _case("BatchNormalization", (4,), momentum=0.9),
    "batch_normalization_without_scale": _case("BatchNormalization", (4,), scale=False),
    "layer_normalization": _case("LayerNormalization", _SEQUENCE),
    "add": _case("Add", [(4,), (4,)]),
    "subtract": _case("Subtract", [(4,), (4,)]),
    "multiply": _case("Multiply", [(4,), (4,), (4,)]),
    "average": _case("Average", [(4,), (4,)]),
    "maximum": _case("Maximum", [(4,), (4,)]),
    "minimum": _case("Minimum", [(4,), (4,)]),
    "concatenate": _case("Concatenate", [(5, 4), (5, 2)]),
    "concatenate_steps": _case("Concatenate", [(5, 4), (2, 4)], axis=1),
    "dot": _case("Dot", [(5, 4), (3, 4)], axes=2),
    "dot_normalized": _case("Dot", [(4,), (4,)], axes=1, normalize=True),
    "attention": _case("Attention", [(3, 4), (5, 4)], use_scale=True),
    "additive_attention": _case("AdditiveAttention", [(3, 4), (5, 4)]),
    "simple_rnn": _case("SimpleRNN", _SEQUENCE, 3),
    "gru": _case("GRU", _SEQUENCE, 3, recurrent_activation="hard_sigmoid", reset_after=False),
    "gru_sequences": _case(
        "GRU", _SEQUENCE, 3, recurrent_activation="sigmoid", reset_after=True, return_sequences=True
    ),
    "lstm": _case("LSTM", _SEQUENCE, 3, recurrent_activation="hard_sigmoid"),
    "lstm_sequences_and_states": _case(
        "LSTM", _SEQUENCE, 3, recurrent_activation="sigmoid", return_sequences=True,
        return_state=True,
    ),  # fmt: skip
    "lstm_backwards": _case(
        "LSTM", _SEQUENCE, 3, recurrent_activation="sigmoid", go_backwards=True, unroll=True
    ),
    "time_distributed": _wrapped("TimeDistributed", (5, 4), ("Dense", 3, {"activation": "relu"})),
    "time_distributed_conv2d": _wrapped("TimeDistributed", (2, 6, 6, 3), ("Conv2D", 2, 3, {})),
    "bidirectional": _wrapped(
        "Bidirectional", _SEQUENCE, ("LSTM", 3, {"recurrent_activation": "sigmoid"})
    ),
    "bidirectional_sum": _wrapped(
        "Bidirectional", _SEQUENCE, ("SimpleRNN", 3, {"return_sequences": True}), merge_mode="sum"
    ),
}  # fmt: skip


def lambda_layer(tf):
    inputs = tf.keras.layers.Input((4,))
    outputs = tf.keras.layers.Lambda(lambda x: x * 2 + 1)(inputs)
    model = tf.keras.Model(inputs, outputs)
    return {"outputs": model.predict(sines((3, 4))), "layers": [each.name for each in model.layers]}


def masked_lstm(tf):
    """Steps that are masked keep the state."""
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.Embedding(6, 3, mask_zero=True, input_length=4),
        layers.LSTM(3, recurrent_activation="sigmoid"),
        layers.Dense(2),
    ])  # fmt: skip
    _with_weights(model)
    return {"outputs": model.predict(np.array([[1, 2, 0, 0], [3, 0, 0, 0], [1, 2, 3, 4]]))}


def stacked_cells(tf):
    layers = tf.keras.layers
    cells = [layers.GRUCell(3, recurrent_activation="sigmoid", reset_after=False),
             layers.LSTMCell(2, recurrent_activation="sigmoid")]  # fmt: skip
    inputs = layers.Input(_SEQUENCE)
    model = _with_weights(tf.keras.Model(inputs, layers.RNN(cells)(inputs)))
    return {"outputs": model.predict(sines((3, *_SEQUENCE), 2.0))}


def stateful_lstm(tf):
    """A batch begins with the states of the one before."""
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.LSTM(3, stateful=True, batch_input_shape=(3, 5, 4), recurrent_activation="sigmoid")
    ])  # fmt: skip
    _with_weights(model)
    x = sines((3, *_SEQUENCE), 2.0)
    found = [model.predict(x, batch_size=3), model.predict(x, batch_size=3)]
    model.reset_states()
    return {"outputs": [*found, model.predict(x, batch_size=3)]}


def merge_functions(tf):
    layers = tf.keras.layers
    a, b = layers.Input((4,)), layers.Input((4,))
    merged = [
        layers.add([a, b]), layers.multiply([a, b]), layers.maximum([a, b]), layers.average([a, b]),
        layers.concatenate([a, b]), layers.dot([a, b], 1), layers.subtract([a, b]),
        layers.minimum([a, b]),
    ]  # fmt: skip
    model = tf.keras.Model([a, b], merged)
    return {"outputs": model.predict([sines((3, 4)), sines((3, 4), 2.0)]),
            "names": [each.name for each in model.layers]}  # fmt: skip


def operators(tf):
    """Tensors of TensorFlow's functions between layers."""
    a = tf.keras.layers.Input((4,))
    b = tf.keras.layers.Dense(4, use_bias=False)(a)
    model = _with_weights(tf.keras.Model(a, tf.nn.relu(a * 2.0 - b)))
    return {"outputs": model.predict(sines((3, 4)))}


def incompatible_input(tf):
    layer = tf.keras.layers.Dense(3)
    layer(tf.placeholder(tf.float32, (None, 4)))
    return {"error": error_of(lambda: layer(tf.placeholder(tf.float32, (None, 5))))}
