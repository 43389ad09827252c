"""What a layer has in it: other layers and variables that are its attributes."""

from kiln.compat import v1 as tf


def layers_in(value):
    """The layers that a value is, or that lists and dicts have."""
    if isinstance(value, (list, tuple)):
        return [layer for each in value for layer in layers_in(each)]
    if isinstance(value, dict):
        return [layer for each in value.values() for layer in layers_in(each)]
    return [value] if is_layer(value) else []


def is_layer(value):
    """Whether it is a layer of Keras or tf.layers, or a cell of tf.nn.rnn_cell."""
    return (
        not isinstance(value, type)
        and callable(value)
        and hasattr(value, "trainable_weights")
        and hasattr(value, "non_trainable_weights")
    )


def variables_in(value):
    """The variable that a value is, or those of a list."""
    if isinstance(value, tf.Variable):
        return [value]
    if isinstance(value, (list, tuple)):
        return [each for each in value if isinstance(each, tf.Variable)]
    return []


def without_doubles(values):
    """The values in their order, each once, by identity."""
    return list({id(value): value for value in values}.values())


# Attributes whose variables are no weights: the states of recurrent layers.
STATES = {"_states"}


class Tracked:
    """Finds the layers and variables among its attributes."""

    def _sublayers(self):
        return without_doubles(
            layer for value in self.__dict__.values() for layer in layers_in(value)
        )

    def _own_variables(self, trainable):
        """The variables that are attributes, those that add_weight() made first."""
        made = self._trainable_weights if trainable else self._non_trainable_weights
        others = {id(each) for each in (*self._trainable_weights, *self._non_trainable_weights)}
        kept = ((name, value) for name, value in self.__dict__.items() if name not in STATES)
        found = [each for _, value in kept for each in variables_in(value)]
        found = [
            each for each in found if id(each) not in others and bool(each.trainable) == trainable
        ]
        return without_doubles([*made, *found])
