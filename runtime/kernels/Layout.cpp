// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of what moves elements by order or by limits that the run computes:
// the largest ones, permutations, lengths, bands.
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <span>

namespace kiln {
namespace {

/// A number whose order is that of the elements: 0 and -0 are equal, NaN is
/// less than all others.
template <class T> auto rankOf(T value) {
  if constexpr (std::is_class_v<T>) { // 16 bits
    return rankOf(static_cast<float>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    constexpr Bits sign = Bits(1) << (8 * sizeof(T) - 1);
    auto bits = std::bit_cast<Bits>(value == 0 ? T(0) : value);
    if (value != value)
      return Bits(0);
    return bits & sign ? ~bits : bits | sign;
  } else {
    return value;
  }
}

/// The k first of a row's elements by rank, equal ones by place. Only elements
/// above the least of the best k of so far are kept: at most 2 k, of which half
/// go whenever there are so many.
template <class T> class Largest {
public:
  using Rank = decltype(rankOf(T()));
  struct Element {
    Rank rank;
    int64_t place;
    bool operator<(const Element &other) const {
      return rank != other.rank ? rank > other.rank : place < other.place;
    }
  };

  Largest(int64_t k, int64_t width)
      : k(k), capacity(k > width / 2 ? width : 2 * k),
        elements(new (std::nothrow) Element[static_cast<size_t>(capacity)]) {}

  /// The bytes that could not be had; 0.
  int64_t missingBytes() const {
    return elements ? 0 : capacity * static_cast<int64_t>(sizeof(Element));
  }
  void clear() {
    count = 0;
    hasLeast = false;
  }
  void add(const T *x, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Rank rank = rankOf(x[i]);
      if (hasLeast && !(rank > least))
        continue;
      if (count == capacity)
        keepBest();
      elements[static_cast<size_t>(count++)] = {rank, i};
    }
  }
  /// The best k, in order.
  std::span<const Element> sorted() {
    if (count > k)
      keepBest();
    std::sort(elements.get(), elements.get() + k);
    return {elements.get(), static_cast<size_t>(k)};
  }

private:
  void keepBest() {
    Element *first = elements.get();
    std::nth_element(first, first + k - 1, first + count);
    least = first[k - 1].rank;
    hasLeast = true;
    count = k;
  }

  int64_t k, capacity, count = 0;
  std::unique_ptr<Element[]> elements;
  Rank least = {};
  bool hasLeast = false;
};

template <class T, class Index>
int32_t largestOf(const KernelCall &call) noexcept {
  constexpr int64_t stretch = 1 << 16;
  int64_t width = call.inputDims(0).back(), k = call.outputDims(0).back();
  int64_t rows = width == 0 ? 0 : call.inputElements(0) / width;
  if (k == 0 || rows == 0)
    return mustStop(call.state());
  Largest<T> largest(k, width);
  if (int64_t bytes = largest.missingBytes())
    return !call.fail(ErrorKind::OutOfMemory, bytes);
  for (int64_t row = 0; row < rows; ++row) {
    const T *x = call.input<T>(0) + row * width;
    largest.clear();
    for (int64_t begin = 0; begin < width; begin += stretch) {
      if (mustStop(call.state()))
        return 1;
      largest.add(x, begin, std::min(begin + stretch, width));
    }
    T *values = call.output<T>(0) + row * k;
    auto *places = call.output<Index>(1) + row * k;
    for (auto [rank, place] : largest.sorted()) {
      *values++ = x[place];
      *places++ = static_cast<Index>(place);
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

/// x : [..., m], n : i32 -> element n of each row in order, NaN behind all;
/// [whether downwards]
int32_t nthElement(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const int64_t width = call.inputDims(0).back(), n = *call.input<int32_t>(1);
  if (n < 0)
    return !call.fail(
        invalidArgumentError(strCat("n must be non-negative but is ", n)));
  if (n >= width)
    return !call.fail(invalidArgumentError(
        strCat("Input must have last dimension > n = ", n)));
  const int64_t place = call.number(0) ? width - 1 - n : n;
  return dispatchElement(call.inputDType(0), [&]<class T>(T) -> int32_t {
    std::unique_ptr<T[]> row(new (std::nothrow) T[static_cast<size_t>(width)]);
    if (!row)
      return !call.fail(ErrorKind::OutOfMemory,
                        width * static_cast<int64_t>(sizeof(T)));
    auto isLess = [](const T &a, const T &b) {
      const auto left = rankOf(a), right = rankOf(b);
      if constexpr (std::is_integral_v<T>)
        return left < right;
      else // NaN, which has no rank below it, goes to the end
        return left - 1 < right - 1;
    };
    return call.forEach(call.outputElements(0), [&](int64_t i) {
      std::copy_n(call.input<T>(0) + i * width, width, row.get());
      std::nth_element(row.get(), row.get() + place, row.get() + width, isLess);
      call.output<T>(0)[i] = row[static_cast<size_t>(place)];
      return true;
    });
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
          {"NthElement", nthElement},
          {"SequenceLengths", sequenceLengths},
          {"TopK", topK}};
}

} // namespace kiln
