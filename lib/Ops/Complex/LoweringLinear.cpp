// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers what is linear in complex numbers, and products, by the lowerings for
// real numbers, part by part.
#include "lib/Ops/Complex/LoweringParts.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

using Context = LoweringContext;

/// The lowering for real numbers of the node's op.
LowerFn realLowering(const Context &ctx) {
  return loweringRegistry().lookup(ctx.opDef()).lower;
}

/// The lowering for real numbers called for one part of all complex inputs.
StatusOr<Context::OfParts> lowerAll(Context &ctx, LowerFn lower,
                                    bool isImaginary) {
  return ctx.lowerParts(lower, [&](int) { return isImaginary; });
}

} // namespace

Status lowerEachPart(Context &ctx, LowerFn lower) {
  if (!lower)
    lower = realLowering(ctx);
  KILN_ASSIGN_OR_RETURN(Context::OfParts real, lowerAll(ctx, lower, false));
  KILN_ASSIGN_OR_RETURN(Context::OfParts imag, lowerAll(ctx, lower, true));
  for (auto [i, part] : llvm::enumerate(real.outputs))
    if (part)
      ctx.setOutput(static_cast<int>(i), Parts{part, imag.outputs[i]});
  for (auto [i, written] : llvm::enumerate(real.variables))
    KILN_RETURN_IF_ERROR(ctx.writeVariable(
        written.first,
        ctx.ir().complex({written.second, imag.variables[i].second})));
  return okStatus();
}

namespace {

/// Of linear ops, and those that TensorFlow computes part by part.
Status lowerLinear(Context &ctx) { return lowerEachPart(ctx); }

Status lowerConjugateTranspose(Context &ctx) {
  LowerFn lower = realLowering(ctx);
  KILN_ASSIGN_OR_RETURN(Context::OfParts real, lowerAll(ctx, lower, false));
  KILN_ASSIGN_OR_RETURN(Context::OfParts imag, lowerAll(ctx, lower, true));
  ctx.setOutput(0, Parts{real.outputs[0], ctx.ir().neg(imag.outputs[0])});
  return okStatus();
}

//===--- Products ---------------------------------------------------------===//

/// A factor of a product: how many inputs are of it, and whether its conjugate
/// is multiplied.
struct Factor {
  int numInputs = 1;
  bool isConjugated = false;
};

/// The product of two factors, by that of each part of one with each of the
/// other.
Status lowerProduct(Context &ctx, const Factor &x, const Factor &y) {
  LowerFn lower = realLowering(ctx);
  auto hasParts = [&](int begin, int end) {
    bool found = false;
    for (int i = begin; i < end; ++i)
      found |= isComplex(ctx.inputDType(i));
    return found;
  };
  const int first = x.numInputs;
  const bool splitsX = hasParts(0, first),
             splitsY = hasParts(first, first + y.numInputs);
  auto product = [&](bool imagX, bool imagY) -> StatusOr<Value> {
    if ((imagX && !splitsX) || (imagY && !splitsY))
      return Value();
    KILN_ASSIGN_OR_RETURN(Context::OfParts made,
                          ctx.lowerParts(lower, [&](int input) {
                            return input < x.numInputs ? imagX : imagY;
                          }));
    return made.outputs[0];
  };
  KILN_ASSIGN_OR_RETURN(Value real, product(false, false));
  KILN_ASSIGN_OR_RETURN(Value both, product(true, true));
  KILN_ASSIGN_OR_RETURN(Value right, product(false, true));
  KILN_ASSIGN_OR_RETURN(Value left, product(true, false));
  IrBuilder &ir = ctx.ir();
  if (both)
    real = x.isConjugated != y.isConjugated ? ir.add(real, both)
                                            : ir.sub(real, both);
  if (right && y.isConjugated)
    right = ir.neg(right);
  if (left && x.isConjugated)
    left = ir.neg(left);
  Value imag = right && left ? ir.add(right, left) : right ? right : left;
  ctx.setOutput(0, Parts{real, imag});
  return okStatus();
}

Status lowerMatMul(Context &ctx) { return lowerProduct(ctx, {}, {}); }

Status lowerBatchMatMul(Context &ctx) {
  return lowerProduct(ctx, {1, ctx.boolAttr("adj_x")},
                      {1, ctx.boolAttr("adj_y")});
}

Status lowerTridiagonalMatMul(Context &ctx) {
  return lowerProduct(ctx, {3}, {});
}

/// Of indices, values and shape, and a matrix.
Status lowerSparseTensorDenseMatMul(Context &ctx) {
  return lowerProduct(ctx, {3, ctx.boolAttr("adjoint_a")},
                      {1, ctx.boolAttr("adjoint_b")});
}

Status lowerEinsum(Context &ctx) {
  return ctx.numInputs() == 1 ? lowerEachPart(ctx) : lowerProduct(ctx, {}, {});
}

//===--- Reductions -------------------------------------------------------===//

/// Along axes that the run finds out by a kernel, as real numbers.
Status lowerSum(Context &ctx) {
  if (ctx.foundOut().empty())
    return lowerEachPart(ctx);
  ctx.callKernel("ComplexSumOverAxes", ctx.allInputs());
  return okStatus();
}

/// The mean of nothing is 0.
Status lowerMean(Context &ctx) {
  LowerFn lower = realLowering(ctx);
  KILN_ASSIGN_OR_RETURN(Context::OfParts real, lowerAll(ctx, lower, false));
  KILN_ASSIGN_OR_RETURN(Context::OfParts imag, lowerAll(ctx, lower, true));
  IrBuilder &ir = ctx.ir();
  Parts mean{real.outputs[0], imag.outputs[0]};
  Dim count = ctx.dims().product(ctx.inputDims(0));
  if (!count.isKnown() || count.value == 0) {
    Value elements = ir.dimScalar(count, ir.elementType(DType::Int64));
    Value isEmpty = ir.compare(ir::Predicate::eq, elements, 0.0);
    mean = parts::select(ir, isEmpty, parts::constant(ir, mean, 0), mean);
  }
  ctx.setOutput(0, mean);
  return okStatus();
}

Status lowerEuclideanNorm(Context &ctx) {
  LowerFn lower = realLowering(ctx);
  KILN_ASSIGN_OR_RETURN(Context::OfParts real, lowerAll(ctx, lower, false));
  KILN_ASSIGN_OR_RETURN(Context::OfParts imag, lowerAll(ctx, lower, true));
  IrBuilder &ir = ctx.ir();
  Value norm = parts::abs(ir, {real.outputs[0], imag.outputs[0]});
  ctx.setOutput(0, Parts{norm, ir.like(norm, 0)});
  return okStatus();
}

/// By a kernel, of rows of what is multiplied.
Status lowerProd(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> axes, ctx.ints(1));
  const int64_t rank = ctx.inputRank(0);
  std::vector<bool> isReduced(static_cast<size_t>(rank), false);
  for (int64_t axis : axes) {
    if (axis < -rank || axis >= rank)
      return ctx.invalid(strCat("Invalid reduction dimension (", axis,
                                " for input with ", rank, " dimension(s)"));
    auto place = isReduced.begin() + (axis < 0 ? axis + rank : axis);
    if (*place)
      return ctx.invalid(strCat(
          "Invalid reduction arguments: Axes contains duplicate dimension: ",
          place - isReduced.begin()));
    *place = true;
  }
  llvm::SmallVector<int64_t> order;
  Dims kept, reduced;
  for (bool wanted : {false, true})
    for (int64_t axis = 0; axis < rank; ++axis)
      if (isReduced[static_cast<size_t>(axis)] == wanted) {
        order.push_back(axis);
        (wanted ? reduced : kept)
            .push_back(ctx.inputDims(0)[static_cast<size_t>(axis)]);
      }
  IrBuilder &ir = ctx.ir();
  const Dim rows = ctx.dims().product(kept),
            columns = ctx.dims().product(reduced);
  const mlir::Type element = ctx.outputType().getElementType();
  Value matrix = ir.reshape(ir.transpose(ctx.input(0), order),
                            ir.tensorType({rows, columns}, element));
  Value products =
      ir.kernelCall("ComplexProducts", matrix, ir.tensorType({rows}, element));
  ctx.setOutput(0, ir.reshape(products, ctx.outputType()));
  return okStatus();
}

Status lowerCumprod(Context &ctx) {
  ctx.callKernel("ComplexCumprod", ctx.allInputs(),
                 {ctx.boolAttr("exclusive"), ctx.boolAttr("reverse")});
  return okStatus();
}

} // namespace

void registerLinearLowerings(LoweringRegistry &registry) {
  for (const char *op : {"AccumulateNV2",
                         "AddN",
                         "AddV2",
                         "AssignAdd",
                         "AssignAddVariableOp",
                         "AssignSub",
                         "AssignSubVariableOp",
                         "BiasAdd",
                         "BiasAddGrad",
                         "BiasAddV1",
                         "ClipByValue",
                         "Cumsum",
                         "MirrorPadGrad",
                         "Neg",
                         "ResourceScatterAdd",
                         "ResourceScatterNdAdd",
                         "ResourceScatterNdSub",
                         "ResourceScatterSub",
                         "ScatterAdd",
                         "ScatterNd",
                         "ScatterNdAdd",
                         "ScatterNdNonAliasingAdd",
                         "ScatterNdSub",
                         "ScatterSub",
                         "SegmentMean",
                         "SegmentSum",
                         "Sub",
                         "TensorScatterAdd",
                         "TensorScatterSub",
                         "UnsortedSegmentSum"})
    registry.addComplex({{op, lowerLinear}});
  registry.addComplex(
      {{"BatchMatMul", lowerBatchMatMul},
       {"BatchMatMulV2", lowerBatchMatMul},
       {"BatchMatMulV3", lowerBatchMatMul},
       {"ConjugateTranspose", lowerConjugateTranspose},
       {"Cumprod", lowerCumprod},
       {"Einsum", lowerEinsum},
       {"EuclideanNorm", lowerEuclideanNorm},
       {"MatMul", lowerMatMul},
       {"Mean", lowerMean},
       {"Prod", lowerProd},
       {"SparseTensorDenseMatMul", lowerSparseTensorDenseMatMul},
       {"Sum", lowerSum},
       {"TridiagonalMatMul", lowerTridiagonalMatMul}});
}

} // namespace kiln
