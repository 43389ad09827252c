"""Callbacks that write files: weights, tables, what TensorBoard shows."""

import csv
import os

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras.callbacks._base import Callback
from kiln.compat.v1.keras.callbacks._control import comparison


class ModelCheckpoint(Callback):
    """Saves the model after epochs.

    filepath: may have fields for the epoch and the values: "weights.{epoch:02d}-{val_loss:.2f}".
    save_best_only: only where monitor became better. save_weights_only: the weights alone.
    save_freq: "epoch", or a number of samples. Ctrl-C saves, too, unless save_best_only. Source:
    tf.keras.callbacks.ModelCheckpoint.
    """

    def __init__(
        self,
        filepath,
        monitor="val_loss",
        verbose=0,
        save_best_only=False,
        save_weights_only=False,
        mode="auto",
        save_freq="epoch",
        **kwargs,
    ):
        super().__init__()
        self.filepath, self.monitor, self.verbose = os.fspath(filepath), monitor, verbose
        self.save_best_only, self.save_weights_only = save_best_only, save_weights_only
        self.save_freq, self.period = save_freq, kwargs.pop("period", 1)
        kwargs.pop("load_weights_on_restart", None)
        if kwargs:
            raise TypeError(f"Unrecognized keyword arguments: {list(kwargs)}")
        self.monitor_op = comparison(mode, monitor)
        self.best = np.inf if self.monitor_op is np.less else -np.inf
        self.epochs_since_last_save = self._samples_since_last_save = self._epoch = 0

    def on_epoch_begin(self, epoch, logs=None):
        self._epoch = epoch

    def on_batch_end(self, batch, logs=None):
        if isinstance(self.save_freq, int):
            self._samples_since_last_save += (logs or {}).get("size", 1)
            if self._samples_since_last_save >= self.save_freq:
                self._save(self._epoch, logs)
                self._samples_since_last_save = 0

    def on_epoch_end(self, epoch, logs=None):
        self.epochs_since_last_save += 1
        if self.save_freq == "epoch" and self.epochs_since_last_save >= self.period:
            self._save(epoch, logs)
            self.epochs_since_last_save = 0

    def on_interrupt(self):
        """Saves what was trained before Ctrl-C ends the training."""
        if not self.save_best_only:
            self._write(self.filepath.split("{")[0].rstrip("-_.") or "interrupted")

    def _save(self, epoch, logs):
        logs = logs or {}
        path = self.filepath.format(epoch=epoch + 1, **logs)
        if not self.save_best_only:
            if self.verbose > 0:
                print(f"\nEpoch {epoch + 1:05d}: saving model to {path}")
            self._write(path)
            return
        current = logs.get(self.monitor)
        if current is None:
            tf.logging.warning(
                "Can save best model only with %s available, skipping.", self.monitor
            )
        elif self.monitor_op(current, self.best):
            if self.verbose > 0:
                print(
                    f"\nEpoch {epoch + 1:05d}: {self.monitor} improved from {self.best:0.5f} to "
                    f"{current:0.5f}, saving model to {path}"
                )
            self.best = current
            self._write(path)
        elif self.verbose > 0:
            print(f"\nEpoch {epoch + 1:05d}: {self.monitor} did not improve from {self.best:0.5f}")

    def _write(self, path):
        folder = os.path.dirname(path)
        if folder:
            os.makedirs(folder, exist_ok=True)
        if self.save_weights_only:
            self.model.save_weights(path, overwrite=True)
        else:
            self.model.save(path, overwrite=True)


class CSVLogger(Callback):
    """Writes a line of values for each epoch. append: to a file that is there."""

    def __init__(self, filename, separator=",", append=False):
        super().__init__()
        self.filename, self.sep, self.append = filename, separator, append
        self._file = self._writer = self.keys = None

    def on_train_begin(self, logs=None):
        has_heading = False
        if self.append and os.path.exists(self.filename):
            with open(self.filename) as file:
                has_heading = bool(file.readline())
        self._has_heading = has_heading
        self._file = open(self.filename, "a" if self.append else "w", newline="")

    def on_epoch_end(self, epoch, logs=None):
        logs = logs or {}
        if self._writer is None:
            self.keys = sorted(logs)
            self._writer = csv.DictWriter(self._file, ["epoch", *self.keys], delimiter=self.sep)
            if not self._has_heading:
                self._writer.writeheader()
        values = {name: _plain(logs.get(name, "NA")) for name in self.keys}
        self._writer.writerow({"epoch": epoch, **values})
        self._file.flush()

    def on_train_end(self, logs=None):
        if self._file is not None:
            self._file.close()
        self._file = self._writer = None


def _plain(value):
    return value.item() if isinstance(value, np.generic) else value


class TensorBoard(Callback):
    """Writes what TensorBoard shows: values of epochs or batches, the graph, histograms of weights.

    update_freq: "epoch", "batch", or a number of samples. histogram_freq: after how many epochs
    weights are written, 0 for never. Source: tf.keras.callbacks.TensorBoard.
    """

    def __init__(
        self,
        log_dir="./logs",
        histogram_freq=0,
        batch_size=32,
        write_graph=True,
        write_grads=False,
        write_images=False,
        embeddings_freq=0,
        embeddings_layer_names=None,
        embeddings_metadata=None,
        embeddings_data=None,
        update_freq="epoch",
        profile_batch=2,
    ):
        super().__init__()
        self.log_dir, self.histogram_freq, self.batch_size = log_dir, histogram_freq, batch_size
        self.write_graph, self.write_grads, self.write_images = (
            write_graph, write_grads, write_images,
        )  # fmt: skip
        self.update_freq = 1 if update_freq == "batch" else update_freq
        self._seen = self._seen_at_last_write = 0
        self._merged = self.writer = None

    def set_model(self, model):
        super().set_model(model)
        graph = tf.get_default_graph() if self.write_graph else None
        self.writer = tf.summary.FileWriter(self.log_dir, graph)
        if self.histogram_freq:
            names = [
                tf.summary.histogram(weight.op.name.replace(":", "_"), weight)
                for layer in model.layers
                for weight in layer.weights
            ]
            self._merged = tf.summary.merge(names) if names else None

    def on_batch_end(self, batch, logs=None):
        logs = logs or {}
        self._seen += logs.get("size", 0)
        if self.update_freq == "epoch":
            return
        if self._seen - self._seen_at_last_write >= self.update_freq:
            self._write({f"batch_{name}": value for name, value in logs.items()
                         if name not in ("batch", "size", "num_steps")}, self._seen)  # fmt: skip
            self._seen_at_last_write = self._seen

    def on_epoch_end(self, epoch, logs=None):
        step = epoch if self.update_freq == "epoch" else self._seen
        values = {f"epoch_{name}": value for name, value in (logs or {}).items()}
        self._write(values, step)
        if self._merged is not None and epoch % self.histogram_freq == 0:
            self.writer.add_summary(K.get_session().run(self._merged), epoch)

    def on_train_end(self, logs=None):
        self.writer.close()

    def _write(self, values, step):
        for name, value in values.items():
            summary = tf.Summary()
            summary.value.add(tag=name, simple_value=float(value))
            self.writer.add_summary(summary, step)
        self.writer.flush()
