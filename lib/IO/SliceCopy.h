// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which parts of a tensor make up a box of it.
#ifndef KILN_LIB_IO_SLICECOPY_H
#define KILN_LIB_IO_SLICECOPY_H

#include "kiln/Tensor.h"
#include "lib/Shape/TensorSlice.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace kiln::io {

/// Parts that share elements with a box, and copying these.
class SliceCopy {
public:
  /// The parts must lie inside of the whole. **Errors**: INTERNAL for a box
  /// that does not; DATA_LOSS for parts of the box that share elements.
  static StatusOr<SliceCopy> plan(const Shape &whole, const TensorSlice &box,
                                  std::span<const TensorSlice> parts);

  /// Whether the parts have all elements of the box.
  bool isComplete() const { return covered == wanted; }
  /// The places of those to copy from.
  const std::vector<size_t> &parts() const { return places; }
  /// Copies what a part has of the box. Both tensors have the shapes of their
  /// slices, one dtype and no strings.
  void copy(const TensorSlice &part, const Tensor &from, Tensor &to) const;

private:
  Shape whole;
  TensorSlice box;
  std::vector<size_t> places;
  int64_t covered = 0, wanted = 0; ///< elements
};

/// Puts a box of a tensor together from the parts that it is stored in, which
/// `read` gives by their places. **Errors**: of SliceCopy::plan() and of
/// `read`; INVALID_ARGUMENT, with TensorFlow's texts, for strings and where
/// parts are missing.
StatusOr<Tensor> readBox(const std::string &name, DType dtype,
                         const Shape &whole, const TensorSlice &box,
                         std::span<const TensorSlice> parts,
                         const std::function<StatusOr<Tensor>(size_t)> &read);

} // namespace kiln::io

#endif // KILN_LIB_IO_SLICECOPY_H
