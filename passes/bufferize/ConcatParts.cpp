// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products that are only concatenated are written where the whole lies: rows of
// each one, between those of the others.
#include "passes/bufferize/BufferAssignment.h"

#include "dialect/Types.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

/// The concat along the last dimension that is all of the fusion, or null.
static ConcatOp rowConcatOf(FusionOp fusion) {
  auto ops = fusion.getBody().front().without_terminator();
  if (!llvm::hasSingleElement(ops))
    return {};
  auto concat = dyn_cast<ConcatOp>(*ops.begin());
  if (!concat || static_cast<int64_t>(concat.getAxis()) != rankOf(concat) - 1 ||
      !llvm::all_of(concat.getOperands(), [](Value operand) {
        return extentsOf(operand).back().isKnown();
      }))
    return {};
  return concat;
}

/// Whether only \p user reads the value, which a product of matrices makes, and
/// what follows it element by element.
static bool isProductFor(Value value, FusionOp user) {
  auto fusion = value.getDefiningOp<FusionOp>();
  return fusion && value.hasOneUse() && fusion->getNumResults() == 1 &&
         fusion->getBlock() == user->getBlock() &&
         llvm::any_of(fusion.getBody().front(),
                      [](Operation &op) { return isContraction(&op); });
}

void BufferAssignment::placeParts() {
  function.walk([&](FusionOp fusion) {
    if (ConcatOp concat = rowConcatOf(fusion))
      placeParts(fusion, concat);
  });
}

void BufferAssignment::placeParts(FusionOp fusion, ConcatOp concat) {
  Value whole = fusion.getResult(0);
  auto isOurs = [&](Value value) {
    return !classes.contains(value) && !isLate(value);
  };
  const auto destinations = storage[whole].destinations;
  if (!isOurs(whole) || destinations.size() > 1 ||
      (!destinations.empty() && destinations.front().isVariable()))
    return;
  SmallVector<std::pair<Value, Part>> found;
  Part part = {0, extentsOf(concat.getResult()).back().value};
  int64_t first = numbers.begin(fusion);
  for (Value operand : concat.getOperands()) {
    auto argument = cast<BlockArgument>(operand);
    Value value = fusion.getIns()[argument.getArgNumber()];
    if (argument.hasOneUse() && isProductFor(value, fusion) && isOurs(value) &&
        storage[value].destinations.empty()) {
      found.push_back({value, part});
      first = std::min(first, numbers.begin(value.getDefiningOp()));
    }
    part.offset += extentsOf(operand).back().value;
  }
  if (found.empty())
    return;
  const auto home =
      destinations.empty()
          ? addTemporary(whole, first, lifetimeOf(whole).last() / 2,
                         /*inLoop=*/false)
          : destinations.front();
  storage[whole].home = home;
  for (auto [value, part] : found) {
    storage[value].home = home;
    parts[value] = part;
  }
}

} // namespace kiln::passes
