"""A callback that tells a server how training goes."""

import json
import urllib.parse
import urllib.request

import numpy as np

from kiln.compat.v1 import logging
from kiln.compat.v1.keras.callbacks._base import Callback


class RemoteMonitor(Callback):
    """Sends the values of each epoch to a server, as JSON.

    root, path: the address. field: the name under which they are sent as a form, where
    send_as_json is false. headers: of the request. Source: tf.keras.callbacks.RemoteMonitor.
    """

    def __init__(
        self,
        root="http://localhost:9000",
        path="/publish/epoch/end/",
        field="data",
        headers=None,
        send_as_json=False,
    ):
        super().__init__()
        self.root, self.path, self.field = root, path, field
        self.headers, self.send_as_json = headers, send_as_json

    def on_epoch_end(self, epoch, logs=None):
        values = {"epoch": epoch}
        for name, value in (logs or {}).items():
            is_number = isinstance(value, (np.ndarray, np.generic))
            values[name] = value.item() if is_number else value
        text, headers = json.dumps(values), dict(self.headers or {})
        if self.send_as_json:
            headers.setdefault("Content-Type", "application/json")
        else:
            text = urllib.parse.urlencode({self.field: text})
        request = urllib.request.Request(self.root + self.path, text.encode(), headers)
        try:
            urllib.request.urlopen(request).close()
        except OSError:
            logging.warning("Could not reach RemoteMonitor root server at %s", self.root)
