// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_Tensor: memory of the library or of the caller under a type and a shape.
#include "capi/Handles.h"
#include "capi/Strings.h"

#include <optional>

using namespace kiln;
using namespace kiln::capi;

namespace {

/// Memory of the caller, who wants it back.
struct CallerMemory : Buffer {
  void (*deallocator)(void *data, size_t len, void *arg);
  void *argument;
};

void releaseToCaller(Buffer *buffer) noexcept {
  std::unique_ptr<CallerMemory> memory(static_cast<CallerMemory *>(buffer));
  if (memory->deallocator)
    memory->deallocator(memory->data, memory->bytes, memory->argument);
}

/// Nothing where the dimensions are no shape of a tensor.
std::optional<Shape> shapeOf(const int64_t *dims, int rank) {
  if (rank < 0)
    return {};
  StatusOr<Shape> shape = Shape::fromDims({dims, static_cast<size_t>(rank)});
  if (!shape.ok() || !shape->isFullyDefined() || !shape->numElements().ok())
    return {};
  return *std::move(shape);
}

int64_t elementsOf(const Shape &shape) {
  return shape.numElements().valueOr(0);
}

/// Whether so many bytes hold the elements; bytes of types without a size are
/// not looked at.
bool isLargeEnough(TF_DataType type, const Shape &shape, size_t bytes) {
  const size_t size = TF_DataTypeSize(type);
  return size == 0 || static_cast<uint64_t>(elementsOf(shape)) <= bytes / size;
}

/// A tensor on memory of numbers, or on memory that only C code understands.
TF_Tensor *makeTensor(TF_DataType type, const Shape &shape, BufferRef memory) {
  auto tensor = std::make_unique<TF_Tensor>();
  tensor->type = type;
  tensor->shape = shape;
  tensor->memory = std::move(memory);
  if (TF_DataTypeSize(type) != 0) {
    StatusOr<Tensor> value =
        Tensor::fromBuffer(static_cast<DType>(type), shape, tensor->memory);
    if (value.ok())
      tensor->value = *std::move(value);
  }
  return tensor.release();
}

/// The memory of a string tensor that C code looks at.
const BufferRef &memoryOf(const TF_Tensor *tensor) {
  auto *mutableTensor = const_cast<TF_Tensor *>(tensor);
  if (tensor->type == TF_STRING) {
    std::lock_guard lock(mutableTensor->converting);
    if (!tensor->memory) {
      mutableTensor->memory = encodeStrings(tensor->value);
      if (tensor->memory)
        mutableTensor->value = Tensor();
    }
  }
  return tensor->memory;
}

} // namespace

namespace kiln::capi {

TF_Tensor *tensorOf(Tensor value) {
  auto tensor = std::make_unique<TF_Tensor>();
  tensor->type = static_cast<TF_DataType>(value.dtype());
  tensor->shape = value.shape();
  if (value.dtype() != DType::String)
    tensor->memory = value.bufferRef();
  tensor->value = std::move(value);
  return tensor.release();
}

StatusOr<Tensor> valueOf(TF_Tensor &tensor) {
  if (tensor.type != TF_STRING) {
    if (tensor.value.isValid())
      return tensor.value;
    return invalidArgumentError(
        "expected a tensor of numbers or strings, got one of type " +
        std::to_string(tensor.type));
  }
  std::lock_guard lock(tensor.converting);
  if (tensor.memory)
    return decodeStrings(tensor.shape, tensor.memory->data,
                         tensor.memory->bytes);
  return tensor.value;
}

} // namespace kiln::capi

size_t TF_DataTypeSize(TF_DataType dt) {
  const int number = static_cast<int>(dt);
  const std::optional<DType> dtype = dtypeFromNumber(number);
  if (!dtype || number > refTypeOffset || *dtype == DType::String ||
      *dtype == DType::Resource || *dtype == DType::Variant)
    return 0;
  return dtypeSize(*dtype);
}

TF_Tensor *TF_NewTensor(TF_DataType type, const int64_t *dims, int num_dims,
                        void *data, size_t len,
                        void (*deallocator)(void *data, size_t len, void *arg),
                        void *deallocator_arg) {
  const std::optional<Shape> shape = shapeOf(dims, num_dims);
  if (!shape || !isLargeEnough(type, *shape, len) ||
      (type == TF_STRING && !mayHoldStrings(elementsOf(*shape), len)) ||
      (!data && len != 0))
    return nullptr;
  auto memory = std::make_unique<CallerMemory>();
  memory->data = data;
  memory->bytes = len;
  memory->release = releaseToCaller;
  memory->deallocator = deallocator;
  memory->argument = deallocator_arg;
  return makeTensor(type, *shape, BufferRef::adopt(memory.release()));
}

TF_Tensor *TF_AllocateTensor(TF_DataType type, const int64_t *dims,
                             int num_dims, size_t len) {
  const std::optional<Shape> shape = shapeOf(dims, num_dims);
  if (!shape || !isLargeEnough(type, *shape, len))
    return nullptr;
  BufferRef memory = type == TF_STRING
                         ? allocateStrings(elementsOf(*shape), len)
                         : allocateBuffer(len);
  return memory ? makeTensor(type, *shape, std::move(memory)) : nullptr;
}

size_t TF_TensorDefaultAlignment(void) { return bufferAlignment; }

TF_Tensor *TF_TensorMaybeMove(TF_Tensor *tensor) {
  const BufferRef &memory = memoryOf(tensor);
  if (!memory || memory->release == releaseToCaller)
    return nullptr;
  // The tensor's value, where it has one, holds the buffer as well.
  const int own = tensor->value.isValid() ? 2 : 1;
  const bool isShared =
      memory->references.load(std::memory_order_acquire) != own;
  return isShared ? nullptr : tensor;
}

void TF_DeleteTensor(TF_Tensor *tensor) { delete tensor; }

TF_DataType TF_TensorType(const TF_Tensor *tensor) { return tensor->type; }

void TF_SetShape(TF_Tensor *tensor, const int64_t *dims, int num_dims) {
  const std::optional<Shape> shape = shapeOf(dims, num_dims);
  // Another number of elements would be about other memory.
  if (!shape || elementsOf(*shape) != elementsOf(tensor->shape))
    return;
  tensor->shape = *shape;
  if (tensor->value.isValid())
    tensor->value = tensor->value.reshaped(*shape).valueOr(Tensor());
}

int TF_NumDims(const TF_Tensor *tensor) { return tensor->shape.rank(); }

int64_t TF_Dim(const TF_Tensor *tensor, int dim_index) {
  return tensor->shape.dim(dim_index);
}

size_t TF_TensorByteSize(const TF_Tensor *tensor) {
  const BufferRef &memory = memoryOf(tensor);
  return memory ? memory->bytes : 0;
}

void *TF_TensorData(const TF_Tensor *tensor) {
  const BufferRef &memory = memoryOf(tensor);
  return memory ? memory->data : nullptr;
}

int64_t TF_TensorElementCount(const TF_Tensor *tensor) {
  return elementsOf(tensor->shape);
}

bool TF_TensorIsAligned(const TF_Tensor *tensor) {
  return reinterpret_cast<uintptr_t>(TF_TensorData(tensor)) % bufferAlignment ==
         0;
}

void TF_TensorBitcastFrom(const TF_Tensor *from, TF_DataType type,
                          TF_Tensor *to, const int64_t *new_dims,
                          int num_new_dims, TF_Status *status) {
  clearStatus(status);
  const std::span<const int64_t> dims(new_dims,
                                      static_cast<size_t>(num_new_dims));
  int64_t count = 1;
  for (int64_t dim : dims) {
    if (dim < 0)
      return setStatus(
          status, invalidArgumentError("Expected a non-negative size, got " +
                                       std::to_string(dim)));
    const int64_t before = count;
    if (__builtin_mul_overflow(before, dim, &count))
      return setStatus(status, invalidArgumentError(
                                   "Encountered overflow when multiplying " +
                                   std::to_string(before) + " with " +
                                   std::to_string(dim) + ", result: -1"));
  }
  const std::optional<Shape> shape = shapeOf(new_dims, num_new_dims);
  const size_t size = TF_DataTypeSize(type);
  const size_t oldSize = TF_DataTypeSize(from->type);
  if (shape && size == 0)
    return setStatus(
        status, invalidArgumentError("specified output type is zero-sized"));
  const auto bytes = static_cast<__int128>(elementsOf(from->shape)) *
                     static_cast<__int128>(oldSize);
  if (!shape ||
      static_cast<__int128>(count) * static_cast<__int128>(size) != bytes)
    return setStatus(status,
                     invalidArgumentError("input and output shapes/data type "
                                          "sizes are not compatible"));
  std::unique_ptr<TF_Tensor> view(makeTensor(type, *shape, memoryOf(from)));
  to->type = view->type;
  to->shape = view->shape;
  to->memory = view->memory;
  to->value = view->value;
}
