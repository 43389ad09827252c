"""Optimizers that let weights shrink by themselves, beside the gradient."""

from kiln._generated import raw_ops as _raw
from kiln.compat import v1 as tf


class DecoupledWeightDecayExtension:
    """Beside an optimizer among the bases of a class: variables shrink by weight_decay each step.

    weight_decay: a number, tensor, or function that gives one; it is not multiplied by the
    learning rate. Source: tf.contrib.opt.DecoupledWeightDecayExtension.
    """

    def __init__(self, weight_decay, **kwargs):
        self._decay_var_list = None  # a set; false: all variables
        self._weight_decay = weight_decay
        self._weight_decay_tensor = None
        super().__init__(**kwargs)

    def minimize(
        self,
        loss,
        global_step=None,
        var_list=None,
        gate_gradients=tf.train.Optimizer.GATE_OP,
        aggregation_method=None,
        colocate_gradients_with_ops=False,
        name=None,
        grad_loss=None,
        decay_var_list=None,
    ):
        """As the optimizer's. decay_var_list: the variables that shrink; all where it is None."""
        self._decay_var_list = set(decay_var_list) if decay_var_list else False
        return super().minimize(
            loss,
            global_step=global_step,
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            name=name,
            grad_loss=grad_loss,
        )

    def apply_gradients(self, grads_and_vars, global_step=None, name=None, decay_var_list=None):
        """As the optimizer's. decay_var_list: the variables that shrink; all where it is None."""
        self._decay_var_list = set(decay_var_list) if decay_var_list else False
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _prepare(self):
        decay = self._weight_decay
        decay = decay() if callable(decay) else decay
        self._weight_decay_tensor = tf.convert_to_tensor(decay, name="weight_decay")
        super()._prepare()

    def _shrinks(self, var):
        return not self._decay_var_list or var in self._decay_var_list

    def _decay_weights_op(self, var):
        if self._shrinks(var):
            return var.assign_sub(self._weight_decay * var, self._use_locking)
        return tf.no_op()

    def _decay_weights_sparse_op(self, var, indices, scatter_add):
        if self._shrinks(var):
            update = -self._weight_decay * tf.gather(var, indices)
            return scatter_add(var, indices, update, self._use_locking)
        return tf.no_op()

    def _apply_dense(self, grad, var):
        with tf.control_dependencies([self._decay_weights_op(var)]):
            return super()._apply_dense(grad, var)

    def _resource_apply_dense(self, grad, var):
        with tf.control_dependencies([self._decay_weights_op(var)]):
            return super()._resource_apply_dense(grad, var)

    def _apply_sparse(self, grad, var):
        decay = self._decay_weights_sparse_op(var, grad.indices, tf.scatter_add)
        with tf.control_dependencies([decay]):
            return super()._apply_sparse(grad, var)

    def _resource_scatter_add(self, x, i, v, _=None):
        with tf.control_dependencies([_raw.resource_scatter_add(x.handle, i, v)]):
            return x.value()

    def _resource_apply_sparse(self, grad, var, indices):
        decay = self._decay_weights_sparse_op(var, indices, self._resource_scatter_add)
        with tf.control_dependencies([decay]):
            return super()._resource_apply_sparse(grad, var, indices)


def extend_with_decoupled_weight_decay(base_optimizer):
    """A class of an optimizer with weight decay; its first argument is weight_decay.

    Source: tf.contrib.opt.extend_with_decoupled_weight_decay.
    """

    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):
        def __init__(self, weight_decay, *args, **kwargs):
            super().__init__(weight_decay, *args, **kwargs)

    return OptimizerWithDecoupledWeightDecay


class MomentumWOptimizer(DecoupledWeightDecayExtension, tf.train.MomentumOptimizer):
    """Momentum with weight decay. Source: tf.contrib.opt.MomentumWOptimizer."""

    def __init__(
        self,
        weight_decay,
        learning_rate,
        momentum,
        use_locking=False,
        name="MomentumW",
        use_nesterov=False,
    ):
        super().__init__(
            weight_decay,
            learning_rate=learning_rate,
            momentum=momentum,
            use_locking=use_locking,
            name=name,
            use_nesterov=use_nesterov,
        )


class AdamWOptimizer(DecoupledWeightDecayExtension, tf.train.AdamOptimizer):
    """Adam with weight decay. Source: tf.contrib.opt.AdamWOptimizer."""

    def __init__(
        self,
        weight_decay,
        learning_rate=0.001,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-8,
        use_locking=False,
        name="AdamW",
    ):
        super().__init__(
            weight_decay,
            learning_rate=learning_rate,
            beta1=beta1,
            beta2=beta2,
            epsilon=epsilon,
            use_locking=use_locking,
            name=name,
        )
