// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that compare elements, or slices of them, with all others: unique and
// the difference of lists.
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/Hash.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/memory/RunStrings.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

namespace kiln {
namespace {

constexpr int64_t stretch = 1 << 12;

/// A string among the types of elements.
struct Text {
  StringHandle handle;
};

/// Slices 0 to count - 1 of a tensor [outer, count, inner].
template <class T> struct Slices {
  const T *data;
  int64_t outer, count, inner;

  const T *run(int64_t o, int64_t k) const {
    return data + (o * count + k) * inner;
  }
};

/// Whether 0 and -0 of 16 bits are two: TensorFlow tells apart elements of such
/// a type by their bits, slices of them by their numbers.
enum class NarrowZeros { Equal, Apart };

/// -0 and 0 are equal and NaN is equal to nothing, so its hash has the place.
template <NarrowZeros zeros, class T> uint64_t hashOf(T value, int64_t place) {
  if constexpr (std::is_same_v<T, Text>) {
    return hashString(stringOf(value.handle).view());
  } else if constexpr (std::is_integral_v<T>) {
    return hashMix(static_cast<uint64_t>(value));
  } else if constexpr (std::is_class_v<T> && zeros == NarrowZeros::Apart) {
    return hashMix(value.bits);
  } else if constexpr (std::is_class_v<T>) {
    return hashOf<zeros>(static_cast<float>(value), place);
  } else {
    double number = value;
    if (number != number)
      return hashMix(static_cast<uint64_t>(place));
    return hashMix(number == 0 ? 0 : std::bit_cast<uint64_t>(number));
  }
}
template <NarrowZeros zeros, class T> bool areEqual(T a, T b) {
  if constexpr (std::is_same_v<T, Text>)
    return stringOf(a.handle) == stringOf(b.handle);
  else if constexpr (std::is_class_v<T>)
    return zeros == NarrowZeros::Apart && a.bits != b.bits
               ? false
               : static_cast<float>(a) == static_cast<float>(b);
  else
    return a == b;
}

/// The slices met so far that differ, by number. Memory is as large as they are
/// many.
template <class T, NarrowZeros zeros> class Distinct {
public:
  explicit Distinct(const Slices<T> &known) : known(known) {}

  /// The number of the slice that equals slice k of `from`; -1 for none.
  int64_t find(const Slices<T> &from, int64_t k) const {
    if (slots.empty())
      return -1;
    size_t mask = slots.size() - 1;
    for (size_t at = hash(from, k) & mask; slots[at] >= 0; at = (at + 1) & mask)
      if (equal(from, k, firsts[static_cast<size_t>(slots[at])]))
        return slots[at];
    return -1;
  }
  /// Adds slice k of the known ones, which find() did not find. False, with the
  /// bytes that could not be had, without memory.
  bool add(int64_t k, uint64_t &failedBytes) {
    if (!reserveData(firsts, firsts.size() + 1, failedBytes))
      return false;
    if (2 * (firsts.size() + 1) > slots.size() && !grow(failedBytes))
      return false;
    firsts.push_back(k);
    enter(static_cast<int64_t>(firsts.size()) - 1);
    return true;
  }
  int64_t size() const { return static_cast<int64_t>(firsts.size()); }
  /// The first slice that is the one of this number.
  int64_t first(int64_t number) const {
    return firsts[static_cast<size_t>(number)];
  }

private:
  bool grow(uint64_t &failedBytes) {
    size_t size = std::max<size_t>(2 * slots.size(), 64);
    slots.clear();
    if (!reserveData(slots, size, failedBytes))
      return false;
    slots.assign(size, -1);
    for (int64_t i = 0; i < this->size(); ++i)
      enter(i);
    return true;
  }
  void enter(int64_t number) {
    size_t mask = slots.size() - 1, at = hash(known, first(number)) & mask;
    while (slots[at] >= 0)
      at = (at + 1) & mask;
    slots[at] = number;
  }
  static uint64_t hash(const Slices<T> &from, int64_t k) {
    uint64_t result = 0;
    for (int64_t o = 0; o < from.outer; ++o)
      for (int64_t i = 0; i < from.inner; ++i)
        result = hashCombine(result, hashOf<zeros>(from.run(o, k)[i], k));
    return result;
  }
  bool equal(const Slices<T> &from, int64_t k, int64_t other) const {
    for (int64_t o = 0; o < from.outer; ++o)
      for (int64_t i = 0; i < from.inner; ++i)
        if (!areEqual<zeros>(from.run(o, k)[i], known.run(o, other)[i]))
          return false;
    return true;
  }

  const Slices<T> &known;
  std::vector<int64_t> firsts;
  std::vector<int64_t> slots; ///< numbers, by hash; -1 is free
};

/// A number's bits as a key: those of 0 for -0, but of 16 bits.
template <class T> auto keyOf(T value) {
  if constexpr (std::is_class_v<T>)
    return value.bits;
  else if constexpr (std::is_same_v<T, bool>)
    return static_cast<uint8_t>(value);
  else if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<
        std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>(
        value == 0 ? T(0) : value);
  else
    return static_cast<std::make_unsigned_t<T>>(value);
}

/// The numbers of keys met so far, in a table that lies open: a look costs one
/// line of memory, which prefetch() asks for some keys before.
template <class Key> class KeyNumbers {
public:
  void prefetch(Key key) const {
    if (!slots.empty())
      __builtin_prefetch(&slots[placeOf(key)]);
  }
  /// Returns the key's number: `next` if it is new; -1, with the bytes that
  /// could not be had, without memory.
  int64_t findOrAdd(Key key, int64_t next, uint64_t &failedBytes) {
    if (2 * (next + 1) > static_cast<int64_t>(slots.size()) &&
        !grow(failedBytes))
      return -1;
    for (size_t at = placeOf(key);; at = (at + 1) & (slots.size() - 1)) {
      if (slots[at].number < 0)
        slots[at] = {key, static_cast<int32_t>(next)};
      if (slots[at].key == key)
        return slots[at].number;
    }
  }

private:
  struct Slot {
    Key key = 0;
    int32_t number = -1; ///< below 0: free
  };

  /// By the high bits of the hash: the slots of a table that grows move to
  /// places in the same order.
  size_t placeOf(Key key) const {
    return static_cast<size_t>(hashMix(key) >> shift);
  }
  bool grow(uint64_t &failedBytes) {
    size_t size = std::max<size_t>(2 * slots.size(), 64);
    std::vector<Slot> old;
    old.swap(slots);
    if (!reserveData(slots, size, failedBytes))
      return false;
    slots.resize(size);
    shift = 64 - std::countr_zero(size);
    for (Slot slot : old) {
      if (slot.number < 0)
        continue;
      size_t at = placeOf(slot.key);
      while (slots[at].number >= 0)
        at = (at + 1) & (size - 1);
      slots[at] = slot;
    }
    return true;
  }

  std::vector<Slot> slots;
  int shift = 0;
};

bool isOutOfMemory(const KernelCall &call, uint64_t bytes) {
  return !call.fail(ErrorKind::OutOfMemory, static_cast<int64_t>(bytes));
}

/// Writes a number of the type of an index output.
void putIndex(const KernelCall &call, int output, int64_t i, int64_t value) {
  if (call.outputDType(output) == DType::Int32)
    call.output<int32_t>(output)[i] = static_cast<int32_t>(value);
  else
    call.output<int64_t>(output)[i] = value;
}

/// Numbers the elements of a vector of at most 2^31 by the first place of each;
/// `firsts` are the distinct ones.
template <class T, class Index>
bool numberElements(const KernelCall &call, std::span<const T> x,
                    std::vector<T> &firsts) {
  constexpr size_t ahead = 16;
  KeyNumbers<decltype(keyOf(T()))> numbers;
  auto *out = call.output<Index>(1);
  uint64_t bytes = 0;
  for (size_t k = 0; k < x.size(); ++k) {
    if (k % stretch == 0 && mustStop(call.state()))
      return false;
    if (k + ahead < x.size())
      numbers.prefetch(keyOf(x[k + ahead]));
    auto next = static_cast<int64_t>(firsts.size()), number = next;
    if (areEqual<NarrowZeros::Apart>(x[k], x[k])) // a NaN is new each time
      number = numbers.findOrAdd(keyOf(x[k]), next, bytes);
    if (number < 0 ||
        (number == next && !reserveData(firsts, firsts.size() + 1, bytes)))
      return call.fail(ErrorKind::OutOfMemory, static_cast<int64_t>(bytes));
    if (number == next)
      firsts.push_back(x[k]);
    out[k] = static_cast<Index>(number);
  }
  return true;
}

/// Numbers slices, binds how many are distinct and gives these.
template <class T>
bool uniqueSlices(const KernelCall &call, const Slices<T> &x) {
  Distinct<T, NarrowZeros::Equal> distinct(x);
  uint64_t bytes = 0;
  for (int64_t k = 0; k < x.count; ++k) {
    if (k % stretch == 0 && mustStop(call.state()))
      return false;
    int64_t number = distinct.find(x, k);
    if (number < 0) {
      number = distinct.size();
      if (!distinct.add(k, bytes))
        return !isOutOfMemory(call, bytes);
    }
    putIndex(call, 1, k, number);
  }
  call.bind(0, distinct.size());
  T *y = call.allocateOutput<T>(0);
  if (!y)
    return false;
  for (int64_t o = 0; o < x.outer; ++o)
    for (int64_t u = 0; u < distinct.size(); ++u, y += x.inner)
      std::copy_n(x.run(o, distinct.first(u)), x.inner, y);
  return true;
}

/// The same of the elements of a vector.
template <class T>
bool uniqueElements(const KernelCall &call, const Slices<T> &x) {
  if constexpr (std::is_same_v<T, Text>) {
    return uniqueSlices(call, x);
  } else {
    std::span<const T> elements(x.data, static_cast<size_t>(x.count));
    std::vector<T> firsts;
    if (!(call.outputDType(1) == DType::Int32
              ? numberElements<T, int32_t>(call, elements, firsts)
              : numberElements<T, int64_t>(call, elements, firsts)))
      return false;
    call.bind(0, static_cast<int64_t>(firsts.size()));
    T *y = call.allocateOutput<T>(0);
    if (y)
      std::copy(firsts.begin(), firsts.end(), y);
    return y;
  }
}

template <class T> int32_t uniqueOf(const KernelCall &call) {
  std::span<const int64_t> dims = call.inputDims(0);
  auto axis = static_cast<size_t>(call.number(0));
  Slices<T> x = {call.input<T>(0), 1, dims[axis], 1};
  for (size_t d = 0; d < dims.size(); ++d)
    (d < axis ? x.outer : x.inner) *= d == axis ? 1 : dims[d];
  constexpr int64_t largest = std::numeric_limits<int32_t>::max();
  if (call.outputDType(1) == DType::Int32 && x.count > largest)
    return !call.fail(ErrorKind::UniqueTooLarge, largest);
  if (x.outer * x.inner == 1 && x.count <= largest) {
    if (!uniqueElements(call, x))
      return 1;
  } else if (!uniqueSlices(call, x)) {
    return 1;
  }
  if (call.numOutputs() < 3)
    return mustStop(call.state());
  if (!call.allocate(2))
    return 1;
  bool isNarrow = call.outputDType(2) == DType::Int32;
  auto count = [&]<class Index>(Index *counts) {
    const auto *numbers = call.output<Index>(1);
    std::fill_n(counts, call.bound(0), Index(0));
    for (int64_t k = 0; k < x.count; ++k)
      ++counts[numbers[k]];
  };
  if (isNarrow)
    count(call.output<int32_t>(2));
  else
    count(call.output<int64_t>(2));
  return mustStop(call.state());
}

template <class T> int32_t listDiffOf(const KernelCall &call) {
  Slices<T> x = {call.input<T>(0), 1, call.inputElements(0), 1},
            y = {call.input<T>(1), 1, call.inputElements(1), 1};
  Distinct<T, NarrowZeros::Apart> without(y);
  uint64_t bytes = 0;
  for (int64_t k = 0; k < y.count; ++k) {
    if (k % stretch == 0 && mustStop(call.state()))
      return 1;
    if (without.find(y, k) < 0 && !without.add(k, bytes))
      return isOutOfMemory(call, bytes);
  }
  std::vector<int64_t> kept;
  for (int64_t k = 0; k < x.count; ++k) {
    if (k % stretch == 0 && mustStop(call.state()))
      return 1;
    if (without.find(x, k) >= 0)
      continue;
    if (!reserveData(kept, kept.size() + 1, bytes))
      return isOutOfMemory(call, bytes);
    kept.push_back(k);
  }
  call.bind(0, static_cast<int64_t>(kept.size()));
  T *out = call.allocateOutput<T>(0);
  if (!out || !call.allocate(1))
    return 1;
  for (size_t i = 0; i < kept.size(); ++i) {
    out[i] = x.data[kept[i]];
    putIndex(call, 1, static_cast<int64_t>(i), kept[i]);
  }
  return mustStop(call.state());
}

/// Calls body with a value of the type of input 0; strings are handles.
template <class Body> int32_t dispatch(const KernelCall &call, Body &&body) {
  return call.inputDType(0) == DType::String
             ? body(Text())
             : dispatchElement(call.inputDType(0), body);
}

/// x -> its distinct slices along an axis in the order of their first places,
/// the number of each slice's, and how many there are of each, if asked; finds
/// out how many are distinct; [axis]
int32_t unique(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatch(call, [&]<class T>(T) { return uniqueOf<T>(call); });
}

/// x, y -> the elements of x that are not in y, their places; finds out how
/// many.
int32_t listDiff(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatch(call, [&]<class T>(T) { return listDiffOf<T>(call); });
}

} // namespace

std::vector<Kernel> uniqueKernels() {
  return {{"ListDiff", listDiff}, {"Unique", unique}};
}

} // namespace kiln
