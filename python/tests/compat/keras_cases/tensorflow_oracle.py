"""TensorFlow with tf_keras and tensorflow_estimator, for the recording only."""

import sys
import types


def _mend():
    """Puts back what TensorFlow 2.21 has moved and tensorflow_estimator 2.15 looks for."""
    coordinator = types.ModuleType("tensorflow.python.distribute.estimator_training")
    coordinator.init_run_config = lambda *given: None
    coordinator.should_run_distribute_coordinator = lambda config: False
    sys.modules[coordinator.__name__] = coordinator
    from tensorflow.python import distribute

    distribute.estimator_training = coordinator
    from tensorflow.python.util import tf_export

    name = tf_export.ESTIMATOR_API_NAME = "estimator"
    for end, attributes in (("", tf_export.API_ATTRS), ("_v1", tf_export.API_ATTRS_V1)):
        attributes[name] = tf_export._Attributes(
            f"_estimator_api_names{end}", f"_estimator_api_constants{end}"
        )
    # What is for TPUs alone looks for more.
    for path in ("_api.v1", "python.estimator.api._v1"):
        name = f"tensorflow_estimator.{path}.estimator.tpu"
        sys.modules[name] = types.ModuleType(name)


def namespace():
    import tensorflow.compat.v1 as tf

    _mend()
    from tensorflow_estimator._api.v1 import estimator

    tf.disable_v2_behavior()
    tf.estimator = estimator
    return tf
