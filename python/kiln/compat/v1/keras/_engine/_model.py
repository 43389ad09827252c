"""tf.keras.Model: a network that is trained."""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K, optimizers
from kiln.compat.v1.keras._engine import _history
from kiln.compat.v1.keras._engine._network import Network


class Model(Network):
    """Layers from inputs to outputs, Model(inputs, outputs), or a subclass with call().

    Source: tf.keras.Model.
    """

    def __init__(self, *args, **kwargs):
        self._options = self._compiled = None
        self.stop_training, self.history = False, None
        super().__init__(*args, **kwargs)

    # Compiling.

    def compile(
        self,
        optimizer="rmsprop",
        loss=None,
        metrics=None,
        loss_weights=None,
        sample_weight_mode=None,
        weighted_metrics=None,
        target_tensors=None,
        distribute=None,
        **kwargs,
    ):
        """Says how the model is trained.

        optimizer: a name or an object, of tf.train, too. loss: a name, function or object, or one
        for each output. metrics: what is reported, "accuracy" for what fits the loss. kwargs: of
        tf.Session.run. Errors: ValueError. Source: tf.keras.Model.compile.
        """
        kwargs.pop("run_eagerly", None)
        kwargs.pop("experimental_run_tf_function", None)
        self.optimizer, self.loss = optimizers.get(optimizer), loss
        self.loss_weights, self.sample_weight_mode = loss_weights, sample_weight_mode
        self._compile_metrics, self._compile_weighted_metrics = metrics, weighted_metrics
        self._options = dict(
            optimizer=self.optimizer,
            loss=loss or {},
            metrics=metrics,
            loss_weights=loss_weights,
            weighted_metrics=weighted_metrics,
            target_tensors=target_tensors,
            session_kwargs=kwargs,
        )
        self._compiled = self._predict_function = None
        if self.outputs:
            self._collected_trainable_weights = self.trainable_weights
            self._get_compiled()

    def _get_compiled(self):
        """What compile() made. Errors: RuntimeError before it was called."""
        if self._options is None:
            raise RuntimeError(
                "You must compile your model before training/testing. "
                "Use `model.compile(optimizer, loss)`."
            )
        if self._compiled is None:
            from kiln.compat.v1.keras._training._compiled import Compiled

            self._compiled = Compiled(self, self._options)
        return self._compiled

    def _trained_variables(self):
        """Those that were trainable when the model was compiled."""
        collected = self.__dict__.get("_collected_trainable_weights")
        if collected is None:
            collected = self._collected_trainable_weights = self.trainable_weights
        return collected

    @property
    def metrics_names(self):
        """The names of what evaluate() gives. Errors: RuntimeError before compile()."""
        return self._get_compiled().metrics_names

    def _layer_metrics(self):
        inner = [each for layer in self._sublayers() for each in getattr(layer, "metrics", ())]
        return [*self._metrics, *inner]

    @property
    def metrics(self):
        own = self._compiled.all_metrics() if self._compiled is not None else []
        return own or self._layer_metrics()

    @property
    def total_loss(self):
        return self._get_compiled()._totals()[0]

    @property
    def sample_weights(self):
        """The placeholders of the weights of examples, None for outputs without them."""
        return [output.sample_weight for output in self._get_compiled().trained]

    @property
    def run_eagerly(self):
        """Whether Python runs each step: no, a graph does."""
        return False

    @property
    def targets(self):
        return [output.target for output in self._get_compiled().trained]

    def reset_metrics(self):
        """Gives the metrics their first values."""
        self._get_compiled().reset_metrics()

    # Inputs.

    def _fed_inputs(self):
        return [
            each
            for each in self.inputs
            if isinstance(each, tf.SparseTensor) or K.is_placeholder(each)
        ]

    def _set_inputs(self, x):
        """Calls a model that has no inputs yet with placeholders like the data."""
        if self.outputs:
            return
        from kiln.compat.v1.keras._engine._input_layer import Input
        from kiln.compat.v1.keras._engine._sequential import Sequential

        def like(value, name):
            value = value if isinstance(value, tf.Tensor) else np.asarray(value)
            if isinstance(value, tf.Tensor):
                return Input(tensor=value, name=name)
            dtype = K.floatx() if value.dtype.kind == "f" else value.dtype.name
            shape = value.shape[1:] if value.ndim > 1 else (1,)
            return Input(shape=shape, dtype=dtype, name=name)

        if isinstance(x, dict):
            inputs = {name: like(value, name) for name, value in x.items()}
        elif isinstance(x, (list, tuple)) and not np.isscalar(x[0]):
            inputs = [like(value, f"input_{i + 1}") for i, value in enumerate(x)]
            inputs = inputs[0] if len(inputs) == 1 else inputs
        else:
            inputs = like(x, "input_1")
        if isinstance(self, Sequential):
            self._connect_from(inputs)
        else:
            outputs = self(inputs)
            self.inputs, self.outputs = tf.nest.flatten(inputs), tf.nest.flatten(outputs)
            self.input_names = [each._keras_history.layer.name for each in self.inputs]
            self.output_names = [f"output_{i + 1}" for i in range(len(self.outputs))]
            self.built = True
        self._collected_trainable_weights = self.trainable_weights

    def _input_shapes(self):
        return [_history.shape_of(each) for each in self._fed_inputs()]

    # Training.

    def fit(
        self,
        x=None,
        y=None,
        batch_size=None,
        epochs=1,
        verbose=1,
        callbacks=None,
        validation_split=0.0,
        validation_data=None,
        shuffle=True,
        class_weight=None,
        sample_weight=None,
        initial_epoch=0,
        steps_per_epoch=None,
        validation_steps=None,
        validation_freq=1,
        max_queue_size=10,
        workers=1,
        use_multiprocessing=False,
        **kwargs,
    ):
        """Trains for some epochs; gives a History.

        x, y: arrays, lists or dicts of them, or a generator of batches in place of x. verbose: 0
        for silence, 1 for a bar, 2 for a line an epoch. validation_split: the share at the end that
        is kept for evaluation. Ctrl-C ends it after the callbacks' on_train_end(). Errors:
        RuntimeError, ValueError. Source: tf.keras.Model.fit.
        """
        from kiln.compat.v1.keras._training import _fit

        if kwargs.pop("nb_epoch", None):
            raise TypeError("the argument nb_epoch is called epochs")
        if kwargs:
            raise TypeError("Unrecognized keyword arguments: " + str(kwargs))
        return _fit.fit(
            self, x, y, batch_size=batch_size, epochs=epochs, verbose=verbose, callbacks=callbacks,
            validation_split=validation_split, validation_data=validation_data, shuffle=shuffle,
            class_weight=class_weight, sample_weight=sample_weight, initial_epoch=initial_epoch,
            steps_per_epoch=steps_per_epoch, validation_steps=validation_steps,
            validation_freq=validation_freq,
        )  # fmt: skip

    def fit_generator(
        self,
        generator,
        steps_per_epoch=None,
        epochs=1,
        verbose=1,
        callbacks=None,
        validation_data=None,
        validation_steps=None,
        validation_freq=1,
        class_weight=None,
        max_queue_size=10,
        workers=1,
        use_multiprocessing=False,
        shuffle=True,
        initial_epoch=0,
    ):
        """fit() of a generator of batches."""
        return self.fit(
            generator, epochs=epochs, verbose=verbose, callbacks=callbacks,
            validation_data=validation_data, shuffle=shuffle, class_weight=class_weight,
            initial_epoch=initial_epoch, steps_per_epoch=steps_per_epoch,
            validation_steps=validation_steps, validation_freq=validation_freq,
        )  # fmt: skip

    def evaluate(
        self,
        x=None,
        y=None,
        batch_size=None,
        verbose=1,
        sample_weight=None,
        steps=None,
        callbacks=None,
        max_queue_size=10,
        workers=1,
        use_multiprocessing=False,
    ):
        """The loss, or a list of the loss and the metrics, of data.

        Errors: RuntimeError, ValueError. Source: tf.keras.Model.evaluate.
        """
        from kiln.compat.v1.keras._training import _evaluate

        return _evaluate.evaluate(self, x, y, batch_size, verbose, sample_weight, steps, callbacks)

    def evaluate_generator(
        self,
        generator,
        steps=None,
        callbacks=None,
        max_queue_size=10,
        workers=1,
        use_multiprocessing=False,
        verbose=0,
    ):
        """evaluate() of a generator of batches."""
        return self.evaluate(generator, steps=steps, callbacks=callbacks, verbose=verbose)

    def predict(
        self,
        x,
        batch_size=None,
        verbose=0,
        steps=None,
        callbacks=None,
        max_queue_size=10,
        workers=1,
        use_multiprocessing=False,
    ):
        """The outputs for data: an array, or a list of them.

        Errors: ValueError. Source: tf.keras.Model.predict.
        """
        from kiln.compat.v1.keras._training import _evaluate

        return _evaluate.predict(self, x, batch_size, verbose, steps, callbacks)

    def predict_generator(
        self,
        generator,
        steps=None,
        callbacks=None,
        max_queue_size=10,
        workers=1,
        use_multiprocessing=False,
        verbose=0,
    ):
        """predict() of a generator of batches."""
        return self.predict(generator, steps=steps, callbacks=callbacks, verbose=verbose)

    def train_on_batch(self, x, y=None, sample_weight=None, class_weight=None, reset_metrics=True):
        """One step; gives the loss, or a list of the loss and the metrics."""
        from kiln.compat.v1.keras._training import _batches

        return _batches.train_on_batch(self, x, y, sample_weight, class_weight, reset_metrics)

    def test_on_batch(self, x, y=None, sample_weight=None, reset_metrics=True):
        """The loss, or a list of the loss and the metrics, of a batch."""
        from kiln.compat.v1.keras._training import _batches

        return _batches.test_on_batch(self, x, y, sample_weight, reset_metrics)

    def predict_on_batch(self, x):
        """The outputs for a batch."""
        from kiln.compat.v1.keras._training import _batches

        return _batches.predict_on_batch(self, x)

    def _get_predict_function(self):
        function = self.__dict__.get("_predict_function")
        if function is None:
            phase = K.learning_phase()
            fed = self._fed_inputs()
            if isinstance(phase, tf.Tensor):
                fed = [*fed, phase]
            function = self._predict_function = K.function(
                fed, self.outputs, updates=self.state_updates
            )
        return function
