"""tf.keras.applications: layers, shapes and sizes of each network; nothing is trained."""

import numpy as np
from keras_cases import error_of


def _described(model):
    layers = [
        [layer.name, type(layer).__name__.replace("Normalization_V2", "Normalization"),
         str(layer.output_shape), layer.count_params()]
        for layer in model.layers
    ]  # fmt: skip
    return {"name": model.name, "layers": layers, "count": model.count_params(),
            "trained": len(model.trainable_weights)}  # fmt: skip


def vgg16(tf):
    return _described(tf.keras.applications.VGG16(weights=None))


def vgg19_without_top(tf):
    network = tf.keras.applications.VGG19(
        include_top=False, weights=None, input_shape=(48, 64, 3), pooling="avg"
    )
    return _described(network)


def resnet50(tf):
    return _described(tf.keras.applications.ResNet50(weights=None, classes=10))


def resnet101_without_top(tf):
    return _described(tf.keras.applications.ResNet101(include_top=False, weights=None))


def mobilenet_without_top(tf):
    network = tf.keras.applications.MobileNet(
        include_top=False, weights=None, input_shape=(128, 128, 3), alpha=0.5, pooling="max"
    )
    return _described(network)


def inception_v3(tf):
    tensor = tf.keras.layers.Input((99, 99, 3))
    return _described(
        tf.keras.applications.InceptionV3(weights=None, input_tensor=tensor, input_shape=(99, 99, 3))
    )


def inputs(tf):
    applications, x = tf.keras.applications, np.arange(24.0).reshape(1, 2, 4, 3)
    return {
        "caffe": applications.vgg16.preprocess_input(x.copy()),
        "tf": applications.inception_v3.preprocess_input(x.copy()),
        "torch": applications.imagenet_utils.preprocess_input(x.copy(), mode="torch"),
        "tensor": tf.keras.backend.eval(
            applications.resnet50.preprocess_input(tf.constant(x, tf.float32))
        ),
        "integers": applications.vgg16.preprocess_input(x.astype("u1")),
        "errors": [
            error_of(lambda: applications.VGG16(weights="nothing")),
            error_of(lambda: applications.VGG16(weights=None, input_shape=(8, 8, 3))),
            error_of(lambda: applications.VGG16(weights="imagenet", classes=3)),
            error_of(lambda: applications.vgg16.decode_predictions(np.zeros((1, 3)))),
        ],
    }
