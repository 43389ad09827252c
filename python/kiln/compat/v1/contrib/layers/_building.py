"""What the functions that make layers share: variables, scopes and ends of layers."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework._variables import model_variable
from kiln.compat.v1.contrib.layers import utils

NHWC, NCHW, NDHWC, NCDHW = "NHWC", "NCHW", "NDHWC", "NCDHW"
KERNEL_AND_BIAS = {"bias": "biases", "kernel": "weights"}


def check_data_format(data_format, first=NCHW, last=NHWC):
    if data_format not in (first, last):
        raise ValueError(f"data_format has to be either {first} or {last}.")


def channels_at(data_format):
    """What tf.layers calls a data format."""
    return "channels_first" if data_format and data_format.startswith("NC") else "channels_last"


def model_variable_getter(
    getter,
    name,
    shape=None,
    dtype=None,
    initializer=None,
    regularizer=None,
    trainable=True,
    collections=None,
    caching_device=None,
    partitioner=None,
    rename=None,
    use_resource=None,
    synchronization=tf.VariableSynchronization.AUTO,
    aggregation=tf.VariableAggregation.NONE,
    **_,
):
    """A custom getter that makes the variables of a layer of tf.layers the model's.

    rename: a dict from names that tf.layers has to those that tf.contrib.layers has.
    """
    head, slash, last = name.rpartition("/")
    return model_variable(
        head + slash + (rename or {}).get(last, last),
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        collections=collections,
        trainable=trainable,
        caching_device=caching_device,
        partitioner=partitioner,
        custom_getter=getter,
        use_resource=use_resource,
        synchronization=synchronization,
        aggregation=aggregation,
    )


def build_variable_getter(rename=None):
    """model_variable_getter with names that it replaces."""

    def layer_variable_getter(getter, *args, **kwargs):
        return model_variable_getter(getter, *args, **{**kwargs, "rename": rename})

    return layer_variable_getter


def layer_scope(scope, default_name, inputs, reuse, rename=None):
    """The variable scope of a layer that is made of one of tf.layers."""
    getter = build_variable_getter(rename)
    return tf.variable_scope(scope, default_name, [inputs], reuse=reuse, custom_getter=getter)


def add_variable_to_collections(variable, collections_set, collections_name):
    """Adds a variable, or its parts, to the collections for its name, where it is not there yet."""
    collections = utils.get_variable_collections(collections_set, collections_name) or []
    is_parted = not isinstance(variable, tf.Variable) and hasattr(variable, "__iter__")
    for key in collections:
        for var in list(variable) if is_parted else [variable]:
            if not any(var is each for each in tf.get_collection(key)):
                tf.add_to_collection(key, var)


def biased(outputs, channels, options, data_format=None):
    """The outputs and the layer's biases, which are made here.

    options: those of the layer: biases_initializer, biases_regularizer, variables_collections,
    trainable.
    """
    biases = model_variable(
        "biases",
        shape=[channels],
        dtype=outputs.dtype.base_dtype,
        initializer=options["biases_initializer"],
        regularizer=options["biases_regularizer"],
        collections=utils.get_variable_collections(options["variables_collections"], "biases"),
        trainable=options["trainable"],
    )
    return tf.nn.bias_add(outputs, biases, data_format=data_format)


def normalized(outputs, normalizer_fn, normalizer_params):
    return normalizer_fn(outputs, **(normalizer_params or {})) if normalizer_fn else outputs


def finished(outputs, activation_fn, outputs_collections, alias):
    """The outputs behind an activation, in collections."""
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return utils.collect_named_outputs(outputs_collections, alias, outputs)
