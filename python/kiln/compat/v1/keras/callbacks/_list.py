"""The callbacks of a training, an evaluation or a prediction."""

import numpy as np

from kiln.compat.v1.keras.callbacks._base import History, ProgbarLogger


class CallbackList:
    """Tells several callbacks. bar: shows how far it is, after the others were told."""

    def __init__(self, callbacks=None, bar=None):
        self.callbacks, self.bar = list(callbacks or []), bar

    def append(self, callback):
        self.callbacks.append(callback)

    def set_params(self, params):
        self.params = params
        for callback in self._all():
            callback.set_params(params)

    def set_model(self, model):
        self.model = model
        for callback in self._all():
            callback.set_model(model)

    def _all(self):
        return [*self.callbacks, self.bar] if self.bar else self.callbacks

    def finish_bar(self, logs):
        """Ends the bar of an evaluation or a prediction."""
        if self.bar:
            self.bar.on_epoch_end(0, logs)

    def interrupted(self):
        """Ends a training that Ctrl-C interrupts: what saves, saves."""
        self._tell("on_interrupt")
        self._tell("on_train_end", None)

    def on_test_begin(self, logs=None):
        self._tell("on_test_begin", logs)
        if self.bar:
            self.bar.on_train_begin()
            self.bar.on_epoch_begin(0)

    def on_predict_begin(self, logs=None):
        self._tell("on_predict_begin", logs)
        if self.bar:
            self.bar.on_train_begin()
            self.bar.on_epoch_begin(0)

    def _tell(self, event, *arguments):
        if arguments and isinstance(arguments[-1], dict):
            plain_numbers(arguments[-1])
        for callback in self.callbacks:
            method = getattr(callback, event, None)
            if method is not None:
                method(*arguments)


def plain_numbers(logs):
    """Makes NumPy's numbers in a dict those of Python, which JSON can write."""
    for name, value in logs.items():
        if isinstance(value, (np.ndarray, np.generic)) and value.ndim == 0:
            logs[name] = value.item()


def _event(name, shows=False):
    def tell(self, *arguments):
        self._tell(name, *(arguments if len(arguments) > 1 else (*arguments, None)))
        if shows and self.bar:
            getattr(self.bar, shows)(*arguments)

    tell.__name__ = name
    return tell


for _name, _shows in (
    ("on_epoch_begin", "on_epoch_begin"),
    ("on_epoch_end", "on_epoch_end"),
    ("on_train_batch_begin", False),
    ("on_train_batch_end", "on_batch_end"),
    ("on_test_batch_begin", False),
    ("on_test_batch_end", False),
    ("on_predict_batch_begin", False),
    ("on_predict_batch_end", "on_batch_end"),
):
    setattr(CallbackList, _name, _event(_name, _shows))


def _whole(name):
    def tell(self, logs=None):
        self._tell(name, logs)
        if self.bar and name == "on_train_begin":
            self.bar.on_train_begin(logs)

    return tell


for _name in ("on_train_begin", "on_train_end", "on_test_end", "on_predict_end"):
    setattr(CallbackList, _name, _whole(_name))


class _EvaluationList(CallbackList):
    """Shows the batches of an evaluation."""

    def on_test_batch_end(self, batch, logs=None):
        self._tell("on_test_batch_end", batch, logs)
        if self.bar:
            self.bar.on_batch_end(batch, logs)


def configured(
    callbacks, model, verbose, epochs, batch_size, samples, steps, has_validation, mode="train"
):
    """The callbacks of a program, and History in training, with a bar."""
    if isinstance(callbacks, CallbackList):
        return callbacks
    callbacks = [] if callbacks is None else callbacks
    own = list(callbacks) if isinstance(callbacks, (list, tuple)) else [callbacks]
    names = [] if mode == "predict" else list(model._compiled.metrics_names)
    if mode == "train":
        model.history = History()
        own.append(model.history)
    bar = None
    if verbose:
        count_mode = "samples" if samples is not None else "steps"
        bar = ProgbarLogger(count_mode, stateful_metrics=names[1:])
    made = (_EvaluationList if mode == "test" else CallbackList)(own, bar)
    shown = [*names, *(f"val_{name}" for name in names)] if has_validation else names
    made.set_params(
        {
            "batch_size": batch_size,
            "epochs": epochs,
            "steps": steps,
            "samples": samples,
            "verbose": verbose,
            "do_validation": has_validation,
            "metrics": shown,
        }
    )
    made.set_model(model)
    return made
