"""tf.keras.applications: arguments, and networks of tensors that are there already."""

import inspect

import pytest

import kiln.compat.v1 as tf

NAMES = ["VGG16", "VGG19", "ResNet50", "ResNet101", "ResNet152", "InceptionV3", "MobileNet"]


@pytest.mark.parametrize("name", NAMES)
def test_arguments_that_no_network_has(name):
    network = getattr(tf.keras.applications, name)
    with pytest.raises(TypeError, match="Invalid keyword argument"):
        network(weights=None, wieghts=None)
    assert network.__name__ == name and f"tf.keras.applications.{name}" in network.__doc__
    known = set(inspect.signature(network).parameters)
    assert {"include_top", "weights", "input_tensor", "pooling", "classes", "kwargs"} <= known


def test_networks_with_the_modules_of_keras_applications():
    tf.keras.backend.clear_session()
    keras = tf.keras
    images = keras.Input((32, 32, 3), name="images")
    model = keras.applications.VGG16(
        False, None, images, pooling="avg", backend=keras.backend, layers=keras.layers,
        models=keras.models, utils=keras.utils,
    )  # fmt: skip
    assert model.input is images and model.output_shape == (None, 512) and model.name == "vgg16"
