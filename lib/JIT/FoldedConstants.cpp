// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes constants op by op and appends them to the table.
#include "lib/JIT/FoldedConstants.h"

#include "dialect/Kiln.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>

using namespace mlir;

namespace kiln {

/// What one folding may take.
static constexpr int64_t maxFoldedBytes = int64_t(4) << 30;

std::optional<FoldedValue> FoldedConstants::valueOf(Value value) const {
  if (auto constant = value.getDefiningOp<ir::ConstantOp>())
    return foldedConstant(constant.getValue());
  if (auto constant = value.getDefiningOp<ir::ConstantRefOp>()) {
    if (constant.getIndex() >= table->size())
      return std::nullopt;
    return FoldedValue{(*table)[constant.getIndex()]};
  }
  auto made = values.find(value);
  return made == values.end() ? std::nullopt : std::optional(made->second);
}

LogicalResult FoldedConstants::compute(Operation *op) {
  if (!table)
    return failure();
  SmallVector<FoldedValue> operands;
  for (Value operand : op->getOperands()) {
    std::optional<FoldedValue> value = valueOf(operand);
    if (!value)
      return failure();
    operands.push_back(*std::move(value));
  }
  std::optional<FoldedValue> result = foldTensors(op, operands, maxFoldedBytes);
  if (!result)
    return failure();
  values[op->getResult(0)] = *std::move(result);
  return success();
}

FailureOr<int64_t> FoldedConstants::append(Value value) {
  auto made = values.find(value);
  if (!table || made == values.end() || made->second.isSplat)
    return failure();
  Tensor tensor = made->second.tensor;
  if (!tensor.isAligned()) {
    StatusOr<Tensor> copy = tensor.clone();
    if (!copy.ok())
      return failure();
    tensor = *std::move(copy);
  }
  table->push_back(std::move(tensor));
  return static_cast<int64_t>(table->size()) - 1;
}

FailureOr<int64_t> FoldedConstants::appendPanels(int64_t index, int64_t depth,
                                                 int64_t columns, int64_t width,
                                                 bool transposed) {
  if (!table || index < 0 || static_cast<size_t>(index) >= table->size())
    return failure();
  const Tensor &weights = (*table)[static_cast<size_t>(index)];
  if (weights.numElements() != depth * columns)
    return failure();
  const int64_t panels = llvm::divideCeil(columns, width);
  StatusOr<Tensor> made =
      Tensor::zeros(weights.dtype(), Shape{panels, depth, width});
  if (!made.ok())
    return failure();
  const auto *from = static_cast<const char *>(weights.rawData());
  auto *to = static_cast<char *>(made->mutableRawData());
  const auto bytes =
      static_cast<int64_t>(weights.byteSize()) / weights.numElements();
  for (int64_t panel = 0; panel < panels; ++panel) {
    const int64_t first = panel * width,
                  count = std::min(width, columns - first);
    for (int64_t row = 0; row < depth; ++row) {
      if (!transposed)
        std::memcpy(to, from + (row * columns + first) * bytes,
                    static_cast<size_t>(count * bytes));
      else
        for (int64_t i = 0; i < count; ++i)
          std::memcpy(to + i * bytes,
                      from + ((first + i) * depth + row) * bytes,
                      static_cast<size_t>(bytes));
      to += width * bytes;
    }
  }
  table->push_back(*std::move(made));
  return static_cast<int64_t>(table->size()) - 1;
}

void FoldedConstants::release(int64_t index) {
  if (table && index >= 0 && static_cast<size_t>(index) < table->size())
    (*table)[static_cast<size_t>(index)] = Tensor::scalar<float>(0);
}

} // namespace kiln
