// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts of numbers.
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <algorithm>
#include <string>
#include <type_traits>

namespace kiln {
namespace {

/// One row's numbers into its bins; numbers beyond them are not counted.
template <class Number, class T>
bool countRow(const KernelCall &call, int64_t row, int64_t length,
              bool isBinary) noexcept {
  const int64_t bins = call.outputDims(0).back();
  const Number *numbers = call.input<Number>(0) + row * length;
  const bool hasWeights = call.inputElements(1) != 0 && !isBinary;
  const T *weights = call.input<T>(1) + (hasWeights ? row * length : 0);
  T *counts = call.output<T>(0) + row * bins;
  std::fill_n(counts, bins, T(0));
  return call.forEach(length, [&](int64_t i) {
    const auto number = static_cast<int64_t>(numbers[i]);
    if (number < 0)
      return call.fail(invalidArgumentError("Input arr must be non-negative!"));
    if (number < bins)
      counts[number] = isBinary
                           ? T(1)
                           : static_cast<T>(counts[number] +
                                            (hasWeights ? weights[i] : T(1)));
    return true;
  }) == 0;
}

/// Weights are none, or one for each number.
bool checkWeights(const KernelCall &call) {
  const std::span<const int64_t> weights = call.inputDims(1);
  if ((weights.size() == 1 && weights[0] == 0) ||
      std::ranges::equal(call.inputDims(0), weights))
    return true;
  if (call.number(1) == 0)
    return call.fail(invalidArgumentError(
        "Input indices and weights must have the same size."));
  std::string shape;
  for (int64_t extent : weights)
    shape += strCat(shape.empty() ? "" : ",", extent);
  return call.fail(invalidArgumentError(
      strCat("`weights` must be the same shape as `arr` or a length-0 "
             "`Tensor`, in which case it acts as all weights equal to 1. "
             "Received [",
             shape, "]")));
}

/// numbers : [...] or, with two dimensions of the result, [rows, n], weights :
/// the same or none -> [bins] or [rows, bins]; [whether 1 for any
/// count, whether the op is DenseBincount]
int32_t bincount(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  if (!checkWeights(call))
    return 1;
  const bool hasRows = call.outputDims(0).size() == 2;
  const int64_t rows = hasRows ? call.outputDims(0)[0] : 1,
                length = hasRows ? call.inputDims(0)[1] : call.inputElements(0);
  return dispatchElement(call.outputDType(0), [&]<class T>(T) -> int32_t {
    if constexpr (sizeof(T) < 4 || std::is_same_v<T, uint32_t> ||
                  std::is_same_v<T, uint64_t>)
      return 1; // the op has no such type
    else
      return call.forEach(rows, [&](int64_t row) {
        return call.inputDType(0) == DType::Int64
                   ? countRow<int64_t, T>(call, row, length, call.number(0))
                   : countRow<int32_t, T>(call, row, length, call.number(0));
      });
  });
}

template <class T, class Count>
int32_t countInRange(const KernelCall &call) noexcept {
  const T low = call.input<T>(1)[0], high = call.input<T>(1)[1];
  const int64_t bins = call.outputElements(0);
  if (!(low < high))
    return !call.fail(invalidArgumentError(
        strCat("value_range should satisfy value_range[0] < value_range[1], "
               "but got '[",
               low, ", ", high, "]'")));
  if (bins <= 0)
    return !call.fail(invalidArgumentError(
        strCat("nbins should be a positive number, but got '", bins, "'")));
  // Parted before they are subtracted, so that neither overflows.
  const auto count = static_cast<double>(bins);
  const double step =
      static_cast<double>(high) / count - static_cast<double>(low) / count;
  Count *out = call.output<Count>(0);
  std::fill_n(out, bins, Count(0));
  return call.forEach(call.inputElements(0), [&](int64_t i) {
    const T x = call.input<T>(0)[i];
    if (bins == 1)
      return ++out[0], true;
    if (x != x)
      return call.fail(
          invalidArgumentError("Histogram values must not contain NaN"));
    const double place = (static_cast<double>(std::clamp(x, low, high)) -
                          static_cast<double>(low)) /
                         step;
    ++out[static_cast<int64_t>(std::min(place, count - 1))];
    return true;
  });
}

/// values, range : [2] -> how many values lie in each of the bins : integers
int32_t histogramFixedWidth(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  auto of = [&]<class T>(T) {
    return call.outputDType(0) == DType::Int32 ? countInRange<T, int32_t>(call)
                                               : countInRange<T, int64_t>(call);
  };
  switch (call.inputDType(0)) {
  case DType::Int32:
    return of(int32_t());
  case DType::Int64:
    return of(int64_t());
  case DType::Float32:
    return of(float());
  default:
    return of(double());
  }
}

} // namespace

std::vector<Kernel> countingKernels() {
  return {{"Bincount", bincount}, {"HistogramFixedWidth", histogramFixedWidth}};
}

} // namespace kiln
