"""tf.contrib.rnn: more cells of recurrent networks, and what runs them.

| looking for | it is in |
| --- | --- |
| tf.nn.rnn_cell, tf.nn.static_rnn and their like, which have these names too | `nn/rnn_cell`, `nn/_rnn.py` |
| products with a kernel of a cell's own | `_linear.py` |
| cells around other cells | `_wrappers.py` |
| memories, gated units, convolutional memories | `_lstm_cells.py`, `_gated_cells.py`, `_independent_cells.py`, `_convolutional_cells.py` |
| cells that are one op in TensorFlow, cells that take whole sequences | `_block_cells.py`, `_fused.py` |
| layers of networks in both directions | `_stacked.py` |

TensorFlow 1.15's GridLSTMCell, BidirectionalGridLSTMCell and CompiledWrapper are not there.
"""

from kiln.compat.v1.contrib.rnn._block_cells import GRUBlockCell, GRUBlockCellV2, LSTMBlockCell
from kiln.compat.v1.contrib.rnn._convolutional_cells import (
    Conv1DLSTMCell,
    Conv2DLSTMCell,
    Conv3DLSTMCell,
    ConvLSTMCell,
)
from kiln.compat.v1.contrib.rnn._fused import (
    FusedRNNCell,
    FusedRNNCellAdaptor,
    LSTMBlockFusedCell,
    LSTMBlockWrapper,
    TimeReversedFusedRNN,
)
from kiln.compat.v1.contrib.rnn._gated_cells import IntersectionRNNCell, NASCell, SRUCell, UGRNNCell
from kiln.compat.v1.contrib.rnn._independent_cells import IndRNNCell, IndyGRUCell, IndyLSTMCell
from kiln.compat.v1.contrib.rnn._lstm_cells import (
    CoupledInputForgetGateLSTMCell,
    GLSTMCell,
    LayerNormBasicLSTMCell,
    PhasedLSTMCell,
    TimeFreqLSTMCell,
)
from kiln.compat.v1.contrib.rnn._stacked import stack_bidirectional_dynamic_rnn, stack_bidirectional_rnn
from kiln.compat.v1.contrib.rnn._wrappers import (
    AttentionCellWrapper,
    EmbeddingWrapper,
    HighwayWrapper,
    InputProjectionWrapper,
    OutputProjectionWrapper,
)
from kiln.compat.v1.nn._rnn import static_bidirectional_rnn, static_rnn, static_state_saving_rnn
from kiln.compat.v1.nn._rnn_shapes import best_effort_input_batch_size, transpose_batch_time
from kiln.compat.v1.nn.rnn_cell import (
    BasicLSTMCell,
    BasicRNNCell,
    DeviceWrapper,
    DropoutWrapper,
    GRUCell,
    LSTMCell,
    LSTMStateTuple,
    MultiRNNCell,
    ResidualWrapper,
    RNNCell,
)
from kiln.compat.v1.nn.rnn_cell._base import LayerRNNCell

__all__ = [
    "AttentionCellWrapper",
    "BasicLSTMCell",
    "BasicRNNCell",
    "Conv1DLSTMCell",
    "Conv2DLSTMCell",
    "Conv3DLSTMCell",
    "ConvLSTMCell",
    "CoupledInputForgetGateLSTMCell",
    "DeviceWrapper",
    "DropoutWrapper",
    "EmbeddingWrapper",
    "FusedRNNCell",
    "FusedRNNCellAdaptor",
    "GLSTMCell",
    "GRUBlockCell",
    "GRUBlockCellV2",
    "GRUCell",
    "HighwayWrapper",
    "IndRNNCell",
    "IndyGRUCell",
    "IndyLSTMCell",
    "InputProjectionWrapper",
    "IntersectionRNNCell",
    "LSTMBlockCell",
    "LSTMBlockFusedCell",
    "LSTMBlockWrapper",
    "LSTMCell",
    "LSTMStateTuple",
    "LayerNormBasicLSTMCell",
    "LayerRNNCell",
    "MultiRNNCell",
    "NASCell",
    "OutputProjectionWrapper",
    "PhasedLSTMCell",
    "RNNCell",
    "ResidualWrapper",
    "SRUCell",
    "TimeFreqLSTMCell",
    "TimeReversedFusedRNN",
    "UGRNNCell",
    "best_effort_input_batch_size",
    "stack_bidirectional_dynamic_rnn",
    "stack_bidirectional_rnn",
    "static_bidirectional_rnn",
    "static_rnn",
    "static_state_saving_rnn",
    "transpose_batch_time",
]
