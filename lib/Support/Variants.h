// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of variants: each element is an object that some ops know.
#ifndef KILN_LIB_SUPPORT_VARIANTS_H
#define KILN_LIB_SUPPORT_VARIANTS_H

#include "kiln/Tensor.h"

#include <memory>
#include <span>
#include <vector>

namespace kiln {

/// What an element of a tensor of variants is. Thread safety: constant.
class VariantObject {
public:
  virtual ~VariantObject() = default;
  /// The memory that it holds on to, for limits on what is kept.
  virtual int64_t byteSize() const { return 0; }
};
/// Null for an element that nobody has set.
using VariantPtr = std::shared_ptr<const VariantObject>;

/// A tensor as an element.
struct TensorVariant final : VariantObject {
  explicit TensorVariant(Tensor held) : tensor(std::move(held)) {}
  int64_t byteSize() const override;

  const Tensor tensor;
};

/// **Errors**: INVALID_ARGUMENT for a shape of another number of elements,
/// RESOURCE_EXHAUSTED.
StatusOr<Tensor> tensorOfVariants(const Shape &shape,
                                  std::vector<VariantPtr> variants);

/// The elements of such a tensor; none of any other.
std::span<const VariantPtr> variantsOf(const Tensor &tensor);

/// Element i as an object of a type; null where it is none, or is not there.
template <class T>
std::shared_ptr<const T> variantAt(const Tensor &tensor, size_t i = 0) {
  const std::span<const VariantPtr> variants = variantsOf(tensor);
  return i < variants.size() ? std::dynamic_pointer_cast<const T>(variants[i])
                             : nullptr;
}

/// The memory that the elements of a tensor take, with what they hold on to.
int64_t heldBytesOf(const Tensor &tensor);

} // namespace kiln

#endif // KILN_LIB_SUPPORT_VARIANTS_H
