"""tf.contrib.learn.utils: how models are exported."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.learn.utils import (
    input_fn_utils as input_fn_utils,
    saved_model_export_utils as saved_model_export_utils,
)
from kiln.compat.v1.contrib.learn.utils.saved_model_export_utils import (
    make_export_strategy as make_export_strategy,
)

__getattr__, __dir__ = _forwarding(__name__, "")
