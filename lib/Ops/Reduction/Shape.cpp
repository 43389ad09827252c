// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of reductions.
#include "lib/Ops/Reduction/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::shapes {
namespace {

Dim combine(DimSpace &space, std::string_view op, Dim a, Dim b) {
  if (op == "Sum")
    return space.add(a, b);
  if (op == "Prod")
    return space.mul(a, b);
  if (op == "Max" || op == "Any")
    return space.max(a, b);
  if (op == "Min" || op == "All")
    return space.min(a, b);
  return Dim::unknown();
}

/// The result for no elements; unknown where it is no integer worth following.
Dim identityOf(std::string_view op) {
  if (op == "Sum" || op == "Any")
    return Dim::known(0);
  return op == "Prod" || op == "All" ? Dim::known(1) : Dim::unknown();
}

void setReducedContents(InferenceContext &context, const SymShape &shape,
                        std::span<const int64_t> axes) {
  const Dims *input = context.knownContents(0);
  auto extents = smallExtents(context.inputShape(0));
  std::string_view op = context.node().op();
  // A norm changes single elements too.
  if (!input || !extents || op == "EuclideanNorm")
    return;
  std::vector<bool> reduced(extents->size());
  for (int64_t axis : axes)
    reduced[static_cast<size_t>(
        *normalizeAxis(axis, static_cast<int>(extents->size())))] = true;
  bool keepDims = context.boolAttr("keep_dims");
  DType dtype = context.inputDType(0);
  setContentsByIndex(
      context, 0, shape, [&](std::span<const int64_t> outputIndex) {
        Dim result = identityOf(op);
        bool first = true;
        std::vector<int64_t> index(extents->size(), 0);
        for (size_t flat = 0; flat < input->size(); ++flat) {
          size_t rest = flat, output = 0;
          for (size_t i = index.size(); i-- > 0;) {
            index[i] = static_cast<int64_t>(rest) % (*extents)[i];
            rest /= static_cast<size_t>((*extents)[i]);
          }
          bool belongs = true;
          for (size_t i = 0; i < index.size(); ++i) {
            if (!reduced[i])
              belongs &= index[i] == outputIndex[output];
            output += !reduced[i] || keepDims;
          }
          if (!belongs)
            continue;
          result = first ? (*input)[flat]
                         : wrapped(dtype, combine(context.dims(), op, result,
                                                  (*input)[flat]));
          first = false;
        }
        return result;
      });
}

} // namespace

Status inferReduction(InferenceContext &context) {
  const SymShape &input = context.inputShape(0),
                 &axesShape = context.inputShape(1);
  bool keepDims = context.boolAttr("keep_dims");
  if (axesShape.rankKnown && axesShape.rank() > 1)
    return context.error(
        "reduction_indices must be a scalar or a vector, got shape " +
        context.dims().format(axesShape.dims));
  auto axes = knownNumbers(context.inputContents(1));
  if (!axes && keepDims && input.rankKnown) {
    SymShape shape = SymShape::unknownDims(input.dims.size());
    if (context.node().op() == "Sum") // by a kernel
      for (int d = 0; d < input.rank(); ++d)
        shape.dims[static_cast<size_t>(d)] =
            context.dims().runDim(d, /*isSize=*/true);
    context.setOutputShape(0, std::move(shape));
  }
  if (!axes || !input.rankKnown)
    return okStatus();
  KILN_ASSIGN_OR_RETURN(
      Dims dims, reduceShape(context.dims(), input.dims, *axes, keepDims));
  SymShape shape = SymShape::of(std::move(dims));
  context.setOutputShape(0, shape);
  setReducedContents(context, shape, *axes);
  return okStatus();
}

Status inferArgReduction(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  if (!input.rankKnown)
    return okStatus();
  const int rank = input.rank();
  KILN_ASSIGN_OR_RETURN(Dim axis, scalarArgument(context, 1));
  // While a graph is built TensorFlow looks at no axis of a vector.
  if (context.isBuilding() && rank <= 1) {
    context.setOutputShape(0, SymShape::scalar());
    return okStatus();
  }
  if (!axis.isKnown() && rank > 0) {
    context.setOutputShape(0, SymShape::unknownDims(input.dims.size() - 1));
    return okStatus();
  }
  std::optional<int> index = normalizeAxis(axis.value, rank);
  if (!index)
    return context.error(
        context.isBuilding()
            ? strCat("Dimension (", axis.value, ") must be in the range [",
                     -rank, ", ", rank, "), where ", rank,
                     " is the number of dimensions in the input.")
            : strCat("Expected dimension in the range [", -rank, ", ", rank,
                     "), but got ", axis.value));
  SymShape shape = input;
  Dim extent = shape.dims[static_cast<size_t>(*index)];
  std::string prefix =
      strCat("Reduction axis ", *index, " is empty in shape [");
  KILN_RETURN_IF_ERROR(context.dims().require(Guard::Kind::NonZero, extent,
                                              Dim(),
                                              {.prefix = prefix,
                                               .suffix = "]",
                                               .lhs = &input.dims,
                                               .asNumbers = true}));
  shape.dims.erase(shape.dims.begin() + *index);
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferScan(InferenceContext &context) {
  const SymShape &axis = context.inputShape(1);
  if (axis.rankKnown && axis.rank() != 0)
    return context.error(strCat("ScanOp: axis must be a scalar, not ",
                                context.dims().format(axis.dims)));
  context.setOutputShape(0, context.inputShape(0));
  return okStatus();
}

} // namespace kiln::shapes
