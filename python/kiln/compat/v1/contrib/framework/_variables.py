"""Variables of models: made in collections, and found by parts of their names."""

import re

from kiln.compat import v1 as tf
from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.contrib.framework._arg_scope import add_arg_scope

__all__ = [
    "VariableDeviceChooser",
    "add_model_variable",
    "assert_global_step",
    "assert_or_get_global_step",
    "create_global_step",
    "filter_variables",
    "get_global_step",
    "get_local_variables",
    "get_model_variables",
    "get_or_create_global_step",
    "get_trainable_variables",
    "get_unique_variable",
    "get_variable_full_name",
    "get_variables",
    "get_variables_by_name",
    "get_variables_by_suffix",
    "get_variables_to_restore",
    "global_variable",
    "local_variable",
    "model_variable",
    "variable",
]

_MODULE = "tensorflow.contrib.framework.python.ops.variables"
_AUTO, _NONE = tf.VariableSynchronization.AUTO, tf.VariableAggregation.NONE


@deprecated(None, "Please switch to tf.train.assert_global_step", module=_MODULE)
def assert_global_step(global_step_tensor):
    """Source: tf.contrib.framework.assert_global_step."""
    tf.train.assert_global_step(global_step_tensor)


def assert_or_get_global_step(graph=None, global_step_tensor=None):
    """The global step of a graph, or the tensor, if it may be one.

    Source: tf.contrib.framework.assert_or_get_global_step.
    """
    if global_step_tensor is None:
        return get_global_step(graph)
    assert_global_step(global_step_tensor)
    return global_step_tensor


@deprecated(None, "Please switch to tf.train.get_global_step", module=_MODULE)
def get_global_step(graph=None):
    """Source: tf.contrib.framework.get_global_step."""
    return tf.train.get_global_step(graph)


@deprecated(None, "Please switch to tf.train.create_global_step", module=_MODULE)
def create_global_step(graph=None):
    """Source: tf.contrib.framework.create_global_step."""
    return tf.train.create_global_step(graph)


@deprecated(None, "Please switch to tf.train.get_or_create_global_step", module=_MODULE)
def get_or_create_global_step(graph=None):
    """Source: tf.contrib.framework.get_or_create_global_step."""
    return tf.train.get_or_create_global_step(graph)


def _untrained(key, initial_value, validate_shape, name, use_resource):
    return tf.Variable(
        initial_value,
        trainable=False,
        collections=[key],
        validate_shape=validate_shape,
        name=name,
        use_resource=use_resource,
    )


def local_variable(initial_value, validate_shape=True, name=None, use_resource=None):
    """A new variable that is neither trained nor saved. Source: tf.contrib.framework.local_variable."""
    key = tf.GraphKeys.LOCAL_VARIABLES
    return _untrained(key, initial_value, validate_shape, name, use_resource)


def global_variable(initial_value, validate_shape=True, name=None, use_resource=None):
    """A new variable that is saved, but not trained. Source: tf.contrib.framework.global_variable."""
    key = tf.GraphKeys.GLOBAL_VARIABLES
    return _untrained(key, initial_value, validate_shape, name, use_resource)


@add_arg_scope
def variable(
    name,
    shape=None,
    dtype=None,
    initializer=None,
    regularizer=None,
    trainable=True,
    collections=None,
    caching_device=None,
    device=None,
    partitioner=None,
    custom_getter=None,
    use_resource=None,
    synchronization=_AUTO,
    aggregation=_NONE,
):
    """Finds or makes a variable by its name, as tf.get_variable() does, on a device.

    custom_getter: what makes it in place of tf.get_variable(). Source:
    tf.contrib.framework.variable.
    """
    options = {}
    getter = tf.get_variable
    if custom_getter is not None:
        getter, options = custom_getter, {"reuse": tf.get_variable_scope().reuse}
    if collections is None:
        collections = [tf.GraphKeys.GLOBAL_VARIABLES]
    with tf.device(device or ""):
        return getter(
            name,
            shape=shape,
            dtype=dtype,
            initializer=initializer,
            regularizer=regularizer,
            trainable=trainable,
            collections=list(dict.fromkeys(collections)),
            caching_device=caching_device,
            partitioner=partitioner,
            use_resource=use_resource,
            synchronization=synchronization,
            aggregation=aggregation,
            **options,
        )


@add_arg_scope
def model_variable(
    name,
    shape=None,
    dtype=tf.float32,
    initializer=None,
    regularizer=None,
    trainable=True,
    collections=None,
    caching_device=None,
    device=None,
    partitioner=None,
    custom_getter=None,
    use_resource=None,
    synchronization=_AUTO,
    aggregation=_NONE,
):
    """As variable(), in the collection of the model's variables too.

    Source: tf.contrib.framework.model_variable.
    """
    keys = [tf.GraphKeys.GLOBAL_VARIABLES, tf.GraphKeys.MODEL_VARIABLES]
    return variable(
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=trainable,
        collections=[*(collections or ()), *keys],
        caching_device=caching_device,
        device=device,
        partitioner=partitioner,
        custom_getter=custom_getter,
        use_resource=use_resource,
        synchronization=synchronization,
        aggregation=aggregation,
    )


def add_model_variable(var):
    """Adds a variable to the model's, if it is not there. Source: tf.contrib.framework.add_model_variable."""
    key = tf.GraphKeys.MODEL_VARIABLES
    if not any(var is each for each in tf.get_collection(key)):
        tf.add_to_collection(key, var)


def get_variables(scope=None, suffix=None, collection=tf.GraphKeys.GLOBAL_VARIABLES):
    """The variables of a collection whose name begins with scope and ends with suffix.

    scope, suffix: regular expressions; a suffix without a colon is the end of a name. Source:
    tf.contrib.framework.get_variables.
    """
    if isinstance(scope, tf.VariableScope):
        scope = scope.name
    if suffix is not None:
        if ":" not in suffix:
            suffix += ":"
        scope = f"{scope or ''}.*{suffix}"
    return tf.get_collection(collection, scope)


def get_model_variables(scope=None, suffix=None):
    """As get_variables(), of the model. Source: tf.contrib.framework.get_model_variables."""
    return get_variables(scope, suffix, tf.GraphKeys.MODEL_VARIABLES)


def get_local_variables(scope=None, suffix=None):
    """As get_variables(), of the local ones. Source: tf.contrib.framework.get_local_variables."""
    return get_variables(scope, suffix, tf.GraphKeys.LOCAL_VARIABLES)


def get_trainable_variables(scope=None, suffix=None):
    """As get_variables(), of the trained ones. Source: tf.contrib.framework.get_trainable_variables."""
    return get_variables(scope, suffix, tf.GraphKeys.TRAINABLE_VARIABLES)


def get_variables_to_restore(include=None, exclude=None):
    """The variables of some scopes, without those of others.

    include, exclude: lists of scopes; None: all, and none. Errors: TypeError. Source:
    tf.contrib.framework.get_variables_to_restore.
    """
    included = get_variables() if include is None else _of_scopes(include, "include")
    excluded = [] if exclude is None else _of_scopes(exclude, "exclude")
    left_out = {id(var) for var in excluded}
    return [var for var in included if id(var) not in left_out]


def _of_scopes(scopes, what):
    if not isinstance(scopes, (list, tuple)):
        raise TypeError(f"{what} is provided but is not a list or a tuple.")
    return [var for scope in scopes for var in get_variables(scope)]


def get_variables_by_suffix(suffix, scope=None):
    """Source: tf.contrib.framework.get_variables_by_suffix."""
    return get_variables(scope=scope, suffix=suffix)


def get_variables_by_name(given_name, scope=None):
    """The variables of a name within their scopes. Source: tf.contrib.framework.get_variables_by_name."""
    return get_variables(scope=scope, suffix=f"/{given_name}:|^{given_name}:")


def get_unique_variable(var_op_name):
    """The variable of a full name. Errors: ValueError. Source: tf.contrib.framework.get_unique_variable."""
    candidates = get_variables(scope=var_op_name)
    if not candidates:
        raise ValueError(f"Couldn't find variable {var_op_name}")
    for candidate in candidates:
        if candidate.op.name == var_op_name:
            return candidate
    raise ValueError(f"Variable {var_op_name} does not uniquely identify a variable")


def get_variable_full_name(var):
    """The name in a checkpoint: of a part of a variable, that of the whole.

    Source: tf.contrib.framework.get_variable_full_name.
    """
    info = var._save_slice_info
    return info.full_name if info else var.op.name


class VariableDeviceChooser:
    """A device function that gives variables to the tasks of a job in turn.

    num_tasks: 0: every variable has the same device. Source:
    tf.contrib.framework.VariableDeviceChooser.
    """

    def __init__(
        self, num_tasks=0, job_name="ps", device_type="CPU", device_index=0, replica=None
    ):
        self._job_name, self._replica = job_name, replica
        self._device_type, self._device_index = device_type, device_index
        self._num_tasks, self._next_task_id = num_tasks, 0

    def __call__(self, op):
        parts = []
        if self._num_tasks > 0:
            task, self._next_task_id = self._next_task_id, (self._next_task_id + 1) % self._num_tasks
            parts.append(f"/job:{self._job_name}")
        if self._replica is not None:
            parts.append(f"/replica:{self._replica}")
        if self._num_tasks > 0:
            parts.append(f"/task:{task}")
        if self._device_type is not None:
            index = "*" if self._device_index is None else self._device_index
            parts.append(f"/device:{self._device_type}:{index}")
        return "".join(parts)


def filter_variables(var_list, include_patterns=None, exclude_patterns=None, reg_search=True):
    """The variables whose name has one of some patterns, and none of others.

    include_patterns: None: all. reg_search: patterns are searched in the name; otherwise they
    have to begin with it. Source: tf.contrib.framework.filter_variables.
    """
    find = re.search if reg_search else re.match

    def has_any(var, patterns):
        return any(find(pattern, var.name) for pattern in patterns)

    return [
        var
        for var in var_list
        if (include_patterns is None or has_any(var, include_patterns))
        and not has_any(var, exclude_patterns or ())
    ]
