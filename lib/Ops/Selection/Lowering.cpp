// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers selections to kernels that find out how many elements they give.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;

Status lowerWhere(Context &ctx) {
  if (ctx.inputDType(0) == DType::Float16)
    return ctx.unimplemented(
        "No WhereOp available for float16/half type on CPU; dying in CPU "
        "WhereOp to avoid silently creating costly copies from device.");
  ctx.callKernel("Where", ctx.input(0));
  return okStatus();
}

Status lowerUnique(Context &ctx) {
  ctx.callKernel("Unique", ctx.input(0), {0});
  return okStatus();
}

Status lowerUniqueV2(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> axes, ctx.ints(1));
  int64_t axis = axes.empty() ? 0 : axes[0];
  ctx.callKernel("Unique", ctx.input(0),
                 {axis < 0 ? axis + ctx.inputRank(0) : axis});
  return okStatus();
}

template <const char *kernel> Status lowerKernel(Context &ctx) {
  ctx.callKernel(kernel, ctx.allInputs());
  return okStatus();
}

constexpr char sparseSlice[] = "SparseSlice";
constexpr char listDiff[] = "ListDiff";
constexpr char dynamicPartition[] = "DynamicPartition";
constexpr char dynamicStitch[] = "DynamicStitch";

template <bool isUpper> Status lowerSearch(Context &ctx) {
  ctx.callKernel("SearchSorted", ctx.allInputs(), int64_t(isUpper));
  return okStatus();
}

Status lowerNearest(Context &ctx) {
  ctx.callKernel("NearestNeighbors", {ctx.input(0), ctx.input(1)});
  return okStatus();
}

Status lowerUnravel(Context &ctx) {
  ctx.callKernel("UnravelIndex", ctx.allInputs());
  return okStatus();
}

} // namespace

void registerSelectionLowerings(LoweringRegistry &registry) {
  registry.add({{"LowerBound", lowerSearch<false>},
                {"UpperBound", lowerSearch<true>},
                {"NearestNeighbors", lowerNearest},
                {"UnravelIndex", lowerUnravel}});
  registry.addMoves({{"Where", lowerWhere},
                     {"Unique", lowerUnique},
                     {"UniqueV2", lowerUniqueV2},
                     {"UniqueWithCounts", lowerUnique},
                     {"UniqueWithCountsV2", lowerUniqueV2},
                     {"SparseSlice", lowerKernel<sparseSlice>},
                     {"ListDiff", lowerKernel<listDiff>},
                     {"DynamicPartition", lowerKernel<dynamicPartition>},
                     {"DynamicStitch", lowerKernel<dynamicStitch>}});
}

} // namespace kiln
