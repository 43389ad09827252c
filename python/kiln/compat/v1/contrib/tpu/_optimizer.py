"""An optimizer that adds the gradients of several parts of a batch."""

from kiln.compat import v1 as tf


class CrossShardOptimizer(tf.train.Optimizer):
    """Another optimizer, with the mean gradients of all cores of a TPU; on CPUs there is one part,
    whose gradients are these.

    reduction: SUM or MEAN. Errors: ValueError. Source: tf.contrib.tpu.CrossShardOptimizer.
    """

    def __init__(
        self,
        opt,
        reduction=tf.losses.Reduction.MEAN,
        name="CrossShardOptimizer",
        group_assignment=None,
    ):
        if reduction not in (tf.losses.Reduction.SUM, tf.losses.Reduction.MEAN):
            raise ValueError(f"Unsupported reduction: {reduction}.")
        super().__init__(False, name)
        self._opt, self._reduction, self._group_assignment = opt, reduction, group_assignment

    def compute_gradients(self, loss, var_list=None, **kwargs):
        """Pairs of gradients and variables, of the optimizer inside."""
        tf.logging.warning(
            "CrossShardOptimizer should be used within a tpu_shard_context, but got unset "
            "number_of_shards. Assuming 1."
        )
        return self._opt.compute_gradients(loss, var_list=var_list, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """The operation that changes the variables, of the optimizer inside."""
        return self._opt.apply_gradients(grads_and_vars, global_step, name)

    def get_slot(self, *args, **kwargs):
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args, **kwargs):
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self):
        return self._opt.variables()
