// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation, borrowing and reshaping of tensors.
#include "kiln/Tensor.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

namespace kiln {

// The header of an allocated buffer takes one alignment unit before the data:
// one allocation for both.
static_assert(sizeof(Buffer) <= bufferAlignment);

/// Destroys the strings that begin at data.
static void destroyStrings(void *data, size_t bytes) noexcept {
  std::destroy_n(static_cast<String *>(data), bytes / sizeof(String));
}

static void freeAllocatedStrings(Buffer *buffer) noexcept {
  destroyStrings(buffer->data, buffer->bytes);
  buffer->~Buffer();
  freeData(buffer);
}

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

/// Memory of the caller, with what is to be called when nothing needs it any
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
  if (dtype == DType::String) {
    std::memset(tensor.buffer->data, 0, size.bytes); // empty strings
    tensor.buffer->holdsStrings = true;
    tensor.buffer->release = freeAllocatedStrings;
  }
  tensor.dimensions = shape;
  tensor.count = size.elements;
  tensor.elementType = dtype;
  return tensor;
}

StatusOr<Tensor> Tensor::zeros(DType dtype, const Shape &shape) {
  KILN_ASSIGN_OR_RETURN(Tensor tensor, create(dtype, shape));
  if (dtype != DType::String)
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
  bool holdsStrings = dtype == DType::String;
  if (holdsStrings && reinterpret_cast<uintptr_t>(data) % alignof(String) != 0)
    return invalidArgumentError("expected strings at a multiple of 8 bytes");
  auto *buffer = new BorrowedBuffer;
  buffer->data = data;
  buffer->bytes = size.bytes;
  buffer->release = BorrowedBuffer::releaseBorrowed;
  buffer->holdsStrings = holdsStrings;
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
  Size size{0, 0};
  if (dtype == DType::Variant) {
    KILN_ASSIGN_OR_RETURN(size.elements, shape.numElements());
  } else {
    KILN_ASSIGN_OR_RETURN(size, sizeOf(dtype, shape));
  }
  if (!buffer || buffer->bytes < size.bytes)
    return invalidArgumentError(
        strCat("expected a buffer of at least ", size.bytes,
               " bytes for a tensor of shape ", shape.toString(), ", got ",
               buffer ? buffer->bytes : 0));
  if (buffer->holdsStrings != (dtype == DType::String))
    return invalidArgumentError(
        strCat("expected a buffer of ", dtypeName(dtype), ", got one of ",
               buffer->holdsStrings ? "strings" : "numbers"));
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
  tensor.assignElements(values);
  return tensor;
}

void Tensor::assignElements(const void *values) noexcept {
  if (elementType == DType::String)
    std::copy_n(static_cast<const String *>(values), count,
                static_cast<String *>(buffer->data));
  else if (count > 0)
    std::memcpy(buffer->data, values, byteSize());
}

Tensor Tensor::scalar(std::string_view text) {
  auto made = fromStrings(Shape(), {text});
  return made.ok() ? *std::move(made) : Tensor();
}

namespace {

template <class Text>
StatusOr<Tensor> copyTexts(const Shape &shape, std::span<const Text> texts) {
  KILN_ASSIGN_OR_RETURN(int64_t elements, shape.numElements());
  if (static_cast<uint64_t>(elements) != texts.size())
    return invalidArgumentError(strCat("expected ", elements,
                                       " values for shape ", shape.toString(),
                                       ", got ", texts.size()));
  KILN_ASSIGN_OR_RETURN(Tensor tensor, Tensor::create(DType::String, shape));
  std::span<String> strings = tensor.mutableData<String>();
  for (size_t i = 0; i < texts.size(); ++i) {
    KILN_ASSIGN_OR_RETURN(strings[i], String::create(texts[i]));
  }
  return tensor;
}

} // namespace

StatusOr<Tensor> Tensor::fromStrings(const Shape &shape,
                                     std::span<const std::string_view> texts) {
  return copyTexts(shape, texts);
}

StatusOr<Tensor> Tensor::fromStrings(const Shape &shape,
                                     std::span<const std::string> texts) {
  return copyTexts(shape, texts);
}

StatusOr<Tensor> Tensor::clone() const {
  if (!isValid())
    return Tensor();
  KILN_ASSIGN_OR_RETURN(Tensor copy, create(elementType, dimensions));
  copy.assignElements(buffer->data);
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
  if (elementType == DType::String)
    return std::equal(data<String>().begin(), data<String>().end(),
                      other.data<String>().begin());
  return byteSize() == 0 ||
         std::memcmp(rawData(), other.rawData(), byteSize()) == 0;
}

} // namespace kiln
