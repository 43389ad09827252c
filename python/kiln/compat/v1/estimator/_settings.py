"""What an estimator is made with: its options, and what its variables begin with."""

import collections
import os
import tempfile

from kiln.compat import v1 as tf
from kiln.compat.v1.estimator._config import RunConfig, default_session_config, path_text


def completed(config, model_dir):
    """A RunConfig with a folder and options of sessions."""
    if config is None:
        config = RunConfig()
        tf.logging.info("Using default config.")
    if not isinstance(config, RunConfig):
        raise ValueError(f"config must be an instance of `RunConfig`, but provided {config}.")
    if config.session_config is None:
        config = config.replace(session_config=default_session_config())
    model_dir = path_text(model_dir)
    if model_dir is not None and config.model_dir is not None and config.model_dir != model_dir:
        raise ValueError(
            "`model_dir` are set both in constructor and `RunConfig`, but with different values. "
            f"In constructor: '{model_dir}', in `RunConfig`: '{config.model_dir}' "
        )
    if model_dir:
        return config.replace(model_dir=model_dir)
    if config.model_dir is None:
        model_dir = tempfile.mkdtemp()
        tf.logging.warn("Using temporary folder as model directory: %s", model_dir)
        return config.replace(model_dir=model_dir)
    return config


class WarmStartSettings(
    collections.namedtuple(
        "WarmStartSettings",
        [
            "ckpt_to_initialize_from", "vars_to_warm_start", "var_name_to_vocab_info",
            "var_name_to_prev_var_name",
        ],
    )
):  # fmt: skip
    """Which variables get their first values from a checkpoint; as of tf.train.warm_start().

    Errors: ValueError. Source: tf.estimator.WarmStartSettings.
    """

    def __new__(
        cls,
        ckpt_to_initialize_from,
        vars_to_warm_start=".*",
        var_name_to_vocab_info=None,
        var_name_to_prev_var_name=None,
    ):
        if not ckpt_to_initialize_from:
            raise ValueError("`ckpt_to_initialize_from` MUST be set in WarmStartSettings")
        return super().__new__(
            cls,
            ckpt_to_initialize_from,
            vars_to_warm_start,
            var_name_to_vocab_info or {},
            var_name_to_prev_var_name or {},
        )


def warm_start_settings(given):
    """WarmStartSettings of these, or of the path of a checkpoint or of a SavedModel."""
    if given is None or isinstance(given, WarmStartSettings):
        return given
    if isinstance(given, (str, bytes)):
        given = tf.compat.as_str(given)
        inside = os.path.join(given, "saved_model.pb")
        if tf.gfile.Exists(inside) or tf.gfile.Exists(inside + "txt"):
            tf.logging.info("Warm-starting from a SavedModel")
            given = os.path.join(given, "variables", "variables")
        return WarmStartSettings(ckpt_to_initialize_from=given)
    raise ValueError(
        f"warm_start_from must be a string or a WarmStartSettings, instead got {type(given)}"
    )
