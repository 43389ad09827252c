"""tf.keras.backend: the functions that layers are written with."""

from kiln.compat import v1 as _tf
from kiln.compat.v1.keras.backend._arrays import *
from kiln.compat.v1.keras.backend._config import *
from kiln.compat.v1.keras.backend._functions import *
from kiln.compat.v1.keras.backend._math import *
from kiln.compat.v1.keras.backend._nn import *
from kiln.compat.v1.keras.backend._recurrent import rnn as rnn
from kiln.compat.v1.keras.backend._session import *

name_scope = _tf.name_scope
_get_session = get_session

for _name in ("contextlib", "np", "tf", "threading", "weakref"):
    globals().pop(_name, None)
