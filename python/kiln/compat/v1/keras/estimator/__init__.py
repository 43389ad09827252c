"""tf.keras.estimator: models of Keras as estimators."""

import os

from kiln.compat import v1 as tf
from kiln.compat.v1.keras.models import Sequential, load_model


def model_to_estimator(
    keras_model=None,
    keras_model_path=None,
    custom_objects=None,
    model_dir=None,
    config=None,
    checkpoint_format="saver",
):
    """A tf.estimator.Estimator of a compiled model, or of one in a file.

    Its weights, where they have values already, are those that the training begins with; they are
    kept in model_dir/keras. checkpoint_format: "saver": checkpoints name variables by their names.
    Errors: ValueError. Source: tf.keras.estimator.model_to_estimator.
    """
    from kiln.compat.v1.estimator._settings import completed
    from kiln.compat.v1.keras.estimator import _model_fn

    if not keras_model and not keras_model_path:
        raise ValueError("Either `keras_model` or `keras_model_path` needs to be provided.")
    if keras_model and keras_model_path:
        raise ValueError("Please specity either `keras_model` or `keras_model_path`, but not both.")
    if checkpoint_format not in (None, "checkpoint", "saver"):
        raise ValueError(
            'Checkpoint format must be one of "checkpoint" or "saver". '
            f"Got {checkpoint_format}"
        )
    config = completed(config, model_dir)
    if keras_model:
        tf.logging.info("Using the Keras model provided.")
    else:
        tf.logging.info("Loading models from %s", keras_model_path)
        keras_model = load_model(keras_model_path, custom_objects)
    is_graph = keras_model._is_graph_network or isinstance(keras_model, Sequential)
    if checkpoint_format != "saver" and not is_graph:
        raise ValueError(
            "Object-based checkpoints are currently not supported with subclassed models."
        )
    if not getattr(keras_model, "optimizer", None):
        raise ValueError(
            "The given keras model has not been compiled yet. Please compile the model with "
            "`model.compile()` before calling `model_to_estimator()`."
        )
    start = None
    if keras_model._is_graph_network:
        start = _first_checkpoint(keras_model, custom_objects, config)
    elif keras_model.built:
        tf.logging.warning(
            "You are creating an Estimator from a Keras model manually subclassed from `Model`, "
            "that was already called on some inputs (and thus already had weights). We are "
            "currently unable to preserve the model's state (its weights) as part of the estimator "
            "in this case. Be warned that the estimator has been created using a freshly "
            "initialized version of your model.\nNote that this doesn't affect the state of the "
            "model instance you passed as `keras_model` argument."
        )
    model_fn = _model_fn.model_fn_of(keras_model, custom_objects)
    return tf.estimator.Estimator(model_fn, config=config, warm_start_from=start)


def _first_checkpoint(model, custom_objects, config):
    """The path of a checkpoint of what the training begins with; one that is there is kept."""
    from kiln.compat.v1.keras import backend as K
    from kiln.compat.v1.keras.estimator import _model_fn

    folder = os.path.join(config.model_dir, "keras")
    path = tf.train.latest_checkpoint(folder)
    if path:
        return path
    values = model.get_weights() if _has_values(model) else None
    os.makedirs(folder, exist_ok=True)
    with tf.Graph().as_default():
        tf.set_random_seed(config.tf_random_seed)
        tf.train.create_global_step()
        clone = _model_fn.clone(model, tf.estimator.ModeKeys.TRAIN, custom_objects)
        with tf.Session(config=config.session_config) as session:
            if values:
                clone.set_weights(values)
            clone._get_compiled().train_function()
            K.get_session()  # gives the others their first values
            return tf.train.Saver().save(session, os.path.join(folder, "keras_model.ckpt"))


def _has_values(model):
    """Whether a weight of a model has a value in the session of Keras."""
    from kiln.compat.v1.keras import backend as K

    weights = model.weights
    if not weights or weights[0].graph is not tf.get_default_graph():
        return False
    session = K._session._get_session()
    return any(session.run([tf.is_variable_initialized(weight) for weight in weights]))
