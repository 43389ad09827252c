"""Models: how they are made, described, copied and saved."""

import json
import os
import tempfile

import numpy as np
from keras_cases import error_of, sines, with_sines


def _network(tf):
    """A model of two inputs and two outputs."""
    layers = tf.keras.layers
    a, b = layers.Input((4,), name="first"), layers.Input((3,), name="second")
    shared = layers.Dense(5, activation="tanh", name="shared")
    x = layers.concatenate([shared(a), layers.Dense(5, name="own")(b)])
    x = layers.Dropout(0.5)(x)
    return tf.keras.Model(
        inputs=[a, b],
        outputs=[layers.Dense(2, name="left")(x), layers.Dense(1, name="right")(x)],
        name="network",
    )


def sequential_summary(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.Conv2D(4, 3, activation="relu", input_shape=(8, 8, 3)),
        layers.BatchNormalization(),
        layers.MaxPooling2D(),
        layers.Flatten(),
        layers.Dropout(0.5),
        layers.Dense(10, activation="softmax"),
    ])  # fmt: skip
    model.layers[0].trainable = False
    model.summary()
    return {
        "count": model.count_params(),
        "weights": [each.name for each in model.weights],
        "trained": [each.name for each in model.trainable_weights],
        "inputs": [each.name for each in model.inputs],
        "input_names": model.input_names,
        "output_names": model.output_names,
        "updates": len(model.updates),
    }


def network_summary(tf):
    model = _network(tf)
    model.summary()
    model.summary(line_length=80, positions=[0.4, 0.6, 0.7, 1.0])
    return {"layers": [layer.name for layer in model.layers]}


def nested_summary(tf):
    layers = tf.keras.layers
    inner = tf.keras.Sequential([layers.Dense(3, input_shape=(4,)), layers.Dense(2)], name="inner")
    a = layers.Input((4,))
    model = tf.keras.Model(a, layers.Dense(1)(inner(a)))
    model.summary()
    return {"weights": [each.name for each in model.weights]}


def lazy_sequential(tf):
    """Weights that are made when the model is built, and when it is called."""
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(3), layers.Dense(2)])
    found = {"built": model.built, "error": error_of(model.summary)}
    model.build((None, 4))
    found.update(after=model.built, weights=[each.name for each in model.weights])
    other = tf.keras.Sequential([layers.Dense(3), layers.Dense(2)])
    other(tf.placeholder(tf.float32, (None, 6)))
    return {**found, "shapes": [each.shape.as_list() for each in other.weights]}


def add_and_pop(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential()
    model.add(layers.Dense(3, input_dim=4))
    model.add(layers.Dense(2))
    model.pop()
    model.add(layers.Dense(5, activation="relu"))
    with_sines(model)
    found = {"outputs": model.predict(sines((2, 4))), "layers": [x.name for x in model.layers]}
    errors = [lambda: model.add(3), lambda: model.get_layer("none"), lambda: model.get_layer(index=7)]
    return {**found, "errors": [error_of(each) for each in errors]}


def sequential_config(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [layers.Dense(3, input_shape=(4,), activation="relu", name="a"), layers.Dropout(0.2)]
    )
    copy = tf.keras.Sequential.from_config(model.get_config())
    again = tf.keras.models.model_from_json(model.to_json())
    return {
        "layers": [(type(each).__name__, each.name) for each in copy.layers],
        "again": [(type(each).__name__, each.name) for each in again.layers],
        "keys": sorted(json.loads(model.to_json())),
        "shapes": [str(each.output_shape) for each in again.layers],
    }


def network_config(tf):
    model = with_sines(_network(tf))
    copy = tf.keras.Model.from_config(model.get_config())
    copy.set_weights(model.get_weights())
    given = [sines((2, 4)), sines((2, 3), 2.0)]
    clone = tf.keras.models.clone_model(model)
    clone.set_weights(model.get_weights())
    config = model.get_config()
    return {
        "outputs": model.predict(given),
        "copied": copy.predict(given),
        "cloned": clone.predict(given),
        "names": [(each.name, copy.get_layer(each.name).name) for each in model.layers],
        "keys": sorted(set(config) - {"trainable"}),
        "inputs": config["input_layers"],
        "outputs_of": config["output_layers"],
    }


def shared_layer(tf):
    """A layer that is called twice; its inputs and outputs by node."""
    layers = tf.keras.layers
    a, b = layers.Input((4,)), layers.Input((4,))
    dense = layers.Dense(2)
    x, y = dense(a), dense(b)
    model = with_sines(tf.keras.Model([a, b], layers.add([x, y])))
    return {
        "outputs": model.predict([sines((2, 4)), sines((2, 4), 3.0)]),
        "same": dense.get_input_at(0) is a and dense.get_output_at(1) is y,
        "error": error_of(lambda: dense.input),
        "shape": str(dense.input_shape),
    }


def inner_outputs(tf):
    """A model of what a layer inside of another gives."""
    model = with_sines(_network(tf))
    inner = tf.keras.Model(model.inputs, model.get_layer("own").output)
    return {"outputs": inner.predict([sines((2, 4)), sines((2, 3), 2.0)])}


def disconnected(tf):
    layers = tf.keras.layers
    a, b = layers.Input((4,)), layers.Input((4,))
    return {"error": error_of(lambda: tf.keras.Model(a, layers.add([a, b])))}


def subclassed(tf):
    class Own(tf.keras.Model):
        def __init__(self):
            super().__init__(name="own")
            self.first = tf.keras.layers.Dense(3, activation="relu")
            self.others = [tf.keras.layers.Dense(2) for _ in range(2)]

        def call(self, inputs, training=None):
            x = self.first(inputs)
            return self.others[1](self.others[0](x))

    model = Own()
    model.compile("sgd", "mse")
    x, y = sines((6, 4)), sines((6, 2), 2.0)
    found = {"error": error_of(model.summary)}
    model.train_on_batch(x, y)
    with_sines(model)
    model.fit(x, y, epochs=2, batch_size=3, shuffle=False, verbose=0)
    return {
        **found,
        "history": model.history.history,
        "outputs": model.predict(x),
        "weights": [each.shape.as_list() for each in model.weights],
        "layers": [each.name for each in model.layers],
    }


def own_layer(tf):
    class Own(tf.keras.layers.Layer):
        def __init__(self, units, **kwargs):
            super().__init__(**kwargs)
            self.units = units

        def build(self, input_shape):
            self.kernel = self.add_weight(
                "kernel", shape=[int(input_shape[-1]), self.units], initializer="ones",
                regularizer=tf.keras.regularizers.l2(0.1),
            )  # fmt: skip
            super().build(input_shape)

        def call(self, inputs):
            return tf.matmul(inputs, self.kernel)

        def compute_output_shape(self, input_shape):
            return tf.TensorShape([input_shape[0], self.units])

        def get_config(self):
            return {**super().get_config(), "units": self.units}

    model = tf.keras.Sequential([Own(3, input_shape=(4,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    with tf.keras.utils.custom_object_scope({"Own": Own}):
        copy = tf.keras.Sequential.from_config(model.get_config())
    model.layers[1].set_weights([sines((3, 1)), sines((1,))])
    loss = model.train_on_batch(sines((2, 4)), sines((2, 1)))
    return {"loss": loss, "kernel": model.get_weights()[0], "copy": copy.layers[0].units,
            "losses": len(model.losses), "weights": [each.name for each in model.weights]}  # fmt: skip


def weights_in_checkpoints(tf):
    """save_weights() and load_weights() in TensorFlow's format."""
    with tempfile.TemporaryDirectory() as folder:
        model, path = with_sines(_network(tf)), os.path.join(folder, "weights")
        model.compile("adam", "mse")
        model.save_weights(path)
        names = sorted(name for name, _ in tf.train.list_variables(path) if "OBJECT_GRAPH" not in name)
        before = model.get_weights()
        model.set_weights([value * 0 for value in before])
        status = model.load_weights(path)
        equal = [np.array_equal(a, b) for a, b in zip(before, model.get_weights())]
        return {
            "names": [name for name in names if "optimizer" not in name and "save_counter" not in name],
            "equal": equal,
            "latest": os.path.basename(tf.train.latest_checkpoint(folder)),
            "has_status": status is not None,
            "errors": [
                error_of(lambda: model.load_weights(path, by_name=True)),
                error_of(lambda: model.load_weights(os.path.join(folder, "none"))),
                error_of(lambda: model.save_weights(path, save_format="other")),
            ],
        }


def regularized(tf):
    layers, regularizers = tf.keras.layers, tf.keras.regularizers
    model = tf.keras.Sequential([
        layers.Dense(3, input_shape=(4,), kernel_regularizer=regularizers.l2(0.1),
                     bias_regularizer=regularizers.l1(0.1)),
        layers.Dense(2, activity_regularizer=regularizers.l1_l2(0.01, 0.02)),
    ])  # fmt: skip
    with_sines(model)
    model.compile("sgd", "mse")
    losses = [model.train_on_batch(sines((3, 4)), sines((3, 2))) for _ in range(3)]
    return {"losses": losses, "weights": model.get_weights(), "count": len(model.losses)}


def added_losses_and_metrics(tf):
    layers = tf.keras.layers
    a = layers.Input((4,))
    x = layers.Dense(3)(a)
    model = tf.keras.Model(a, x)
    model.add_loss(tf.reduce_mean(tf.abs(x)))
    model.add_metric(tf.reduce_sum(x), name="total", aggregation="mean")
    with_sines(model)
    model.compile("sgd", "mse")
    results = [model.train_on_batch(sines((3, 4)), sines((3, 3))) for _ in range(2)]
    return {"results": results, "names": model.metrics_names}
