// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions that run cells over sequences share.
#ifndef KILN_LIB_TRAIN_RNNRUN_H
#define KILN_LIB_TRAIN_RNNRUN_H

#include "kiln/Rnn.h"

namespace kiln {

/// Opens the variable scope of a network.
std::unique_ptr<VariableScope> openScope(const RnnScope &scope);
/// The same; reads of variables stand beside what the network makes of them.
std::unique_ptr<VariableScope> openCachingScope(const RnnScope &scope);

/// The dtype of the outputs: what the program says, otherwise the state's.
/// Invalid, with an error, where the state has several. **Source**:
/// _infer_state_dtype.
DType dtypeOfOutputs(DType given, const Outputs &state);

/// The lengths as a vector of int32; null, with an error, for another rank.
Output lengthsOf(const Output &lengths);

/// What a cell gives where a sequence is over.
Outputs zeroOutputs(const RnnCell &cell, const Input &batch, DType dtype);

/// Whether a cell gave other numbers of tensors than it must.
bool isBroken(const RnnCell::Step &step, size_t outputs, size_t states);

/// The tensors of a step behind one another, and back.
Outputs joined(const RnnCell::Step &step);
RnnCell::Step stepOf(const Outputs &tensors, size_t outputs);

/// What is known of the one tensors holds for the others: those that a sequence
/// has behind its end, and those of a step.
void setShapesLike(const Outputs &known, const Outputs &tensors);

} // namespace kiln

#endif // KILN_LIB_TRAIN_RNNRUN_H
