"""tf.DeviceSpec: the parts of a device's name."""

__all__ = ["DeviceSpec"]

_PARTS = ("job", "replica", "task", "device_type", "device_index")
_TYPES = ("CPU", "GPU", "TPU", "TPU_SYSTEM", "XLA_CPU", "XLA_GPU", "XLA_CPU_JIT", "XLA_GPU_JIT")


def _typed(part, value):
    if value is None:
        return None
    if part == "device_type":
        return value.upper() if value in ("cpu", "gpu") else str(value)
    return str(value) if part == "job" else int(value)


def _index(text):
    return None if text == "*" else int(text)


def _parsed(spec):
    """The parts of "/job:a/replica:0/task:1/device:CPU:0", as a dict of those that it names."""
    found = {}
    for piece in spec.split("/"):
        words = piece.split(":")
        kind, count = words[0], len(words)
        if kind in ("job", "replica", "task") and count == 2:
            if kind == "job" or words[1] != "*":
                found[kind] = words[1]
        elif count <= 2 and kind.upper() in _TYPES:
            _add_device(found, spec, kind.upper(), words[1] if count == 2 else "*")
        elif count == 3 and kind == "device":
            _add_device(found, spec, words[1], words[2])
        elif kind != "":
            raise ValueError(
                f"Unknown attribute '{kind}' is encountered while parsing the device spec: '{spec}'."
            )
    return found


def _add_device(found, spec, device_type, index):
    if "device_type" in found:
        raise ValueError(f"Multiple device types are not allowed while parsing the device spec: {spec}.")
    found["device_type"], found["device_index"] = device_type, _index(index)


class DeviceSpecV2:
    """The name of a device in parts, each of which may be None. It stays as it is.

    Source: tf's framework.device_spec.DeviceSpecV2.
    """

    __slots__ = ("_parts",)

    def __init__(self, job=None, replica=None, task=None, device_type=None, device_index=None):
        values = (job, replica, task, device_type, device_index)
        self._parts = {part: _typed(part, value) for part, value in zip(_PARTS, values)}

    job = property(lambda self: self._parts["job"])
    replica = property(lambda self: self._parts["replica"])
    task = property(lambda self: self._parts["task"])
    device_type = property(lambda self: self._parts["device_type"])
    device_index = property(lambda self: self._parts["device_index"])

    @classmethod
    def from_string(cls, spec):
        """The parts of a name. Errors: ValueError for a part that devices do not have, or for two
        devices.
        """
        return cls(**_parsed(spec))

    def parse_from_string(self, spec):
        """A new one with the parts of a name, as from_string()."""
        return self.from_string(spec)

    def to_string(self):
        """The name: "/job:a/replica:0/task:1/device:CPU:0" as far as its parts are known."""
        parts = self._parts
        text = "".join(f"/{key}:{parts[key]}" for key in _PARTS[:3] if parts[key] is not None)
        if parts["device_type"] is not None:
            index = "*" if parts["device_index"] is None else parts["device_index"]
            text += f"/device:{parts['device_type']}:{index}"
        return text

    def make_merged_spec(self, dev):
        """A new one: the parts of dev, and these where dev has none."""
        return type(self)(**{**self._parts, **_known(dev)})

    def replace(self, **kwargs):
        """A new one with some parts changed."""
        return type(self)(**{**self._parts, **kwargs})

    def __eq__(self, other):
        return isinstance(other, type(self)) and self.to_string() == other.to_string()

    def __hash__(self):
        return hash(self.to_string())

    def __copy__(self):
        return type(self)(**self._parts)

    def __repr__(self):
        return f"<DeviceSpec(job={self.job!r}, replica={self.replica}, task={self.task}, " + (
            f"device_type={self.device_type!r}, device_index={self.device_index})>"
        )


def _known(spec):
    return {part: value for part, value in spec._parts.items() if value is not None}


def _settable(part):
    def set_part(self, value):
        self._parts[part] = _typed(part, value)

    return getattr(DeviceSpecV2, part).setter(set_part)


class DeviceSpec(DeviceSpecV2):
    """The name of a device in parts, each of which may be None. Source: tf.DeviceSpec."""

    __slots__ = ()

    job = _settable("job")
    replica = _settable("replica")
    task = _settable("task")
    device_type = _settable("device_type")
    device_index = _settable("device_index")

    def parse_from_string(self, spec):
        """Takes the parts of a name in place of its own, and gives itself."""
        self.__init__(**_parsed(spec))
        return self

    def merge_from(self, dev):
        """Takes the parts that dev has."""
        self._parts.update(_known(dev))
