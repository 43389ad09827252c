"""Resources that a graph has beside its variables, as tables are, and what makes them."""

import collections

from kiln.compat import v1 as tf

_Resource = collections.namedtuple("_Resource", ["handle", "create", "is_initialized"])
_SHARED, _LOCAL = "resources", "local_resources"


def register_resource(handle, create_op, is_initialized_op, is_shared=True):
    """Notes a resource in a collection of the default graph."""
    tf.add_to_collection(
        _SHARED if is_shared else _LOCAL, _Resource(handle, create_op, is_initialized_op)
    )


def shared_resources():
    """The resources that tasks share."""
    return tf.get_collection(_SHARED)


def local_resources():
    """The resources of each task."""
    return tf.get_collection(_LOCAL)


def initialize_resources(resource_list, name="init"):
    """An operation that makes the resources."""
    if resource_list:
        return tf.group(*[resource.create for resource in resource_list], name=name)
    return tf.no_op(name=name)


def report_uninitialized_resources(resource_list=None, name="report_uninitialized_resources"):
    """A tensor of the names of the resources that are not made yet; all where no list is given."""
    if resource_list is None:
        resource_list = shared_resources() + local_resources()
    with tf.name_scope(name), tf.device("/cpu:0"):
        if not resource_list:
            return tf.constant([], dtype=tf.string)
        missing = tf.logical_not(tf.stack([each.is_initialized for each in resource_list]))
        names = tf.constant([each.handle.name for each in resource_list])
        return tf.boolean_mask(names, missing)
