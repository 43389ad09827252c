// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers sums, products, extremes and their positions.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <set>

namespace kiln {
namespace {

using Context = LoweringContext;

/// The axes of input 1, counted from the front, sorted. A duplicate is an
/// error, as in TensorFlow.
StatusOr<std::vector<int64_t>> reductionAxes(const Context &ctx) {
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> listed, ctx.ints(1));
  std::set<int64_t> axes;
  int64_t rank = ctx.inputRank(0);
  for (int64_t axis : listed) {
    if (axis < -rank || axis >= rank)
      return ctx.invalid(strCat("Invalid reduction dimension (", axis,
                                " for input with ", rank, " dimension(s)"));
    auto [place, isNew] = axes.insert(axis < 0 ? axis + rank : axis);
    if (!isNew)
      return ctx.invalid(strCat(
          "Invalid reduction arguments: Axes contains duplicate dimension: ",
          *place));
  }
  return std::vector<int64_t>(axes.begin(), axes.end());
}

template <ir::ReduceKind kind> Status lowerReduce(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> axes, reductionAxes(ctx));
  Value reduced = ctx.ir().reduce(kind, ctx.input(0), axes);
  ctx.setOutput(0, ctx.ir().reshape(reduced, ctx.outputType()));
  return okStatus();
}

/// Sums along axes that the run finds out: gradients ask it which operand of
/// two was broadcast.
Status lowerSum(Context &ctx) {
  if (ctx.foundOut().empty())
    return lowerReduce<ir::ReduceKind::sum>(ctx);
  ctx.callKernel("SumOverAxes", ctx.allInputs());
  return okStatus();
}

/// sum / count. Integers are summed in 64 bits, which wrap, and rounded towards
/// zero; their mean of nothing is 0.
Status lowerMean(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> axes, reductionAxes(ctx));
  IrBuilder &ir = ctx.ir();
  Value x = ctx.input(0);
  mlir::Type element = IrBuilder::elementOf(x);
  bool isFloat = IrBuilder::isFloat(x);
  Dim count = Dim::known(1);
  for (int64_t axis : axes)
    count = ctx.dims().mul(count, ctx.inputDims(0)[static_cast<size_t>(axis)]);
  if (!isFloat) {
    count = ctx.dims().max(count, Dim::known(1));
    x = ir.cast(x, ir::isUnsigned(element)
                       ? ir.opBuilder().getIntegerType(64, false)
                       : ir.opBuilder().getI64Type());
  }
  Value sum = ir.reduce(ir::ReduceKind::sum, x, axes);
  Value mean =
      axes.empty()
          ? sum
          : ir.div(sum, ir.dimScalar(count, IrBuilder::elementOf(sum)));
  ctx.setOutput(0, ir.reshape(ir.cast(mean, element), ctx.outputType()));
  return okStatus();
}

/// The norm of integers is rounded towards zero; the squares wrap.
Status lowerEuclideanNorm(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> axes, reductionAxes(ctx));
  IrBuilder &ir = ctx.ir();
  Value x = ctx.input(0);
  mlir::Type element = IrBuilder::elementOf(x);
  Value sum = ir.reduce(ir::ReduceKind::sum, ir.mul(x, x), axes);
  if (!IrBuilder::isFloat(x))
    sum = ir.cast(sum, ir.opBuilder().getF64Type());
  ctx.setOutput(0,
                ir.reshape(ir.cast(ir.sqrt(sum), element), ctx.outputType()));
  return okStatus();
}

template <bool smallest> Status lowerArgReduce(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int64_t axis, ctx.axis(1, ctx.inputRank(0)));
  IrBuilder &ir = ctx.ir();
  Value x = ctx.input(0);
  // TensorFlow starts with the lowest finite number of the type at index 0,
  // which nothing but a better one replaces. That of a narrow float, which is
  // computed with as float32, must not be better than float32's.
  DType dtype = ctx.inputDType(0);
  if (dtype == DType::Float16 || dtype == DType::BFloat16) {
    double last = dtype == DType::Float16 ? 65504 : 0x1.fep127,
           worst = 0x1.fffffep127;
    if (!smallest) {
      last = -last;
      worst = -worst;
    }
    x = ir.cast(x, ir.opBuilder().getF32Type());
    x = ir.select(ir.compare(ir::Predicate::eq, x, last), ir.like(x, worst), x);
  }
  ctx.setOutput(
      0, ir.argReduce(x, axis, smallest, ctx.outputType().getElementType()));
  return okStatus();
}

Status lowerScan(Context &ctx) {
  ctx.callKernel(ctx.opDef().canonicalName, ctx.allInputs(),
                 {ctx.boolAttr("exclusive"), ctx.boolAttr("reverse")});
  return okStatus();
}

} // namespace

void registerReductionLowerings(LoweringRegistry &registry) {
  registry.add({{"Sum", lowerSum},
                {"Prod", lowerReduce<ir::ReduceKind::prod>},
                {"Max", lowerReduce<ir::ReduceKind::max>},
                {"Min", lowerReduce<ir::ReduceKind::min>},
                {"All", lowerReduce<ir::ReduceKind::all>},
                {"Any", lowerReduce<ir::ReduceKind::any>},
                {"EuclideanNorm", lowerEuclideanNorm},
                {"Mean", lowerMean},
                {"ArgMax", lowerArgReduce<false>},
                {"ArgMin", lowerArgReduce<true>}});
  // The kernels round each of their sums.
  registry.addMoves({{"Cumprod", lowerScan},
                     {"Cumsum", lowerScan},
                     {"CumulativeLogsumexp", lowerScan}});
}

} // namespace kiln
