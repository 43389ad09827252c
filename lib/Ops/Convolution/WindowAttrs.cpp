// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the attributes of windows.
#include "lib/Ops/Convolution/WindowAttrs.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <limits>

namespace kiln {

StatusOr<std::vector<WindowDim>> WindowSpec::plan(DimSpace &space,
                                                  const Dims &inputs,
                                                  const Dims &windows) const {
  std::vector<WindowDim> dims;
  for (size_t i = 0; i < rank(); ++i) {
    WindowDim dim{.input = inputs[i],
                  .window = windows[i],
                  .stride = strides[i],
                  .dilation = dilations[i]};
    if (padding == Padding::Explicit) {
      dim.low = Dim::known(low[i]);
      dim.high = Dim::known(high[i]);
    }
    KILN_RETURN_IF_ERROR(planWindow(space, padding, dim));
    dims.push_back(dim);
  }
  return dims;
}

Dims channelsLast(const Dims &dims, bool channelsFirst) {
  Dims last = dims;
  if (channelsFirst)
    std::rotate(last.begin() + 1, last.begin() + 2, last.end());
  return last;
}

Dims fromChannelsLast(Dims dims, bool channelsFirst) {
  if (channelsFirst)
    std::rotate(dims.begin() + 1, dims.end() - 1, dims.end());
  return dims;
}

Status checkPaddings(const InferenceContext &context, size_t rank,
                     size_t channel) {
  bool isExplicit = context.stringAttr("padding") == "EXPLICIT";
  std::vector<int64_t> pads = context.intsAttr("explicit_paddings");
  if (!isExplicit)
    return pads.empty() ? okStatus()
                        : context.error("explicit_paddings attribute must be "
                                        "empty if the padding attribute is not "
                                        "EXPLICIT");
  if (pads.size() != 2 * rank)
    return context.error(strCat("explicit_paddings attribute must contain ",
                                2 * rank, " values, but got: ", pads.size()));
  for (int64_t amount : pads)
    if (amount < 0)
      return context.error("All elements of explicit_paddings must be "
                           "nonnegative");
    else if (amount > std::numeric_limits<int32_t>::max())
      return context.error(
          strCat("explicit_paddings out of int32 range: ", amount));
  for (size_t dim : {size_t(0), channel})
    if (pads[2 * dim] != 0 || pads[2 * dim + 1] != 0)
      return context.error("Nonzero explicit padding in the batch or depth "
                           "dimensions is not supported");
  return okStatus();
}

/// An op on quantized numbers by the name of the one on others, whose shape
/// function it has.
static std::string_view unquantized(std::string_view op) {
  constexpr std::string_view prefix = "Quantized";
  return op.starts_with(prefix) ? op.substr(prefix.size()) : op;
}

Status checkWindowAttrs(const InferenceContext &context, int spatial) {
  const OpDef &def = context.def();
  auto rank = static_cast<size_t>(spatial) + 2;
  std::string format = def.findAttr("data_format")
                           ? context.stringAttr("data_format")
                           : std::string("NHWC");
  size_t channel = isChannelsFirst(format) ? 1 : rank - 1;
  struct List {
    std::string_view attr, named, tooSmall, outside;
  };
  const List lists[] = {
      {"strides", "stride", "Stride must be > 0, but got ", "strides"},
      {"dilations", "dilations", "Dilation rate must be >= 1, but got ",
       "dilations"},
      {"ksize", "ksize",
       "Sliding window ksize must be positive. The specified or inferred ksize "
       "is: ",
       ""}};
  bool isPool = def.findAttr("ksize");
  for (const List &list : lists) {
    if (!def.findAttr(list.attr))
      continue;
    std::vector<int64_t> numbers = context.intsAttr(list.attr);
    if (numbers.size() != rank)
      return context.error(
          strCat(unquantized(context.node().op()),
                 isPool ? "" : strCat(" on data format ", format),
                 " requires the ", list.named, " attribute to contain ", rank,
                 " values, but got: ", numbers.size()));
    for (int64_t number : numbers)
      if (number <= 0)
        return context.error(strCat(list.tooSmall, number));
      else if (number > std::numeric_limits<int32_t>::max())
        return context.error(
            strCat(list.attr, " out of int32 range: ", number));
    // What TensorFlow's kernels refuse, a graph may hold.
    if (context.isBuilding() || (numbers[0] == 1 && numbers[channel] == 1))
      continue;
    std::string text =
        !isPool ? strCat("Current implementation does not yet support ",
                         list.outside, " in the batch and depth dimensions.")
        : numbers[0] != 1
            ? std::string(
                  "Pooling is not yet supported on the batch dimension.")
            : std::string();
    if (!text.empty())
      return unimplementedError(std::move(text))
          .withNode(context.node().name());
  }
  return def.findAttr("explicit_paddings")
             ? checkPaddings(context, rank, channel)
             : okStatus();
}

} // namespace kiln
