"""tensorflow.contrib.learn.python.learn.monitored_session: names of tf.train."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding

_NAMES = "ChiefSessionCreator MonitoredSession MonitoredTrainingSession Scaffold WorkerSessionCreator"

__getattr__, __dir__ = _forwarding(
    __name__, " ".join(f"{name}=train.{name}" for name in _NAMES.split())
)
