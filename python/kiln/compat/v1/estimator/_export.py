"""How an estimator exports its model: tf.saved_model's folders."""

import os
import time

from kiln.compat import v1 as tf
from kiln.compat.v1.estimator._modes import ModeKeys
from kiln.compat.v1.estimator.export._outputs import (
    SERVING,
    SupervisedOutput,
    outputs_for_serving,
)

_TAGS = {ModeKeys.PREDICT: ["serve"], ModeKeys.TRAIN: ["train"], ModeKeys.EVAL: ["eval"]}
_KEYS = {ModeKeys.TRAIN: "train", ModeKeys.EVAL: "eval"}
_METHODS = {
    "tensorflow/serving/classify": "Classify",
    "tensorflow/serving/regress": "Regress",
    "tensorflow/serving/predict": "Predict",
    "tensorflow/supervised/training": "Train",
    "tensorflow/supervised/eval": "Eval",
}


def export(
    estimator, export_dir_base, receiver_fns, assets_extra, as_text, checkpoint_path, strip_attrs
):
    """Writes a graph for each mode and the variables of a checkpoint into a new folder.

    receiver_fns: a dict from modes to functions. Gives the folder's path as bytes. The folder has
    another name until it is complete.
    """
    checkpoint_path = checkpoint_path or estimator.latest_checkpoint() or _warm_start_of(estimator)
    folder = timestamped_folder(export_dir_base)
    head, tail = os.path.split(folder)
    unfinished = os.path.join(head, b"temp-" + tail)
    builder = tf.saved_model.Builder(unfinished)
    modes = [
        mode for mode in (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT) if receiver_fns.get(mode)
    ]
    if not modes:
        raise ValueError(f"No valid modes for exporting found. Got {receiver_fns.keys()}.")
    for mode in modes:
        _add_graph(
            estimator,
            builder,
            mode,
            receiver_fns[mode],
            checkpoint_path,
            mode == modes[0],
            strip_attrs,
        )
    builder.save(as_text)
    for relative, source in (assets_extra or {}).items():
        target = os.path.join(unfinished, b"assets.extra", tf.compat.as_bytes(relative))
        tf.gfile.MakeDirs(os.path.dirname(target))
        tf.gfile.Copy(source, target)
    tf.gfile.Rename(unfinished, folder)
    return folder


def _warm_start_of(estimator):
    settings = estimator._warm_start_settings
    if not settings:
        raise ValueError(f"Couldn't find trained model at {estimator.model_dir}.")
    path = settings.ckpt_to_initialize_from
    return tf.train.latest_checkpoint(path) if tf.gfile.IsDirectory(path) else path


def timestamped_folder(base):
    """BASE/SECONDS, as bytes, which is not there yet."""
    for attempt in range(10):
        folder = os.path.join(tf.compat.as_bytes(base), b"%d" % int(time.time()))
        if not tf.gfile.Exists(folder):
            return folder
        time.sleep(1)
        tf.logging.warn(
            "Directory {} already exists; retrying (attempt {}/{})".format(
                tf.compat.as_str(folder), attempt + 1, 10
            )
        )
    raise RuntimeError("Failed to obtain a unique export directory name after 10 attempts.")


def _add_graph(estimator, builder, mode, receiver_fn, checkpoint_path, with_variables, strip_attrs):
    with tf.Graph().as_default() as graph:
        estimator._create_and_assert_global_step(graph)
        tf.set_random_seed(estimator.config.tf_random_seed)
        receiver = receiver_fn()
        spec = estimator._call_model_fn(
            receiver.features, getattr(receiver, "labels", None), mode, estimator.config
        )
        signatures = signatures_of(
            receiver.receiver_tensors,
            _outputs_of(spec),
            getattr(receiver, "receiver_tensors_alternatives", None),
            serving_only=mode == ModeKeys.PREDICT,
        )
        with tf.Session(config=estimator._session_config) as session:
            init = spec.scaffold.local_init_op
            if init is None:
                init = tf.train.Scaffold.default_local_init_op()
            saver = spec.scaffold.saver or tf.train.Saver(sharded=True)
            try:
                saver.restore(session, checkpoint_path)
            except tf.errors.NotFoundError as error:
                raise ValueError(
                    "Could not load all requested variables from checkpoint. Please make sure your "
                    "model_fn does not expect variables that were not saved in the checkpoint.\n\n"
                    f"Encountered error with mode `{mode}` while restoring checkpoint from: "
                    f"`{checkpoint_path}`. Full Traceback:\n\n{error}"
                )
            if spec.train_op is not None:
                builder._add_train_op(spec.train_op)
            given = dict(
                tags=_TAGS[mode],
                signature_def_map=signatures,
                assets_collection=tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS),
                main_op=init,
                saver=saver,
                strip_default_attrs=strip_attrs,
            )
            if with_variables:
                builder.add_meta_graph_and_variables(session, **given)
            else:
                builder.add_meta_graph(**given)


def _outputs_of(spec):
    if spec.mode == ModeKeys.PREDICT:
        return outputs_for_serving(spec.export_outputs, spec.predictions)
    training = spec.mode == ModeKeys.TRAIN
    output = SupervisedOutput(spec.loss, spec.predictions, spec.eval_metric_ops, training)
    return {_KEYS[spec.mode]: output}


def signatures_of(receiver_tensors, export_outputs, alternatives=None, serving_only=True):
    """A dict of SignatureDefs, of the outputs for which the tensors that are fed will do."""
    if not isinstance(receiver_tensors, dict):
        receiver_tensors = {"input": receiver_tensors}
    if not isinstance(export_outputs, dict):
        raise ValueError("export_outputs must be a dict.")
    fed = {"": receiver_tensors}
    for name, tensors in (alternatives or {}).items():
        tensors = tensors if isinstance(tensors, dict) else {"input": tensors}
        fed[f"{name or 'None'}:"] = tensors
    signatures, excluded = {}, {}
    for prefix, tensors in fed.items():
        for key, output in export_outputs.items():
            name = f"{prefix}{key or 'None'}"
            try:
                signatures[name] = output.as_signature_def(tensors)
            except ValueError as error:
                excluded[name] = str(error)
    _log(signatures, excluded)
    if serving_only:
        is_valid = tf.saved_model.is_valid_signature
        return {name: each for name, each in signatures.items() if is_valid(each)}
    return signatures


def _log(signatures, excluded):
    for method, shown in _METHODS.items():
        names = [name for name, each in signatures.items() if each.method_name == method]
        tf.logging.info(f"Signatures INCLUDED in export for {shown}: {names or 'None'}")
    if excluded:
        tf.logging.info(
            "Signatures EXCLUDED from export because they cannot be be served via TensorFlow "
            "Serving APIs:"
        )
        for name, message in excluded.items():
            tf.logging.info(f"'{name}' : {message}")
    if not signatures:
        tf.logging.warn("Export includes no signatures!")
    elif SERVING not in signatures:
        tf.logging.warn("Export includes no default signature!")
