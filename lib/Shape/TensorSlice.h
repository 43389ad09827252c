// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes of tensors, in which checkpoints hold variables of several parts.
#ifndef KILN_LIB_SHAPE_TENSORSLICE_H
#define KILN_LIB_SHAPE_TENSORSLICE_H

#include "kiln/Shape.h"
#include "kiln/Status.h"

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// For each dimension where it begins and how much of it there is.
struct TensorSlice {
  static constexpr int64_t whole = -1;
  struct Extent {
    int64_t start = 0;
    int64_t length = whole; ///< of a whole dimension start is 0
    bool operator==(const Extent &) const = default;
  };
  std::vector<Extent> extents;

  bool operator==(const TensorSlice &) const = default;

  /// Reads "0,3:-": the first three of dimension 0, all of dimension 1.
  /// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
  static StatusOr<TensorSlice> parse(std::string_view text);
  /// As parse() reads it.
  std::string toString() const;
  /// All of a tensor of this rank.
  static TensorSlice all(int rank);
  bool isAll() const;

  /// The shape that it has of a tensor. **Errors**: INTERNAL, as in TensorFlow,
  /// for another rank and for what lies outside.
  StatusOr<Shape> shapeOf(const Shape &full) const;
  /// The same with every length a number. It must lie inside.
  TensorSlice resolved(const Shape &full) const;
};

/// What SaveV2 and RestoreV2 are told of a part: "7 2 0,3:-".
struct ShapeAndSlice {
  Shape shape; ///< of the whole tensor
  TensorSlice slice;
  Shape sliceShape;

  /// **Errors**: INVALID_ARGUMENT and INTERNAL with TensorFlow's texts, also
  /// for sizes that no tensor has.
  static StatusOr<ShapeAndSlice> parse(std::string_view text);
};

} // namespace kiln

#endif // KILN_LIB_SHAPE_TENSORSLICE_H
