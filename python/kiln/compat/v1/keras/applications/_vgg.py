"""Simonyan and Zisserman's networks: blocks of convolutions, each half as wide as the one before."""

from kiln.compat.v1.keras import layers
from kiln.compat.v1.keras.applications import _network

_FILES = {
    "vgg16": ("64373286793e3c8b2b4e3219cbf3544b", "6d6bbae143d832006294945121d1f1fc"),
    "vgg19": ("cbe5617147190e668d6c5d5026f83318", "253f8cb515780f3b799900260a226db6"),
}


def vgg(
    name, counts, include_top, weights, input_tensor, input_shape, pooling, classes
):  # fmt: skip
    """counts: how many convolutions each block has."""
    inputs = x = _network.image_input(include_top, weights, input_tensor, input_shape, classes)
    for i, (filters, count) in enumerate(zip((64, 128, 256, 512, 512), counts), 1):
        for j in range(1, count + 1):
            x = layers.Conv2D(
                filters, (3, 3), activation="relu", padding="same", name=f"block{i}_conv{j}"
            )(x)
        x = layers.MaxPooling2D((2, 2), strides=(2, 2), name=f"block{i}_pool")(x)
    if include_top:
        x = layers.Flatten(name="flatten")(x)
        x = layers.Dense(4096, activation="relu", name="fc1")(x)
        x = layers.Dense(4096, activation="relu", name="fc2")(x)
        x = layers.Dense(classes, activation="softmax", name="predictions")(x)
    else:
        x = _network.pooled(x, pooling)
    start = f"{name}/{name}_weights_tf_dim_ordering_tf_kernels"
    files = list(zip((f"{start}.h5", f"{start}_notop.h5"), _FILES[name]))
    return _network.finished(name, inputs, x, input_tensor, weights, include_top, files)
