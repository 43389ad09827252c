// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of what moves elements by order or by limits that the run computes:
// the largest ones, permutations, lengths, bands.
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"
#include "runtime/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

namespace kiln {
namespace {

/// An element as something with an order.
template <class T> auto ordered(T value) {
  if constexpr (std::is_class_v<T>) // 16 bits
    return static_cast<float>(value);
  else
    return value;
}

template <class T, class Index>
int32_t largestOf(const KernelCall &call) noexcept {
  int64_t width = call.inputDims(0).back(), k = call.outputDims(0).back();
  int64_t rows = width == 0 ? 0 : call.inputElements(0) / width;
  if (k == 0 || rows == 0)
    return mustStop(call.state());
  std::unique_ptr<int64_t[]> places(new (std::nothrow)
                                        int64_t[static_cast<size_t>(width)]);
  if (!places)
    return !call.fail(ErrorKind::OutOfMemory,
                      width * static_cast<int64_t>(sizeof(int64_t)));
  for (int64_t row = 0; row < rows; ++row) {
    if (mustStop(call.state()))
      return 1;
    const T *x = call.input<T>(0) + row * width;
    // Equal ones in their order; NaN is less than all.
    auto isLess = [&](int64_t a, int64_t b) {
      auto left = ordered(x[a]), right = ordered(x[b]);
      bool leftIsNan = left != left, rightIsNan = right != right;
      if (leftIsNan || rightIsNan)
        return leftIsNan == rightIsNan ? a < b : rightIsNan;
      return left > right || (left == right && a < b);
    };
    int64_t *begin = places.get(), *end = begin + width;
    for (int64_t i = 0; i < width; ++i)
      begin[i] = i;
    if (k < width)
      std::nth_element(begin, begin + k - 1, end, isLess);
    std::sort(begin, begin + k, isLess);
    for (int64_t i = 0; i < k; ++i) {
      call.output<T>(0)[row * k + i] = x[begin[i]];
      call.output<Index>(1)[row * k + i] = static_cast<Index>(begin[i]);
    }
  }
  return mustStop(call.state());
}

/// x : [..., n] -> its k largest elements [..., k], and their places.
int32_t topK(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchElement(call.inputDType(0), [&]<class T>(T) {
    switch (call.outputDType(1)) {
    case DType::Int16:
      return largestOf<T, int16_t>(call);
    case DType::Int32:
      return largestOf<T, int32_t>(call);
    default:
      return largestOf<T, int64_t>(call);
    }
  });
}

template <class T> int32_t invert(const KernelCall &call) noexcept {
  int64_t count = call.inputElements(0);
  T *out = call.output<T>(0);
  std::fill(out, out + count, T(-1));
  return call.forEach(count, [&](int64_t i) {
    T place = call.input<T>(0)[i];
    if (place < 0 || place >= count)
      return call.fail(invalidArgumentError(
          strCat(int64_t(place), " is not between 0 and ", count)));
    if (out[place] != -1)
      return call.fail(invalidArgumentError(
          strCat(int64_t(place), " is duplicated in the input.")));
    out[place] = static_cast<T>(i);
    return true;
  });
}

/// A permutation : [n] -> the one that undoes it.
int32_t invertPermutation(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return call.inputDType(0) == DType::Int32 ? invert<int32_t>(call)
                                            : invert<int64_t>(call);
}

/// lengths : [n], most : i64 -> the lengths : i64; number 0 is the dimension
/// that has `most` elements.
int32_t sequenceLengths(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  int64_t most = *call.input<int64_t>(1);
  return dispatchInteger(call.inputDType(0), [&]<class T>(T) {
    return call.forEach(call.inputElements(0), [&](int64_t i) {
      auto length = static_cast<int64_t>(call.input<T>(0)[i]);
      if (length < 0)
        return call.fail(invalidArgumentError(strCat("seq_lens(", i, ") < 0")));
      if (length > most)
        return call.fail(invalidArgumentError(
            strCat("seq_lens(", i, ") > input.dims(", call.number(0), ")")));
      call.output<int64_t>(0)[i] = length;
      return true;
    });
  });
}

/// lower, upper, the extents of a matrix : i64 -> both as i64, where a negative
/// one is no limit.
int32_t bandLimits(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  constexpr const char *names[] = {"num_lower", "num_upper"},
                       *kinds[] = {"rows", "columns"};
  return dispatchInteger(call.inputDType(0), [&]<class T>(T) -> int32_t {
    for (int i : {0, 1}) {
      auto limit = static_cast<int64_t>(*call.input<T>(i));
      int64_t extent = call.input<int64_t>(2)[i];
      if (limit > extent)
        return !call.fail(invalidArgumentError(
            strCat(names[i], " must be negative or less or equal to number of ",
                   kinds[i], " (", extent, ") got: ", limit)));
      *call.output<int64_t>(i) =
          limit < 0 ? std::numeric_limits<int64_t>::max() : limit;
    }
    return 0;
  });
}

/// x -> as many bytes of another type
int32_t copyBytes(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const size_t size = dtypeSize(call.inputDType(0));
  constexpr int64_t part = 1 << 16;
  const int64_t count = call.inputElements(0);
  for (int64_t at = 0; at < count && !mustStop(call.state()); at += part)
    std::memcpy(call.output<char>(0) + static_cast<size_t>(at) * size,
                call.input<char>(0) + static_cast<size_t>(at) * size,
                static_cast<size_t>(std::min(part, count - at)) * size);
  return mustStop(call.state());
}

} // namespace

std::vector<Kernel> layoutKernels() {
  return {{"BandLimits", bandLimits},
          {"CopyBytes", copyBytes, /*hasEffects=*/false, /*mayFail=*/false},
          {"InvertPermutation", invertPermutation},
          {"SequenceLengths", sequenceLengths},
          {"TopK", topK}};
}

} // namespace kiln
