// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape function of what takes windows apart.
#include "lib/Ops/Convolution/WindowAttrs.h"
#include "lib/Ops/Layout/Shape.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {

/// **Errors**: UNIMPLEMENTED and OUT_OF_RANGE with TensorFlow's texts, which
/// its kernels have.
static Status checkLists(const InferenceContext &context, size_t rank) {
  for (std::string_view name : {"ksizes", "strides", "rates"}) {
    if (!context.def().findAttr(name))
      continue;
    const std::vector<int64_t> numbers = context.intsAttr(name);
    if (numbers.size() != rank)
      return context.error(strCat(name, " attribute must contain ", rank,
                                  " values, but got: ", numbers.size()));
    if (context.isBuilding())
      continue;
    if (numbers.front() != 1 || numbers.back() != 1)
      return unimplementedError(strCat("Only support ", name, " across space."))
          .withNode(context.node().name());
    for (int64_t number : numbers)
      if (number < 1 || number > std::numeric_limits<int32_t>::max())
        return outOfRangeError(strCat(name, " is out of range."))
            .withNode(context.node().name());
  }
  return okStatus();
}

/// [B, S..., C] -> [B, O..., product of K * C]
Status inferPatches(InferenceContext &context) {
  const bool isImage = context.node().op() == "ExtractImagePatches";
  const size_t rank = isImage ? 4 : 5;
  KILN_RETURN_IF_ERROR(checkLists(context, rank));
  const SymShape &input = context.inputShape(0);
  if (!input.rankKnown) {
    context.setOutputShape(0, SymShape::unknownDims(rank));
    return okStatus();
  }
  if (input.dims.size() != rank)
    return context.error(strCat("input must be ", rank, "-dimensional",
                                context.dims().format(input.dims)));
  WindowSpec spec = windowSpecOf(context, context.def(), isImage ? 2 : 3);
  const std::vector<int64_t> sizes = context.intsAttr("ksizes");
  Dims windows, shape = {input.dims.front()};
  Dim depth = input.dims.back();
  for (size_t i = 1; i + 1 < rank; ++i) {
    if (isImage)
      spec.dilations[i - 1] = context.intsAttr("rates")[i];
    if (sizes[i] < 1 || spec.strides[i - 1] < 1 || spec.dilations[i - 1] < 1) {
      context.setOutputShape(0, SymShape::unknownDims(rank));
      return okStatus();
    }
    windows.push_back(Dim::known(sizes[i]));
    depth = context.dims().mul(depth, windows.back());
  }
  KILN_ASSIGN_OR_RETURN(
      std::vector<WindowDim> dims,
      spec.plan(context.dims(), spatialOf(input.dims), windows));
  for (const WindowDim &dim : dims)
    shape.push_back(dim.output);
  shape.push_back(depth);
  context.setOutputShape(0, SymShape::of(std::move(shape)));
  return okStatus();
}

} // namespace kiln::shapes
