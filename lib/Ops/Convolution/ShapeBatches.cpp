// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape function of Conv: images with any number of batch dimensions.
#include "lib/Ops/Convolution/Shape.h"

#include "lib/Ops/Convolution/WindowAttrs.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <limits>

namespace kiln::shapes {
namespace {

/// The kernel's words in a run, the shape function's before.
Status checkRanks(const InferenceContext &context, int64_t rank,
                  int64_t filterRank) {
  const bool isRun = !context.isBuilding();
  if (rank != 4 && rank != 5)
    return context.error(
        isRun ? strCat("The input must have 2 or 3 spatial dimensions but got ",
                       rank - 2)
              : strCat("Input tensor must be rank 4 or 5, excluding extra "
                       "batch dimensions, but got: ",
                       rank));
  if (filterRank != 4 && filterRank != 5)
    return context.error(
        isRun ? strCat("The filter must be rank 4 or 5 but got ", filterRank)
              : strCat("Filter tensor must be rank 4 or 5, but got: ", rank));
  if (filterRank == rank)
    return okStatus();
  return context.error(
      isRun ? strCat("Sliding window strides field must specify ", rank,
                     " dimensions")
            : "Input tensor rank must be the same as filter rank.");
}

Status checkLists(const InferenceContext &context, size_t rank,
                  size_t channel) {
  std::vector<int64_t> dilations = context.intsAttr("dilations"),
                       strides = context.intsAttr("strides");
  if (!dilations.empty() && dilations.size() != rank)
    return context.error(
        strCat("Conv requires the dilation attribute to contain ", rank,
               " values, but got: ", dilations.size()));
  if (strides.size() != rank)
    return context.error(strCat("Stride attribute should contain ", rank,
                                " values, but got: ", strides.size()));
  struct List {
    const std::vector<int64_t> &numbers;
    std::string_view what, named, tooSmall;
  };
  for (const List &list : {List{strides, "strides", "strides",
                                "Spatial strides should be larger than 0."},
                           List{dilations, "dilations", "dilation rates",
                                "Dilated rates should be larger than 0."}}) {
    if (list.numbers.empty())
      continue;
    for (int64_t number : list.numbers)
      if (number <= 0)
        return context.error(std::string(list.tooSmall));
      else if (number > std::numeric_limits<int32_t>::max())
        return context.error(
            strCat(list.what, " out of int32 range: ", number));
    // What TensorFlow's kernel refuses, a graph may hold.
    if (!context.isBuilding() &&
        (list.numbers[0] != 1 || list.numbers[channel] != 1))
      return context.error(strCat("Current implementation does not support ",
                                  list.named,
                                  " in the batch and depth dimensions."));
  }
  if (rank == 5 && context.stringAttr("padding") == "EXPLICIT")
    return context.error("Explicit padding not supported for 3D Convolution");
  return checkPaddings(context, rank, channel);
}

Status checkGroups(InferenceContext &context, Dim channels, Dim own,
                   Dim filters) {
  const int64_t groups = context.intAttr("groups");
  if (groups < 1)
    return context.error("Groups attribute should be a positive integer");
  if (channels.isKnown() && channels.value % groups != 0)
    return context.error("Number of groups should divide input depth");
  if (filters.isKnown() && filters.value % groups != 0)
    return context.error("Number of groups should divide output depth");
  if (channels.isKnown() && own.isKnown()) {
    if (own.value == 0)
      return context.error("Depth of filter must not be 0");
    if (channels.value % own.value != 0)
      return context.error(strCat(
          "Depth of input (", channels.value,
          ") is not a multiple of input depth of filter (", own.value, ")"));
    if (channels.value / own.value != groups)
      return context.error(
          strCat("Input depth divided by filter input depth does not match "
                 "with groups parameter (",
                 groups, ")"));
  }
  if (context.isBuilding())
    return okStatus();
  if (groups != 1)
    return unimplementedError(
               "Grouped/Depthwise Convolutions are not supported yet.")
        .withNode(context.node().name());
  const Dims lhs = {channels}, rhs = {own};
  return context.dims()
      .unify(channels, own,
             {.prefix = "Input depth must be equal to filter depth: ",
              .joiner = " vs ",
              .lhs = &lhs,
              .rhs = &rhs,
              .asNumbers = true})
      .status();
}

} // namespace

/// input [B..., S..., C], filter [K..., C, F] -> [B..., O..., F].
Status inferConv(InferenceContext &context) {
  const SymShape &input = context.inputShape(0),
                 &filter = context.inputShape(1);
  if (!input.rankKnown || !filter.rankKnown) {
    context.setOutputShape(0, SymShape::unknownRank());
    return okStatus();
  }
  const int64_t batches = context.intAttr("batch_dims");
  if (batches < 0)
    return context.error("Batch dims must be non-negative.");
  const int64_t rank = input.rank() - (batches - 1);
  KILN_RETURN_IF_ERROR(checkRanks(context, rank, filter.rank()));
  const bool isFirst = isChannelsFirst(context.stringAttr("data_format"));
  KILN_RETURN_IF_ERROR(checkLists(context, static_cast<size_t>(rank),
                                  isFirst ? 1 : static_cast<size_t>(rank) - 1));

  const auto first = input.dims.begin() + static_cast<ptrdiff_t>(batches);
  Dims image(first, input.dims.end());
  image.insert(image.begin(), Dim::known(1)); // the batches as one
  image = channelsLast(image, isFirst);
  Dims windows(filter.dims.begin(), filter.dims.end() - 2);
  KILN_RETURN_IF_ERROR(checkGroups(context, image.back(), filter.dims.end()[-2],
                                   filter.dims.back()));
  for (size_t i = 0; i < windows.size() && !context.isBuilding(); ++i)
    KILN_RETURN_IF_ERROR(context.dims().require(
        Guard::Kind::NonZero, windows[i], Dim::known(0),
        {.prefix = "filter must not have zero elements (i.e. all dimensions "
                   "must be non-zero)"}));
  WindowSpec spec =
      windowSpecOf(context, context.def(), static_cast<int>(rank) - 2);
  KILN_ASSIGN_OR_RETURN(std::vector<WindowDim> planned,
                        spec.plan(context.dims(), spatialOf(image), windows));
  Dims places = {Dim::known(1)};
  for (const WindowDim &window : planned)
    places.push_back(window.output);
  places.push_back(filter.dims.back());
  places = fromChannelsLast(std::move(places), isFirst);
  Dims result(input.dims.begin(), first);
  result.insert(result.end(), places.begin() + 1, places.end());
  context.setOutputShape(0, SymShape::of(std::move(result)));
  return okStatus();
}

} // namespace kiln::shapes
