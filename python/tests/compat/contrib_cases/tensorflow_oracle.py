"""TensorFlow with tf_slim, under the names that the cases use; for the recording only.

What tf_slim does not have comes from the folder tensorflow/contrib of TensorFlow 1.15's sources,
which TENSORFLOW_CONTRIB names.
"""

import importlib
import os
import sys
import types


def _mend():
    """Puts back what TensorFlow 2.21 has moved and tf_slim 1.1.0 looks for."""
    import numpy
    from tensorflow.python.framework import indexed_slices, ops, tensor
    from tensorflow.python.ops import array_ops, array_ops_stack, cond, control_flow_case, control_flow_ops
    from tensorflow.python.ops import variable_v1, variables
    from tf_keras.src import legacy_tf_layers
    from tf_keras.src.legacy_tf_layers import normalization

    numpy.infty = numpy.inf
    ops.Tensor, ops.IndexedSlices = tensor.Tensor, indexed_slices.IndexedSlices
    variables.VariableV1 = variable_v1.VariableV1
    array_ops.stack, array_ops.unstack = array_ops_stack.stack, array_ops_stack.unstack
    control_flow_ops.cond, control_flow_ops.case = cond.cond, control_flow_case.case
    from tensorflow.python.ops import gen_training_ops
    from tensorflow.python.training import training

    training.training_ops = sys.modules["tensorflow.python.training.training_ops"] = gen_training_ops
    sys.modules["tf_keras.legacy_tf_layers"] = legacy_tf_layers
    sys.modules["tf_keras.legacy_tf_layers.normalization"] = normalization


def _source(path):
    """A module of tensorflow/contrib: `opt.python.training.lars_optimizer`."""
    parts = ["tensorflow", "contrib", *path.split(".")]
    for i in range(2, len(parts)):
        name = ".".join(parts[:i])
        if name not in sys.modules:
            folder = os.path.join(os.environ["TENSORFLOW_CONTRIB"], *parts[2:i])
            package = types.ModuleType(name)
            package.__path__ = [folder]
            sys.modules[name] = package
    return importlib.import_module(".".join(parts))


def _names_of(*paths):
    """A namespace of what several modules define."""
    return types.SimpleNamespace(
        **{name: value for path in paths for name, value in vars(_source(path)).items() if name[0] != "_"}
    )


def _hash_table(initializer, default_value, shared_name=None, name=None):
    """tf.contrib.lookup.HashTable, which takes a name that tables share."""
    from tensorflow.python.ops import lookup_ops

    # By the class of the initializer: the table asks for it.
    named = type("Named", (type(initializer),), {"_shared_name": property(lambda _: shared_name)})
    initializer.__class__ = named
    return lookup_ops.StaticHashTableV1(initializer, default_value, name)


def _distributions():
    """tf.contrib.distributions: of tf.distributions, and of contrib."""
    from tensorflow.python.ops import distributions as package
    from tensorflow.python.ops.distributions import distributions

    # TensorFlow 2.21 has no bijectors.
    package.__path__.append(os.path.join(os.environ["TENSORFLOW_CONTRIB"], "../python/ops/distributions"))
    diagonal = _names_of("distributions.python.ops.mvn_diag")
    return types.SimpleNamespace(**{**vars(distributions), **vars(diagonal)})


def _gan():
    """tf.contrib.gan, on the layers and variables of tf_slim."""
    import tf_slim
    from tf_slim.layers import layers
    from tf_slim.ops import variables

    for path, module in (
        ("layers.python.layers.layers", layers),
        ("framework.python.ops.variables", variables),
        ("slim.python.slim.learning", tf_slim.learning),
    ):
        owner, _, name = path.rpartition(".")
        package = types.ModuleType(f"tensorflow.contrib.{owner}")
        package.__path__ = []
        setattr(package, name, module)
        sys.modules[package.__name__] = package
        sys.modules[f"tensorflow.contrib.{path}"] = module
    folders = {
        "losses": ["tuple_losses_impl"],
        "features": ["conditioning_utils_impl", "random_tensor_pool_impl", "clip_weights_impl"],
        "eval": ["eval_utils_impl", "classifier_metrics_impl", "summaries_impl"],
    }
    parts = {
        folder: _names_of(*(f"gan.python.{folder}.python.{name}" for name in names))
        for folder, names in folders.items()
    }
    parts["losses"].wargs = _names_of("gan.python.losses.python.losses_impl")
    vars(sys.modules["tensorflow.contrib.gan.python.losses"]).update(vars(parts["losses"]))
    return types.SimpleNamespace(**{**vars(_names_of("gan.python.namedtuples", "gan.python.train")), **parts})


def namespaces():
    """`tf`, and what stands for tf.contrib."""
    os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    import tensorflow.compat.v1 as tf

    _mend()
    import tf_slim
    from tf_slim.nets import alexnet, inception, overfeat, resnet_utils, resnet_v1, resnet_v2, vgg

    tf_slim.nets = types.SimpleNamespace(
        alexnet=alexnet, inception=inception, overfeat=overfeat, resnet_utils=resnet_utils,
        resnet_v1=resnet_v1, resnet_v2=resnet_v2, vgg=vgg,
    )  # fmt: skip
    tf.disable_v2_behavior()
    from tf_slim.losses import metric_learning
    from tf_slim.layers import initializers, layers, normalization, optimizers, regularizers, summaries, utils

    parts = (initializers, layers, normalization, optimizers, regularizers, summaries)
    every = {name: value for part in parts for name, value in vars(part).items() if not name.startswith("__")}
    tf_slim.losses.metric_learning = metric_learning
    from tensorflow.python.ops import lookup_ops

    lookup = dict(vars(lookup_ops), HashTable=_hash_table, MutableDenseHashTable=lookup_ops.DenseHashTable)
    contrib = types.SimpleNamespace(
        layers=types.SimpleNamespace(**{**every, "utils": utils, "optimizers": optimizers}),
        slim=tf_slim,
        framework=tf_slim,
        losses=tf_slim.losses,
        metrics=tf_slim.metrics,
        training=_names_of("training.python.training.training"),
        opt=_names_of(
            *(
                f"opt.python.training.{name}"
                for name in (
                    "lazy_adam_optimizer", "nadam_optimizer", "lars_optimizer", "weight_decay_optimizers",
                    "moving_average_optimizer", "variable_clipping_optimizer", "external_optimizer",
                )
            )
        ),
        lookup=types.SimpleNamespace(**lookup),
        distributions=_distributions(),
        gan=_gan(),
    )
    return tf, contrib
