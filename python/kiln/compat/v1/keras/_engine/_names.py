"""Names of layers and models."""

import re

from kiln.compat.v1.keras import backend as K


def snake_case(name):
    """MaxPooling2D becomes max_pooling2d, a private name begins with private."""
    name = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    name = re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()
    return f"private{name}" if name[0] == "_" else name


def unique_layer_name(class_name, zero_based=True):
    """The name of a layer of a class, unique in the graph."""
    return K.unique_object_name(snake_case(class_name), zero_based)
