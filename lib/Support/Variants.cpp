// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects lie in the buffer that the tensor stands on.
#include "lib/Support/Variants.h"

#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <new>
#include <utility>

namespace kiln {
namespace {

struct VariantBuffer : Buffer {
  explicit VariantBuffer(std::vector<VariantPtr> all)
      : variants(std::move(all)) {
    data = &variants;
    release = releaseVariants;
    writable = false;
  }
  static void releaseVariants(Buffer *base) noexcept {
    delete static_cast<VariantBuffer *>(base);
  }

  std::vector<VariantPtr> variants;
};

} // namespace

int64_t TensorVariant::byteSize() const { return heldBytesOf(tensor); }

StatusOr<Tensor> tensorOfVariants(const Shape &shape,
                                  std::vector<VariantPtr> variants) {
  KILN_ASSIGN_OR_RETURN(const int64_t count, shape.numElements());
  if (count != static_cast<int64_t>(variants.size()))
    return invalidArgumentError(strCat("expected ", count,
                                       " variants for shape ", shape.toString(),
                                       ", got ", variants.size()));
  auto *buffer = new (std::nothrow) VariantBuffer(std::move(variants));
  if (!buffer)
    return outOfMemory(DType::Variant, shape, sizeof(VariantBuffer));
  return Tensor::fromBuffer(DType::Variant, shape, BufferRef::adopt(buffer));
}

std::span<const VariantPtr> variantsOf(const Tensor &tensor) {
  const Buffer *buffer = tensor.bufferRef().get();
  if (!buffer || buffer->release != VariantBuffer::releaseVariants)
    return {};
  return static_cast<const VariantBuffer *>(buffer)->variants;
}

int64_t heldBytesOf(const Tensor &tensor) {
  auto bytes = static_cast<int64_t>(tensor.byteSize() + sizeof(Tensor));
  for (const String &text : tensor.data<String>())
    bytes += static_cast<int64_t>(text.view().size());
  for (const VariantPtr &variant : variantsOf(tensor))
    bytes += static_cast<int64_t>(sizeof(VariantPtr)) +
             (variant ? variant->byteSize() : 0);
  return bytes;
}

} // namespace kiln
