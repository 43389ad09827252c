// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on sparse tensors: ordered, reshaped, with an element in each row.
#include "runtime/kernels/SparseIndices.h"

#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/SparseIndices.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelCall.h"

#include <algorithm>
#include <compare>
#include <cstring>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

namespace kiln {
namespace {

std::span<const int64_t> integersOf(const KernelCall &call, int input) {
  return {call.input<int64_t>(input),
          static_cast<size_t>(call.inputElements(input))};
}

/// Copies elements of one size, one at a time.
struct Elements {
  const char *from;
  char *to;
  size_t bytes;

  void copy(int64_t source, int64_t target) const {
    std::memcpy(to + static_cast<size_t>(target) * bytes,
                from + static_cast<size_t>(source) * bytes, bytes);
  }
};

/// A list of `count` elements; false, with the error recorded, without memory.
template <class T>
bool makeList(const KernelCall &call, std::vector<T> &list, size_t count) {
  uint64_t bytes = 0;
  if (!reserveData(list, count, bytes))
    return call.fail(ErrorKind::OutOfMemory, static_cast<int64_t>(bytes));
  list.resize(count);
  return true;
}

/// Row-major steps; they wrap where nothing lies in the extents.
std::vector<int64_t> stridesOf(std::span<const int64_t> extents) {
  std::vector<int64_t> strides(extents.size(), 1);
  for (size_t d = extents.size(); d-- > 1;)
    strides[d - 1] = static_cast<int64_t>(static_cast<uint64_t>(strides[d]) *
                                          static_cast<uint64_t>(extents[d]));
  return strides;
}

template <class T> T sumOf(T a, T b) {
  if constexpr (std::is_class_v<T>) // 16 bits
    return T(static_cast<float>(a) + static_cast<float>(b));
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  else
    return a + b;
}

template <class T> bool splitGradient(const KernelCall &call) {
  const auto *from = call.input<T>(1);
  const int64_t count = call.inputElements(1);
  std::vector<char> isTaken;
  if (!makeList(call, isTaken, static_cast<size_t>(count)))
    return false;
  auto *to = call.output<T>(0);
  if (call.forEach(call.inputElements(0), [&](int64_t i) {
        const int64_t place = call.input<int64_t>(0)[i];
        if (place < 0 || place >= count)
          return call.fail(invalidArgumentError(
              strCat("Elements in reverse index must be in [0, ", count,
                     ") but got ", place)));
        to[i] = from[place];
        isTaken[static_cast<size_t>(place)] = 1;
        return true;
      }))
    return false;
  T rest{};
  for (int64_t i = 0; i < count; ++i)
    if (!isTaken[static_cast<size_t>(i)])
      rest = sumOf(rest, from[i]);
  *call.output<T>(1) = rest;
  return true;
}

} // namespace

int32_t sparseReorder(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  std::span<const int64_t> indices = integersOf(call, 0);
  const int64_t count = call.inputDims(0)[0], rank = call.inputDims(0)[1];
  auto index = [&](int64_t i) {
    return indices.subspan(static_cast<size_t>(i * rank),
                           static_cast<size_t>(rank));
  };
  const Elements values{call.input<char>(1), call.output<char>(1),
                        dtypeSize(call.inputDType(1))};
  bool isOrdered = true;
  for (int64_t i = 1; i < count && isOrdered; ++i)
    isOrdered = !std::ranges::lexicographical_compare(index(i), index(i - 1));
  if (isOrdered) {
    std::ranges::copy(indices, call.output<int64_t>(0));
    if (count > 0)
      std::memcpy(values.to, values.from,
                  static_cast<size_t>(count) * values.bytes);
    return mustStop(call.state());
  }
  std::vector<int64_t> places;
  if (!makeList(call, places, static_cast<size_t>(count)))
    return 1;
  std::iota(places.begin(), places.end(), int64_t(0));
  std::ranges::sort(places, [&](int64_t a, int64_t b) {
    const auto order = std::lexicographical_compare_three_way(
        index(a).begin(), index(a).end(), index(b).begin(), index(b).end());
    return order < 0 || (order == 0 && a < b);
  });
  auto *to = call.output<int64_t>(0);
  return call.forEach(count, [&](int64_t i) {
    const int64_t place = places[static_cast<size_t>(i)];
    to = std::ranges::copy(index(place), to).out;
    values.copy(place, i);
    return true;
  });
}

int32_t sparseReshape(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  std::span<const int64_t> from = integersOf(call, 1);
  auto elements = checkExtents(from);
  if (!elements.ok())
    return !call.fail(elements.status());
  auto to = reshapedExtents(from, *elements, integersOf(call, 2));
  if (!to.ok())
    return !call.fail(to.status());
  std::ranges::copy(*to, call.output<int64_t>(1));
  std::span<const int64_t> indices = integersOf(call, 0);
  auto *out = call.output<int64_t>(0);
  if (std::ranges::equal(from, *to)) {
    std::ranges::copy(indices, out);
    return mustStop(call.state());
  }
  const int64_t count = call.inputDims(0)[0];
  if (count > 0 && *elements == 0)
    return !call.fail(invalidArgumentError(strCat(
        "Input tensor has ", count, " non zero elements but input shape (",
        listText(from), ") or output shape (", listText(*to), ") is empty")));
  const std::vector<int64_t> own = stridesOf(from), strides = stridesOf(*to);
  auto index = indices.begin();
  return call.forEach(count, [&](int64_t) {
    // Indices that lie outside are no error here: they wrap.
    uint64_t place = 0;
    for (int64_t stride : own)
      place += static_cast<uint64_t>(*index++) * static_cast<uint64_t>(stride);
    auto rest = static_cast<int64_t>(place);
    for (int64_t stride : strides) {
      *out++ = rest / stride;
      rest %= stride;
    }
    return true;
  });
}

int32_t fillEmptyRows(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  std::span<const int64_t> indices = integersOf(call, 0);
  const int64_t width = call.inputDims(0)[1], rows = call.input<int64_t>(2)[0];
  if (rows < 0)
    return !call.fail(invalidArgumentError(
        strCat("Expected a non-negative size, got ", rows)));
  call.bind(1, rows);
  bool *empty = call.allocateOutput<bool>(2);
  std::vector<int64_t> places;
  if (!empty || !makeList(call, places, static_cast<size_t>(rows) + 1))
    return 1;
  const Status placed = placeRows(indices, width, call.inputElements(1), places,
                                  {empty, static_cast<size_t>(rows)});
  if (!placed.ok())
    return !call.fail(placed);
  call.bind(0, places.back());
  auto *to = call.allocateOutput<int64_t>(0);
  const size_t bytes = dtypeSize(call.inputDType(1));
  const Elements values{call.input<char>(1), call.allocateOutput<char>(1),
                        bytes},
      defaults{call.input<char>(3), values.to, bytes};
  if (!to || !values.to)
    return 1;
  for (int64_t row = 0; row < rows; ++row) {
    if (!empty[row])
      continue;
    const int64_t place = places[static_cast<size_t>(row)];
    defaults.copy(0, place);
    std::fill_n(to + place * width, width, int64_t(0));
    to[place * width] = row;
  }
  auto *map = call.output<int64_t>(3);
  return call.forEach(call.inputElements(1), [&](int64_t i) {
    const int64_t *own = indices.data() + i * width;
    const int64_t place = places[static_cast<size_t>(own[0])]++;
    std::copy_n(own, width, to + place * width);
    values.copy(i, place);
    map[i] = place;
    return true;
  });
}

int32_t fillEmptyRowsGradient(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return !dispatchElement(call.inputDType(1), [&]<class T>(T) {
    if constexpr (std::is_same_v<T, bool>)
      return false;
    else
      return splitGradient<T>(call);
  });
}

} // namespace kiln
