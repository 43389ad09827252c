// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places of values in sorted rows, of indices in the dimensions that they run
// through, and of the rows of a matrix that are nearest to another's.
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/Matrices.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace kiln {
namespace {

template <class T, class Index>
int32_t searchRows(const KernelCall &call) noexcept {
  const int64_t length = call.inputDims(0)[1], count = call.inputDims(1)[1];
  const bool isUpper = call.number(0) != 0;
  return call.forEach(call.outputElements(0), [&](int64_t i) {
    const T *row = call.input<T>(0) + i / count * length,
            value = call.input<T>(1)[i];
    const T *place = isUpper ? std::upper_bound(row, row + length, value)
                             : std::lower_bound(row, row + length, value);
    call.output<Index>(0)[i] = static_cast<Index>(place - row);
    return true;
  });
}

/// rows : [batch, n], values : [batch, m] -> [batch, m] x int32 or int64: how
/// many elements are less; [whether those count that are equal]
int32_t searchSorted(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchNumber(call.inputDType(0), [&]<class T>(T) -> int32_t {
    return call.outputDType(0) == DType::Int32 ? searchRows<T, int32_t>(call)
                                               : searchRows<T, int64_t>(call);
  });
}

template <class T> std::string listOf(const T *numbers, int64_t count) {
  std::string text = "(";
  for (int64_t i = 0; i < count; ++i)
    text += strCat(i ? " " : "", numbers[i]);
  return text + ")";
}

template <class T> bool checkDims(const KernelCall &call) {
  const T *dims = call.input<T>(1);
  const int64_t rank = call.inputElements(1);
  const auto limit = static_cast<uint64_t>(std::numeric_limits<T>::max());
  double product = 1;
  for (int64_t i = 0; i < rank; ++i) {
    if (dims[i] == 0)
      return call.fail(invalidArgumentError(
          strCat("Input dims cannot contain a dim of zero, but dims contains "
                 "zero at index ",
                 i)));
    if (dims[i] < 0)
      return call.fail(invalidArgumentError(
          strCat("Input dims cannot be negative. Got dim = ", dims[i],
                 " at index ", i)));
    if (product > static_cast<double>(limit / static_cast<uint64_t>(dims[i])))
      return call.fail(invalidArgumentError(
          strCat("Input dims product is causing integer overflow: ",
                 listOf(dims, rank))));
    product *= static_cast<double>(dims[i]);
  }
  return true;
}

template <class T> int32_t unravel(const KernelCall &call) noexcept {
  if (!checkDims<T>(call))
    return 1;
  const T *dims = call.input<T>(1);
  const int64_t rank = call.inputElements(1), count = call.inputElements(0);
  if (count == 0)
    return !call.fail(
        invalidArgumentError("received empty tensor indices: [0]"));
  T product = 1;
  for (int64_t k = 0; k < rank; ++k)
    product *= dims[k];
  return call.forEach(count, [&](int64_t i) {
    const T index = call.input<T>(0)[i];
    if (index >= product)
      return call.fail(
          invalidArgumentError("index is out of bound as with dims"));
    T stride = product;
    for (int64_t k = 0; k < rank; ++k) {
      const T rest = index % stride;
      stride /= dims[k];
      call.output<T>(0)[k * count + i] = rest / stride;
    }
    return true;
  });
}

/// indices : [] or [n], dims : [rank] -> [rank] or [rank, n]
int32_t unravelIndex(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return call.inputDType(0) == DType::Int32 ? unravel<int32_t>(call)
                                            : unravel<int64_t>(call);
}

/// points : [n, d], centers : [m, d] -> the nearest centers of each point, the
/// first of those that are as near, and the squares of their distances: [n, k].
/// |p|^2 - 2 p c + |c|^2, by products of blocks of points.
int32_t nearestNeighbors(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  constexpr int64_t blockSize = 256;
  const auto points = inputMatrix<float>(call, 0, 0),
             centers = inputMatrix<float>(call, 1, 0);
  const int64_t count = call.outputDims(0)[1];
  if (points.rows() == 0 || count == 0)
    return 0;
  try {
    const Eigen::VectorXf norms = centers.rowwise().squaredNorm();
    std::vector<std::pair<float, int64_t>> order(
        static_cast<size_t>(centers.rows()));
    for (int64_t from = 0; from < points.rows(); from += blockSize) {
      const int64_t rows = std::min(blockSize, points.rows() - from);
      const RowMatrix<float> products =
          points.middleRows(from, rows) * centers.transpose();
      for (int64_t i = 0; i < rows; ++i) {
        const float own = points.row(from + i).squaredNorm();
        for (int64_t j = 0; j < centers.rows(); ++j)
          order[static_cast<size_t>(j)] = {norms[j] - 2 * products(i, j), j};
        std::partial_sort(order.begin(), order.begin() + count, order.end());
        for (int64_t k = 0; k < count; ++k) {
          const auto [part, place] = order[static_cast<size_t>(k)];
          const int64_t at = (from + i) * count + k;
          call.output<int64_t>(0)[at] = place;
          call.output<float>(1)[at] = std::max(own + part, 0.0f);
        }
      }
      if (mustStop(call.state()))
        return 1;
    }
  } catch (const std::bad_alloc &) {
    return !call.fail(ErrorKind::OutOfMemory,
                      centers.rows() * int64_t{sizeof(float)} * blockSize);
  }
  return 0;
}

} // namespace

std::vector<Kernel> searchKernels() {
  return {{"SearchSorted", searchSorted, /*hasEffects=*/false,
           /*mayFail=*/false},
          {"NearestNeighbors", nearestNeighbors},
          {"UnravelIndex", unravelIndex}};
}

} // namespace kiln
