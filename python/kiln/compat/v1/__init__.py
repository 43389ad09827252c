"""TensorFlow 1's interface on Kiln, without TensorFlow: import kiln.compat.v1 as tf."""

from kiln.compat.v1 import dtypes
from kiln.compat.v1._convert import convert_to_tensor, register_tensor_conversion_function
from kiln.compat.v1._dimension import Dimension
from kiln.compat.v1._elements import Operation, Tensor
from kiln.compat.v1._graph import Graph, get_default_graph, reset_default_graph
from kiln.compat.v1._keys import GraphKeys
from kiln.compat.v1._session import InteractiveSession, Session, get_default_session
from kiln.compat.v1._sparse import IndexedSlices, SparseTensor, SparseTensorValue
from kiln.compat.v1._variable_scope import *
from kiln.compat.v1._variables import *
from kiln.compat.v1.dtypes import *
from kiln.compat.v1.shapes import TensorShape
