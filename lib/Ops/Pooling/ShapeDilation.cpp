// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of morphological dilation, in the texts of TensorFlow's
// kernels.
#include "lib/Ops/Convolution/WindowAttrs.h"
#include "lib/Ops/Pooling/Shape.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {
namespace {

/// **Errors**: INVALID_ARGUMENT for other lists than one, two numbers, one.
StatusOr<std::vector<int64_t>> middleOf(const InferenceContext &context,
                                        std::string_view name,
                                        std::string_view words) {
  const std::vector<int64_t> numbers = context.intsAttr(name);
  if (numbers.size() != 4)
    return context.error(strCat(words, " field must specify 4 dimensions"));
  for (size_t i : {1, 2})
    if (numbers[i] < 1 || numbers[i] > INT32_MAX)
      return context.error(strCat(words, " must be positive"));
  if (numbers[0] != 1 || numbers[3] != 1)
    return unimplementedError(strCat(name, " are only supported across space"))
        .withNode(context.node().name());
  return std::vector<int64_t>{numbers[1], numbers[2]};
}

/// The shape of the dilation of input 0 by input 1.
StatusOr<SymShape> dilationOf(InferenceContext &context) {
  WindowSpec spec = windowSpecOf(context, context.def(), 2);
  KILN_ASSIGN_OR_RETURN(spec.strides,
                        middleOf(context, "strides", "Sliding window stride"));
  KILN_ASSIGN_OR_RETURN(spec.dilations, middleOf(context, "rates", "Rates"));
  const SymShape &image = context.inputShape(0),
                 &filter = context.inputShape(1);
  if (image.rankKnown && image.rank() != 4)
    return context.error("input must be 4-dimensional" +
                         context.dims().format(image.dims));
  if (filter.rankKnown && filter.rank() != 3)
    return context.error("filter must be 3-dimensional: " +
                         context.dims().format(filter.dims));
  Dims dims = image.rankKnown ? image.dims : Dims(4, Dim::unknown());
  if (!filter.rankKnown) {
    dims[1] = dims[2] = Dim::unknown();
    return SymShape::of(std::move(dims));
  }
  const Dims depth = {dims[3]}, ofFilter = {filter.dims[2]};
  KILN_RETURN_IF_ERROR(context.dims().require(
      Guard::Kind::Equal, depth[0], ofFilter[0],
      {.prefix = "input and filter must have the same depth: ",
       .joiner = " vs ",
       .lhs = &depth,
       .rhs = &ofFilter,
       .asNumbers = true}));
  // Filters whose elements the code counts, where they are fed.
  for (size_t i : {0, 1})
    (void)context.dims().takeAsKnown(filter.dims[i]);
  KILN_ASSIGN_OR_RETURN(std::vector<WindowDim> plan,
                        spec.plan(context.dims(), spatialOf(dims),
                                  {filter.dims[0], filter.dims[1]}));
  for (size_t i = 0; i < plan.size(); ++i)
    dims[i + 1] = plan[i].output;
  return SymShape::of(std::move(dims));
}

} // namespace

Status inferDilation(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape shape, dilationOf(context));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferDilationGradient(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(SymShape shape, dilationOf(context));
  if (const SymShape &gradient = context.inputShape(2); gradient.rankKnown)
    KILN_RETURN_IF_ERROR(
        unifyShapes(context.dims(), gradient.dims, shape.dims,
                    {.prefix = "out_backprop has incompatible size."})
            .status());
  const bool isOfFilter = context.def().outputs[0].name == "filter_backprop";
  context.setOutputShape(0, context.inputShape(isOfFilter ? 1 : 0));
  return okStatus();
}

} // namespace kiln::shapes
