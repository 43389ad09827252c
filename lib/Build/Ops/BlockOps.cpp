// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of space as a larger batch, by which TensorFlow dilates.
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ConvolutionOps.h"
#include "kiln/ops/Layout.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Build/Ops/Windows.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <array>

namespace kiln::ops {
namespace {

using List = Input::List;
using Pair = std::array<int64_t, 2>;

/// A matrix of two columns of numbers, or a tensor of the graph.
struct Pairs {
  std::vector<Pair> known;
  Output tensor;

  Input input() const {
    if (tensor.node)
      return tensor;
    std::vector<int32_t> numbers;
    for (const Pair &pair : known)
      for (int64_t each : pair)
        numbers.push_back(static_cast<int32_t>(each));
    auto matrix = Tensor::fromValues<int32_t>(
        {static_cast<int64_t>(known.size()), 2}, numbers);
    return Input(matrix.valueOr(Tensor()));
  }
};

/// Rows of a tensor of a graph, or numbers that are lists as Python's.
Input listOf(const std::vector<Pair> &pairs) {
  List rows;
  for (const Pair &pair : pairs)
    rows.emplace_back(List{pair[0], pair[1]});
  return Input(rows);
}

std::vector<Pair> pairsOf(const std::vector<int64_t> &numbers) {
  std::vector<Pair> pairs;
  for (size_t i = 0; i + 1 < numbers.size(); i += 2)
    pairs.push_back({numbers[i], numbers[i + 1]});
  return pairs;
}

/// How much is behind each axis so that whole blocks fill it, where a run says
/// the extents.
BlockPaddings pairsInRun(const Output &extents, const Output &blocks,
                         const Output &base, int64_t count) {
  Output before = base[{sliceAll(), 0}];
  Output behind = base[{sliceAll(), 1}];
  Output full = extents + before;
  full = full + behind;
  Output extra = full % blocks;
  extra = blocks - extra;
  extra = extra % blocks;
  behind = behind + extra;
  List paddings, crops;
  for (int i = 0; i < count; ++i) {
    Output first = before[i];
    paddings.emplace_back(List{first, behind[i]});
  }
  Output paddingTensor = stack(paddings, {.name = "paddings"});
  for (int i = 0; i < count; ++i)
    crops.emplace_back(List{0, extra[i]});
  return {paddingTensor, stack(crops, {.name = "crops"})};
}

} // namespace

BlockPaddings requiredSpaceToBatchPaddings(const Input &inputShape,
                                           const Input &blockShape,
                                           const BlockPaddingOptions &options) {
  FunctionScope scope(options.name, "required_space_to_batch_paddings",
                      {&inputShape, &blockShape});
  Output extents = convert(inputShape, "input_shape", DType::Int32);
  Output blocks = convert(blockShape, "block_shape", DType::Int32);
  if (!extents.node || !blocks.node)
    return {};
  int64_t count = blocks.shape().rank() == 1 ? blocks.shape().dim(0) : -1;
  if (count < 0)
    return {failed(invalidArgumentError(strCat("Shape ",
                                               blocks.shape().toTupleString(),
                                               " is not fully defined")),
                   scope),
            {}};
  auto none = [&] { return zeros({count, 2}, {.dtype = DType::Int32}); };
  if (count == 0) {
    Output first = none();
    return {first, none()};
  }
  if (!extents.shape().isCompatibleWith({count}))
    return {failed(invalidArgumentError(
                       strCat("Shapes ", extents.shape().toTupleString(),
                              " and (", count, ",) are incompatible")),
                   scope),
            {}};
  Output base = options.basePaddings ? convert(*options.basePaddings,
                                               "base_paddings", DType::Int32)
                                     : none();
  if (!base.node)
    return {};
  auto numbersOf = [](const Output &tensor) {
    auto value = constantValue(tensor);
    return value ? knownIntegers(*value) : std::nullopt;
  };
  auto knownBlocks = numbersOf(blocks), knownExtents = numbersOf(extents),
       knownBase = numbersOf(base);
  if (!knownBlocks || !knownExtents || !knownBase)
    return pairsInRun(extents, blocks, base, count);
  std::vector<Pair> paddings = pairsOf(*knownBase), crops;
  for (size_t i = 0; i < paddings.size(); ++i) {
    int64_t block = std::max<int64_t>((*knownBlocks)[i], 1);
    int64_t full = (*knownExtents)[i] + paddings[i][0] + paddings[i][1];
    int64_t extra = (block - full % block) % block;
    paddings[i][1] += extra;
    crops.push_back({0, extra});
  }
  Output first = convert(listOf(paddings), "paddings");
  return {first, convert(listOf(crops), "crops")};
}

namespace {

/// **Errors** of the graph.
Output blocksBy(const Input &input, const Input &pairs, int64_t blockSize,
                const std::string &name, bool toBatch) {
  const int64_t block[] = {blockSize, blockSize};
  Tensor blocks =
      Tensor::fromValues<int64_t>({2}, std::span<const int64_t>(block))
          .valueOr(Tensor());
  return withShape(Shape::unknownDims(4), [&] {
    return toBatch
               ? rawOps::spaceToBatchND(input, blocks, pairs, {.name = name})
               : rawOps::batchToSpaceND(input, blocks, pairs, {.name = name});
  });
}

} // namespace

Output spaceToBatch(const Input &input, const Input &paddings,
                    int64_t blockSize, const OpOptions &options) {
  GraphScope graph(builderOf(input));
  return blocksBy(input, paddings, blockSize, options.name, true);
}
Output batchToSpace(const Input &input, const Input &crops, int64_t blockSize,
                    const OpOptions &options) {
  GraphScope graph(builderOf(input));
  return blocksBy(input, crops, blockSize, options.name, false);
}

namespace {

/// What a padding puts around dilated windows anyway. **Source**:
/// nn_ops._WithSpaceToBatch.
StatusOr<Input> basePaddings(const Padding &padding, const Numbers &dilations,
                             const SpaceToBatchOptions &options) {
  KILN_ASSIGN_OR_RETURN(PaddingAttrs attrs,
                        attrsOf(padding, dilations.size() + 2));
  Pairs pairs;
  size_t count = dilations.size();
  if (attrs.name == "VALID") {
    pairs.known.assign(count, {0, 0});
    return pairs.input();
  }
  if (attrs.name == "EXPLICIT") {
    size_t first = channelsFirst(options.dataFormat) ? 2 : 1;
    pairs.known = pairsOf(attrs.numbers);
    pairs.known.erase(pairs.known.begin(),
                      pairs.known.begin() + static_cast<ptrdiff_t>(first));
    pairs.known.resize(count);
    return pairs.input();
  }
  if (attrs.name != "SAME")
    return invalidArgumentError(
        strCat("`padding` must be one of 'SAME' or 'VALID'. Received: padding=",
               attrs.name));
  if (!options.filterShape)
    return invalidArgumentError(
        "`filter_shape` must be specified for `padding='SAME'`. Received: "
        "filter_shape=None and padding=SAME");
  Output filter = convert(*options.filterShape, "filter_shape");
  auto value = constantValue(filter);
  auto extents = value ? knownIntegers(*value) : std::nullopt;
  if (extents) {
    for (size_t i = 0; i < count; ++i) {
      int64_t extra = ((*extents)[i] - 1) * dilations[i];
      pairs.known.push_back({extra / 2, extra - extra / 2});
    }
    return Input(convert(listOf(pairs.known), "stack"));
  }
  return invalidArgumentError(
      "expected a filter whose extents the graph knows");
}

/// Numbers for the axes from 1 on: those between that are no axes of space get
/// a number that changes nothing.
template <class Number>
std::vector<Number> adjusted(const std::vector<Number> &numbers, Number fill,
                             const Numbers &axes) {
  std::vector<Number> all;
  int64_t before = 0;
  for (size_t i = 0; i < axes.size(); ++i) {
    all.insert(all.end(), static_cast<size_t>(axes[i] - 1 - before), fill);
    all.push_back(numbers[i]);
    before = axes[i];
  }
  return all;
}

/// The same of a tensor, in whose rows the axes of space follow each other.
Input adjustedPairs(const Output &pairs, const Numbers &axes) {
  auto value = constantValue(pairs);
  if (auto numbers = value ? knownIntegers(*value) : std::nullopt) {
    Pairs all;
    all.known = adjusted<Pair>(pairsOf(*numbers), {0, 0}, axes);
    return all.input();
  }
  Pairs before;
  before.known.assign(static_cast<size_t>(axes[0] - 1), {0, 0});
  Output rows = pairs[{kiln::slice(0, static_cast<int64_t>(axes.size()))}];
  if (before.known.empty())
    return concat({rows}, 0);
  return concat({before.input(), rows}, 0);
}

/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
Status check(const Shape &shape, const Numbers &dilations, const Numbers &axes,
             const std::string &format) {
  bool isRising = std::ranges::is_sorted(axes) &&
                  std::ranges::adjacent_find(axes) == axes.end();
  if (!isRising || axes.front() < 1)
    return invalidArgumentError(
        strCat("`spatial_dims` must be a monotonically increasing sequence of "
               "positive integers. Received: spatial_dims=",
               listText(axes)));
  int64_t rank = axes.back() + (channelsFirst(format) ? 0 : 1);
  if (shape.hasRank() && shape.rank() < rank)
    return invalidArgumentError(
        strCat("`input.shape.rank` must be at least ", rank,
               ". Received: input.shape=", shape.toTupleString(), " with rank ",
               shape.rank()));
  if (std::ranges::any_of(dilations, [](int64_t n) { return n < 1; }))
    return invalidArgumentError(
        strCat("`dilation_rate` must be positive. Received: dilation_rate=[",
               strJoin(dilations, " "), "]"));
  return okStatus();
}

/// The extents of the axes of space: numbers, or elements of the shape.
Input spaceOf(const Output &tensor, const Numbers &axes) {
  Numbers known;
  for (int64_t axis : axes)
    known.push_back(tensor.shape().dim(static_cast<int>(axis)));
  if (std::ranges::all_of(known, [](int64_t n) { return n >= 0; }))
    return Input(known);
  Output all = shape(tensor);
  if (!all.node)
    return Output();
  std::vector<Input> parts;
  for (int64_t axis : axes)
    parts.emplace_back(all[static_cast<int>(axis)]);
  return stack(parts);
}

} // namespace

Output withSpaceToBatch(
    const Input &input, const Numbers &dilationRate, const Padding &padding,
    const std::function<Output(const Output &, int64_t, const Padding &)> &op,
    const SpaceToBatchOptions &options) {
  GraphScope graph(builderOf(input));
  Output tensor = convert(input, "input");
  if (!tensor.node)
    return {};
  auto spatial = static_cast<int64_t>(dilationRate.size());
  Output rate = convert(dilationRate, "dilation_rate", DType::Int32);
  Numbers axes = options.spatialDims;
  for (int64_t i = 0; options.spatialDims.empty() && i < spatial; ++i)
    axes.push_back(i + (channelsFirst(options.dataFormat) ? 2 : 1));
  if (Status status =
          check(tensor.shape(), dilationRate, axes, options.dataFormat);
      !status.ok())
    return failed(status, "");
  if (std::ranges::all_of(dilationRate, [](int64_t n) { return n == 1; }))
    return op(tensor, spatial, padding);
  auto base = basePaddings(padding, dilationRate, options);
  if (!base.ok())
    return failed(base.status(), "");
  Input space = spaceOf(tensor, axes);
  auto [paddings, crops] =
      requiredSpaceToBatchPaddings(space, rate, {.basePaddings = *base});
  if (!paddings.node || !crops.node)
    return {};
  std::vector<int32_t> blocks;
  for (int64_t each : adjusted<int64_t>(dilationRate, 1, axes))
    blocks.push_back(static_cast<int32_t>(each));
  Input block(
      Tensor::fromValues<int32_t>({static_cast<int64_t>(blocks.size())}, blocks)
          .valueOr(Tensor()));
  Input around = adjustedPairs(paddings, axes);
  Input cut = adjustedPairs(crops, axes);
  Output parts = rawOps::spaceToBatchND(tensor, block, around);
  if (!parts.node)
    return {};
  return rawOps::batchToSpaceND(op(parts, spatial, "VALID"), block, cut);
}

} // namespace kiln::ops
