"""What surrounds models: preprocessing, utilities, callbacks, the backend, initializers."""

import os
import pickle
import random
import tempfile

import numpy as np
from keras_cases import error_of, sines


_TEXTS = ["The cat sat on the mat.", "The dog ate my homework, the cat did not!", "a b a"]


def sequences(tf):
    sequence = tf.keras.preprocessing.sequence
    given = [[1], [2, 3], [4, 5, 6, 7]]
    found = {
        "pre": sequence.pad_sequences(given),
        "post": sequence.pad_sequences(given, maxlen=3, padding="post", truncating="post", value=9),
        "floats": sequence.pad_sequences([[[1.0, 2.0]], []], dtype="float32"),
        "table": sequence.make_sampling_table(6),
        "errors": [
            error_of(lambda: sequence.pad_sequences([1, 2])),
            error_of(lambda: sequence.pad_sequences(given, padding="both")),
        ],
    }
    random.seed(3)
    couples, labels = sequence.skipgrams([1, 2, 3, 4], 10, window_size=2, seed=4)
    data = np.arange(20).reshape(10, 2)
    series = sequence.TimeseriesGenerator(data, data[:, 0], length=4, sampling_rate=2, batch_size=3)
    config = series.get_config()
    return {**found, "couples": couples, "labels": labels, "batches": len(series),
            "batch": series[1], "config": config}  # fmt: skip


def texts(tf):
    text = tf.keras.preprocessing.text
    tokenizer = text.Tokenizer(num_words=6, oov_token="?")
    tokenizer.fit_on_texts(_TEXTS)
    numbers = tokenizer.texts_to_sequences(_TEXTS)
    letters = text.Tokenizer(char_level=True)
    letters.fit_on_texts(_TEXTS)
    copy = text.tokenizer_from_json(tokenizer.to_json())
    return {
        "words": text.text_to_word_sequence(_TEXTS[1]),
        "index": tokenizer.word_index,
        "sequences": numbers,
        "texts": tokenizer.sequences_to_texts(numbers),
        "matrices": [tokenizer.texts_to_matrix(_TEXTS, mode) for mode in ("binary", "count", "freq", "tfidf")],
        "letters": letters.texts_to_sequences(["cat"]),
        "copied": copy.texts_to_sequences(_TEXTS),
        "hashed": text.hashing_trick(_TEXTS[0], 20, "md5"),
        "error": error_of(lambda: text.Tokenizer().texts_to_matrix(["a"])),
    }


def image_batches(tf):
    image = tf.keras.preprocessing.image
    x, y = np.abs(sines((7, 5, 4, 3), 200.0)), np.arange(7)
    generator = image.ImageDataGenerator(
        rescale=1 / 255.0, rotation_range=20, width_shift_range=0.2, height_shift_range=[1, 2],
        shear_range=5.0, zoom_range=0.2, channel_shift_range=10.0, horizontal_flip=True,
        vertical_flip=True,
    )  # fmt: skip
    flow = generator.flow(x, y, batch_size=3, seed=4)
    batches = [next(flow) for _ in range(3)]
    scaled = image.ImageDataGenerator(featurewise_center=True, featurewise_std_normalization=True)
    scaled.fit(x)
    split = image.ImageDataGenerator(validation_split=0.3)
    part = split.flow(x, np.zeros(7), shuffle=False, subset="validation")
    whitening = image.ImageDataGenerator(zca_whitening=True)
    whitening.fit(x)
    return {
        "batches": batches,
        "scaled": next(scaled.flow(x, batch_size=2, shuffle=False)),
        "count": len(flow),
        "part": part.n,
        "whitened": np.abs(whitening.standardize(x[:1].copy())),
    }


def image_files(tf):
    image = tf.keras.preprocessing.image
    with tempfile.TemporaryDirectory() as folder:
        for i, kind in enumerate(("b", "a")):
            os.makedirs(os.path.join(folder, kind))
            for j in range(3):
                path = os.path.join(folder, kind, f"{j}.png")
                image.save_img(path, np.full((6, 4, 3), 40 * i + 20 * j, "f4"), scale=False)
        flow = image.ImageDataGenerator(rescale=0.5).flow_from_directory(
            folder, target_size=(4, 4), batch_size=4, shuffle=False
        )
        loaded = image.load_img(os.path.join(folder, "a", "1.png"), target_size=(3, 2))
        gray = image.load_img(os.path.join(folder, "a", "2.png"), color_mode="grayscale")
        return {
            "batch": next(flow),
            "classes": flow.class_indices,
            "labels": flow.classes,
            "names": flow.filenames,
            "loaded": image.img_to_array(loaded),
            "gray": image.img_to_array(gray),
            "size": loaded.size,
        }


def image_changes(tf):
    image = tf.keras.preprocessing.image
    x = np.abs(sines((5, 4, 3), 200.0))
    axes = {"row_axis": 0, "col_axis": 1, "channel_axis": 2}
    return {
        "turned": image.apply_affine_transform(x, theta=30, **axes),
        "moved": image.apply_affine_transform(x, tx=1, ty=2, fill_mode="constant", cval=1.0, **axes),
        "sheared": image.apply_affine_transform(x, shear=20, zx=0.8, zy=1.2, **axes),
        "brighter": image.apply_brightness_shift(x, 1.5),
        "shifted": image.apply_channel_shift(x, 30.0, 2),
        "random": image.random_rotation(x, 20, **axes),
    }


def utilities(tf):
    utils = tf.keras.utils
    bar = utils.Progbar(3)
    for i in range(3):
        bar.add(1, [("loss", 0.5 - 0.1 * i), ("small", 1e-5)])
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
    return {
        "categories": utils.to_categorical([0, 2, 1]),
        "more": utils.to_categorical([[1], [3]], num_classes=5, dtype="int32"),
        "normal": utils.normalize(np.arange(6.0).reshape(2, 3)),
        "l1": utils.normalize(np.arange(6.0).reshape(2, 3), order=1, axis=0),
        "sources": [each.name for each in utils.get_source_inputs(model.outputs[0])],
    }


def enqueuers(tf):
    class Batches(tf.keras.utils.Sequence):
        def __len__(self):
            return 3

        def __getitem__(self, i):
            return np.full(2, i)

    ordered = tf.keras.utils.OrderedEnqueuer(Batches())
    ordered.start(workers=2, max_queue_size=4)
    batches = ordered.get()
    found = [next(batches) for _ in range(7)]
    ordered.stop()
    generated = tf.keras.utils.GeneratorEnqueuer(iter(range(3)))
    generated.start()
    return {"ordered": found, "generated": list(generated.get())}


def _trained(tf, callbacks, epochs=4, **kwargs):
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(3, input_shape=(4,)), layers.Dense(1)])
    model.set_weights([sines(np.shape(value), 0.5) for value in model.get_weights()])
    legacy = tf.keras.optimizers
    model.compile(getattr(legacy, "legacy", legacy).SGD(0.1), "mse")
    x, y = sines((12, 4), 2.0), sines((12, 1))
    history = model.fit(
        x, y, batch_size=6, epochs=epochs, verbose=0, shuffle=False, callbacks=callbacks, **kwargs
    )
    return model, history.history


def early_stopping(tf):
    stop = tf.keras.callbacks.EarlyStopping(
        monitor="loss", patience=1, min_delta=10.0, restore_best_weights=True
    )
    model, history = _trained(tf, [stop], epochs=9)
    return {"history": history, "epoch": stop.stopped_epoch, "weights": model.get_weights()}


def learning_rates(tf):
    callbacks = tf.keras.callbacks
    schedule = callbacks.LearningRateScheduler(lambda epoch: 0.1 / (epoch + 1))
    plateau = callbacks.ReduceLROnPlateau("loss", factor=0.5, patience=1, min_delta=10.0, verbose=0)
    return {"scheduled": _trained(tf, [schedule])[1], "plateau": _trained(tf, [plateau])[1]}


def logged(tf):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log.csv")
        _trained(tf, [tf.keras.callbacks.CSVLogger(path)], epochs=2)
        with open(path) as file:
            lines = file.read().splitlines()
    # Newer versions have a column for the values of an evaluation, too.
    return {"rows": [[x[:7] for x in row.split(",")[:2]] for row in lines]}


def own_callback(tf):
    events = []

    class Own(tf.keras.callbacks.Callback):
        def on_train_begin(self, logs=None):
            events.append("begin")

        def on_epoch_begin(self, epoch, logs=None):
            events.append(f"epoch {epoch}")

        def on_batch_end(self, batch, logs=None):
            events.append(f"batch {batch} {sorted(logs)}")

        def on_epoch_end(self, epoch, logs=None):
            events.append(f"end {epoch} {sorted(logs)}")
            self.model.stop_training = epoch == 1

        def on_train_end(self, logs=None):
            events.append("end")

    _trained(tf, [Own()], validation_split=0.5)
    return {"events": events}


def lambda_callback(tf):
    events = []
    callback = tf.keras.callbacks.LambdaCallback(
        on_epoch_end=lambda epoch, logs: events.append(sorted(logs)),
        on_train_end=lambda logs: events.append("end"),
    )
    _trained(tf, [callback], epochs=2)
    return {"events": events}


def checkpoints(tf):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "weights.{epoch:02d}")
        save = tf.keras.callbacks.ModelCheckpoint(path, save_weights_only=True)
        model, _ = _trained(tf, [save], epochs=2)
        files = sorted(name for name in os.listdir(folder) if name.endswith("index"))
        last = model.get_weights()
        model.load_weights(os.path.join(folder, "weights.02"))
        return {"files": files, "equal": [bool(np.array_equal(a, b)) for a, b in zip(last, model.get_weights())]}


def backend(tf):
    K = tf.keras.backend
    a, b = K.constant(sines((2, 3), 2.0)), K.constant(sines((3, 4), 2.0))
    tensors = {
        "dot": K.dot(a, b),
        "batch_dot": K.batch_dot(K.constant(sines((2, 3, 4))), K.constant(sines((2, 4, 2)))),
        "sum": K.sum(a, axis=1, keepdims=True),
        "mean": K.mean(a),
        "std": K.std(a, axis=0),
        "var": K.var(a, axis=0),
        "max": K.max(a, axis=-1),
        "argmax": K.argmax(a),
        "clip": K.clip(a, -0.5, 0.5),
        "square": K.square(a),
        "softmax": K.softmax(a),
        "hard_sigmoid": K.hard_sigmoid(a),
        "elu": K.elu(a, 0.5),
        "relu": K.relu(a, alpha=0.1, max_value=1.0),
        "l2_normalize": K.l2_normalize(a, axis=1),
        "concatenate": K.concatenate([a, a], axis=0),
        "repeat": K.repeat(a, 2),
        "repeat_elements": K.repeat_elements(a, 2, axis=1),
        "tile": K.tile(a, [1, 2]),
        "permute": K.permute_dimensions(K.constant(sines((2, 3, 4))), (2, 0, 1)),
        "expand": K.expand_dims(a, 1),
        "flatten": K.flatten(a),
        "batch_flatten": K.batch_flatten(K.constant(sines((2, 3, 4)))),
        "one_hot": K.one_hot(K.constant([0, 2], dtype="int32"), 3),
        "gather": K.gather(b, K.constant([0, 2], dtype="int32")),
        "reverse": K.reverse(a, 1),
        "switch": K.switch(K.constant(1) > 0, lambda: a, lambda: a * 2),
        "binary_crossentropy": K.binary_crossentropy(K.constant([1.0, 0.0]), K.constant([0.8, 0.3])),
        "logsumexp": K.log(K.sum(K.exp(a))),
        "cumsum": K.cumsum(a, axis=1),
        "stack": K.stack([a, a]),
        "equal": K.cast(K.equal(a, a), "float32"),
        "arange": K.arange(2, 8, 3),
        "temporal_padding": K.temporal_padding(K.constant(sines((1, 2, 3)))),
        "resize": K.resize_images(K.constant(sines((1, 2, 2, 1))), 2, 2, "channels_last"),
        "map_fn": K.map_fn(lambda x: x * 2, a),
        "ctc": K.ctc_batch_cost(
            K.constant([[0, 1]], dtype="int32"), K.constant(np.abs(sines((1, 4, 3), 0.5)) + 0.1),
            K.constant([[4]], dtype="int32"), K.constant([[2]], dtype="int32"),
        ),
    }  # fmt: skip
    found = {name: K.eval(tensor) for name, tensor in tensors.items()}
    variable = K.variable(sines((2, 2)), name="v")
    K.set_value(variable, np.ones((2, 2)))
    x = K.placeholder((None, 2))
    function = K.function([x], [x * 2, K.sum(x)], updates=[K.update_add(variable, variable * 2)])
    called = function([np.ones((3, 2))])
    (grad,) = K.gradients(K.sum(K.square(variable)), [variable])
    return {
        **found, "called": called, "updated": K.get_value(variable), "gradient": K.eval(grad),
        "shape": K.int_shape(a), "ndim": K.ndim(a), "dtype": K.dtype(a), "count": K.count_params(variable),
        "epsilon": K.epsilon(), "floatx": K.floatx(), "format": K.image_data_format(),
        "keras": K.is_keras_tensor(tf.keras.layers.Input((2,))),
    }  # fmt: skip


def initializers(tf):
    names = ("zeros", "ones", "glorot_uniform", "he_normal", "orthogonal", "identity", "lecun_uniform")
    found = {name: type(tf.keras.initializers.get(name)).__name__ for name in names if name != "lecun_uniform"}
    constant = tf.keras.initializers.Constant(2.5)
    K = tf.keras.backend
    return {
        "kinds": len(found),
        "zeros": K.eval(tf.keras.initializers.get("zeros")((2, 2))),
        "ones": K.eval(tf.keras.initializers.Ones()((2,))),
        "constant": K.eval(constant((3,))),
        "identity": K.eval(tf.keras.initializers.Identity(2.0)((2, 2))),
        "error": error_of(lambda: tf.keras.initializers.get("nothing")),
    }


def regularizers_and_constraints(tf):
    K, x = tf.keras.backend, tf.constant(sines((3, 2), 2.0))
    regularizers, constraints = tf.keras.regularizers, tf.keras.constraints
    return {
        "l1": K.eval(regularizers.l1(0.1)(x)),
        "l2": K.eval(regularizers.l2(0.1)(x)),
        "both": K.eval(regularizers.l1_l2(0.1, 0.2)(x)),
        "config": regularizers.serialize(regularizers.l2(0.5))["config"].get("l2"),
        "max_norm": K.eval(constraints.MaxNorm(1.0)(x)),
        "min_max": K.eval(constraints.MinMaxNorm(0.5, 1.0)(x)),
        "non_neg": K.eval(constraints.NonNeg()(x)),
        "unit": K.eval(constraints.UnitNorm()(x)),
    }


def activations(tf):
    K, x = tf.keras.backend, tf.constant(sines((3, 2), 2.0))
    names = ("relu", "tanh", "sigmoid", "softmax", "elu", "selu", "softplus", "softsign",
             "hard_sigmoid", "exponential", "linear")  # fmt: skip
    return {name: K.eval(tf.keras.activations.get(name)(x)) for name in names}


def schedules(tf):
    """Schedules of learning rates."""
    K, found = tf.keras.backend, {}
    schedules = tf.keras.optimizers.schedules
    for schedule in (
        schedules.ExponentialDecay(0.1, 10, 0.5), schedules.PolynomialDecay(0.1, 10),
        schedules.InverseTimeDecay(0.1, 10, 0.5), schedules.PiecewiseConstantDecay([3, 6], [1.0, 0.5, 0.1]),
    ):  # fmt: skip
        found[type(schedule).__name__] = [K.eval(schedule(tf.constant(step))) for step in (0, 4, 8)]
    return found


def pickled_history(tf):
    """What fit() gives is of Python's numbers."""
    _, history = _trained(tf, None, epochs=1)
    return {"types": [type(value[0]).__name__ for value in history.values()], "size": len(pickle.dumps(history)) > 0}
