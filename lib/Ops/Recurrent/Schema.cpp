// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Recurrent: steps of recurrent networks, and their gradients.
#include "lib/Ops/Families.h"
#include "lib/Ops/Recurrent/Shape.h"

namespace kiln {
namespace {

using namespace shapes;

#define KILN_LSTM_STATE                                                        \
  "cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T"
#define KILN_LSTM_OUTPUTS "i: T, cs: T, f: T, o: T, ci: T, co: T, h: T"
#define KILN_BLOCK_LSTM_GRAD(version)                                          \
  {"BlockLSTMGrad" version,                                                    \
   "seq_len_max: int64, x: T, " KILN_LSTM_STATE ", " KILN_LSTM_OUTPUTS         \
   ", cs_grad: T, h_grad: T",                                                  \
   "x_grad: T, cs_prev_grad: T, h_prev_grad: T, w_grad: T, wci_grad: T, "      \
   "wcf_grad: T, wco_grad: T, b_grad: T",                                      \
   "use_peephole: bool; T: {float16, float32}",                                \
   "The gradients of BlockLSTM" version "'s inputs.",                          \
   inferBlockLstmGrad}

constexpr OpRecord records[] = {
    {"LSTMBlockCell", "x: T, " KILN_LSTM_STATE, KILN_LSTM_OUTPUTS,
     "forget_bias: float = 1.0; cell_clip: float = 3.0; use_peephole: bool = "
     "false; T: {float16, float32}",
     "A step of a long short-term memory: gates, memories and output.",
     inferLstmCell},
    {"LSTMBlockCellGrad",
     "x: T, " KILN_LSTM_STATE ", i: T, cs: T, f: T, o: T, ci: T, co: T, "
     "cs_grad: T, h_grad: T",
     "cs_prev_grad: T, dicfo: T, wci_grad: T, wcf_grad: T, wco_grad: T",
     "use_peephole: bool; T: {float16, float32}",
     "The gradients of a step's memory, gates and peepholes.",
     inferLstmCellGrad},
    {"BlockLSTM", "seq_len_max: int64, x: T, " KILN_LSTM_STATE,
     KILN_LSTM_OUTPUTS,
     "forget_bias: float = 1.0; cell_clip: float = 3.0; use_peephole: bool = "
     "false; T: {float16, float32}",
     "A long short-term memory over the first seq_len_max steps of sequences; "
     "zeros behind them.",
     inferBlockLstm},
    {"BlockLSTMV2", "seq_len_max: int64, x: T, " KILN_LSTM_STATE,
     KILN_LSTM_OUTPUTS,
     "cell_clip: float = 0.0; use_peephole: bool = false; T: {float16, "
     "float32}",
     "BlockLSTM with the gates in the order i, f, c, o.", inferBlockLstm},
    KILN_BLOCK_LSTM_GRAD(""),
    KILN_BLOCK_LSTM_GRAD("V2"),
    {"GRUBlockCell", "x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: T",
     "r: T, u: T, c: T, h: T", "T: {float32}",
     "A step of gated units: reset and update gates, candidate and output.",
     inferGruCell},
    {"GRUBlockCellGrad",
     "x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: T, r: T, u: T, c: T, "
     "d_h: T",
     "d_x: T, d_h_prev: T, d_c_bar: T, d_r_bar_u_bar: T", "T: {float32}",
     "The gradients of a step's inputs and of what its functions take.",
     inferGruCellGrad},
};

} // namespace

OpFamily recurrentFamily() {
  return {"Recurrent", "steps of recurrent networks", records};
}

} // namespace kiln
