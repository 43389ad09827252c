// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random choices, extents of which each run has its own, and what tensors are
// filled with.
#ifndef KILN_TEST_FUZZ_GRAPHS_CONTENTS_H
#define KILN_TEST_FUZZ_GRAPHS_CONTENTS_H

#include "kiln/Tensor.h"

#include <array>
#include <functional>
#include <random>
#include <vector>

namespace kiln::fuzz {

/// Sets of feeds that a program is run with, in turn.
inline constexpr size_t numSets = 2;

class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}

  int below(int end) {
    return static_cast<int>(engine() % static_cast<unsigned>(end));
  }
  /// From \p low to \p high, both included.
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(wide() % uint64_t(high - low + 1));
  }
  bool chance(int percent) { return below(100) < percent; }
  uint64_t wide() { return uint64_t(engine()) << 32 | engine(); }
  template <class List> auto &pick(List &list) {
    return list[static_cast<size_t>(below(static_cast<int>(std::size(list))))];
  }
  template <class T> T among(std::initializer_list<T> list) {
    return list.begin()[below(static_cast<int>(list.size()))];
  }
  std::mt19937 engine;
};

/// A number that each set of feeds may have its own of.
struct Extent {
  std::array<int64_t, numSets> of{};

  Extent() = default;
  Extent(int64_t all) { of.fill(all); }
  bool isFixed() const { return of[0] == of[1]; }
  int64_t least() const { return std::min(of[0], of[1]); }
  bool operator==(const Extent &) const = default;
};
static_assert(numSets == 2, "isFixed() and least() look at two");

/// Applies a function of integers set by set.
template <class Function, class... More>
Extent each(Function function, const Extent &first, const More &...more) {
  Extent result;
  for (size_t set = 0; set < numSets; ++set)
    result.of[set] = function(first.of[set], more.of[set]...);
  return result;
}
inline Extent operator+(const Extent &a, const Extent &b) {
  return each(std::plus<int64_t>(), a, b);
}
inline Extent operator-(const Extent &a, const Extent &b) {
  return each(std::minus<int64_t>(), a, b);
}
inline Extent operator*(const Extent &a, const Extent &b) {
  return each(std::multiplies<int64_t>(), a, b);
}

using Extents = std::vector<Extent>;

/// The sets that something holds for.
using Sets = std::array<bool, numSets>;
inline constexpr Sets everySet = {true, true};

/// What they are in one set, for all of them.
Extents only(const Extents &dims, size_t set);

bool isFixed(const Extents &dims);
Shape shapeOf(const Extents &dims, size_t set);
/// The most elements that a set has.
int64_t mostElements(const Extents &dims);
Extent numElements(const Extents &dims);

/// Writes the elements of a tensor.
struct Fill {
  std::function<void(Tensor &, size_t set, Random &)> write;
  /// The same in all sets where the shape is: may be a constant.
  bool isFixed = true;
};

/// What it writes in one set, for all of them.
Fill only(const Fill &fill, size_t set);
/// \p first in these sets, \p second in the others.
Fill either(const Sets &sets, const Fill &first, const Fill &second);

/// Anything of the type: mostly small numbers, at times all that there are.
Fill anything();
/// Numbers from low to high; of floats those between, too.
Fill between(double low, double high);
/// Integers from 0 on; zeros where the limit is not above 0.
Fill indicesBelow(const Extent &limit);
/// As indicesBelow(), each not below the one before.
Fill sortedBelow(const Extent &limit);
/// As indicesBelow(), none twice while there are enough.
Fill distinctBelow(const Extent &limit);
/// Each of 0, 1, 2 ... once.
Fill permutation();
/// These integers, in order.
Fill exactly(const Extents &numbers);
/// Indices one of which lies outside of 0 to limit.
Fill hostileIndices(const Extent &limit);
/// Texts that are picked from a list.
Fill texts(std::vector<std::string> list);

/// A tensor of the type and shape; bytes that mean nothing for types that Kiln
/// only stores.
Tensor makeTensor(DType dtype, const Shape &shape, const Fill &fill, size_t set,
                  Random &random);

} // namespace kiln::fuzz

#endif // KILN_TEST_FUZZ_GRAPHS_CONTENTS_H
