// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers counts: those of boundaries to a loop that compares, those of numbers
// to a kernel.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Support/StatusMacros.h"

#include <algorithm>

namespace kiln {
namespace {

using Context = LoweringContext;

/// A new last axis of the boundaries, of which those that are above the element
/// are counted: none of them is above NaN.
Status lowerBucketize(Context &ctx) {
  const std::vector<float> bounds = ctx.floatsAttr("boundaries");
  if (!std::ranges::is_sorted(bounds))
    return ctx.invalid("Expected sorted boundaries");
  const auto count = static_cast<int64_t>(bounds.size());
  IrBuilder &ir = ctx.ir();
  // TensorFlow compares integers as floats.
  const DType dtype =
      ctx.inputDType(0) == DType::Float64 ? DType::Float64 : DType::Float32;
  KILN_ASSIGN_OR_RETURN(Tensor tensor,
                        Tensor::fromValues<float>(Shape({count}), bounds));
  KILN_ASSIGN_OR_RETURN(Value limits,
                        ctx.constant(TensorConstant(std::move(tensor))));
  Dims dims = ctx.outputDims();
  const auto axis = static_cast<int64_t>(dims.size());
  Dims column = dims;
  column.push_back(Dim::known(1));
  dims.push_back(Dim::known(count));
  mlir::Type element = ir.elementType(dtype);
  const RankedTensorType type = ir.tensorType(dims, element);
  Value x = ir.reshape(ir.cast(ctx.input(0), element),
                       ir.tensorType(column, element));
  Value isAbove = ir.compare(ir::Predicate::lt, ir.broadcast(x, type),
                             ir.broadcast(ir.cast(limits, element), type));
  Value above =
      ir.reduce(ir::ReduceKind::sum,
                ir.cast(isAbove, ir.elementType(DType::Int32)), {axis});
  ctx.setOutput(0, ir.sub(ir.splatInt(ctx.outputType(), count), above));
  return okStatus();
}

Status lowerBincount(Context &ctx) {
  ctx.callKernel("Bincount", {ctx.input(0), ctx.input(2)},
                 {/*isBinary=*/0, /*isDense=*/0});
  return okStatus();
}

Status lowerDenseBincount(Context &ctx) {
  ctx.callKernel("Bincount", {ctx.input(0), ctx.input(2)},
                 {ctx.boolAttr("binary_output"), /*isDense=*/1});
  return okStatus();
}

Status lowerHistogram(Context &ctx) {
  ctx.callKernel("HistogramFixedWidth", {ctx.input(0), ctx.input(1)});
  return okStatus();
}

} // namespace

void registerCountingLowerings(LoweringRegistry &registry) {
  registry.add({{"Bucketize", lowerBucketize},
                {"Bincount", lowerBincount},
                {"DenseBincount", lowerDenseBincount},
                {"HistogramFixedWidth", lowerHistogram}});
}

} // namespace kiln
