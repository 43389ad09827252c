// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers what takes windows apart: along each dimension the places of all
// elements of all windows are gathered.
#include "lib/Ops/Convolution/LoweringWindows.h"
#include "lib/Ops/Layout/Lowering.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {

using Context = LoweringContext;

/// [B, S, S', C] -> [B, O, K, O', K', C] -> [B, O, O', K, K', C]
static Status lowerPatches(Context &ctx, int spatial) {
  WindowLowering w(ctx, spatial);
  IrBuilder &ir = ctx.ir();
  const Dims &dims = ctx.inputDims(0);
  const std::vector<int64_t> sizes = ctx.intsAttr("ksizes");
  Dims windows;
  for (int i = 1; i <= spatial; ++i) {
    const auto at = static_cast<size_t>(i);
    windows.push_back(Dim::known(sizes[at]));
    if (ctx.opDef().findAttr("rates"))
      w.spec.dilations[at - 1] = ctx.intsAttr("rates")[at];
  }
  KILN_RETURN_IF_ERROR(w.plan(dims, windows));
  KILN_ASSIGN_OR_RETURN(Value zero, ctx.zero(ctx.outputDType()));
  Shaped x = w.padForWindows({ctx.input(0), dims}, zero);
  const mlir::Type element = IrBuilder::elementOf(x.value);
  llvm::SmallVector<int64_t> order = {0}, inner;
  for (int i = 0; i < spatial; ++i) {
    const WindowDim &window = w.windows[static_cast<size_t>(i)];
    const int64_t axis = 1 + 2 * i;
    RankedTensorType type =
        ir.tensorType({window.output, window.window}, DType::Int64);
    auto times = [&](int64_t dim, int64_t step) {
      return ir.mul(ir.iota(type, dim), ir.splatInt(type, step));
    };
    Value places = ir.add(times(0, window.stride), times(1, window.dilation));
    auto place = x.dims.begin() + axis;
    *place = window.output;
    x.dims.insert(place + 1, window.window);
    x.value = ir.gather(x.value, places, axis, ir.tensorType(x.dims, element));
    order.push_back(axis);
    inner.push_back(axis + 1);
  }
  order.append(inner);
  order.push_back(1 + 2 * spatial);
  ctx.setOutput(0, ir.reshape(ir.transpose(x.value, order), ctx.outputType()));
  return okStatus();
}

Status lowerExtractImagePatches(Context &ctx) { return lowerPatches(ctx, 2); }
Status lowerExtractVolumePatches(Context &ctx) { return lowerPatches(ctx, 3); }

} // namespace kiln
