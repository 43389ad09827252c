// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, strides and formats of layers.
#include "lib/Train/LayerHelpers.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <limits>

namespace kiln::layers {

std::string upper(std::string text) {
  for (char &each : text)
    each = static_cast<char>(each >= 'a' && each <= 'z' ? each - 32 : each);
  return text;
}

std::optional<bool> areLast(const std::string &format) {
  if (format == "channels_last" || format == "channels_first")
    return format == "channels_last";
  return std::nullopt;
}

std::string formatError(const std::string &format) {
  return strCat("The `data_format` argument must be one of \"channels_first\", "
                "\"channels_last\". Received: ",
                format);
}

std::optional<std::vector<int64_t>> perAxis(std::vector<int64_t> numbers,
                                            size_t axes) {
  if (numbers.empty())
    numbers = {1};
  if (numbers.size() == 1)
    numbers.assign(axes, numbers[0]);
  if (numbers.size() != axes)
    return std::nullopt;
  return numbers;
}

std::vector<int64_t> ofSpace(const std::vector<int64_t> &each, bool isLast) {
  std::vector<int64_t> all{1};
  if (!isLast)
    all.push_back(1);
  all.insert(all.end(), each.begin(), each.end());
  if (isLast)
    all.push_back(1);
  return all;
}

std::optional<int32_t> extentOf(std::span<const int64_t> extents) {
  CheckedInt64 product = 1;
  for (int64_t extent : extents) {
    if (extent < 0)
      return std::nullopt;
    product *= extent;
  }
  std::optional<int64_t> number = product.value();
  if (!number || *number > std::numeric_limits<int32_t>::max())
    return std::nullopt;
  return static_cast<int32_t>(*number);
}

int64_t windowedExtent(int64_t extent, int64_t size, const std::string &padding,
                       int64_t stride, int64_t dilation) {
  if (extent < 0)
    return -1;
  if (padding == "valid")
    extent -= (size - 1) * dilation;
  return std::max<int64_t>((extent + stride - 1) / stride, 0);
}

ConvolutionChecks::ConvolutionChecks(const std::vector<int64_t> &kernelSize,
                                     const std::vector<int64_t> &givenStrides,
                                     const std::vector<int64_t> &givenDilations,
                                     const std::string &padding,
                                     const std::string &format,
                                     bool mayBeCausal) {
  const size_t axes = kernelSize.size();
  std::optional<bool> last = areLast(format);
  auto allStrides = perAxis(givenStrides, axes);
  auto allDilations = perAxis(givenDilations, axes);
  auto isPositive = [](int64_t number) { return number > 0; };
  if (!last)
    error = formatError(format);
  else if (padding != "valid" && padding != "same" && padding != "causal")
    error = strCat("The `padding` argument must be one of \"valid\", \"same\" "
                   "(or \"causal\", only for `Conv1D). Received: ",
                   padding);
  else if (padding == "causal" && !mayBeCausal)
    error = "Causal padding is only supported for `Conv1D` and "
            "``SeparableConv1D`.";
  else if (!allStrides || !allDilations ||
           !std::ranges::all_of(*allStrides, isPositive) ||
           !std::ranges::all_of(*allDilations, isPositive) ||
           !std::ranges::all_of(kernelSize, isPositive))
    error = strCat("expected sizes, strides and dilations of ", axes,
                   " axes, all of them positive");
  if (!error.empty())
    return;
  isLast = *last;
  strides = *std::move(allStrides);
  dilations = *std::move(allDilations);
}

} // namespace kiln::layers
