"""Optimizers of other packages, which ask for losses and gradients."""

import itertools
import math

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1 import logging


def _shape(tensor):
    return tuple(tensor.get_shape().as_list())


def _gradients(tensor, variables):
    """Zeros where the tensor does not depend on a variable."""
    found = tf.gradients(tensor, variables)
    return [
        tf.zeros_like(variable) if gradient is None else gradient
        for variable, gradient in zip(variables, found)
    ]


class ExternalOptimizerInterface:
    """A loss for an optimizer outside of the graph, which subclasses call in _minimize().

    equalities, inequalities: tensors that are to be zero, and not below zero. var_to_bounds: a
    dict from variables to pairs of bounds. optimizer_kwargs: for _minimize(). Source:
    tf.contrib.opt.ExternalOptimizerInterface.
    """

    def __init__(
        self,
        loss,
        var_list=None,
        equalities=None,
        inequalities=None,
        var_to_bounds=None,
        **optimizer_kwargs,
    ):
        self._loss = loss
        self._equalities, self._inequalities = equalities or [], inequalities or []
        self._vars = tf.trainable_variables() if var_list is None else list(var_list)
        self._packed_bounds = None if var_to_bounds is None else self._bounds(var_to_bounds)
        self._update_placeholders = [tf.placeholder(var.dtype.base_dtype) for var in self._vars]
        self._var_updates = [
            var.assign(tf.reshape(placeholder, _shape(var)))
            for var, placeholder in zip(self._vars, self._update_placeholders)
        ]
        loss_grads = _gradients(loss, self._vars)
        equality_grads = [_gradients(each, self._vars) for each in self._equalities]
        inequality_grads = [_gradients(each, self._vars) for each in self._inequalities]
        self.optimizer_kwargs = optimizer_kwargs
        self._packed_var = self._pack(self._vars)
        self._packed_loss_grad = self._pack(loss_grads)
        self._packed_equality_grads = [self._pack(each) for each in equality_grads]
        self._packed_inequality_grads = [self._pack(each) for each in inequality_grads]
        ends = [0, *itertools.accumulate(math.prod(_shape(var)) for var in self._vars)]
        self._packing_slices = [slice(*pair) for pair in zip(ends[:-1], ends[1:])]

    def _bounds(self, var_to_bounds):
        """Pairs of bounds for all elements."""
        lower, upper = [], []
        for var in self._vars:
            bounds = var_to_bounds.get(var, (-np.inf, np.inf))
            lower += np.broadcast_to(bounds[0], _shape(var)).ravel().tolist()
            upper += np.broadcast_to(bounds[1], _shape(var)).ravel().tolist()
        return list(zip(lower, upper))

    def minimize(
        self,
        session=None,
        feed_dict=None,
        fetches=None,
        step_callback=None,
        loss_callback=None,
        **run_kwargs,
    ):
        """Gives the variables the values of the least loss.

        step_callback: called with all elements after each step; loss_callback: with the values
        of fetches whenever the loss was computed. run_kwargs: for the run that assigns.
        """
        session = session or tf.get_default_session()
        shared = session, feed_dict or {}, fetches or []
        loss_callback = loss_callback or (lambda *values: None)
        step_callback = step_callback or (lambda values: None)
        start = session.run(self._packed_var)

        def functions(tensors):
            return [self._make_eval_func(tensor, *shared) for tensor in tensors]

        found = self._minimize(
            initial_val=start,
            loss_grad_func=self._make_eval_func(
                [self._loss, self._packed_loss_grad], *shared, loss_callback
            ),
            equality_funcs=functions(self._equalities),
            equality_grad_funcs=functions(self._packed_equality_grads),
            inequality_funcs=functions(self._inequalities),
            inequality_grad_funcs=functions(self._packed_inequality_grads),
            packed_bounds=self._packed_bounds,
            step_callback=step_callback,
            optimizer_kwargs=self.optimizer_kwargs,
        )
        values = [found[part] for part in self._packing_slices]
        session.run(
            self._var_updates, feed_dict=dict(zip(self._update_placeholders, values)), **run_kwargs
        )

    def _minimize(
        self,
        initial_val,
        loss_grad_func,
        equality_funcs,
        equality_grad_funcs,
        inequality_funcs,
        inequality_grad_funcs,
        packed_bounds,
        step_callback,
        optimizer_kwargs,
    ):
        """The elements of all variables at the least loss.

        Functions of the elements: loss_grad_func gives [loss, gradient], the others lists of one.
        """
        raise NotImplementedError(
            "To use ExternalOptimizerInterface, subclass from it and implement the _minimize() method."
        )

    @classmethod
    def _pack(cls, tensors):
        """All elements as one vector."""
        if not tensors:
            return None
        flat = [tf.reshape(tensor, [-1]) for tensor in tensors]
        return flat[0] if len(flat) == 1 else tf.concat(flat, 0)

    def _make_eval_func(self, tensors, session, feed_dict, fetches, callback=None):
        tensors = tensors if isinstance(tensors, list) else [tensors]

        def eval_func(x):
            feeds = {
                var: x[part].reshape(_shape(var))
                for var, part in zip(self._vars, self._packing_slices)
            }
            values = session.run(tensors + fetches, feed_dict={**feeds, **feed_dict})
            if callable(callback):
                callback(*values[len(tensors) :])
            return values[: len(tensors)]

        return eval_func


class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """scipy.optimize.minimize(), by default its method L-BFGS-B.

    Errors: ValueError for arguments of it that are set here. Source:
    tf.contrib.opt.ScipyOptimizerInterface.
    """

    _DEFAULT_METHOD = "L-BFGS-B"

    def _minimize(
        self,
        initial_val,
        loss_grad_func,
        equality_funcs,
        equality_grad_funcs,
        inequality_funcs,
        inequality_grad_funcs,
        packed_bounds,
        step_callback,
        optimizer_kwargs,
    ):
        def loss_and_gradient(x):
            loss, gradient = loss_grad_func(x)
            return float(loss), gradient.astype(np.float64)

        def as_doubles(function):
            return lambda x: np.asarray(function(x), dtype=np.float64)

        given = dict(optimizer_kwargs)
        pairs = [
            ("eq", zip(equality_funcs, equality_grad_funcs)),
            ("ineq", zip(inequality_funcs, inequality_grad_funcs)),
        ]
        constraints = [
            {"type": kind, "fun": as_doubles(function), "jac": as_doubles(gradient)}
            for kind, functions in pairs
            for function, gradient in functions
        ]
        options = {
            "jac": True,
            "callback": step_callback,
            "method": given.pop("method", self._DEFAULT_METHOD),
            "constraints": constraints,
            "bounds": packed_bounds,
        }
        for name in options:
            if name not in given:
                continue
            if name == "bounds":
                raise ValueError("Bounds must be set using the var_to_bounds argument")
            raise ValueError(
                f"Optimizer keyword arg '{name}' is set automatically and cannot be injected manually"
            )
        import scipy.optimize

        if options["method"] in ("SLSQP", "TNC"):
            initial_val = initial_val.astype(np.float64)  # they take no other
        result = scipy.optimize.minimize(loss_and_gradient, initial_val, **options, **given)
        lines = [
            "Optimization terminated with:",
            f"  Message: {result.message}",
            f"  Objective function value: {result.fun:f}",
        ]
        if hasattr(result, "nit"):
            lines.append(f"  Number of iterations: {result.nit:d}")
        if hasattr(result, "nfev"):
            lines.append(f"  Number of functions evaluations: {result.nfev:d}")
        logging.info("%s", "\n".join(lines))
        return result["x"]
