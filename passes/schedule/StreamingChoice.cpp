// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates how large results are in the runs that code is made for.
#include "passes/schedule/StreamingChoice.h"

#include "dialect/Cost.h"
#include "passes/Passes.h"
#include "passes/schedule/KernelFusions.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

/// Vector operations of a body of which there may be two copies: beside more,
/// stores cost little, and a copy costs compile time.
static constexpr int64_t maxCopiedOps = 16;

bool isSameBuffer(Value a, Value b) {
  auto left = a.getDefiningOp<BufferOp>(), right = b.getDefiningOp<BufferOp>();
  return a == b || (left && right && left.getKind() == right.getKind() &&
                    left.getIndex() == right.getIndex());
}

/// Whether each element of the results is stored once and not read again, in
/// vectors.
static bool storesOnce(FusionOp fusion) {
  for (Value out : fusion.getOuts())
    for (Value in : fusion.getIns())
      if (isSameBuffer(in, out))
        return false;
  if (!isKernelFusion(fusion))
    return true;
  auto ops = fusion.getBody().front().without_terminator();
  return fusion.getOuts().size() == 1 &&
         (ops.empty() ||
          isa<ConcatOp, PadOp, SliceOp, TransposeOp>(*ops.begin()));
}

/// Code that is made for a run also suits those that are so much larger.
static constexpr double maxGrowth = 8;

/// How large the results of a fusion are.
namespace {
struct ResultBytes {
  bool isKnown = true;
  double bytes = 0; ///< a guess where only the run knows
};
} // namespace

static ResultBytes bytesOf(ValueRange results, ModuleOp module) {
  auto sizes = module->getAttrOfType<DenseI64ArrayAttr>(sizesName);
  auto sizeOf = [&](int64_t symbol) -> double {
    return sizes && symbol < sizes.size() ? static_cast<double>(sizes[symbol])
                                          : 0;
  };
  ResultBytes total;
  for (Value result : results) {
    auto type = cast<RankedTensorType>(result.getType());
    auto bytes = static_cast<double>(storageBytes(type.getElementType()));
    for (const Extent &extent : extentsOf(type)) {
      total.isKnown &= extent.isKnown();
      bytes *= extent.isKnown() ? static_cast<double>(extent.value)
                                : sizeOf(extent.symbol);
    }
    total.bytes += bytes;
  }
  return total;
}

/// Whether the body is worth a second copy.
static bool isSmall(FusionOp fusion) {
  int64_t count = 0;
  for (Operation &op : fusion.getBody().front().without_terminator())
    count += stepCost(&op).vectorOps;
  return count <= maxCopiedOps;
}

StreamingChoice chooseStreaming(FusionOp fusion, int64_t minBytes) {
  ValueRange results =
      cast<YieldOp>(fusion.getBody().front().getTerminator()).getValues();
  auto [isKnown, guess] = bytesOf(results, fusion->getParentOfType<ModuleOp>());
  const auto least = static_cast<double>(minBytes);
  bool isPossible =
      isKnown ? guess >= least : guess * maxGrowth >= least && isSmall(fusion);
  if (!isPossible || !storesOnce(fusion))
    return {};
  using When = StreamingChoice::When;
  StreamingChoice choice = {
      isKnown ? When::Always : When::InLargeRuns, minBytes, {}};
  for (Value result : results)
    if (Extents extents = extentsOf(result);
        extents.size() > 1 && !extents.back().isKnown())
      choice.multiples.push_back(extents.back().symbol);
  return choice;
}

} // namespace kiln::passes
