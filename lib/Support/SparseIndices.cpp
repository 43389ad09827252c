// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks over the indices of a sparse tensor.
#include "lib/Support/SparseIndices.h"

#include "lib/Support/Strings.h"

#include <algorithm>
#include <compare>
#include <string_view>

namespace kiln {
namespace {

std::string listText(std::span<const int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += strCat(text.empty() ? "[" : ",", number);
  return text + "]";
}

} // namespace

Status checkOrderedIndices(std::span<const int64_t> indices,
                           std::span<const int64_t> shape) {
  const size_t rank = shape.size();
  for (size_t at = 0; rank > 0 && at < indices.size(); at += rank) {
    std::span<const int64_t> index = indices.subspan(at, rank);
    auto error = [&](std::string_view what) {
      return invalidArgumentError(
          strCat("indices[", at / rank, "] = ", listText(index), what));
    };
    for (size_t d = 0; d < rank; ++d)
      if (index[d] < 0 || index[d] >= shape[d])
        return error(
            strCat(" is out of bounds: need 0 <= index < ", listText(shape)));
    if (at == 0)
      continue;
    std::span<const int64_t> before = indices.subspan(at - rank, rank);
    const auto order = std::lexicographical_compare_three_way(
        before.begin(), before.end(), index.begin(), index.end());
    if (order == 0)
      return error(" is repeated");
    if (order > 0)
      return error(" is out of order. Many sparse ops require sorted indices. "
                   "Use `tf.sparse.reorder` to create a correctly ordered "
                   "copy.");
  }
  return okStatus();
}

} // namespace kiln
