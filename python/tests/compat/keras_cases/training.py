"""Training: fit(), evaluate(), predict() and what they print; optimizers, losses, metrics."""

import numpy as np
from keras_cases import error_of, sines, with_sines


def _classifier(tf, classes=3):
    layers = tf.keras.layers
    return with_sines(
        tf.keras.Sequential(
            [layers.Dense(5, activation="relu", input_shape=(4,)),
             layers.Dense(classes, activation="softmax")]
        )
    )  # fmt: skip


_X, _LABELS = sines((20, 4), 2.0), np.arange(20) % 3


def _one_hot(labels):
    return np.eye(3, dtype="f4")[labels]


def fit(tf):
    model = _classifier(tf)
    model.compile("sgd", "categorical_crossentropy", metrics=["accuracy"])
    history = model.fit(_X, _one_hot(_LABELS), batch_size=8, epochs=3, shuffle=False)
    return {
        "history": history.history,
        "epochs": history.epoch,
        "names": model.metrics_names,
        "evaluated": model.evaluate(_X, _one_hot(_LABELS), verbose=0),
        "predicted": model.predict(_X[:3]),
    }


def fit_with_validation(tf):
    model = _classifier(tf)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["acc"])
    history = model.fit(_X, _LABELS, batch_size=5, epochs=2, shuffle=False, validation_split=0.25)
    more = model.fit(
        _X, _LABELS, epochs=3, initial_epoch=2, verbose=2, shuffle=False,
        validation_data=(_X[:6], _LABELS[:6]),
    )  # fmt: skip
    return {"history": history.history, "more": more.history, "epochs": more.epoch}


def fit_shuffled(tf):
    """The order comes from NumPy's generator."""
    model = _classifier(tf)
    model.compile("sgd", "sparse_categorical_crossentropy")
    np.random.seed(3)
    return {"history": model.fit(_X, _LABELS, batch_size=7, epochs=2, verbose=0).history}


def several_outputs(tf):
    layers = tf.keras.layers
    a, b = layers.Input((4,), name="a"), layers.Input((4,), name="b")
    x = layers.add([layers.Dense(5)(a), layers.Dense(5)(b)])
    model = tf.keras.Model(
        [a, b],
        [layers.Dense(3, activation="softmax", name="kind")(x), layers.Dense(1, name="size")(x)],
    )
    with_sines(model)
    model.compile(
        "sgd",
        loss={"kind": "categorical_crossentropy", "size": "mse"},
        loss_weights={"kind": 1.0, "size": 0.3},
        metrics={"kind": "accuracy", "size": ["mae"]},
    )
    y = {"kind": _one_hot(_LABELS), "size": sines((20, 1))}
    history = model.fit({"a": _X, "b": _X * 2}, y, epochs=2, batch_size=10, shuffle=False, verbose=0)
    return {
        "history": history.history,
        "names": model.metrics_names,
        "evaluated": model.evaluate([_X, _X], [y["kind"], y["size"]], verbose=0),
        "predicted": model.predict([_X[:2], _X[:2]]),
    }


def weights_of_examples(tf):
    model = _classifier(tf)
    model.compile("sgd", "sparse_categorical_crossentropy", weighted_metrics=["accuracy"])
    found = [
        model.train_on_batch(_X, _LABELS, sample_weight=np.linspace(0, 1, 20)),
        model.train_on_batch(_X, _LABELS, class_weight={0: 1.0, 1: 2.0, 2: 0.5}),
        model.test_on_batch(_X, _LABELS, sample_weight=np.linspace(1, 0, 20)),
    ]
    history = model.fit(_X, _LABELS, sample_weight=np.linspace(0, 1, 20), verbose=0, shuffle=False)
    return {"found": found, "history": history.history, "names": model.metrics_names}


def temporal_weights(tf):
    model = with_sines(tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(5, 4))]))
    model.compile("sgd", "mse", sample_weight_mode="temporal")
    weight = np.linspace(0, 1, 15).reshape(3, 5)
    return {"loss": model.train_on_batch(sines((3, 5, 4)), sines((3, 5, 2)), weight)}


def generators(tf):
    model = _classifier(tf)
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])

    def batches():
        while True:
            for i in range(4):
                yield _X[i * 5 : i * 5 + 5], _LABELS[i * 5 : i * 5 + 5]

    history = model.fit_generator(batches(), steps_per_epoch=4, epochs=2, workers=0)
    evaluated = model.evaluate_generator(batches(), steps=4, workers=0)
    predicted = model.predict_generator((batch[0] for batch in batches()), steps=2, workers=0)
    return {"history": history.history, "evaluated": evaluated, "predicted": predicted}


def sequences(tf):
    class Batches(tf.keras.utils.Sequence):
        def __len__(self):
            return 4

        def __getitem__(self, i):
            return _X[i * 5 : i * 5 + 5], _LABELS[i * 5 : i * 5 + 5]

    model = _classifier(tf)
    model.compile("sgd", "sparse_categorical_crossentropy")
    history = model.fit_generator(
        Batches(), epochs=2, workers=0, shuffle=False, validation_data=Batches(), verbose=2
    )
    return {"history": history.history}


def one_batch(tf):
    model = _classifier(tf)
    model.compile("sgd", "categorical_crossentropy", metrics=["accuracy", "mse"])
    y = _one_hot(_LABELS)
    found = [model.train_on_batch(_X, y), model.test_on_batch(_X, y)]
    return {"found": found, "predicted": model.predict_on_batch(_X[:2])}


def errors(tf):
    model = _classifier(tf)
    found = [error_of(lambda: model.fit(_X, _LABELS))]
    model.compile("sgd", "categorical_crossentropy")
    y = _one_hot(_LABELS)
    found += [
        error_of(lambda: model.fit(_X[:, :3], y, verbose=0)),
        error_of(lambda: model.fit(_X, y[:10], verbose=0)),
        error_of(lambda: model.fit(_X, y[:, :2], verbose=0)),
        error_of(lambda: model.fit(_X, y, epochs=1, verbose=0, nothing=3)),
        error_of(lambda: model.compile("nothing", "mse")),
        error_of(lambda: model.compile("sgd", "nothing")),
    ]
    return {"errors": found}


def changed_trainable(tf):
    model = _classifier(tf)
    model.layers[0].trainable = False
    model.compile("sgd", "sparse_categorical_crossentropy")
    before = model.get_weights()
    model.train_on_batch(_X, _LABELS)
    after = model.get_weights()
    return {"equal": [bool(np.array_equal(a, b)) for a, b in zip(before, after)]}


def batch_normalization(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [layers.Dense(4, input_shape=(4,)), layers.BatchNormalization(momentum=0.8), layers.Dense(1)]
    )
    model.layers[0].set_weights([sines((4, 4)), sines((4,))])
    model.layers[2].set_weights([sines((4, 1)), sines((1,))])
    model.compile("sgd", "mse")
    losses = [model.train_on_batch(_X, sines((20, 1))) for _ in range(3)]
    return {"losses": losses, "weights": model.get_weights(), "predicted": model.predict(_X[:3])}


def own_loss_and_metric(tf):
    K = tf.keras.backend

    def loss(y_true, y_pred):
        return K.mean(K.abs(y_true - y_pred) ** 1.5, axis=-1)

    def largest(y_true, y_pred):
        return K.max(y_pred)

    model = with_sines(tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(4,))]))
    model.compile("sgd", loss, metrics=[largest])
    history = model.fit(_X, sines((20, 2)), epochs=2, batch_size=10, shuffle=False, verbose=0)
    return {"history": history.history}


def optimizer_of_tf_train(tf):
    model = _classifier(tf)
    model.compile(tf.train.AdamOptimizer(0.01), "sparse_categorical_crossentropy")
    return {"history": model.fit(_X, _LABELS, epochs=3, shuffle=False, verbose=0).history}


def _optimizer(name, **kwargs):
    def case(tf):
        model = _classifier(tf)
        optimizers = tf.keras.optimizers
        # The classes of TensorFlow 1.15 are what newer versions call legacy.
        cls = getattr(getattr(optimizers, "legacy", optimizers), name)
        if name in ("Adagrad", "Adadelta") and not kwargs:
            kwargs["learning_rate"] = 0.05
        optimizer = cls(**kwargs)
        model.compile(optimizer, "sparse_categorical_crossentropy")
        history = model.fit(_X, _LABELS, epochs=3, batch_size=10, shuffle=False, verbose=0)
        config = {key: value for key, value in optimizer.get_config().items() if key not in ("jit_compile", "beta")}
        return {
            "history": history.history,
            "weights": model.get_weights(),
            "config": config,
            "count": len(optimizer.get_weights()),
        }

    return case


def _loss(name):
    def case(tf):
        y, p = np.abs(sines((4, 3), 0.5)) + 0.1, np.abs(sines((4, 3), 0.9)) + 0.05
        found = getattr(tf.keras.losses, name)
        tensor = found()(y, p) if isinstance(found, type) else found(y, p)
        return {"value": tf.keras.backend.eval(tensor)}

    return case


def _metric(name, *args, sparse=False, **kwargs):
    def case(tf):
        K = tf.keras.backend
        y = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 0]], "f4")
        y = np.argmax(y, -1)[:, None].astype("f4") if sparse else y
        p = np.abs(sines((4, 3), 0.9)) + 0.05
        metric = getattr(tf.keras.metrics, name)(*args, **kwargs)
        update = metric.update_state(y, p)
        result = metric.result()
        session = K.get_session()
        session.run([each.initializer for each in metric.variables])
        session.run(update)
        session.run(update)
        return {"value": session.run(result), "name": metric.name}

    return case


TABLE = {
    "optimizer_sgd": _optimizer("SGD", learning_rate=0.1, momentum=0.9, nesterov=True),
    "optimizer_sgd_decay": _optimizer("SGD", learning_rate=0.1, decay=0.1),
    "optimizer_sgd_clipnorm": _optimizer("SGD", learning_rate=0.5, clipnorm=0.1),
    "optimizer_sgd_clipvalue": _optimizer("SGD", learning_rate=0.5, clipvalue=0.01),
    "optimizer_rmsprop": _optimizer("RMSprop"),
    "optimizer_rmsprop_centered": _optimizer("RMSprop", centered=True, momentum=0.5),
    "optimizer_adagrad": _optimizer("Adagrad"),
    "optimizer_adadelta": _optimizer("Adadelta"),
    "optimizer_adam": _optimizer("Adam", learning_rate=0.01),
    "optimizer_adam_amsgrad": _optimizer("Adam", learning_rate=0.01, amsgrad=True),
    "optimizer_adamax": _optimizer("Adamax", learning_rate=0.01),
    "optimizer_nadam": _optimizer("Nadam", learning_rate=0.01),
    "optimizer_ftrl": _optimizer("Ftrl", learning_rate=0.1),
    **{
        f"loss_{name}": _loss(name)
        for name in (
            "mean_squared_error", "mean_absolute_error", "mean_absolute_percentage_error",
            "mean_squared_logarithmic_error", "binary_crossentropy", "categorical_crossentropy",
            "hinge", "squared_hinge", "categorical_hinge", "kullback_leibler_divergence",
            "poisson", "cosine_similarity", "logcosh", "MeanSquaredError", "MeanAbsoluteError",
            "BinaryCrossentropy", "CategoricalCrossentropy", "Hinge", "Huber", "KLDivergence",
            "Poisson", "LogCosh", "CosineSimilarity",
        )
    },
    "metric_mean_squared_error": _metric("MeanSquaredError"),
    "metric_categorical_accuracy": _metric("CategoricalAccuracy"),
    "metric_binary_accuracy": _metric("BinaryAccuracy"),
    "metric_sparse_accuracy": _metric("SparseCategoricalAccuracy", sparse=True),
    "metric_top_k": _metric("TopKCategoricalAccuracy", k=2),
    "metric_sparse_top_k": _metric("SparseTopKCategoricalAccuracy", k=2, sparse=True),
    "metric_precision": _metric("Precision"),
    "metric_recall": _metric("Recall", thresholds=0.3),
    "metric_auc": _metric("AUC"),
    "metric_auc_pr": _metric("AUC", curve="PR", num_thresholds=50),
    "metric_true_positives": _metric("TruePositives"),
    "metric_false_negatives": _metric("FalseNegatives", thresholds=[0.2, 0.6]),
    "metric_sensitivity": _metric("SensitivityAtSpecificity", 0.5),
    "metric_root_mean_squared_error": _metric("RootMeanSquaredError"),
    "metric_cosine_similarity": _metric("CosineSimilarity"),
    "metric_hinge": _metric("Hinge"),
    "metric_kullback_leibler": _metric("KLDivergence"),
    "metric_crossentropy": _metric("CategoricalCrossentropy"),
}  # fmt: skip
