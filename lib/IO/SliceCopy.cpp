// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intersects boxes and copies rows.
#include "lib/IO/SliceCopy.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace kiln::io {
namespace {

/// What two resolved slices share; none where that is nothing.
std::optional<TensorSlice> intersection(const TensorSlice &a,
                                        const TensorSlice &b) {
  TensorSlice both;
  for (size_t d = 0; d < a.extents.size(); ++d) {
    const auto &x = a.extents[d], &y = b.extents[d];
    int64_t start = std::max(x.start, y.start);
    int64_t end = std::min(x.start + x.length, y.start + y.length);
    if (start >= end)
      return std::nullopt;
    both.extents.push_back({start, end - start});
  }
  return both;
}

int64_t numElements(const TensorSlice &slice) {
  int64_t count = 1;
  for (const auto &extent : slice.extents)
    count *= extent.length;
  return count;
}

/// The element of `part` at `index` of the whole.
int64_t placeIn(const TensorSlice &part, const std::vector<int64_t> &index) {
  int64_t place = 0;
  for (size_t d = 0; d < index.size(); ++d)
    place = place * part.extents[d].length + index[d] - part.extents[d].start;
  return place;
}

} // namespace

StatusOr<SliceCopy> SliceCopy::plan(const Shape &whole, const TensorSlice &box,
                                    std::span<const TensorSlice> parts) {
  SliceCopy copy;
  KILN_RETURN_IF_ERROR(box.shapeOf(whole).status());
  copy.whole = whole;
  copy.box = box.resolved(whole);
  copy.wanted = numElements(copy.box);
  std::vector<TensorSlice> taken;
  for (size_t i = 0; i < parts.size(); ++i) {
    auto both = intersection(copy.box, parts[i].resolved(whole));
    if (!both)
      continue;
    for (const TensorSlice &other : taken)
      if (intersection(other, *both))
        return dataLossError(strCat("Overlapping slices: ", other.toString(),
                                    " and ", both->toString()));
    // Disjoint, so the sum is at most the box's own.
    copy.covered += numElements(*both);
    taken.push_back(*std::move(both));
    copy.places.push_back(i);
  }
  return copy;
}

void SliceCopy::copy(const TensorSlice &part, const Tensor &from,
                     Tensor &to) const {
  TensorSlice source = part.resolved(whole);
  TensorSlice both = *intersection(box, source);
  const size_t rank = both.extents.size(), size = dtypeSize(from.dtype());
  std::vector<int64_t> index;
  for (const auto &extent : both.extents)
    index.push_back(extent.start);
  const int64_t row = rank == 0 ? 1 : both.extents.back().length;
  auto *target = static_cast<char *>(to.mutableRawData());
  const auto *bytes = static_cast<const char *>(from.rawData());
  for (int64_t left = numElements(both); left > 0; left -= row) {
    std::memcpy(target + static_cast<size_t>(placeIn(box, index)) * size,
                bytes + static_cast<size_t>(placeIn(source, index)) * size,
                static_cast<size_t>(row) * size);
    for (size_t d = rank - std::min<size_t>(rank, 1); d-- > 0;) {
      const auto &extent = both.extents[d];
      if (++index[d] < extent.start + extent.length)
        break;
      index[d] = extent.start;
    }
  }
}

StatusOr<Tensor> readBox(const std::string &name, DType dtype,
                         const Shape &whole, const TensorSlice &box,
                         std::span<const TensorSlice> parts,
                         const std::function<StatusOr<Tensor>(size_t)> &read) {
  if (dtype == DType::String)
    return invalidArgumentError("Dtype string not supported.");
  KILN_ASSIGN_OR_RETURN(SliceCopy copy, SliceCopy::plan(whole, box, parts));
  if (!copy.isComplete())
    return invalidArgumentError(
        strCat("Does not have sufficient slices for partitioned tensor ", name,
               " to restore in slice_spec: ", box.toString()));
  KILN_ASSIGN_OR_RETURN(Shape shape, box.shapeOf(whole));
  KILN_ASSIGN_OR_RETURN(Tensor result, Tensor::create(dtype, shape));
  for (size_t i : copy.parts()) {
    KILN_ASSIGN_OR_RETURN(Tensor part, read(i));
    copy.copy(parts[i], part, result);
  }
  return result;
}

} // namespace kiln::io
