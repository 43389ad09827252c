// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A step of a long short-term memory, and its gradient.
#ifndef KILN_LIB_OPS_RECURRENT_LOWERINGLSTM_H
#define KILN_LIB_OPS_RECURRENT_LOWERINGLSTM_H

#include "lib/Import/LoweringRegistry.h"

#include <array>

namespace kiln {

/// What a step gives, in the order of the ops' outputs: [batch, cell] each.
struct LstmStep {
  Value i, cs, f, o, ci, co, h;
};

/// What flows back through a step: the gates' gradients in the order of the
/// op, [batch, 4, cell] put together, and that of the memory before it.
struct LstmGradients {
  Value gates, csPrev;
};

/// The arithmetic of one op. Its weights are inputs: w, the peepholes, b from
/// input `weights` on. **Ownership**: borrows the context.
class Lstm {
public:
  Lstm(LoweringContext &ctx, int weights, Dim batch, Dim cell,
       bool isSecondVersion);

  LstmStep step(Value x, Value csPrev, Value hPrev);
  /// csGrad and hGrad are the gradients of the step's memory and output.
  LstmGradients back(const LstmStep &step, Value csPrev, Value csGrad,
                     Value hGrad);
  /// The gradients of the peepholes, by those of the gates: all rows' sums.
  /// Zeros without peepholes.
  std::array<Value, 3> peepholes(Value gates, Dim rows, Value csPrev, Value cs);

  RankedTensorType stateType(Dim rows);
  RankedTensorType gatesType(Dim rows);
  /// Gates as columns: [rows, 4 * cell].
  Value columns(Value gates, Dim rows);
  /// Input i, a state of each sequence.
  Value state(int i);
  Value weight(int i) { return ctx.input(weights + i); }

private:
  IrBuilder &ir() { return ctx.ir(); }
  mlir::Type element() { return IrBuilder::elementOf(weight(0)); }
  /// One of [rows, 4, cell].
  Value gate(Value gates, int64_t place, Dim rows);
  /// Peephole i in each row.
  Value peephole(int i, Value like) {
    return ir().broadcast(weight(1 + i), IrBuilder::typeOf(like), {1});
  }

  LoweringContext &ctx;
  int weights;
  Dim batch, cell;
  bool usesPeepholes;
  int64_t forgetPlace, inputPlace; ///< of f and ci among the gates
};

Status lowerLstmCell(LoweringContext &ctx);
Status lowerLstmCellGrad(LoweringContext &ctx);
Status lowerBlockLstm(LoweringContext &ctx);
Status lowerBlockLstmGrad(LoweringContext &ctx);

} // namespace kiln

#endif // KILN_LIB_OPS_RECURRENT_LOWERINGLSTM_H
