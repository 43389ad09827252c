"""tf.GradientTape, for graphs."""

import contextlib

from kiln._kiln import front as _c
from kiln.compat.v1._gradients import gradients
from kiln.compat.v1._util import nest

__all__ = ["GradientTape"]


class GradientTape:
    """A context whose variables and watched tensors have gradients.

    persistent: gradient() may be called more than once. watch_accessed_variables: trainable variables
    are watched by themselves. Graphs know what depends on what, so nothing is written down: what is
    built outside of the block counts, too. Source: tf.GradientTape.
    """

    def __init__(self, persistent=False, watch_accessed_variables=True):
        self._persistent, self._watches_variables = persistent, watch_accessed_variables
        self._watched, self._is_recording, self._is_used = [], False, False

    def __enter__(self):
        if self._is_recording:
            raise ValueError("Tape is still recording, This can happen if you try to re-enter an already-active tape.")
        self._is_recording = True
        return self

    def __exit__(self, *_):
        self._is_recording = False

    def watch(self, tensor):
        """Makes tensors, or variables, sources of gradients."""
        self._watched.extend(nest.flatten(tensor))

    def stop_recording(self):
        """A context whose operations are left out in TensorFlow; here gradients do not ask for them."""
        return contextlib.nullcontext()

    def reset(self):
        """Forgets what is watched."""
        self._watched = []

    def watched_variables(self):
        """The variables among what is watched, and those that are trained."""
        from kiln.compat.v1._variables import trainable_variables

        own = [value for value in self._watched if isinstance(value, _c.Variable)]
        others = trainable_variables() if self._watches_variables else []
        return tuple(own + [each for each in others if not any(each is value for value in own)])

    def gradient(self, target, sources, output_gradients=None, unconnected_gradients="none"):
        """The gradients of a target, or of the sum of several, by each source, in their structure.

        output_gradients: by which the targets are multiplied, 1 where it is None. None for a source
        that is not watched, or that the targets do not depend on; zeros with unconnected_gradients
        "zero". Errors: RuntimeError for a second call without persistent. Source:
        tf.GradientTape.gradient.
        """
        if self._is_used and not self._persistent:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"
            )
        self._is_used = True
        targets, flat = nest.flatten(target), nest.flatten(sources)
        weights = None if output_gradients is None else nest.flatten(output_gradients)
        known = [source for source in flat if self._is_known(source)]
        found = iter(gradients(targets, known, weights, unconnected_gradients=unconnected_gradients) if known else ())
        results = [next(found) if any(source is each for each in known) else None for source in flat]
        return nest.pack_sequence_as(sources, results)

    def _is_known(self, source):
        if any(source is each for each in self._watched):
            return True
        if isinstance(source, _c.Variable) or not isinstance(source, _c.Tensor):
            return self._watches_variables and getattr(source, "trainable", True)
        return self._depends(source)

    def _depends(self, tensor):
        """Whether a tensor is made of watched ones, or of variables that are."""
        starts = [each for each in self._watched if isinstance(each, (_c.Tensor, _c.Variable))]
        operations = {(each.op if isinstance(each, _c.Tensor) else each.handle.op).name for each in starts}
        if self._watches_variables:
            operations.update(variable.handle.op.name for variable in self.watched_variables())
        waiting, seen = [tensor.op], set()
        while waiting:
            operation = waiting.pop()
            if operation.name in operations:
                return True
            if operation.name not in seen:
                seen.add(operation.name)
                waiting.extend(value.op for value in operation.inputs)
        return False
