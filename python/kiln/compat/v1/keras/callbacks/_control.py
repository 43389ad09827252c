"""Callbacks that end training or change the learning rate."""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras.callbacks._base import Callback


def comparison(mode, monitor):
    """np.less or np.greater, for what should fall or grow; by the name where mode is "auto"."""
    if mode == "min":
        return np.less
    if mode == "max" or "acc" in monitor or monitor.startswith("fmeasure"):
        return np.greater
    return np.less


def _checked_mode(mode, what):
    if mode not in ("auto", "min", "max"):
        tf.logging.warning("%s mode %s is unknown, fallback to auto mode.", what, mode)
        return "auto"
    return mode


def _missing(what, monitor, logs):
    tf.logging.warning(
        "%s conditioned on metric `%s` which is not available. Available metrics are: %s",
        what,
        monitor,
        ",".join(logs),
    )


class TerminateOnNaN(Callback):
    """Ends training where the loss is no number."""

    def on_batch_end(self, batch, logs=None):
        loss = (logs or {}).get("loss")
        if loss is not None and (np.isnan(loss) or np.isinf(loss)):
            print(f"Batch {batch}: Invalid loss, terminating training")
            self.model.stop_training = True


class EarlyStopping(Callback):
    """Ends training when a value has not become better for some epochs.

    min_delta: what counts as better. patience: how many epochs. baseline: what it has to become
    better than. restore_best_weights: whether the model ends with the weights of the best epoch.
    Source: tf.keras.callbacks.EarlyStopping.
    """

    def __init__(
        self,
        monitor="val_loss",
        min_delta=0,
        patience=0,
        verbose=0,
        mode="auto",
        baseline=None,
        restore_best_weights=False,
    ):
        super().__init__()
        self.monitor, self.patience, self.verbose = monitor, patience, verbose
        self.baseline, self.min_delta = baseline, abs(min_delta)
        self.restore_best_weights = restore_best_weights
        self.monitor_op = comparison(_checked_mode(mode, "EarlyStopping"), monitor)
        if self.monitor_op is np.less:
            self.min_delta = -self.min_delta
        self.wait = self.stopped_epoch = 0
        self.best_weights = None

    def on_train_begin(self, logs=None):
        self.wait = self.stopped_epoch = 0
        if self.baseline is not None:
            self.best = self.baseline
        else:
            self.best = np.inf if self.monitor_op is np.less else -np.inf

    def on_epoch_end(self, epoch, logs=None):
        current = self.get_monitor_value(logs)
        if current is None:
            return
        if self.monitor_op(current - self.min_delta, self.best):
            self.best, self.wait = current, 0
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
            return
        self.wait += 1
        if self.wait >= self.patience:
            self.stopped_epoch, self.model.stop_training = epoch, True
            if self.restore_best_weights and self.best_weights is not None:
                if self.verbose > 0:
                    print("Restoring model weights from the end of the best epoch.")
                self.model.set_weights(self.best_weights)

    def on_train_end(self, logs=None):
        if self.stopped_epoch > 0 and self.verbose > 0:
            print(f"Epoch {self.stopped_epoch + 1:05d}: early stopping")

    def get_monitor_value(self, logs):
        value = (logs or {}).get(self.monitor)
        if value is None:
            _missing("Early stopping", self.monitor, logs or {})
        return value


class LearningRateScheduler(Callback):
    """Sets the learning rate before each epoch: schedule(epoch) or schedule(epoch, rate)."""

    def __init__(self, schedule, verbose=0):
        super().__init__()
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch, logs=None):
        optimizer = self.model.optimizer
        if not hasattr(optimizer, "lr"):
            raise ValueError('Optimizer must have a "lr" attribute.')
        try:
            rate = self.schedule(epoch, float(K.get_value(optimizer.lr)))
        except TypeError:
            rate = self.schedule(epoch)
        if not isinstance(rate, (float, np.float32, np.float64)):
            raise ValueError('The output of the "schedule" function should be float.')
        K.set_value(optimizer.lr, rate)
        if self.verbose > 0:
            print(
                f"\nEpoch {epoch + 1:05d}: LearningRateScheduler reducing learning rate to {rate}."
            )

    def on_epoch_end(self, epoch, logs=None):
        if logs is not None:
            logs["lr"] = K.get_value(self.model.optimizer.lr)


class ReduceLROnPlateau(Callback):
    """Makes the learning rate smaller when a value has not become better for some epochs.

    factor: what it is multiplied with. cooldown: how many epochs do not count after that. min_lr:
    the smallest one. Source: tf.keras.callbacks.ReduceLROnPlateau.
    """

    def __init__(
        self,
        monitor="val_loss",
        factor=0.1,
        patience=10,
        verbose=0,
        mode="auto",
        min_delta=0.0001,
        cooldown=0,
        min_lr=0,
        **kwargs,
    ):
        super().__init__()
        if factor >= 1.0:
            raise ValueError("ReduceLROnPlateau does not support a factor >= 1.0.")
        self.monitor, self.factor, self.patience = monitor, factor, patience
        self.verbose, self.cooldown, self.min_lr = verbose, cooldown, min_lr
        self.min_delta = kwargs.pop("epsilon", min_delta)
        self.mode = _checked_mode(mode, "Learning Rate Plateau Reducing")
        self._reset()

    def _reset(self):
        falls = comparison(self.mode, self.monitor) is np.less
        self.best = np.inf if falls else -np.inf
        sign = -1 if falls else 1
        self.monitor_op = lambda a, b: sign * (a - b) > self.min_delta
        self.cooldown_counter = self.wait = 0

    def on_train_begin(self, logs=None):
        self._reset()

    def on_epoch_end(self, epoch, logs=None):
        logs = logs if logs is not None else {}
        logs["lr"] = K.get_value(self.model.optimizer.lr)
        current = logs.get(self.monitor)
        if current is None:
            _missing("Reduce LR on plateau", self.monitor, logs)
            return
        if self.in_cooldown():
            self.cooldown_counter -= 1
            self.wait = 0
        if self.monitor_op(current, self.best):
            self.best, self.wait = current, 0
        elif not self.in_cooldown():
            self.wait += 1
            if self.wait >= self.patience:
                self._reduce(epoch)

    def _reduce(self, epoch):
        old = float(K.get_value(self.model.optimizer.lr))
        if old <= self.min_lr:
            return
        new = max(old * self.factor, self.min_lr)
        K.set_value(self.model.optimizer.lr, new)
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1:05d}: ReduceLROnPlateau reducing learning rate to {new}.")
        self.cooldown_counter, self.wait = self.cooldown, 0

    def in_cooldown(self):
        return self.cooldown_counter > 0
