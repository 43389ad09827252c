"""Simonyan and Zisserman's networks: blocks of convolutions, each half as wide as the one before."""

from kiln.compat.v1.keras import layers
from kiln.compat.v1.keras.applications import _network


def vgg(x, counts, include_top, pooling, classes):
    """counts: how many convolutions each block has."""
    for i, (filters, count) in enumerate(zip((64, 128, 256, 512, 512), counts), 1):
        for j in range(1, count + 1):
            x = layers.Conv2D(
                filters, (3, 3), activation="relu", padding="same", name=f"block{i}_conv{j}"
            )(x)
        x = layers.MaxPooling2D((2, 2), strides=(2, 2), name=f"block{i}_pool")(x)
    if not include_top:
        return _network.pooled(x, pooling)
    x = layers.Flatten(name="flatten")(x)
    x = layers.Dense(4096, activation="relu", name="fc1")(x)
    x = layers.Dense(4096, activation="relu", name="fc2")(x)
    return layers.Dense(classes, activation="softmax", name="predictions")(x)
