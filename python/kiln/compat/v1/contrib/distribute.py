"""tf.contrib.distribute: strategies for several devices, of which this process has one.

OneDeviceStrategy, and MirroredStrategy with one device, do what they do with one device: nothing
is copied or summed. They are there for programs that name one always, in
`tf.estimator.RunConfig(train_distribute=...)`.
"""

import contextlib

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib._forward import forwarding as _forwarding


class DistributionStrategy:
    """One device. Source: tf.contrib.distribute.DistributionStrategy."""

    num_replicas_in_sync = 1
    num_towers = 1

    def __init__(self, device=""):
        self._device = device

    @contextlib.contextmanager
    def scope(self):
        """A context whose operations are on the device."""
        with tf.device(self._device):
            yield self

    def call_for_each_replica(self, fn, *args, **kwargs):
        """What a function gives."""
        with self.scope():
            return fn(*args, **kwargs)

    call_for_each_tower = call_for_each_replica

    def reduce(self, aggregation, value, destinations=None):
        """The value of the one device."""
        return value

    def unwrap(self, value):
        """The values of all devices."""
        return [value]

    def __deepcopy__(self, memo):
        return self


class OneDeviceStrategy(DistributionStrategy):
    """A device that is named. Source: tf.contrib.distribute.OneDeviceStrategy."""


class MirroredStrategy(DistributionStrategy):
    """A copy of the variables on each device. Errors: ValueError for more than one.

    Source: tf.contrib.distribute.MirroredStrategy.
    """

    def __init__(
        self,
        devices=None,
        num_gpus=None,
        num_gpus_per_worker=None,
        cross_device_ops=None,
        auto_shard_dataset=False,
        cross_tower_ops=None,
    ):
        count = len(devices) if devices else max(num_gpus or 0, num_gpus_per_worker or 0)
        if count > 1:
            raise ValueError(
                f"the strategy names {count} devices, and Kiln has one: the CPUs of this process"
            )
        super().__init__(devices[0] if devices else "")


class AllReduceCrossDeviceOps:
    """How sums over devices are made; there is one device.

    Source: tf.contrib.distribute.AllReduceCrossDeviceOps.
    """

    def __init__(
        self,
        all_reduce_alg="nccl",
        num_packs=1,
        agg_small_grads_max_bytes=0,
        agg_small_grads_max_group=10,
    ):
        self._all_reduce_alg, self._num_packs = all_reduce_alg, num_packs


AllReduceCrossTowerOps = AllReduceCrossDeviceOps


def has_distribution_strategy():
    """Whether a strategy is in use. Source: tf.contrib.distribute.has_distribution_strategy."""
    return False


def get_distribution_strategy():
    """The strategy in use. Source: tf.contrib.distribute.get_distribution_strategy."""
    return DistributionStrategy()


__getattr__, __dir__ = _forwarding(__name__, "")
