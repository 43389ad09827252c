"""tf.keras.utils: data, files, objects by name."""

from kiln.compat.v1.keras._objects import (
    CustomObjectScope as CustomObjectScope,
    custom_object_scope as custom_object_scope,
    deserialize_keras_object as deserialize_keras_object,
    get_custom_objects as get_custom_objects,
    serialize_keras_object as serialize_keras_object,
)
from kiln.compat.v1.keras.utils._files import get_file as get_file
from kiln.compat.v1.keras.utils._progress import Progbar as Progbar
from kiln.compat.v1.keras.utils._sequence import (
    Sequence as Sequence,
    normalize as normalize,
    to_categorical as to_categorical,
)
