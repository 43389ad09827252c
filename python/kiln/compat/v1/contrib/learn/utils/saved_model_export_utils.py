"""Strategies that export models."""

import os
import time

from kiln.compat import v1 as tf
from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.contrib.learn.export_strategy import ExportStrategy

_MODULE = "tensorflow.contrib.learn.python.learn.utils.saved_model_export_utils"
_INSTEAD = "Switch to tf.estimator.Exporter and associated utilities."


def get_timestamped_export_dir(export_dir_base):
    """A folder in another one, whose name is the time."""
    return tf.compat.as_bytes(
        os.path.join(tf.compat.as_text(export_dir_base), str(int(time.time())))
    )


@deprecated(None, "No longer supported. Switch to tf.estimator immediately.", module=_MODULE)
def garbage_collect_exports(export_dir_base, exports_to_keep):
    """Deletes the oldest exports; exports_to_keep: how many stay, None: all."""
    if exports_to_keep is None:
        return
    base = tf.compat.as_text(export_dir_base)
    exports = sorted((name for name in tf.gfile.ListDirectory(base) if name.isdigit()), key=int)
    for name in exports[: max(len(exports) - exports_to_keep, 0)]:
        tf.gfile.DeleteRecursively(os.path.join(base, name))


@deprecated(None, _INSTEAD, module=_MODULE)
def make_export_strategy(
    serving_input_fn,
    default_output_alternative_key=None,
    assets_extra=None,
    as_text=False,
    exports_to_keep=5,
    strip_default_attrs=None,
):
    """An ExportStrategy that writes SavedModels. Errors: ValueError.

    serving_input_fn: what Estimator.export_savedmodel() takes. Source:
    tf.contrib.learn.make_export_strategy.
    """

    def export_fn(estimator, export_dir_base, checkpoint_path=None, strip_default_attrs=False):
        if isinstance(estimator, tf.estimator.Estimator):
            if default_output_alternative_key is not None:
                raise ValueError(
                    "default_output_alternative_key is not supported in core Estimator. Given: "
                    f"{default_output_alternative_key}"
                )
            result = estimator.export_savedmodel(
                export_dir_base,
                serving_input_fn,
                assets_extra=assets_extra,
                as_text=as_text,
                checkpoint_path=checkpoint_path,
                strip_default_attrs=strip_default_attrs or False,
            )
        else:
            result = estimator.export_savedmodel(
                export_dir_base,
                serving_input_fn,
                default_output_alternative_key=default_output_alternative_key,
                assets_extra=assets_extra,
                as_text=as_text,
                checkpoint_path=checkpoint_path,
                strip_default_attrs=strip_default_attrs or False,
            )
        garbage_collect_exports(export_dir_base, exports_to_keep)
        return result

    return ExportStrategy("Servo", export_fn, strip_default_attrs)
