// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers what goes from one data format to another: picks out of a small table,
// or by one.
#include "lib/Ops/Layout/Formats.h"
#include "lib/Ops/Layout/Lowering.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {

using Context = LoweringContext;

static Value tableOf(Context &ctx, const std::vector<int64_t> &numbers,
                     mlir::Type element) {
  Dims elements;
  for (int64_t number : numbers)
    elements.push_back(Dim::known(number));
  const Dims dims = {Dim::known(static_cast<int64_t>(numbers.size()))};
  return ctx.ir().contents(ctx.ir().tensorType(dims, element), elements);
}

/// Dimensions below 0, and beyond, count round the format.
Status lowerDataFormatDimMap(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const std::string source = ctx.stringAttr("src_format");
  KILN_ASSIGN_OR_RETURN(
      std::vector<int64_t> places,
      formatPermutation(ctx.stringAttr("dst_format"), source));
  Value x = ctx.input(0);
  const mlir::Type element = IrBuilder::elementOf(x);
  x = ir.binary<ir::FloorModOp>(
      x, ir.scalarInt(element, static_cast<int64_t>(source.size())));
  ctx.setOutput(
      0, ir.gather(tableOf(ctx, places, element), x, 0, ctx.outputType()));
  return okStatus();
}

Status lowerDataFormatVecPermute(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  std::string source = ctx.stringAttr("src_format"),
              target = ctx.stringAttr("dst_format");
  if (!ctx.inputDims(0)[0].isKnown(static_cast<int64_t>(source.size()))) {
    source = spatialFormat(source);
    target = spatialFormat(target);
  }
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> places,
                        formatPermutation(source, target));
  Value table = tableOf(ctx, places, ir.elementType(DType::Int64));
  ctx.setOutput(0, ir.gather(ctx.input(0), table, 0, ctx.outputType()));
  return okStatus();
}

} // namespace kiln
