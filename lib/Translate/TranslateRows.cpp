// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the rows that an op computes one by one, by how it says that it
// accesses its operands.
#include "lib/Translate/Translator.h"

#include <algorithm>
#include <limits>

using namespace mlir;

namespace kiln::eval {
namespace {

/// How an operand depends on the rows of an op's result.
struct OperandRows {
  int sliced = 0; ///< up to this prefix, on the same row
  int whole = 0;  ///< up to this prefix, on none
};

OperandRows rowsOf(ir::TensorOp op, OpOperand &operand,
                   ArrayRef<ir::Extent> loops) {
  ir::Access access = op.getAccess(operand);
  ir::Extents extents = ir::extentsOf(operand.get());
  OperandRows rows{0, std::numeric_limits<int>::max()};
  for (const ir::DimAccess &dim : access)
    if (dim.loop >= 0)
      rows.whole = std::min(rows.whole, dim.loop);
  for (auto [i, dim] : llvm::enumerate(access)) {
    bool isOwnRow = dim.kind != ir::DimAccess::Kind::None &&
                    dim.kind != ir::DimAccess::Kind::Picked &&
                    dim.loop == static_cast<int>(i) && dim.offset == 0 &&
                    dim.stride == 1 && dim.indices < 0 && i < loops.size() &&
                    extents[i] == loops[i];
    if (!isOwnRow)
      break;
    ++rows.sliced;
  }
  // No later dimension may walk the rows once more.
  for (size_t i = static_cast<size_t>(rows.sliced); i < access.size(); ++i)
    if (access[i].loop >= 0)
      rows.sliced = std::min(rows.sliced, access[i].loop);
  return rows;
}

/// How many leading dimensions of the op's result are rows that it computes one
/// by one; 0 where it does not work so.
int rowPrefix(Operation *op) {
  auto tensorOp = dyn_cast<ir::TensorOp>(op);
  if (!tensorOp || op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      tensorOp.getPlacement() != ir::Placement::Nest ||
      tensorOp.getCostKind() == ir::CostKind::Draw || !isMemoryEffectFree(op))
    return 0;
  auto isString = [](Value value) {
    return ir::dtypeOf(value.getType()) == DType::String;
  };
  if (isString(op->getResult(0)) || llvm::any_of(op->getOperands(), isString))
    return 0;
  ir::Extents loops = tensorOp.getLoops();
  int prefix = static_cast<int>(ir::rankOf(op->getResult(0)));
  for (OpOperand &operand : op->getOpOperands()) {
    OperandRows rows = rowsOf(tensorOp, operand, loops);
    prefix = std::min(prefix, std::max(rows.sliced, rows.whole));
  }
  for (int i = 0; i < prefix; ++i)
    if (tensorOp.usesIndexOf(i))
      return i;
  return prefix;
}

} // namespace

void addRows(Operation *op, Op &record) {
  record.rows = static_cast<uint8_t>(rowPrefix(op));
  if (record.rows == 0)
    return;
  auto tensorOp = cast<ir::TensorOp>(op);
  record.mayFail = tensorOp.mayFail();
  ir::Extents loops = tensorOp.getLoops();
  for (OpOperand &operand : op->getOpOperands())
    if (rowsOf(tensorOp, operand, loops).sliced > 0)
      record.slicedOperands |=
          static_cast<uint8_t>(1U << operand.getOperandNumber());
}

} // namespace kiln::eval
