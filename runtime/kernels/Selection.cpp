// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that select elements: where, dynamic partition and stitch.
#include "lib/Support/DTypeDispatch.h"
#include "runtime/kernels/Coordinates.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/SparseIndices.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

namespace kiln {
namespace {

/// How many elements are looked at between two looks at the run.
constexpr int64_t stretch = 1 << 16;

int64_t productOf(std::span<const int64_t> dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t(1),
                         std::multiplies<>());
}

template <class T> bool isNonZero(T value) {
  if constexpr (std::is_class_v<T>) // 16 bits
    return static_cast<float>(value) != 0.0f;
  else
    return value != T(0);
}

/// Writes the coordinates of the elements that are not zero.
template <class T>
bool writeCoordinates(const KernelCall &call, const T *x, int64_t *out) {
  std::span<const int64_t> dims = call.inputDims(0);
  int64_t elements = call.inputElements(0);
  size_t rank = dims.size();
  int64_t inner = rank == 0 ? 1 : dims[rank - 1];
  for (int64_t i = 0, row = 0; i < elements; i += inner, ++row) {
    if (row % 64 == 0 && mustStop(call.state()))
      return false;
    for (int64_t j = 0; j < inner; ++j) {
      if (!isNonZero(x[i + j]))
        continue;
      int64_t rest = row;
      for (size_t d = rank; d-- > 0;) {
        out[d] = d + 1 == rank ? j : rest % dims[d];
        rest = d + 1 == rank ? rest : rest / dims[d];
      }
      out += rank;
    }
  }
  return true;
}

/// x -> [number of elements that are not zero, rank] : i64, in order; finds out
/// that number. NaN is not zero.
int32_t where(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchElement(call.inputDType(0), [&]<class T>(T) -> int32_t {
    const T *x = call.input<T>(0);
    int64_t elements = call.inputElements(0), count = 0;
    for (int64_t begin = 0; begin < elements; begin += stretch) {
      if (mustStop(call.state()))
        return 1;
      count += std::count_if(x + begin, x + std::min(begin + stretch, elements),
                             isNonZero<T>);
    }
    call.bind(0, count);
    auto *out = call.allocateOutput<int64_t>(0);
    return !out || !writeCoordinates(call, x, out);
  });
}

/// Whether a tuple of indices lies in the block.
bool isWithin(const int64_t *index, const int64_t *start, const int64_t *size,
              int64_t rank) {
  for (int64_t d = 0; d < rank; ++d)
    if (index[d] < start[d] ||
        static_cast<uint64_t>(index[d]) - static_cast<uint64_t>(start[d]) >=
            static_cast<uint64_t>(size[d]))
      return false;
  return true;
}

/// indices : [n, r], values : [n], shape, start, size : [r] -> those in the
/// block, the indices from its start on; their values; the block's shape within
/// the tensor. Finds out how many they are.
int32_t sparseSlice(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const int64_t n = call.inputElements(1), rank = call.inputElements(2);
  const auto *indices = call.input<int64_t>(0), *shape = call.input<int64_t>(2),
             *start = call.input<int64_t>(3), *size = call.input<int64_t>(4);
  for (int64_t d = 0; d < rank; ++d) {
    if (size[d] < 0)
      return !call.fail(invalidArgumentError(
          strCat("Expected a non-negative size, got ", size[d])));
    if (shape[d] < 0)
      return !call.fail(invalidArgumentError(strCat(
          "Expected shape dimensions to be non-negative, got ", shape[d])));
    int64_t rest = 0;
    if (__builtin_sub_overflow(shape[d], start[d], &rest))
      rest = std::numeric_limits<int64_t>::max();
    call.output<int64_t>(2)[d] = std::max<int64_t>(std::min(rest, size[d]), 0);
  }
  int64_t count = 0;
  if (call.forEach(n, [&](int64_t i) {
        count += isWithin(indices + i * rank, start, size, rank);
        return true;
      }))
    return 1;
  call.bind(0, count);
  auto *places = call.allocateOutput<int64_t>(0);
  auto *values = call.allocateOutput<char>(1);
  if (!places || !values)
    return 1;
  const size_t bytes = dtypeSize(call.inputDType(1));
  return call.forEach(n, [&](int64_t i) {
    const int64_t *own = indices + i * rank;
    if (!isWithin(own, start, size, rank))
      return true;
    for (int64_t d = 0; d < rank; ++d)
      *places++ = own[d] - start[d];
    std::memcpy(values, call.input<char>(1) + static_cast<size_t>(i) * bytes,
                bytes);
    values += bytes;
    return true;
  });
}

/// data : [partitions..., row...], partitions : i32 -> output p: the rows of
/// partition p, in order; finds out how many each has.
int32_t dynamicPartition(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const auto *partitions = call.input<int32_t>(1);
  int64_t rows = call.inputElements(1), parts = call.numOutputs();
  auto rowBytes = static_cast<size_t>(
      productOf(call.inputDims(0).subspan(call.inputDims(1).size())) *
      static_cast<int64_t>(dtypeSize(call.inputDType(0))));
  for (int j = 0; j < parts; ++j)
    call.bind(j, 0);
  for (int64_t i = 0; i < rows; ++i) {
    if (i % stretch == 0 && mustStop(call.state()))
      return 1;
    if (partitions[i] < 0 || partitions[i] >= parts)
      return !call.fail(invalidArgumentError(
          strCat("partitions", coordinatesOf(call.inputDims(1), i), " = ",
                 partitions[i], " is not in [0, ", parts, ")")));
    call.bind(partitions[i], call.bound(partitions[i]) + 1);
  }
  for (int j = 0; j < parts; ++j) {
    if (!call.allocate(j))
      return 1;
    call.bind(j, 0); // from now on where the next row goes
  }
  const auto *data = call.input<char>(0);
  for (int64_t i = 0; i < rows; ++i) {
    if (i % stretch == 0 && mustStop(call.state()))
      return 1;
    int part = partitions[i];
    int64_t place = call.bound(part);
    std::memcpy(call.output<char>(part) + static_cast<size_t>(place) * rowBytes,
                data + static_cast<size_t>(i) * rowBytes, rowBytes);
    call.bind(part, place + 1);
  }
  return mustStop(call.state());
}

/// n lists of indices : i32, then n lists of rows -> the rows, row k of list j
/// at index k of list j, later ones over earlier ones, zeros where there is
/// none; finds out how many: the largest index and one.
int32_t dynamicStitch(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  int lists = call.numInputs() / 2;
  int32_t last = -1;
  for (int j = 0; j < lists; ++j)
    for (int64_t i = 0; i < call.inputElements(j); ++i) {
      int32_t index = call.input<int32_t>(j)[i];
      if (index < 0)
        return !call.fail(ErrorKind::StitchIndexOutOfRange, i);
      last = std::max(last, index);
    }
  // The size is known where the indices are constant.
  auto *out = call.output<char>(0);
  if (!out) {
    call.bind(0, int64_t(last) + 1);
    out = call.allocateOutput<char>(0);
  }
  if (!out)
    return 1;
  auto rowBytes =
      static_cast<size_t>(productOf(call.outputDims(0).subspan(1)) *
                          static_cast<int64_t>(dtypeSize(call.outputDType(0))));
  std::memset(out, 0, (static_cast<size_t>(last) + 1) * rowBytes);
  for (int j = 0; j < lists; ++j) {
    if (mustStop(call.state()))
      return 1;
    const auto *rows = call.input<char>(lists + j);
    for (int64_t i = 0; i < call.inputElements(j); ++i)
      std::memcpy(out +
                      static_cast<size_t>(call.input<int32_t>(j)[i]) * rowBytes,
                  rows + static_cast<size_t>(i) * rowBytes, rowBytes);
  }
  return mustStop(call.state());
}

} // namespace

std::vector<Kernel> selectionKernels() {
  return {{"DynamicPartition", dynamicPartition},
          {"DynamicStitch", dynamicStitch},
          {"FillEmptyRows", fillEmptyRows},
          {"FillEmptyRowsGradient", fillEmptyRowsGradient},
          {"SparseReorder", sparseReorder},
          {"SparseReshape", sparseReshape},
          {"SparseSlice", sparseSlice},
          {"Where", where}};
}

} // namespace kiln
