"""The weights, losses and updates of layers."""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K, constraints, initializers, regularizers
from kiln.compat.v1.keras._engine._tracking import Tracked, without_doubles


class Weighted(Tracked):
    """What has weights: variables of its own and those of the layers inside."""

    def __init__(self, trainable, dtype):
        self._trainable, self._dtype = trainable, tf.as_dtype(dtype).name if dtype else None
        self._trainable_weights, self._non_trainable_weights = [], []
        self._updates, self._losses, self._regularizations = [], [], []
        self._metrics, self._stateful = [], False

    def add_weight(
        self,
        name=None,
        shape=None,
        dtype=None,
        initializer=None,
        regularizer=None,
        trainable=None,
        constraint=None,
        partitioner=None,
        use_resource=None,
        synchronization=tf.VariableSynchronization.AUTO,
        aggregation=tf.VariableAggregation.NONE,
        **kwargs,
    ):
        """A new variable of the layer.

        initializer: Glorot's uniform one for floats, zeros for others where it is None. Errors:
        ValueError. Source: tf.keras.layers.Layer.add_weight.
        """
        dtype = tf.as_dtype(dtype or self._dtype or K.floatx())
        self._dtype = self._dtype or dtype.base_dtype.name
        initializer = _first_values(initializers.get(initializer), dtype, name)
        trainable = True if trainable is None else trainable
        shape = tf.TensorShape(() if shape is None else shape).as_list()
        variable = tf.Variable(
            lambda: initializer(shape, dtype=dtype),
            trainable=trainable,
            dtype=dtype,
            name=name,
            constraint=constraints.get(constraint),
            use_resource=True,
        )
        regularizer = regularizers.get(regularizer)
        self._keep(variable, name, trainable, regularizer)
        return variable

    def add_variable(self, *args, **kwargs):
        """The older name of add_weight()."""
        return self.add_weight(*args, **kwargs)

    def _keep(self, variable, name, trainable=True, regularizer=None):
        """Makes a variable one of the layer's."""
        K.track(variable)
        if regularizer is not None:
            self._regularizations.append((name, variable, regularizer, {}))
        (self._trainable_weights if trainable else self._non_trainable_weights).append(variable)

    # Losses, updates, metrics.

    def add_loss(self, losses, inputs=None):
        """Adds tensors, or functions that make them, to the losses of a model."""
        for loss in tf.nest.flatten(losses):
            if callable(loss) and not isinstance(loss, (tf.Tensor, tf.Variable)):
                loss = loss()
            if loss is not None:
                loss = tf.convert_to_tensor(loss)
                loss._unconditional_loss = inputs is None
                self._losses.append(loss)

    def add_update(self, updates, inputs=None):
        """Adds what a step of training runs, too."""
        for update in tf.nest.flatten(updates):
            if callable(update) and not isinstance(update, (tf.Tensor, tf.Variable, tf.Operation)):
                update = update()
            self._updates.append(update if isinstance(update, tf.Operation) else update.op)

    def add_metric(self, value, aggregation=None, name=None):
        """Adds a tensor, or the result of a metric, to what a model reports. Errors: ValueError."""
        from kiln.compat.v1.keras import metrics

        made = getattr(value, "_metric_obj", None)
        if made is None:
            if aggregation != "mean":
                raise ValueError(
                    "We currently support only `mean` sample-wise metric aggregation. "
                    f"You provided aggregation=`{aggregation}`"
                )
            if name is None:
                raise ValueError(
                    "Please provide a name for your metric like "
                    "`self.add_metric(tf.reduce_sum(inputs), name='mean_activation', "
                    "aggregation='mean')`"
                )
            made = metrics.Mean(name=name, dtype=value.dtype)
            made._call_result = made(value)
        self._metrics.append(made)

    def _gathered(self, of):
        return [each for layer in self._sublayers() for each in getattr(layer, of, ())]

    @property
    def losses(self):
        """The losses of weights and activities, those of the layers inside, too."""
        graph = tf.get_default_graph()
        own = [loss for loss in self._losses if loss.graph is graph]
        for name, variable, regularizer, made in self._regularizations:
            if graph not in made:
                with tf.name_scope(f"{name}/Regularizer"):
                    made[graph] = regularizer(variable)
            own.append(made[graph])
        return [*own, *self._gathered("losses")]

    @property
    def updates(self):
        """What a step of training runs, too; nothing of a layer that is not trainable."""
        if not self.trainable and not self.stateful:
            return []
        return [*self._updates, *self._gathered("updates")]

    @property
    def metrics(self):
        return [*self._metrics, *self._gathered("metrics")]

    def get_losses_for(self, inputs):
        """The losses that depend on inputs, or for None those that do not."""
        return [
            loss
            for loss in self.losses
            if (inputs is None) == getattr(loss, "_unconditional_loss", True)
        ]

    def get_updates_for(self, inputs):
        return [] if inputs is None else self.updates

    # Variables.

    @property
    def trainable(self):
        return self._trainable

    @trainable.setter
    def trainable(self, value):
        self._trainable = value
        for layer in self._sublayers():
            layer.trainable = value

    @property
    def stateful(self):
        return self._stateful

    @stateful.setter
    def stateful(self, value):
        self._stateful = value

    @property
    def trainable_weights(self):
        if not self.trainable:
            return []
        own = self._own_variables(trainable=True)
        return without_doubles([*own, *self._gathered("trainable_weights")])

    @property
    def non_trainable_weights(self):
        own, inner = self._own_variables(trainable=False), "non_trainable_weights"
        if not self.trainable:
            own, inner = [*self._own_variables(trainable=True), *own], "weights"
        return without_doubles([*own, *self._gathered(inner)])

    @property
    def weights(self):
        return without_doubles([*self.trainable_weights, *self.non_trainable_weights])

    variables = property(lambda self: self.weights)
    trainable_variables = property(lambda self: self.trainable_weights)
    non_trainable_variables = property(lambda self: self.non_trainable_weights)

    def get_weights(self):
        """The values of the weights: a list of arrays."""
        return K.batch_get_value(self.weights)

    def set_weights(self, weights):
        """Gives the weights values. Errors: ValueError for another number or other shapes."""
        own = self.weights
        if len(own) != len(weights):
            raise ValueError(
                f'You called `set_weights(weights)` on layer "{self.name}" with a  weight list of '
                f"length {len(weights)}, but the layer was expecting {len(own)} weights. "
                f"Provided weights: {str(weights)[:50]}..."
            )
        for variable, value in zip(own, weights):
            if variable.shape.as_list() != list(np.shape(value)):
                raise ValueError(
                    f"Layer weight shape {variable.shape} not compatible with provided weight "
                    f"shape {np.shape(value)}"
                )
        K.batch_set_value(list(zip(own, weights)))

    def count_params(self):
        """How many numbers the weights have. Errors: ValueError before the layer is built."""
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on {self.name}, but the layer isn't built. You "
                f"can build it manually via: `{self.name}.build(batch_input_shape)`."
            )
        return sum(K.count_params(variable) for variable in self.weights)


def _first_values(initializer, dtype, name):
    if initializer is not None:
        return initializer
    if dtype.is_floating:
        return initializers.glorot_uniform()
    if dtype.is_integer or dtype == tf.bool:
        return initializers.zeros()
    raise ValueError(
        f"An initializer for variable {name} of type {dtype.base_dtype} is required for layer"
    )
