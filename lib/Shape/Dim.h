// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dimensions that are known numbers, symbols known at the call, or unknown, and
// shapes made of them.
#ifndef KILN_LIB_SHAPE_DIM_H
#define KILN_LIB_SHAPE_DIM_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

/// One dimension, or one element of an integer tensor that shapes are computed
/// from.
///
/// A known dimension may be any int64 (elements may be negative); a symbol is
/// an id of one DimSpace and stands for a number that is known when a run
/// begins; an unknown one says nothing (graph building, data-dependent shapes).
struct Dim {
  static constexpr int32_t knownTag = -1;
  static constexpr int32_t unknownTag = -2;

  int64_t value = 0;
  int32_t symbol = unknownTag;

  static constexpr Dim known(int64_t value) { return {value, knownTag}; }
  static constexpr Dim unknown() { return {0, unknownTag}; }
  static constexpr Dim ofSymbol(int32_t id) { return {0, id}; }

  constexpr bool isKnown() const { return symbol == knownTag; }
  constexpr bool isKnown(int64_t number) const {
    return isKnown() && value == number;
  }
  constexpr bool isUnknown() const { return symbol == unknownTag; }
  constexpr bool isSymbol() const { return symbol >= 0; }

  /// The same number, the same symbol, or both unknown. Symbols that were found
  /// equal compare equal only after DimSpace::resolve.
  friend constexpr bool operator==(const Dim &a, const Dim &b) = default;
};

using Dims = std::vector<Dim>;

/// A shape whose rank or dimensions may be unknown.
struct SymShape {
  bool rankKnown = false;
  Dims dims;

  static SymShape unknownRank() { return {}; }
  static SymShape unknownDims(size_t rank) {
    return {true, Dims(rank, Dim::unknown())};
  }
  static SymShape scalar() { return {true, {}}; }
  static SymShape of(Dims dims) { return {true, std::move(dims)}; }

  /// The number of dimensions; -1 when unknown.
  int rank() const { return rankKnown ? static_cast<int>(dims.size()) : -1; }
  /// True when every dimension is a known number.
  bool isStatic() const;
  friend bool operator==(const SymShape &a, const SymShape &b) = default;
};

/// "[2,?,s0]" for messages and tests.
std::string toString(const Dims &dims);
/// As above; "<unknown>" for an unknown rank.
std::string toString(const SymShape &shape);

} // namespace kiln

#endif // KILN_LIB_SHAPE_DIM_H
