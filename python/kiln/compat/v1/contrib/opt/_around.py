"""Optimizers around another one."""

import contextlib

from kiln.compat import v1 as tf
from kiln.compat.v1 import logging


class MovingAverageOptimizer(tf.train.Optimizer):
    """An optimizer whose variables have moving averages, which swapping_saver() saves in their place.

    average_decay, num_updates: as tf.train.ExponentialMovingAverage has them.
    sequential_update: whether averages move after the step. Source:
    tf.contrib.opt.MovingAverageOptimizer.
    """

    def __init__(self, opt, average_decay=0.9999, num_updates=None, sequential_update=True):
        self._optimizer = opt
        self._ema = tf.train.ExponentialMovingAverage(average_decay, num_updates=num_updates)
        self._swapped_variable_name_map = None
        self._sequential_update = sequential_update

    def compute_gradients(self, *args, **kwargs):
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        train_op = self._optimizer.apply_gradients(
            grads_and_vars, global_step=global_step, name=name
        )
        variables = [variable for gradient, variable in grads_and_vars if gradient is not None]
        with tf.control_dependencies([train_op] if self._sequential_update else []):
            averages_op = self._ema.apply(variables)
        names = self._swapped_variable_name_map = {}
        for variable in variables:
            own, average = variable.op.name, self._ema.average(variable).op.name
            names[own], names[average] = average, own
        return tf.group(train_op, averages_op, name="train_with_avg")

    def _swapped(self, by_name, name, variable):
        other = self._swapped_variable_name_map.get(name)
        if other is None:
            return variable
        if other in by_name:
            return by_name[other]
        raise ValueError(
            f"Variable to swap {other} is not part of variables to save. "
            "This breaks MovingAverageOptimizer."
        )

    def swapping_saver(self, var_list=None, name="swapping_saver", **kwargs):
        """A tf.train.Saver that gives variables the names of their averages, and the other way.

        var_list: all variables where it is None. Errors: RuntimeError before apply_gradients(),
        ValueError.
        """
        if self._swapped_variable_name_map is None:
            raise RuntimeError(
                "Must call apply_gradients or minimize before creating the swapping_saver"
            )
        if var_list is None:
            var_list = tf.global_variables()
        if not isinstance(var_list, dict):
            var_list = _by_saved_name(var_list)
        by_name = {}
        for key, value in var_list.items():
            if isinstance(value, list):
                by_name.update((part.op.name, part) for part in value)
            else:
                by_name[key] = value
        swapped = {
            key: [self._swapped(by_name, part.op.name, part) for part in value]
            if isinstance(value, list)
            else self._swapped(by_name, key, value)
            for key, value in var_list.items()
        }
        return tf.train.Saver(swapped, name=name, **kwargs)


def _by_saved_name(variables):
    """A dict from names in a checkpoint to variables, or to lists of their parts."""
    named = {}
    for variable in variables:
        info = variable._save_slice_info
        if info:
            named.setdefault(info.full_name, []).append(variable)
        else:
            named[variable.op.name] = variable
    return named


class VariableClippingOptimizer(tf.train.Optimizer):
    """An optimizer after whose steps some variables are cut to a norm.

    vars_to_clip_dims: a dict from variables to the dimensions that the norm goes over.
    colocate_clip_ops_with_vars: where the cuts are computed. Source:
    tf.contrib.opt.VariableClippingOptimizer.
    """

    def __init__(
        self,
        opt,
        vars_to_clip_dims,
        max_norm,
        use_locking=False,
        colocate_clip_ops_with_vars=False,
        name="VariableClipping",
    ):
        super().__init__(use_locking, name)
        self._opt, self._max_norm = opt, max_norm
        self._vars_to_clip_dims = {var: dims[:] for var, dims in vars_to_clip_dims.items()}
        self._colocate_clip_ops_with_vars = colocate_clip_ops_with_vars

    def compute_gradients(self, *args, **kwargs):
        return self._opt.compute_gradients(*args, **kwargs)

    def get_slot(self, *args, **kwargs):
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args, **kwargs):
        return self._opt.get_slot_names(*args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        with tf.name_scope(name, self._name) as name:
            updates = [self._opt.apply_gradients(grads_and_vars, global_step=global_step)]
            with tf.control_dependencies(list(updates)):
                for gradient, var in grads_and_vars:
                    if gradient is None or var not in self._vars_to_clip_dims:
                        continue
                    with tf.name_scope(f"clip_{var.op.name}"):
                        sparse = isinstance(gradient, tf.IndexedSlices)
                        clip = self._clip_sparse(gradient, var) if sparse else self._clip_dense(var)
                        updates.append(clip)
            return tf.group(*updates, name=name)

    def _clip_dense(self, var):
        with self._clip_place(var):
            value = var.read_value()
            clipped = tf.clip_by_norm(value, self._max_norm, self._vars_to_clip_dims[var])
            delta = value - clipped
        with _beside(var):
            return var.assign_sub(delta, use_locking=self._use_locking)

    def _clip_sparse(self, grad, var):
        dims = self._vars_to_clip_dims[var]
        if 0 in dims:
            logging.warning(
                "Clipping norm across dims %s for %s is inefficient when including sparse "
                "dimension 0.",
                dims,
                var.op.name,
            )
            return self._clip_dense(var)
        with _beside(var):
            rows = tf.gather(var, grad.indices)
        with self._clip_place(var):
            clipped = tf.clip_by_norm(rows, self._max_norm, dims)
            delta = tf.IndexedSlices(rows - clipped, grad.indices, grad.dense_shape)
        with _beside(var):
            return var.scatter_sub(delta, use_locking=self._use_locking)

    def _clip_place(self, var):
        return _beside(var) if self._colocate_clip_ops_with_vars else contextlib.nullcontext()


def _beside(var):
    return tf.get_default_graph().colocate_with(var)
