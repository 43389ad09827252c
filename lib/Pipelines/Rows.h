// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of tensors: taking them apart and putting them together.
#ifndef KILN_LIB_PIPELINES_ROWS_H
#define KILN_LIB_PIPELINES_ROWS_H

#include "lib/Pipelines/Dataset.h"

#include <span>
#include <string_view>

namespace kiln {

/// Row i of a tensor of rank 1 or more, in memory of its own. **Errors**:
/// RESOURCE_EXHAUSTED.
StatusOr<Tensor> rowOf(const Tensor &tensor, int64_t row);

/// The bytes of the elements that a dataset holds at a time.
class HeldBytes {
public:
  explicit HeldBytes(int64_t most) : most(most) {}
  /// **Errors**: RESOURCE_EXHAUSTED where these are too many.
  Status add(const Element &element);
  void remove(const Element &element) { held -= bytesOf(element); }
  void clear() { held = 0; }
  static int64_t bytesOf(const Element &element);

private:
  const int64_t most;
  int64_t held = 0;
};

/// Demands that elements have the components of the first one. **Errors**:
/// INVALID_ARGUMENT for another number of them and for other dtypes.
Status checkAlike(std::span<const Element> elements);

/// The int64 that a function gave. **Errors**: INVALID_ARGUMENT, with
/// TensorFlow's text, for anything else.
StatusOr<int64_t> numberIn(const Element &results, std::string_view function);

/// Copies all elements of `part` to those of `whole` from `begin` on; both
/// have one dtype, and `whole` has room.
void copyElements(const Tensor &part, Tensor &whole, int64_t begin);

} // namespace kiln

#endif // KILN_LIB_PIPELINES_ROWS_H
