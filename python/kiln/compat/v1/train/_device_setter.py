"""tf.train.replica_device_setter: variables on parameter servers, the rest on workers."""

from kiln.compat.v1 import _messages, logging
from kiln.compat.v1._device_spec import DeviceSpecV2
from kiln.compat.v1.train._server_lib import ClusterSpec

# The types of operations that stand on parameter servers.
STANDARD_PS_OPS = (
    "Variable", "VariableV2", "AutoReloadVariable", "MutableHashTable", "MutableHashTableV2",
    "MutableHashTableOfTensors", "MutableHashTableOfTensorsV2", "MutableDenseHashTable", "MutableDenseHashTableV2",
    "VarHandleOp", "BoostedTreesEnsembleResourceHandleOp", "BoostedTreesQuantileStreamResourceHandleOp",
    "ResourceConditionalAccumulator", "DecisionTreeResource",
)  # fmt: skip


class _RoundRobinStrategy:
    """Task by task, and again from the first one."""

    def __init__(self, num_tasks):
        self._num_tasks, self._next_task = num_tasks, 0

    def __call__(self, unused_op):
        task = self._next_task
        self._next_task = (task + 1) % self._num_tasks
        return task


class _ReplicaDeviceChooser:
    """Says on which device an operation is."""

    def __init__(self, ps_tasks, ps_device, worker_device, merge_devices, ps_ops, ps_strategy):
        self._ps_tasks, self._ps_device, self._worker_device = ps_tasks, ps_device, worker_device
        self._merge_devices, self._ps_ops, self._ps_strategy = merge_devices, ps_ops, ps_strategy

    def device_function(self, op):
        """The device of an operation, for tf.device()."""
        if not self._merge_devices and op.device:
            return op.device
        current = DeviceSpecV2.from_string(op.device or "")
        op_type = op.op if isinstance(op, _messages.NodeDef) else op.type
        if self._ps_tasks and self._ps_device and op_type in self._ps_ops:
            device = DeviceSpecV2.from_string(self._ps_device)
            if device.job and (not current.job or current.job == device.job):
                device = device.replace(task=self._ps_strategy(op))
        else:
            device = DeviceSpecV2.from_string(self._worker_device or "")
        return device.make_merged_spec(current).to_string()


def replica_device_setter(
    ps_tasks=0,
    ps_device="/job:ps",
    worker_device="/job:worker",
    merge_devices=True,
    cluster=None,
    ps_ops=None,
    ps_strategy=None,
):
    """A function for tf.device() that puts variables on parameter servers; None where there are none of these.

    ps_tasks: how many, or cluster: a ClusterSpec that says it. merge_devices: the parts that an operation's own
    device leaves open are filled in. ps_ops: the types of operations on parameter servers. ps_strategy: a function
    from such an operation to the number of its task; one after the other where it is None. Errors: TypeError. Source:
    tf.train.replica_device_setter.
    """
    if cluster is not None:
        spec = (cluster if isinstance(cluster, ClusterSpec) else ClusterSpec(cluster)).as_dict()
        job = DeviceSpecV2.from_string(ps_device).job
        if spec.get(job) is None:
            return None
        ps_tasks = len(spec[job])
    if ps_tasks == 0:
        return None
    if not merge_devices:
        logging.warning(
            "DEPRECATION: It is recommended to set merge_devices=true in replica_device_setter"
        )
    if ps_strategy is None:
        ps_strategy = _RoundRobinStrategy(ps_tasks)
    if not callable(ps_strategy):
        raise TypeError("ps_strategy must be callable")
    ps_ops = list(STANDARD_PS_OPS) if ps_ops is None else ps_ops
    return _ReplicaDeviceChooser(
        ps_tasks, ps_device, worker_device, merge_devices, ps_ops, ps_strategy
    ).device_function
