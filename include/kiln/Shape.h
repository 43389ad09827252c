// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor shapes in which dimensions, or even the rank, may be unknown.
#ifndef KILN_SHAPE_H
#define KILN_SHAPE_H

#include "kiln/Status.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace kiln {

/// A list of dimensions, -1 where one is unknown; or an unknown rank.
///
/// Invariants: (1) up to inlineRank dimensions live in the object, more in one
/// heap block; (2) an unknown rank has no dimensions. A Shape stores whatever
/// it is given, negative numbers too: fromDims() and numElements() check.
/// Thread safety: as an int. **Cost**: no allocation up to rank inlineRank.
class KILN_EXPORT Shape {
public:
  static constexpr int64_t unknownDim = -1;
  static constexpr int inlineRank = 4;
  /// TensorFlow's own limit.
  static constexpr int maxRank = 254;

  /// The shape of a scalar, rank 0.
  Shape() noexcept : rankOrUnknown(0) {}
  Shape(std::initializer_list<int64_t> dims)
      : Shape(std::span<const int64_t>(dims.begin(), dims.size())) {}
  explicit Shape(std::span<const int64_t> dims);
  Shape(const Shape &other);
  Shape(Shape &&other) noexcept;
  Shape &operator=(const Shape &other);
  Shape &operator=(Shape &&other) noexcept;
  ~Shape() { freeDims(); }

  static Shape unknownRank() noexcept {
    Shape shape;
    shape.rankOrUnknown = -1;
    return shape;
  }
  /// A shape of known rank whose dimensions are all unknown.
  static Shape unknownDims(int rank);
  /// Checks and takes dimensions that come from a file or a user. **Errors**:
  /// INVALID_ARGUMENT for a dimension below -1, for more than maxRank
  /// dimensions and for a known element count that does not fit int64.
  static StatusOr<Shape> fromDims(std::span<const int64_t> dims);

  bool hasRank() const noexcept { return rankOrUnknown >= 0; }
  /// The number of dimensions; -1 when unknown.
  int rank() const noexcept { return rankOrUnknown; }
  /// Dimension i, 0 <= i < rank(), or counted from the end when negative;
  /// unknownDim outside of that range and for an unknown rank.
  int64_t dim(int i) const noexcept;
  /// Sets dimension i, 0 <= i < rank(); does nothing outside of that range.
  void setDim(int i, int64_t value) noexcept;
  /// The dimensions; empty for scalars and for an unknown rank. Valid until the
  /// shape changes.
  std::span<const int64_t> dims() const noexcept {
    return {data(), rankOrUnknown > 0 ? static_cast<size_t>(rankOrUnknown) : 0};
  }
  void appendDim(int64_t value);

  /// True when rank and all dimensions are known and none is negative.
  bool isFullyDefined() const noexcept;
  bool isScalar() const noexcept { return rankOrUnknown == 0; }
  /// Returns the product of the dimensions. **Edges**: 1 for a scalar; 0 as
  /// soon as one dimension is 0 and no other is negative, however large the
  /// rest. **Errors**: INVALID_ARGUMENT for unknown or negative dimensions and
  /// for a product that does not fit int64.
  StatusOr<int64_t> numElements() const;

  /// True when some fully defined shape fits both.
  bool isCompatibleWith(const Shape &other) const noexcept;
  /// Returns what is known from both. **Errors**: INVALID_ARGUMENT when they
  /// are not compatible.
  StatusOr<Shape> merge(const Shape &other) const;

  /// TensorFlow's C++ style: "[2,?]", "[]", "<unknown>".
  std::string toString() const;
  /// TensorFlow's Python style: "(2, ?)", "(3,)", "()", "<unknown>".
  std::string toTupleString() const;

  /// Same rank and same dimensions; an unknown dimension equals only an unknown
  /// dimension.
  friend bool operator==(const Shape &a, const Shape &b) noexcept;

private:
  bool isInline() const noexcept { return rankOrUnknown <= inlineRank; }
  const int64_t *data() const noexcept {
    return isInline() ? storage.inlined : storage.heap;
  }
  int64_t *data() noexcept {
    return isInline() ? storage.inlined : storage.heap;
  }
  void freeDims() noexcept {
    if (!isInline())
      delete[] storage.heap;
  }

  int rankOrUnknown;
  union {
    int64_t inlined[inlineRank];
    int64_t *heap;
  } storage;
};

} // namespace kiln

#endif // KILN_SHAPE_H
