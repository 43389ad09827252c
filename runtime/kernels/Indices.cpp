// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks indices and makes rows of them: what scatters and gathers go by, which
// drop a row below 0.
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/IndexCheck.h"
#include "runtime/kernels/Coordinates.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <new>
#include <optional>
#include <string>

namespace kiln {
namespace {

/// What a tuple of indices is that does not lie in a shape.
struct BadIndex {
  std::span<const int64_t> dims; ///< of the indices, without the tuples' own
  int64_t position;
  std::string numbers; ///< "7" or "1, 7"
  std::span<const int64_t> shape;
};

std::string textOf(IndexCheck check, const BadIndex &bad) {
  std::string at = coordinatesOf(bad.dims, bad.position),
              shape = strCat("[", strJoin(bad.shape, ","), "]");
  int64_t rows = bad.shape[0];
  switch (check) {
  case IndexCheck::Rows:
    return strCat("indices", at, " = ", bad.numbers, " is not in [0, ", rows,
                  ")");
  case IndexCheck::ScatterNd:
    return strCat("indices", at, " = [", bad.numbers,
                  "] does not index into shape ", shape);
  case IndexCheck::GatherNd:
    return strCat("indices", at, " = [", bad.numbers,
                  "] does not index into param shape ", shape);
  case IndexCheck::Segments:
    return strCat("segment_ids", at, " = ", bad.numbers,
                  " is out of range [0, ", rows, ")");
  case IndexCheck::SparseRows:
    return strCat("Bad: indices[", bad.position, "] == ", bad.numbers,
                  " out of range [0, ", rows, ")");
  case IndexCheck::GradientRows:
    return strCat("Index ", bad.numbers, " out of range [0, ", rows, ").");
  case IndexCheck::GradientSegments:
    return strCat("Segment id ", bad.numbers, " out of range [0, ", rows, ").");
  case IndexCheck::Dense:
    return strCat("Indices are not valid (out of bounds).  Shape: ", shape);
  case IndexCheck::SortedDense:
    return strCat("indices", at, " = [", bad.numbers,
                  "] is out of bounds: need 0 <= index < ", shape);
  case IndexCheck::UpdatedRows:
    return strCat("Index ", bad.numbers, " at offset ", bad.position,
                  " in indices is out of range");
  case IndexCheck::ProductRows:
  case IndexCheck::ProductColumns:
  case IndexCheck::AdjointRows:
  case IndexCheck::AdjointColumns: {
    const bool isRow = check == IndexCheck::ProductRows ||
                       check == IndexCheck::AdjointRows,
               isFirst = check == IndexCheck::ProductRows ||
                         check == IndexCheck::AdjointColumns;
    return strCat(isRow ? "m (" : "k (", bad.numbers, ") from index[",
                  bad.position, isFirst ? ",0" : ",1",
                  "] out of bounds (>=", rows, ")");
  }
  case IndexCheck::None:
    break;
  }
  return {};
}

/// The error of tuples into a shape without elements, if it is one.
std::optional<Status> emptyError(IndexCheck check, std::span<const int64_t> all,
                                 std::span<const int64_t> shape) {
  bool isEmpty = false;
  for (int64_t extent : shape)
    isEmpty |= extent == 0;
  if (!isEmpty)
    return std::nullopt;
  if (check == IndexCheck::GatherNd)
    return invalidArgumentError(
        strCat("Requested more than 0 entries, but params is empty.  Params "
               "shape: [",
               strJoin(shape, ","), "]"));
  if (check == IndexCheck::ScatterNd && std::ranges::find(all, 0) == all.end())
    return invalidArgumentError(
        strCat("Indices and updates specified for empty output.  indices "
               "shape: [",
               strJoin(all, ","), "]"));
  return std::nullopt;
}

/// Number 0 is an IndexCheck, number 1 how many indices a tuple has; without
/// tuples the indices have no dimension for them (0).
template <class Index> int32_t rowsOf(const KernelCall &call) noexcept {
  auto check = static_cast<IndexCheck>(call.number(0));
  if (call.numInputs() > 2 && *call.input<int64_t>(2) == 0)
    check = IndexCheck::None;
  int64_t tuple = std::max<int64_t>(call.number(1), 0);
  bool hasTuples = call.number(1) >= 0;
  std::span<const int64_t> all = call.inputDims(0),
                           dims = hasTuples ? all.first(all.size() - 1) : all;
  std::span<const int64_t> shape(call.input<int64_t>(1),
                                 static_cast<size_t>(call.inputElements(1)));
  if (!hasTuples)
    tuple = 1;
  int64_t count = call.outputElements(0);
  if (count > 0)
    if (auto error = emptyError(check, all, shape))
      return !call.fail(*std::move(error));
  const Index *indices = call.input<Index>(0);
  if (check == IndexCheck::GradientSegments && count > 0 &&
      static_cast<int64_t>(indices[count - 1]) >= shape[0])
    return !call.fail(invalidArgumentError("Invalid number of segments"));
  auto *rows = call.output<int64_t>(0);
  return call.forEach(count, [&](int64_t i) {
    const Index *own = indices + i * tuple;
    int64_t row = 0;
    bool isInside = true;
    for (int64_t d = 0; d < tuple; ++d) {
      auto index = static_cast<int64_t>(own[d]);
      int64_t extent = shape[static_cast<size_t>(d)];
      isInside &= index >= 0 && index < extent;
      // What lies outside is not used, and may wrap.
      row = static_cast<int64_t>(static_cast<uint64_t>(row) *
                                     static_cast<uint64_t>(extent) +
                                 static_cast<uint64_t>(index));
    }
    rows[i] = isInside ? row : -1;
    bool isDropped = check == IndexCheck::None ||
                     (check == IndexCheck::Segments && own[0] < 0);
    bool isSorted = check != IndexCheck::SortedDense || i == 0 || !isInside ||
                    rows[i] > rows[i - 1];
    if ((isInside || isDropped) && isSorted)
      return true;
    std::string numbers;
    for (int64_t d = 0; d < tuple; ++d)
      numbers += strCat(d == 0 ? "" : ", ", static_cast<int64_t>(own[d]));
    if (!isSorted)
      return call.fail(invalidArgumentError(strCat(
          "indices[", i, "] = [", numbers, "] is ",
          rows[i] == rows[i - 1] ? "repeated"
                                 : "out of order. Many sparse ops require "
                                   "sorted indices.")));
    return call.fail(
        invalidArgumentError(textOf(check, {dims, i, numbers, shape})));
  });
}

/// indices : [dims..., tuple], extents : i64 -> the row of each tuple : i64,
/// row-major among the first dimensions of a tensor of the extents; -1 for one
/// outside that is no error. With a third input, the elements of a row : i64,
/// none is where a row has no elements.
int32_t indexRows(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchInteger(call.inputDType(0),
                         [&]<class T>(T) { return rowsOf<T>(call); });
}

/// Calls `repeated` for each of `rows` that has been before, in order. False
/// where there is no memory.
template <class Repeated>
bool forEachRepeated(std::span<const int64_t> rows, Repeated &&repeated) {
  bool isSorted = true;
  for (size_t i = 1; i < rows.size() && isSorted; ++i)
    isSorted = rows[i] > rows[i - 1];
  if (isSorted)
    return true;
  // Places of a table, at most half of them in use, by the row's number.
  size_t size = std::bit_ceil(rows.size()) * 2;
  std::unique_ptr<int64_t[]> seen(new (std::nothrow) int64_t[size]);
  if (!seen)
    return false;
  std::fill(seen.get(), seen.get() + size, -1);
  for (size_t i = 0; i < rows.size(); ++i) {
    size_t place = static_cast<size_t>(rows[i]) * 0x9e3779b97f4a7c15U;
    for (place = (place >> 32) % size;
         seen[place] >= 0 && seen[place] != rows[i];
         place = (place + 1) % size) {
    }
    if (seen[place] == rows[i])
      repeated(i);
    seen[place] = rows[i];
  }
  return true;
}

/// indices : [n], extents : i64 -> the row of each index : i64, the same with
/// -1 for one that has been before, where those are : i64, the first numbers of
/// as many as there are indices, and how many of them : i64. Its numbers are
/// those of IndexRows.
int32_t updatedRows(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  if (int32_t stopped = indexRows(raw))
    return stopped;
  const auto count = static_cast<size_t>(call.outputElements(0));
  const auto *rows = call.output<int64_t>(0);
  auto *firstOnes = call.output<int64_t>(1), *places = call.output<int64_t>(2);
  std::copy_n(rows, count, firstOnes);
  std::fill_n(places, count, 0);
  int64_t found = 0;
  const bool hasMemory = forEachRepeated({rows, count}, [&](size_t i) {
    firstOnes[i] = -1;
    places[found++] = static_cast<int64_t>(i);
  });
  *call.output<int64_t>(3) = found;
  return hasMemory
             ? 0
             : !call.fail(ErrorKind::OutOfMemory,
                          static_cast<int64_t>(4 * count * sizeof(int64_t)));
}

template <class Id> int32_t segmentsOf(const KernelCall &call) noexcept {
  int64_t count = call.inputElements(0);
  const Id *ids = call.input<Id>(0);
  auto fail = [&](std::string text) {
    return call.fail(invalidArgumentError(std::move(text)));
  };
  int64_t segments = 0;
  if (count > 0 && __builtin_add_overflow(static_cast<int64_t>(ids[count - 1]),
                                          1, &segments))
    return !call.fail(ErrorKind::SizeOverflow);
  if (call.number(0) >= 0) { // how many are asked for
    int64_t asked = *call.input<int64_t>(1);
    if (segments > asked)
      return !fail("segment ids must be < num_segments");
    segments = asked;
  } else {
    if (segments < (count > 0 ? 1 : 0))
      return !fail("segment ids must be >= 0");
    const int64_t inner = *call.input<int64_t>(2);
    if (int64_t whole = 0; __builtin_mul_overflow(segments, inner, &whole))
      return !fail(strCat("Encountered overflow when multiplying ", segments,
                          " with ", inner, ", result: -1"));
    call.bind(0, segments);
  }
  auto *rows = call.output<int64_t>(0);
  return call.forEach(count, [&](int64_t i) {
    auto id = static_cast<int64_t>(ids[i]);
    rows[i] = id;
    bool isLast = i + 1 == count || ids[i + 1] != ids[i];
    if (!isLast)
      return true;
    if (i + 1 < count && ids[i + 1] < ids[i])
      return fail("segment ids are not increasing");
    if (id < 0 || id >= segments)
      return fail(strCat("Segment id ", id, " out of range [0, ", segments,
                         "), possibly because 'segment_ids' input is not "
                         "sorted."));
    return true;
  });
}

/// ids, sorted : [n], how many there are : i64, elements of a row : i64 -> the
/// same : i64; with number 0 below 0 finds out how many segments there are.
int32_t segmentRows(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return call.inputDType(0) == DType::Int32 ? segmentsOf<int32_t>(call)
                                            : segmentsOf<int64_t>(call);
}

template <class Index> int32_t namedRowsOf(const KernelCall &call) noexcept {
  const int64_t count = call.inputElements(0), extent = *call.input<int32_t>(1);
  const Index *indices = call.input<Index>(0);
  auto *places = call.output<int64_t>(0);
  if (extent < 0)
    return !call.fail(invalidArgumentError(
        strCat("Expected a non-negative size, got ", extent)));
  std::vector<Index> named;
  uint64_t bytes = 0;
  if (!reserveData(named, static_cast<size_t>(count), bytes))
    return !call.fail(ErrorKind::OutOfMemory, static_cast<int64_t>(bytes));
  int32_t stopped = call.forEach(count, [&](int64_t i) {
    if (indices[i] < 0 || indices[i] >= extent)
      return call.fail(invalidArgumentError(
          strCat("Index ", static_cast<int64_t>(indices[i]),
                 " out of range [0, ", extent, ").")));
    named.push_back(indices[i]);
    return true;
  });
  if (stopped)
    return stopped;
  std::ranges::sort(named);
  named.erase(std::ranges::unique(named).begin(), named.end());
  call.bind(0, static_cast<int64_t>(named.size()));
  auto *rows = call.allocateOutput<Index>(1);
  if (!rows)
    return 1;
  std::ranges::copy(named, rows);
  return call.forEach(count, [&](int64_t i) {
    places[i] = std::ranges::lower_bound(named, indices[i]) - named.begin();
    return true;
  });
}

/// indices : [n], how many rows there are : i32 -> the place of each index
/// among those that occur : i64, and these, sorted, whose number it finds out.
int32_t namedRows(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return call.inputDType(0) == DType::Int32 ? namedRowsOf<int32_t>(call)
                                            : namedRowsOf<int64_t>(call);
}

} // namespace

std::vector<Kernel> indexKernels() {
  return {{"IndexRows", indexRows},
          {"NamedRows", namedRows},
          {"SegmentRows", segmentRows},
          {"UpdatedRows", updatedRows}};
}

} // namespace kiln
