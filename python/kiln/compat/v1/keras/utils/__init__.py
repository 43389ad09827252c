"""tf.keras.utils: data, files, objects by name."""

from kiln.compat.v1.keras._objects import (
    CustomObjectScope as CustomObjectScope,
    custom_object_scope as custom_object_scope,
    deserialize_keras_object as deserialize_keras_object,
    get_custom_objects as get_custom_objects,
    serialize_keras_object as serialize_keras_object,
)
from kiln.compat.v1.keras.utils._enqueuers import (
    GeneratorEnqueuer as GeneratorEnqueuer,
    OrderedEnqueuer as OrderedEnqueuer,
    SequenceEnqueuer as SequenceEnqueuer,
)
from kiln.compat.v1.keras.utils._files import get_file as get_file
from kiln.compat.v1.keras.utils._layers import (
    convert_all_kernels_in_model as convert_all_kernels_in_model,
    get_source_inputs as get_source_inputs,
    multi_gpu_model as multi_gpu_model,
)
from kiln.compat.v1.keras.utils._matrix import HDF5Matrix as HDF5Matrix
from kiln.compat.v1.keras.utils._plots import (
    model_to_dot as model_to_dot,
    plot_model as plot_model,
)
from kiln.compat.v1.keras.utils._progress import Progbar as Progbar
from kiln.compat.v1.keras.utils._sequence import (
    Sequence as Sequence,
    normalize as normalize,
    to_categorical as to_categorical,
)
