// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and prints boxes as TensorFlow's tensor_slice.cc does.
#include "lib/Shape/TensorSlice.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace kiln {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator,
                                    bool skipsEmpty) {
  std::vector<std::string_view> parts;
  for (;;) {
    size_t end = text.find(separator);
    std::string_view part = text.substr(0, end);
    if (!part.empty() || !skipsEmpty)
      parts.push_back(part);
    if (end == text.npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<int64_t> numberIn(std::string_view text) {
  int64_t number = 0;
  const char *end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end)
    return std::nullopt;
  return number;
}

} // namespace

StatusOr<TensorSlice> TensorSlice::parse(std::string_view text) {
  TensorSlice slice;
  for (std::string_view item : split(text, ':', /*skipsEmpty=*/true)) {
    if (item == "-") {
      slice.extents.emplace_back();
      continue;
    }
    auto pair = split(item, ',', /*skipsEmpty=*/true);
    std::optional<int64_t> start, length;
    if (pair.size() == 2) {
      start = numberIn(pair[0]);
      length = numberIn(pair[1]);
    }
    if (!start || !length)
      return invalidArgumentError(
          strCat("Expected a pair of numbers or '-' but got '", item,
                 "': string = ", text));
    if (*start < 0 || *length <= 0 || !checkedAdd(*start, *length))
      return invalidArgumentError(
          strCat("Expected non-negative start and positive length but got "
                 "start = ",
                 *start, ", length = ", *length, ": string = ", text));
    slice.extents.push_back({*start, *length});
  }
  return slice;
}

std::string TensorSlice::toString() const {
  std::string text;
  for (const Extent &extent : extents) {
    text += text.empty() ? "" : ":";
    text +=
        extent.length == whole ? "-" : strCat(extent.start, ",", extent.length);
  }
  return text;
}

TensorSlice TensorSlice::all(int rank) {
  TensorSlice slice;
  slice.extents.resize(static_cast<size_t>(rank));
  return slice;
}

bool TensorSlice::isAll() const {
  return std::ranges::all_of(
      extents, [](const Extent &extent) { return extent.length == whole; });
}

StatusOr<Shape> TensorSlice::shapeOf(const Shape &full) const {
  if (static_cast<size_t>(full.rank()) != extents.size())
    return internalError(strCat("Mismatching ranks: shape = ", full.toString(),
                                ", slice = ", toString()));
  Shape shape;
  for (int d = 0; d < full.rank(); ++d) {
    const Extent &extent = extents[static_cast<size_t>(d)];
    bool isWhole = extent.length == whole;
    if (!isWhole && (extent.start > full.dim(d) ||
                     extent.length > full.dim(d) - extent.start))
      return internalError(strCat("Extent in dimension ", d,
                                  " out of bounds: shape = ", full.toString(),
                                  ", slice = ", toString()));
    shape.appendDim(isWhole ? full.dim(d) : extent.length);
  }
  return shape;
}

TensorSlice TensorSlice::resolved(const Shape &full) const {
  TensorSlice slice = *this;
  for (size_t d = 0; d < extents.size(); ++d)
    if (extents[d].length == whole)
      slice.extents[d].length = full.dim(static_cast<int>(d));
  return slice;
}

StatusOr<ShapeAndSlice> ShapeAndSlice::parse(std::string_view text) {
  auto parts = split(text, ' ', /*skipsEmpty=*/false);
  if (parts.size() < 2)
    return invalidArgumentError(strCat(
        "Need least two elements in shape_and_slice specification: ", text));
  ShapeAndSlice result;
  KILN_ASSIGN_OR_RETURN(result.slice, TensorSlice::parse(parts.back()));
  parts.pop_back();
  std::vector<int64_t> dims;
  for (std::string_view part : parts) {
    auto dim = numberIn(part);
    if (!dim || *dim < 0)
      return invalidArgumentError(
          strCat("Non numerical dimension in shape_and_slice: ", text));
    dims.push_back(*dim);
  }
  KILN_ASSIGN_OR_RETURN(result.shape, Shape::fromDims(dims));
  KILN_RETURN_IF_ERROR(result.shape.numElements().status());
  KILN_ASSIGN_OR_RETURN(result.sliceShape, result.slice.shapeOf(result.shape));
  return result;
}

} // namespace kiln
