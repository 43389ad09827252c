// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What convolutions and pooling have in common: numbers an axis, paddings.
#include "lib/Build/Ops/Windows.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::ops {

std::string listText(const Numbers &numbers) {
  return strCat("[", strJoin(numbers, ", "), "]");
}

StatusOr<Numbers> perAxis(const Numbers &given, size_t spatial,
                          bool channelsFirst, std::string_view name) {
  if (given.empty())
    return Numbers(spatial + 2, 1);
  if (given.size() == spatial + 2)
    return given;
  Numbers inner = given;
  if (given.size() == 1)
    inner.assign(spatial, given[0]);
  else if (given.size() != spatial)
    return invalidArgumentError(
        strCat(name, " should be of length 1, ", spatial, " or ", spatial + 2,
               ". Received: ", name, "=", listText(given), " of length ",
               given.size()));
  inner.insert(inner.begin(), 1);
  inner.insert(channelsFirst ? inner.begin() : inner.end(), 1);
  return inner;
}

StatusOr<PaddingAttrs> attrsOf(const Padding &padding, size_t expectedLength) {
  if (padding.name == "EXPLICIT")
    return invalidArgumentError(
        "'EXPLICIT' is not a valid value for `padding`. To use explicit "
        "padding, `padding` must be a list.");
  if (!padding.name.empty())
    return PaddingAttrs{padding.name, {}};
  PaddingAttrs attrs{"EXPLICIT", {}};
  std::vector<std::string> texts;
  for (const Numbers &pair : padding.numbers)
    texts.push_back(listText(pair));
  std::string text = strCat("[", strJoin(texts, ", "), "]");
  for (size_t i = 0; i < padding.numbers.size(); ++i) {
    const Numbers &pair = padding.numbers[i];
    if (pair.size() != 2)
      return invalidArgumentError(strCat(
          "When `padding` is a list, each element of `padding` must be a "
          "list/tuple of size 2. Received: padding=",
          text, " with element at index ", i, " of size ", pair.size()));
    attrs.numbers.insert(attrs.numbers.end(), pair.begin(), pair.end());
  }
  if (padding.numbers.size() != expectedLength)
    return invalidArgumentError(strCat("When padding is a list, it must be of "
                                       "size ",
                                       expectedLength,
                                       ". Received: padding=", text,
                                       " of size ", padding.numbers.size()));
  return attrs;
}

Status checkStrides(size_t spatial, Numbers &strides, Numbers &dilations) {
  for (auto [name, numbers] : {std::pair("dilation_rate", &dilations),
                               std::pair("strides", &strides)}) {
    if (numbers->empty())
      numbers->assign(spatial, 1);
    else if (numbers->size() != spatial)
      return invalidArgumentError(
          strCat("`len(", name, ")` should be ", spatial, ". Received: ", name,
                 "=", listText(*numbers), " of length ", numbers->size()));
    if (std::ranges::any_of(*numbers, [](int64_t n) { return n < 1; }))
      return invalidArgumentError(strCat("all values of `", name,
                                         "` must be positive. Received: ", name,
                                         "=[", strJoin(*numbers, " "), "]"));
  }
  auto isLarge = [](int64_t n) { return n > 1; };
  if (std::ranges::any_of(strides, isLarge) &&
      std::ranges::any_of(dilations, isLarge))
    return invalidArgumentError(
        strCat("`strides > 1` not supported in conjunction with "
               "`dilation_rate > 1`. Received: strides=[",
               strJoin(strides, " "), "] and dilation_rate=[",
               strJoin(dilations, " "), "]"));
  return okStatus();
}

namespace {

/// The extents [from, to) of a tensor: numbers where they are known.
Input extents(const Output &tensor, int64_t from, bool isInner) {
  const Shape &shape = tensor.shape();
  int64_t begin = isInner ? from : 0, end = isInner ? shape.rank() : from;
  std::vector<int64_t> known;
  for (int64_t i = begin; i < end; ++i)
    known.push_back(shape.dim(static_cast<int>(i)));
  if (std::ranges::all_of(known, [](int64_t n) { return n >= 0; }))
    return known.empty() ? Input(Shape()) : Input(known);
  Output all = ops::shape(tensor);
  if (!all.node)
    return Output();
  int64_t back = from - shape.rank();
  return isInner ? all[{sliceFrom(back)}] : all[{sliceTo(back)}];
}

} // namespace

Output squeezeBatches(const Input &input,
                      const std::function<Output(const Output &)> &op,
                      int innerRank, const std::string &name) {
  FunctionScope scope(name, "squeeze_batch_dims", {&input});
  Output tensor = convert(input, "input");
  if (!tensor.node)
    return {};
  int64_t batches = tensor.shape().rank() - innerRank;
  Input inner = extents(tensor, batches, true);
  Input batch = extents(tensor, batches, false);
  Input flatShape = 0;
  if (inner.output())
    flatShape = concat({Input({-1}), inner}, -1);
  else {
    std::vector<int64_t> numbers = *knownIntegers(inner);
    numbers.insert(numbers.begin(), -1);
    flatShape = numbers;
  }
  Output result = op(rawOps::reshape(tensor, flatShape));
  if (!result.node || !result.shape().hasRank())
    return {};
  Input end = extents(result, result.shape().rank() - innerRank, true);
  return rawOps::reshape(result, concat({batch, end}, -1));
}

} // namespace kiln::ops
