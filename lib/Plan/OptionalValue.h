// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands for an optional: the tensors in it, and whether it has any.
#ifndef KILN_LIB_PLAN_OPTIONALVALUE_H
#define KILN_LIB_PLAN_OPTIONALVALUE_H

#include "lib/Plan/Block.h"

#include <functional>
#include <memory>
#include <vector>

namespace kiln {

/// Optionals may be in one another this deep, and have so many tensors
/// together.
inline constexpr int maxOptionalDepth = 100;
inline constexpr int maxOptionalTensors = 1000;

struct Optional;
using KnownOptional = std::shared_ptr<const Optional>;

/// What an optional holds at one place: a tensor, or another optional.
struct OptionalPart {
  Output tensor;
  DType dtype = DType::Invalid;
  KnownOptional optional = nullptr;
};

/// Constant once made.
struct Optional {
  std::vector<OptionalPart> parts;
  /// An int32 that is not 0 where there is a value; without a node, known.
  Output has;
  /// Of a list of optionals, in place of each tensor, and of `has`, a list of
  /// those of all elements; of a list of such lists, lists of lists ...
  int lists = 0;
  /// Of optionals in one another, this one counted.
  int depth = 1;
  int numTensors = 0;

  /// Sets what follows from `parts`. **Errors**: RESOURCE_EXHAUSTED beyond the
  /// limits above.
  Status measure();
};

/// What stands for a tensor that there is not, and what is known of `has`.
inline constexpr Output noTensor = {nullptr, -1};
inline constexpr Output hasNone = {nullptr, 0}, hasValue = {nullptr, 1};

/// The dtype of what stands for a tensor in so many lists.
inline DType inLists(DType dtype, int lists) {
  return lists > 0 ? DType::Variant : dtype;
}

/// Where a tensor stands in an optional.
struct OptionalPlace {
  DType dtype;
  int lists;
  bool isHas = false;

  /// The dtype of what stands for it in so many lists more.
  DType typeIn(int more) const { return inLists(dtype, lists + more); }
};

/// An optional like `a`, in so many lists more, with what `make` makes of each
/// pair of tensors of `a` and `b` and of each `has` that is not known.
/// Recursion is bounded by maxOptionalDepth. **Errors**: INVALID_ARGUMENT for
/// optionals of different sizes; those of `make`.
using MakeTensor = std::function<StatusOr<Output>(
    const Output &a, const Output &b, const OptionalPlace &place)>;
StatusOr<KnownOptional> mapTensors(const Optional &a, const Optional &b,
                                   int more, const MakeTensor &make);

/// All tensors, and each `has` that is not known, in an order that the size
/// alone decides.
void appendTensors(const Optional &from, std::vector<Output> &to);

} // namespace kiln

#endif // KILN_LIB_PLAN_OPTIONALVALUE_H
