// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation, borrowing and reshaping of tensors.
#include "kiln/Tensor.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <cstring>
#include <limits>
#include <memory>
#include <new>

namespace kiln {

// The header of an allocated buffer takes one alignment unit before the data:
// one allocation for both.
static_assert(sizeof(Buffer) <= bufferAlignment);

static void freeAllocated(Buffer *buffer) noexcept {
  buffer->~Buffer();
  freeData(buffer);
}

BufferRef allocateBuffer(size_t bytes) noexcept {
  if (bytes > std::numeric_limits<size_t>::max() - 3 * bufferAlignment)
    return {};
  size_t padded =
      (bytes + bufferAlignment - 1) / bufferAlignment * bufferAlignment;
  void *block = allocateData(bufferAlignment, bufferAlignment + padded);
  if (!block)
    return {};
  auto *buffer = new (block) Buffer;
  buffer->data = static_cast<char *>(block) + bufferAlignment;
  buffer->bytes = bytes;
  buffer->release = freeAllocated;
  return BufferRef::adopt(buffer);
}

namespace {

/// Memory of the caller, with what is to be called when nobody needs it any
/// more.
struct BorrowedBuffer : Buffer {
  std::function<void()> deleter;

  static void releaseBorrowed(Buffer *base) noexcept {
    std::unique_ptr<BorrowedBuffer> self(static_cast<BorrowedBuffer *>(base));
    if (self->deleter)
      self->deleter();
  }
};

struct Size {
  int64_t elements;
  size_t bytes;
};

StatusOr<Size> sizeOf(DType dtype, const Shape &shape) {
  size_t elementSize = dtypeSize(dtype);
  if (elementSize == 0)
    return invalidArgumentError(
        strCat("expected a dtype with elements of fixed size, got ",
               dtypeName(dtype)));
  KILN_ASSIGN_OR_RETURN(int64_t elements, shape.numElements());
  auto bytes = checkedMul(elements, static_cast<int64_t>(elementSize));
  if (!bytes)
    return invalidArgumentError(strCat("a ", dtypeName(dtype),
                                       " tensor of shape ", shape.toString(),
                                       " has more than 2^63 - 1 bytes"));
  return Size{elements, static_cast<size_t>(*bytes)};
}

} // namespace

StatusOr<Tensor> Tensor::create(DType dtype, const Shape &shape) {
  KILN_ASSIGN_OR_RETURN(Size size, sizeOf(dtype, shape));
  Tensor tensor;
  tensor.buffer = allocateBuffer(size.bytes);
  if (!tensor.buffer)
    return outOfMemory(dtype, shape, size.bytes);
  tensor.dimensions = shape;
  tensor.count = size.elements;
  tensor.elementType = dtype;
  return tensor;
}

StatusOr<Tensor> Tensor::zeros(DType dtype, const Shape &shape) {
  KILN_ASSIGN_OR_RETURN(Tensor tensor, create(dtype, shape));
  std::memset(tensor.buffer->data, 0, tensor.byteSize());
  return tensor;
}

StatusOr<Tensor> Tensor::borrow(DType dtype, const Shape &shape, void *data,
                                std::function<void()> deleter) {
  KILN_ASSIGN_OR_RETURN(Size size, sizeOf(dtype, shape));
  if (!data && size.bytes > 0)
    return invalidArgumentError(strCat("expected memory for a tensor of shape ",
                                       shape.toString(),
                                       ", got a null pointer"));
  auto *buffer = new BorrowedBuffer;
  buffer->data = data;
  buffer->bytes = size.bytes;
  buffer->release = BorrowedBuffer::releaseBorrowed;
  buffer->deleter = std::move(deleter);
  return fromBuffer(dtype, shape, BufferRef::adopt(buffer));
}

StatusOr<Tensor> Tensor::borrow(DType dtype, const Shape &shape,
                                const void *data,
                                std::function<void()> deleter) {
  KILN_ASSIGN_OR_RETURN(
      Tensor tensor,
      borrow(dtype, shape, const_cast<void *>(data), std::move(deleter)));
  tensor.buffer->writable = false;
  return tensor;
}

StatusOr<Tensor> Tensor::fromBuffer(DType dtype, const Shape &shape,
                                    BufferRef buffer) {
  KILN_ASSIGN_OR_RETURN(Size size, sizeOf(dtype, shape));
  if (!buffer || buffer->bytes < size.bytes)
    return invalidArgumentError(
        strCat("expected a buffer of at least ", size.bytes,
               " bytes for a tensor of shape ", shape.toString(), ", got ",
               buffer ? buffer->bytes : 0));
  Tensor tensor;
  tensor.buffer = std::move(buffer);
  tensor.dimensions = shape;
  tensor.count = size.elements;
  tensor.elementType = dtype;
  return tensor;
}

StatusOr<Tensor> Tensor::copyOf(DType dtype, const Shape &shape,
                                const void *values, int64_t valueCount) {
  KILN_ASSIGN_OR_RETURN(int64_t elements, shape.numElements());
  if (elements != valueCount)
    return invalidArgumentError(strCat("expected ", elements,
                                       " values for shape ", shape.toString(),
                                       ", got ", valueCount));
  KILN_ASSIGN_OR_RETURN(Tensor tensor, create(dtype, shape));
  if (elements > 0)
    std::memcpy(tensor.buffer->data, values, tensor.byteSize());
  return tensor;
}

StatusOr<Tensor> Tensor::clone() const {
  if (!isValid())
    return Tensor();
  KILN_ASSIGN_OR_RETURN(Tensor copy, create(elementType, dimensions));
  if (byteSize() > 0)
    std::memcpy(copy.buffer->data, buffer->data, byteSize());
  return copy;
}

StatusOr<Tensor> Tensor::reshaped(const Shape &shape) const {
  KILN_ASSIGN_OR_RETURN(int64_t elements, shape.numElements());
  if (!isValid() || elements != count)
    return invalidArgumentError(strCat(
        "cannot view ", count, " elements of shape ", dimensions.toString(),
        " as shape ", shape.toString(), " with ", elements, " elements"));
  Tensor view = *this;
  view.dimensions = shape;
  return view;
}

bool Tensor::hasSameBits(const Tensor &other) const noexcept {
  if (elementType != other.elementType || !(dimensions == other.dimensions) ||
      isValid() != other.isValid())
    return false;
  return byteSize() == 0 ||
         std::memcmp(rawData(), other.rawData(), byteSize()) == 0;
}

} // namespace kiln
