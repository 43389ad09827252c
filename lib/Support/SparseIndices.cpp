// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks over the indices of a sparse tensor.
#include "lib/Support/SparseIndices.h"

#include "kiln/Shape.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <compare>
#include <optional>
#include <string_view>

namespace kiln {

std::string listText(std::span<const int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += strCat(text.empty() ? "[" : ",", number);
  return text.empty() ? "[]" : text + "]";
}

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

StatusOr<int64_t> checkExtents(std::span<const int64_t> extents) {
  if (extents.size() > static_cast<size_t>(Shape::maxRank))
    return invalidArgumentError(strCat("expected at most ", Shape::maxRank,
                                       " dimensions, got ", extents.size()));
  CheckedInt64 product = 1;
  bool isEmpty = false;
  for (int64_t extent : extents) {
    if (extent < 0)
      return invalidArgumentError(
          strCat("Expected shape dimensions to be non-negative, got ", extent));
    isEmpty |= extent == 0;
    product *= extent;
  }
  if (isEmpty)
    return 0;
  if (!product.value())
    return invalidArgumentError(
        strCat("Encountered overflow when multiplying the dimensions ",
               listText(extents)));
  return *product.value();
}

/// The extents that SparseReshape is to give: at most one of them is -1.
StatusOr<std::vector<int64_t>>
reshapedExtents(std::span<const int64_t> from, int64_t elements,
                std::span<const int64_t> target) {
  std::vector<int64_t> extents(target.begin(), target.end());
  auto open = extents.end();
  CheckedInt64 product = 1;
  for (auto extent = extents.begin(); extent != extents.end(); ++extent) {
    const auto d = extent - extents.begin();
    if (*extent == -1) {
      if (open != extents.end())
        return invalidArgumentError(
            strCat("only one output dimension may be -1, not both ",
                   open - extents.begin(), " and ", d));
      open = extent;
    } else if (*extent < 0) {
      return invalidArgumentError(
          strCat("size ", d, " must be non-negative, not ", *extent));
    } else {
      product *= *extent;
    }
  }
  const std::optional<int64_t> known = product.value();
  if (!known)
    return checkExtents(extents).status();
  if (open != extents.end()) {
    if (*known == 0)
      return invalidArgumentError(
          "reshape cannot infer the missing input size for an empty tensor "
          "unless all specified input sizes are non-zero");
    *open = 1; // as the message has it
    if (elements % *known != 0)
      return invalidArgumentError(
          strCat("Input to reshape is a SparseTensor with ", elements,
                 " dense values, but the requested shape requires a multiple "
                 "of ",
                 *known, ". input_shape=", listText(from),
                 " output_shape=", listText(extents)));
    *open = elements / *known;
  }
  KILN_ASSIGN_OR_RETURN(int64_t asked, checkExtents(extents));
  if (asked != elements)
    return invalidArgumentError(strCat(
        "Input to reshape is a tensor with ", elements,
        " dense values, but the requested shape has ", asked,
        ". input_shape=", listText(from), " output_shape=", listText(extents)));
  return extents;
}

Status placeRows(std::span<const int64_t> indices, int64_t width, int64_t count,
                 std::span<int64_t> places, std::span<bool> empty) {
  const auto rows = static_cast<int64_t>(empty.size());
  if (rows == 0 && count != 0)
    return invalidArgumentError(
        strCat("Received SparseTensor with dense_shape[0] = 0 but "
               "indices.shape[0] = ",
               count));
  for (int64_t i = 0; i < count; ++i) {
    const int64_t row = indices[static_cast<size_t>(i * width)];
    if (row < 0 || row >= rows)
      return invalidArgumentError(
          strCat("indices(", i, ", 0) is invalid: ", row, " >= ", rows));
    ++places[static_cast<size_t>(row) + 1];
  }
  for (size_t row = 0; row < empty.size(); ++row) {
    empty[row] = places[row + 1] == 0;
    places[row + 1] = places[row] + std::max<int64_t>(places[row + 1], 1);
  }
  return okStatus();
}

Status checkSparseRanks(std::span<const Tensor> parts) {
  struct Part {
    std::string_view name, kind;
    int rank;
  };
  constexpr Part wanted[] = {{"indices", "matrix", 2},
                             {"values", "vector", 1},
                             {"shape", "vector", 1}};
  for (size_t i = 0; i < std::size(wanted); ++i)
    if (parts[i].rank() != wanted[i].rank)
      return invalidArgumentError(
          strCat("Input ", wanted[i].name, " should be a ", wanted[i].kind,
                 " but received shape ", parts[i].shape().toString()));
  return okStatus();
}

StatusOr<Tensor> elementsOf(const Tensor &vector, int64_t begin, int64_t end) {
  KILN_ASSIGN_OR_RETURN(Tensor part,
                        Tensor::create(vector.dtype(), {end - begin}));
  const auto first = static_cast<size_t>(begin),
             count = static_cast<size_t>(end - begin);
  if (vector.dtype() == DType::String)
    std::ranges::copy(vector.data<String>().subspan(first, count),
                      part.mutableData<String>().begin());
  else if (count > 0)
    std::copy_n(static_cast<const char *>(vector.rawData()) +
                    first * dtypeSize(vector.dtype()),
                part.byteSize(), static_cast<char *>(part.mutableRawData()));
  return part;
}

} // namespace kiln
