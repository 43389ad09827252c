"""TensorFlow 1's interface on Kiln, without TensorFlow.

    import kiln.compat.v1 as tf

    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.layers.dense(x, 1)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        print(session.run(y, {x: [[1, 2, 3]]}))

Names, arguments, defaults, the nodes of graphs, values and errors are those of
TensorFlow 1.15; kiln/compat/README.md says what differs.
"""

import importlib as _importlib
import sys as _sys

from kiln.compat import _missing

_missing.make_namespace(_sys.modules[__name__])

from kiln.compat.v1 import dtypes as dtypes
from kiln.compat.v1._array_ops import *
from kiln.compat.v1._check_ops import *
from kiln.compat.v1._clip_ops import *
from kiln.compat.v1._complex_ops import *
from kiln.compat.v1._constant_ops import *
from kiln.compat.v1._constant_value import get_static_value as get_static_value
from kiln.compat.v1._control_flow import *
from kiln.compat.v1._convert import (
    convert_to_tensor as convert_to_tensor,
    convert_to_tensor_or_indexed_slices as convert_to_tensor_or_indexed_slices,
    convert_to_tensor_or_sparse_tensor as convert_to_tensor_or_sparse_tensor,
    register_tensor_conversion_function as register_tensor_conversion_function,
)
from kiln.compat.v1._device_spec import *
from kiln.compat.v1._dimension import Dimension as Dimension
from kiln.compat.v1._elements import (
    Operation as Operation,
    Tensor as Tensor,
)
from kiln.compat.v1._elementwise_ops import *
from kiln.compat.v1._functional_ops import *
from kiln.compat.v1._gradients import *
from kiln.compat.v1._graph import (
    Graph as Graph,
    get_default_graph as get_default_graph,
    reset_default_graph as reset_default_graph,
)
from kiln.compat.v1._graph_functions import *
from kiln.compat.v1._initializers import *
from kiln.compat.v1._keys import GraphKeys as GraphKeys
from kiln.compat.v1._linalg_ops import *
from kiln.compat.v1._logging_ops import *
from kiln.compat.v1._io_ops import *
from kiln.compat.v1._math_ops import *
from kiln.compat.v1._modes import *
from kiln.compat.v1._old_names import *
from kiln.compat.v1._parsing_ops import *
from kiln.compat.v1._partitioned_variables import (
    create_partitioned_variables as create_partitioned_variables,
    fixed_size_partitioner as fixed_size_partitioner,
    min_max_variable_partitioner as min_max_variable_partitioner,
    variable_axis_size_partitioner as variable_axis_size_partitioner,
)
from kiln.compat.v1._quantization_ops import *
from kiln.compat.v1._random_ops import *
from kiln.compat.v1._reduction_ops import *
from kiln.compat.v1._script_ops import *
from kiln.compat.v1._selection_ops import *
from kiln.compat.v1._session import (
    InteractiveSession as InteractiveSession,
    Session as Session,
    get_default_session as get_default_session,
)
from kiln.compat.v1._shape_ops import *
from kiln.compat.v1._sparse import (
    IndexedSlices as IndexedSlices,
    SparseTensor as SparseTensor,
    SparseTensorValue as SparseTensorValue,
)
from kiln.compat.v1._sparse_ops import *
from kiln.compat.v1._sparse_shapes import *
from kiln.compat.v1._state_ops import *
from kiln.compat.v1._string_ops import *
from kiln.compat.v1._template import *
from kiln.compat.v1._tensor_array import *
from kiln.compat.v1._variable_scope import *
from kiln.compat.v1._variables import *
from kiln.compat.v1.dtypes import *
from kiln.compat.v1.shapes import TensorShape as TensorShape
from kiln.compat.v1.version import *
from kiln.compat.v1.version import GIT_VERSION as __git_version__, VERSION as __version__

from kiln.compat.v1 import (
    _unread_variables,
    bitwise as bitwise,
    debugging as debugging,
    linalg as linalg,
    manip as manip,
    math as math,
    quantization as quantization,
    random as random,
    sets as sets,
    sparse as sparse,
    strings as strings,
)

# Imported when they are asked for: what most programs do without.
_MODULES = {
    "app",
    "compat",
    "config",
    "contrib",
    "data",
    "distributions",
    "errors",
    "estimator",
    "examples",
    "feature_column",
    "flags",
    "gfile",
    "graph_util",
    "image",
    "initializers",
    "io",
    "keras",
    "layers",
    "logging",
    "lookup",
    "losses",
    "metrics",
    "nest",
    "nn",
    "python_io",
    "queue",
    "raw_ops",
    "resource_loader",
    "saved_model",
    "signal",
    "spectral",
    "summary",
    "sysconfig",
    "test",
    "train",
}
# Names that stand in a module which is imported then.
_NAMES = {
    "import_graph_def": "_graph_defs",
    "make_tensor_proto": "_tensor_proto",
    "make_ndarray": "_tensor_proto",
    "extract_image_patches": "image",
    "random_crop": "image",
    "required_space_to_batch_paddings": "nn._convolutions",
    "ConditionalAccumulator": "_accumulators",
    "ConditionalAccumulatorBase": "_accumulators",
    "SparseConditionalAccumulator": "_accumulators",
    "FIFOQueue": "_queues",
    "PaddingFIFOQueue": "_queues",
    "PriorityQueue": "_queues",
    "QueueBase": "_queues",
    "RandomShuffleQueue": "_queues",
    "FixedLengthRecordReader": "_readers",
    "IdentityReader": "_readers",
    "ReaderBase": "_readers",
    "TFRecordReader": "_readers",
    "TextLineReader": "_readers",
    "WholeFileReader": "_readers",
    "audio_summary": "summary._old_names",
    "histogram_summary": "summary._old_names",
    "image_summary": "summary._old_names",
    "merge_all_summaries": "summary._old_names",
    "merge_summary": "summary._old_names",
    "scalar_summary": "summary._old_names",
    "CXX11_ABI_FLAG": "sysconfig",
    "MONOLITHIC_BUILD": "sysconfig",
    "load_file_system_library": "_load_library",
    "load_library": "_load_library",
    "load_op_library": "_load_library",
    "OpError": "errors",
    "IndexedSlicesSpec": "_type_specs",
    "SparseTensorSpec": "_type_specs",
    "TensorSpec": "_type_specs",
    "TypeSpec": "_type_specs",
    "initialize_all_tables": "lookup._collection",
    "tables_initializer": "lookup._collection",
    "get_logger": "logging",
    "function": "_functions",
    "fft": "signal",
    "fft2d": "signal",
    "fft3d": "signal",
    "ifft": "signal",
    "ifft2d": "signal",
    "ifft3d": "signal",
    "GradientTape": "_gradient_tape",
}
_MESSAGES = {
    "AttrValue", "ConfigProto", "Event", "GPUOptions", "GraphDef", "GraphOptions", "HistogramProto", "LogMessage",
    "MetaGraphDef", "NameAttrList", "NodeDef", "OptimizerOptions", "RunMetadata", "RunOptions", "SessionLog",
    "Summary", "SummaryMetadata", "TensorInfo",
}  # fmt: skip


def __getattr__(name):
    if name in _MODULES:
        try:
            return _importlib.import_module(f"kiln.compat.v1.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"kiln.compat.v1.{name}":
                raise
    elif name in _NAMES:
        value = getattr(_importlib.import_module(f"kiln.compat.v1.{_NAMES[name]}"), name)
        globals()[name] = value
        return value
    elif name in _MESSAGES:
        from kiln.compat.v1 import _messages

        globals()[name] = value = getattr(_messages, name)
        return value
    elif name in ("core", "python"):  # TensorFlow's private modules
        from kiln.compat import _modules

        globals()[name] = value = _modules.private_module(name)
        return value
    raise _missing.missing_name(__name__, name)


def __dir__():
    return sorted({*globals(), *_MODULES, *_NAMES, *_MESSAGES})
