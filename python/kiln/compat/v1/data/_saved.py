"""Iterators in checkpoints. Source: tf.data.experimental of TensorFlow 1.15."""

from kiln._generated import raw_ops

_POLICIES = {"warn": 0, "ignore": 1, "fail": 2}


def make_saveable_from_iterator(iterator, external_state_policy="fail"):
    """Where an iterator is, as a part of what a Saver saves and restores: give it to the Saver, or add it to
    tf.GraphKeys.SAVEABLE_OBJECTS. It is restored behind its initializer. external_state_policy: whether a
    pipeline whose functions keep state or draw random numbers may be saved, "fail", "warn" or "ignore".
    Errors: ValueError. Errors in a run: FailedPreconditionError. Source:
    tf.data.experimental.make_saveable_from_iterator."""
    from kiln.compat.v1.train._saveable_object import SaveableObject, SaveSpec

    if external_state_policy not in _POLICIES:
        raise ValueError("Invalid external_state_policy: {}".format(external_state_policy))
    resource = iterator._resource
    state = raw_ops.serialize_iterator(resource, external_state_policy=_POLICIES[external_state_policy])

    class IteratorSaveable(SaveableObject):
        def restore(self, restored_tensors, restored_shapes):
            return raw_ops.deserialize_iterator(resource, restored_tensors[0])

    name = resource.op.name
    return IteratorSaveable(resource, [SaveSpec(state, "", name + "-state")], name)
