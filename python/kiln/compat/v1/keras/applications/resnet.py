"""tf.keras.applications.resnet: He et al.'s residual networks."""

from kiln.compat.v1.keras import layers
from kiln.compat.v1.keras.applications import _network
from kiln.compat.v1.keras.applications.imagenet_utils import (
    decode_predictions as decode_predictions,
    preprocess_input as preprocess_input,
)


def _normalized(x, name):
    axis = _network.channel_axis()
    return layers.BatchNormalization(axis=axis, epsilon=1.001e-5, name=name)(x)


def _block(x, filters, stride, has_projection, name):
    """Three convolutions, and the way past them."""
    shortcut = x
    if has_projection:
        shortcut = layers.Conv2D(4 * filters, 1, strides=stride, name=f"{name}_0_conv")(x)
        shortcut = _normalized(shortcut, f"{name}_0_bn")
    x = layers.Conv2D(filters, 1, strides=stride, name=f"{name}_1_conv")(x)
    x = layers.Activation("relu", name=f"{name}_1_relu")(_normalized(x, f"{name}_1_bn"))
    x = layers.Conv2D(filters, 3, padding="SAME", name=f"{name}_2_conv")(x)
    x = layers.Activation("relu", name=f"{name}_2_relu")(_normalized(x, f"{name}_2_bn"))
    x = layers.Conv2D(4 * filters, 1, name=f"{name}_3_conv")(x)
    x = layers.Add(name=f"{name}_add")([shortcut, _normalized(x, f"{name}_3_bn")])
    return layers.Activation("relu", name=f"{name}_out")(x)


def _resnet(x, counts, include_top, pooling, classes):
    """counts: how many blocks each size of images has."""
    x = layers.ZeroPadding2D(((3, 3), (3, 3)), name="conv1_pad")(x)
    x = _normalized(layers.Conv2D(64, 7, strides=2, name="conv1_conv")(x), "conv1_bn")
    x = layers.Activation("relu", name="conv1_relu")(x)
    x = layers.ZeroPadding2D(((1, 1), (1, 1)), name="pool1_pad")(x)
    x = layers.MaxPooling2D(3, strides=2, name="pool1_pool")(x)
    for i, count in enumerate(counts):
        for j in range(1, count + 1):
            stride = 2 if j == 1 and i > 0 else 1
            x = _block(x, 64 << i, stride, j == 1, f"conv{i + 2}_block{j}")
    if include_top:
        return _network.classified(x, classes)
    return _network.pooled(x, pooling, ("avg_pool", "max_pool"))


@_network.application(
    "resnet50",
    ("2cb95161c43110f7111970584f804107", "4d473c1dd8becc155b73f8504c6f6626"),
    folder="resnet",
)
def ResNet50(images, include_top, pooling, classes):  # noqa: N802, TensorFlow's name
    """The network with 50 layers. Source: tf.keras.applications.ResNet50."""
    return _resnet(images, (3, 4, 6, 3), include_top, pooling, classes)


@_network.application(
    "resnet101",
    ("f1aeb4b969a6efcfb50fad2f0c20cfc5", "88cf7a10940856eca736dc7b7e228a21"),
    folder="resnet",
)
def ResNet101(images, include_top, pooling, classes):  # noqa: N802, TensorFlow's name
    """The network with 101 layers. Source: tf.keras.applications.ResNet101."""
    return _resnet(images, (3, 4, 23, 3), include_top, pooling, classes)


@_network.application(
    "resnet152",
    ("100835be76be38e30d865e96f2aaae62", "ee4c566cf9a93f14d82f913c2dc6dd0c"),
    folder="resnet",
)
def ResNet152(images, include_top, pooling, classes):  # noqa: N802, TensorFlow's name
    """The network with 152 layers. Source: tf.keras.applications.ResNet152."""
    return _resnet(images, (3, 8, 36, 3), include_top, pooling, classes)
