// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers selections to kernels that find out how many elements they give.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;

/// Calls the kernel on all inputs, or the first of them; it binds the sizes
/// that the node finds out, in the order in which outputs name them.
Status callKernel(Context &ctx, llvm::StringRef kernel, int numInputs,
                  llvm::ArrayRef<int64_t> numbers = {}) {
  llvm::SmallVector<Value> inputs;
  for (int i = 0; i < numInputs; ++i)
    inputs.push_back(ctx.input(i));
  llvm::SmallVector<mlir::Type> types;
  for (int i = 0; i < ctx.numOutputs(); ++i)
    types.push_back(ctx.outputType(i));
  auto call =
      ctx.ir().kernelCall(kernel, inputs, types, numbers, ctx.foundOut());
  for (int i = 0; i < ctx.numOutputs(); ++i)
    ctx.setOutput(i, call.getResult(static_cast<unsigned>(i)));
  return okStatus();
}

Status lowerWhere(Context &ctx) {
  if (ctx.inputDType(0) == DType::Float16)
    return ctx.unimplemented(
        "No WhereOp available for float16/half type on CPU; dying in CPU "
        "WhereOp to avoid silently creating costly copies from device.");
  return callKernel(ctx, "Where", 1);
}

Status lowerUnique(Context &ctx) { return callKernel(ctx, "Unique", 1, {0}); }

Status lowerUniqueV2(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> axes, ctx.ints(1));
  int64_t axis = axes.empty() ? 0 : axes[0];
  return callKernel(ctx, "Unique", 1,
                    {axis < 0 ? axis + ctx.inputRank(0) : axis});
}

template <const char *kernel> Status lowerKernel(Context &ctx) {
  return callKernel(ctx, kernel, ctx.numInputs());
}

constexpr char listDiff[] = "ListDiff";
constexpr char dynamicPartition[] = "DynamicPartition";
constexpr char dynamicStitch[] = "DynamicStitch";

} // namespace

void registerSelectionLowerings(LoweringRegistry &registry) {
  registry.addMoves({{"Where", lowerWhere},
                     {"Unique", lowerUnique},
                     {"UniqueV2", lowerUniqueV2},
                     {"UniqueWithCounts", lowerUnique},
                     {"UniqueWithCountsV2", lowerUniqueV2},
                     {"ListDiff", lowerKernel<listDiff>},
                     {"DynamicPartition", lowerKernel<dynamicPartition>},
                     {"DynamicStitch", lowerKernel<dynamicStitch>}});
}

} // namespace kiln
