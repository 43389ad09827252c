// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places of values in sorted rows, and of indices in the dimensions that they
// run through.
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <algorithm>
#include <limits>
#include <string>

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

} // namespace

std::vector<Kernel> searchKernels() {
  return {{"SearchSorted", searchSorted, /*hasEffects=*/false,
           /*mayFail=*/false},
          {"UnravelIndex", unravelIndex}};
}

} // namespace kiln
