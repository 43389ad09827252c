"""What is told how training goes."""


class Callback:
    """Told of the beginning and end of batches, epochs and the training.

    A subclass overrides what it wants to know. self.model: the model; self.params: a dict. logs: a
    dict of what is reported. Source: tf.keras.callbacks.Callback.
    """

    def __init__(self):
        self.validation_data = self.model = self.params = None

    def set_params(self, params):
        self.params = params

    def set_model(self, model):
        self.model = model

    def on_batch_begin(self, batch, logs=None):
        """Before a batch of training."""

    def on_batch_end(self, batch, logs=None):
        """After a batch of training."""

    def on_epoch_begin(self, epoch, logs=None):
        """Before an epoch."""

    def on_epoch_end(self, epoch, logs=None):
        """After an epoch and its evaluation."""

    def on_train_batch_begin(self, batch, logs=None):
        self.on_batch_begin(batch, logs=logs)

    def on_train_batch_end(self, batch, logs=None):
        self.on_batch_end(batch, logs=logs)

    def on_test_batch_begin(self, batch, logs=None):
        """Before a batch of evaluation."""

    def on_test_batch_end(self, batch, logs=None):
        """After a batch of evaluation."""

    def on_predict_batch_begin(self, batch, logs=None):
        """Before a batch of prediction."""

    def on_predict_batch_end(self, batch, logs=None):
        """After a batch of prediction."""

    def on_train_begin(self, logs=None):
        """Before the training."""

    def on_train_end(self, logs=None):
        """After the training, also one that Ctrl-C ends."""

    def on_test_begin(self, logs=None):
        """Before an evaluation."""

    def on_test_end(self, logs=None):
        """After an evaluation."""

    def on_predict_begin(self, logs=None):
        """Before a prediction."""

    def on_predict_end(self, logs=None):
        """After a prediction."""


class LambdaCallback(Callback):
    """A callback of functions. Source: tf.keras.callbacks.LambdaCallback."""

    def __init__(
        self,
        on_epoch_begin=None,
        on_epoch_end=None,
        on_batch_begin=None,
        on_batch_end=None,
        on_train_begin=None,
        on_train_end=None,
        **kwargs,
    ):
        super().__init__()
        self.__dict__.update(kwargs)
        for name, function in (
            ("on_epoch_begin", on_epoch_begin),
            ("on_epoch_end", on_epoch_end),
            ("on_batch_begin", on_batch_begin),
            ("on_batch_end", on_batch_end),
            ("on_train_begin", on_train_begin),
            ("on_train_end", on_train_end),
        ):
            if function is not None:
                setattr(self, name, function)


class BaseLogger(Callback):
    """Averages what batches report; stateful_metrics are taken as they are."""

    def __init__(self, stateful_metrics=None):
        super().__init__()
        self.stateful_metrics = set(stateful_metrics or [])

    def on_epoch_begin(self, epoch, logs=None):
        self.seen, self.totals = 0, {}

    def on_batch_end(self, batch, logs=None):
        logs = logs or {}
        size = logs.get("size", 0)
        self.seen += size
        for name, value in logs.items():
            if name in self.stateful_metrics:
                self.totals[name] = value
            else:
                self.totals[name] = self.totals.get(name, 0) + value * size

    def on_epoch_end(self, epoch, logs=None):
        if logs is None:
            return
        for name in self.params["metrics"]:
            if name in self.totals:
                total = self.totals[name]
                logs[name] = total if name in self.stateful_metrics else total / self.seen


class History(Callback):
    """The values of each epoch: history["loss"]; epoch: the numbers of the epochs."""

    def on_train_begin(self, logs=None):
        self.epoch, self.history = [], {}

    def on_epoch_end(self, epoch, logs=None):
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)


class ProgbarLogger(Callback):
    """Shows a Progbar. count_mode: "samples" or "steps"."""

    def __init__(self, count_mode="samples", stateful_metrics=None):
        super().__init__()
        if count_mode not in ("samples", "steps"):
            raise ValueError("Unknown `count_mode`: " + str(count_mode))
        self.use_steps = count_mode == "steps"
        self.stateful_metrics = set(stateful_metrics or [])
        self.verbose, self.epochs, self.seen = 1, 1, 0

    def on_train_begin(self, logs=None):
        self.verbose, self.epochs = self.params["verbose"], self.params["epochs"]

    def on_epoch_begin(self, epoch, logs=None):
        from kiln.compat.v1.keras.utils import Progbar

        self.seen = 0
        self.target = self.params["steps"] if self.use_steps else self.params["samples"]
        if self.verbose and self.epochs > 1:
            print(f"Epoch {epoch + 1}/{self.epochs}")
        self.progbar = Progbar(
            self.target,
            verbose=self.verbose,
            stateful_metrics=self.stateful_metrics,
            unit_name="step" if self.use_steps else "sample",
        )

    def _shown(self, logs):
        return [(name, logs[name]) for name in self.params["metrics"] if name in logs]

    def on_batch_end(self, batch, logs=None):
        logs = logs or {}
        self.seen += 1 if self.use_steps else logs.get("size", 0)
        if self.verbose and (self.target is None or self.seen < self.target):
            self.progbar.update(self.seen, self._shown(logs))

    def on_epoch_end(self, epoch, logs=None):
        if self.verbose:
            # The loss of an epoch is a mean already.
            self.progbar.stateful_metrics.update(logs or {})
            self.progbar.update(self.seen, self._shown(logs or {}))
