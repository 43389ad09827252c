"""tf.nn.rnn_cell: the cells of recurrent networks, each of which computes one step.

| looking for | it is in |
| --- | --- |
| what a cell is, for cells of a program's own | `_base.py` |
| the cells; what they compute stands in C++ (`include/kiln/RnnCells.h`) | `_cells.py` |
| cells around other cells | `_wrappers.py` |
"""

from kiln.compat.v1.nn.rnn_cell._base import RNNCell
from kiln.compat.v1.nn.rnn_cell._cells import BasicLSTMCell, BasicRNNCell, GRUCell, LSTMCell, LSTMStateTuple
from kiln.compat.v1.nn.rnn_cell._wrappers import DeviceWrapper, DropoutWrapper, MultiRNNCell, ResidualWrapper

__all__ = [
    "BasicLSTMCell",
    "BasicRNNCell",
    "DeviceWrapper",
    "DropoutWrapper",
    "GRUCell",
    "LSTMCell",
    "LSTMStateTuple",
    "MultiRNNCell",
    "RNNCell",
    "ResidualWrapper",
]
