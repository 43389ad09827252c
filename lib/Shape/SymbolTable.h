// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run needs to turn the shapes of its feeds, and the sizes that it finds
// out, into the value of every symbol, and to check what was assumed.
#ifndef KILN_LIB_SHAPE_SYMBOLTABLE_H
#define KILN_LIB_SHAPE_SYMBOLTABLE_H

#include "kiln/Status.h"
#include "lib/Shape/Dim.h"

#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The extents of one feed.
using FeedShape = std::span<const int64_t>;

/// How the value of a symbol is found: from a feed, in the run, or from symbols
/// with lower ids.
struct SymbolDef {
  enum class Kind : uint8_t {
    Feed, ///< extent of a feed: a.value is the feed's index, b.value the
          ///< dimension
    Add,
    Sub,
    Mul,
    FloorDiv, ///< rounds down; 0 for a divisor of 0, which a guard reports
    Mod,      ///< has the divisor's sign; 0 for a divisor of 0
    Max,
    Min,
    Broadcast, ///< b where a is 1, else a
    Run,       ///< found out in the run; a.value is 1 where it is a size, which
               ///< is at least 0
  };
  Kind kind = Kind::Feed;
  Dim a;
  Dim b;
  /// The first that asked for it: blamed where the number does not fit int64.
  std::string node;
  /// Whether it is of kind Run, or computed from such: code gives it its value.
  bool inRun = false;
};

/// Something that import assumed and that every run checks: first, or, of
/// symbols that it finds out, where their values are known.
struct Guard {
  enum class Kind : uint8_t {
    Equal,
    BroadcastCompatible, ///< equal, or one of them is 1
    NonNegative,         ///< a alone
    NonZero,             ///< a alone
    LessEqual,
    Divides, ///< b is not 0 and divides a
  };
  Kind kind = Kind::Equal;
  Dim a;
  Dim b;
  /// Blamed in the error, whose text is prefix + lhsShape + joiner + rhsShape +
  /// suffix with the run's numbers; the shapes are left out where joiner is
  /// empty and asNumbers is false.
  std::string node;
  std::string prefix;
  std::string joiner;
  std::string suffix;
  Dims lhsShape;
  Dims rhsShape;
  /// Write the shapes without brackets: "tensor with 6 values".
  bool asNumbers = false;
  StatusCode code = StatusCode::InvalidArgument;
  /// Checked by code.
  bool inRun = false;
};

/// The text of an error about two shapes: prefix + lhs + joiner + rhs + suffix
/// (see Guard). Borrows everything.
struct GuardInfo {
  std::string_view prefix;
  std::string_view joiner = {};
  std::string_view suffix = {};
  const Dims *lhs = nullptr;
  const Dims *rhs = nullptr;
  bool asNumbers = false;
};

/// Import treated dimension `dim` of feed `feed` as exactly 1 (isOne), or as
/// anything but 1.
struct DimClass {
  int32_t feed = 0;
  int32_t dim = 0;
  bool isOne = false;
  friend bool operator==(const DimClass &, const DimClass &) = default;
};

/// Import treated these two extents as one: a feed's dimension and another's,
/// or the number dimB where feedB is -1.
struct DimEquality {
  int32_t feedA = 0;
  int32_t dimA = 0;
  int32_t feedB = 0;
  int32_t dimB = 0;
  friend bool operator==(const DimEquality &, const DimEquality &) = default;
};

/// Plain data of an executable. Invariant: a definition refers to lower ids
/// only.
/// **Thread safety**: constant after import.
struct SymbolTable {
  std::vector<SymbolDef> defs;
  std::vector<DimClass> classes;
  /// What classes leave open: with them, the requirements of the signature on
  /// extents. Code must not run where one does not hold, and no guard says so.
  std::vector<DimEquality> equalities;
  std::vector<Guard> guards;

  /// True when the feeds are of the classes that the code was made for, and
  /// equal where it takes them for equal; feeds must have the ranks of the
  /// signature.
  bool classesMatch(std::span<const FeedShape> feeds) const {
    return classesMatch([&](int32_t feed, int32_t dim) {
      return feeds[static_cast<size_t>(feed)][static_cast<size_t>(dim)];
    });
  }
  /// As above, for feeds in any form: `extent(feed, dim)` tells.
  template <class Extent>
    requires std::invocable<Extent, int32_t, int32_t>
  bool classesMatch(Extent &&extent) const {
    for (const DimClass &wanted : classes)
      if ((extent(wanted.feed, wanted.dim) == 1) != wanted.isOne)
        return false;
    for (const DimEquality &pair : equalities)
      if (extent(pair.feedA, pair.dimA) !=
          (pair.feedB < 0 ? pair.dimB : extent(pair.feedB, pair.dimB)))
        return false;
    return true;
  }

  /// True for a symbol that code gives its value.
  bool isInRun(Dim dim) const {
    return dim.isSymbol() && defs[static_cast<size_t>(dim.symbol)].inRun;
  }

  /// Computes all symbols into `values`, then checks the guards in order; what
  /// is up to the code is left out, its symbols are 0.
  /// **Errors**: INVALID_ARGUMENT with the node of the first guard that does
  /// not hold, or of the first number that does not fit int64. **Cost**:
  /// allocates only where `values` is too small, and on error.
  Status evaluate(std::span<const FeedShape> feeds,
                  std::vector<int64_t> &values) const;
};

/// The value of a dimension under evaluated symbols. Unknown dimensions have
/// none: -1.
inline int64_t evaluateDim(Dim dim, std::span<const int64_t> values) {
  return dim.isKnown()    ? dim.value
         : dim.isSymbol() ? values[static_cast<size_t>(dim.symbol)]
                          : -1;
}

/// The error of a guard that does not hold for these values.
Status guardError(const Guard &guard, std::span<const int64_t> values);
/// Writes "[4,5]", or "4 5" as numbers; "?" for what is unknown.
std::string formatDims(const Dims &dims, std::span<const int64_t> values,
                       bool asNumbers);
/// Applies one definition; false when the result does not fit int64.
bool applyDef(SymbolDef::Kind kind, int64_t a, int64_t b, int64_t &result);
/// True when the guard's condition holds for these numbers.
bool guardHolds(Guard::Kind kind, int64_t a, int64_t b);

} // namespace kiln

#endif // KILN_LIB_SHAPE_SYMBOLTABLE_H
