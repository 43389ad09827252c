"""tf.contrib.learn.ExportStrategy: how an experiment exports its model."""

import collections

from kiln.compat._python.util.function_utils import fn_args
from kiln.compat.v1._util.deprecation import deprecated

__all__ = ["ExportStrategy"]


class ExportStrategy(
    collections.namedtuple("ExportStrategy", ["name", "export_fn", "strip_default_attrs"])
):
    """A name and a function of an estimator and a folder.

    Source: tf.contrib.learn.ExportStrategy.
    """

    @deprecated(
        None,
        "Please switch to tf.estimator.train_and_evaluate, and use tf.estimator.Exporter.",
        module="tensorflow.contrib.learn.python.learn.export_strategy",
    )
    def __new__(cls, name, export_fn, strip_default_attrs=None):
        return super().__new__(cls, name, export_fn, strip_default_attrs)

    def export(self, estimator, export_path, checkpoint_path=None, eval_result=None):
        """Calls the function with those arguments that it has. Errors: ValueError."""
        names, given = fn_args(self.export_fn), {}
        if "checkpoint_path" in names:
            given["checkpoint_path"] = checkpoint_path
        if "eval_result" in names:
            if "checkpoint_path" not in names:
                raise ValueError(
                    "An export_fn accepting eval_result must also accept checkpoint_path."
                )
            given["eval_result"] = eval_result
        if "strip_default_attrs" in names:
            given["strip_default_attrs"] = self.strip_default_attrs
        return self.export_fn(estimator, export_path, **given)
