"""tf.contrib.framework.nest: structures, with more than tf.nest has."""

from kiln.compat.v1._util.nest import *  # noqa: F403
from kiln.compat.v1._util.nest import (  # noqa: F401
    __all__,
    _is_attrs,
    _is_mapping,
    _is_namedtuple,
    _sequence_like,
    _yield_flat_up_to,
    _yield_flattened_up_to,
    _yield_sorted_items,
    _yield_value,
)
