"""The devices of this process."""

import random

from kiln.compat.v1 import _messages

MEMORY_LIMIT = 256 << 20  # what TensorFlow says of every CPU

_incarnations = {}


def list_local_devices(session_config=None):
    """Returns a DeviceAttributes message for each device: one CPU, or as many as `device_count` of
    a ConfigProto says.

    **Source**: tensorflow.python.client.device_lib.
    """
    count = 1 if session_config is None else session_config.device_count.get("CPU", 1)
    return [
        _messages.DeviceAttributes(
            name=f"/device:CPU:{i}",
            device_type="CPU",
            memory_limit=MEMORY_LIMIT,
            locality=_messages.DeviceLocality(),
            xla_global_id=-1,
            incarnation=_incarnations.setdefault(i, random.getrandbits(64)),
        )
        for i in range(max(1, count))
    ]
