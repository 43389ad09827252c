// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Making, resizing, copying and assigning variables.
#include "runtime/resources/VariableSlot.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/RunState.h"
#include "runtime/memory/Memory.h"

#include <algorithm>
#include <cstring>

namespace kiln {
namespace {

// A variable is touched by every run: from this size on its page table entries
// cost more than its arithmetic.
constexpr size_t hugeVariableBytes = size_t(16) << 20;

StatusOr<size_t> bytesOf(DType dtype, const Shape &shape,
                         std::string_view name) {
  auto elements = shape.numElements();
  if (!elements.ok())
    return elements.status().withNode(name);
  auto bytes = checkedMul(*elements, static_cast<int64_t>(dtypeSize(dtype)));
  if (!bytes)
    return Status(StatusCode::InvalidArgument,
                  strCat("expected a size that fits int64, got ",
                         dtypeName(dtype), " ", shape.toString()),
                  std::string(name));
  return static_cast<size_t>(*bytes);
}

Status stoppedStatus(const KilnRunState *state) {
  return errorStatus(cancelCode(state) ==
                             static_cast<int32_t>(StatusCode::DeadlineExceeded)
                         ? ErrorKind::DeadlineExceeded
                         : ErrorKind::Cancelled,
                     {});
}

} // namespace

StatusOr<std::shared_ptr<VariableSlot>>
VariableSlot::create(std::string name, int64_t index, DType dtype,
                     const Shape &shape) {
  if (dtypeSize(dtype) == 0)
    return Status(StatusCode::InvalidArgument,
                  "expected a dtype of fixed size, got " +
                      std::string(dtypeName(dtype)),
                  std::move(name));
  std::shared_ptr<VariableSlot> slot(
      new VariableSlot(std::move(name), index, dtype, shape));
  if (shape.isFullyDefined())
    KILN_RETURN_IF_ERROR(slot->resize(shape));
  return slot;
}

Status VariableSlot::resize(const Shape &shape) {
  const bool isAllowed = declared.isCompatibleWith(shape) ||
                         (declared.isFullyDefined() && isOpen());
  if (!shape.isFullyDefined() || !isAllowed)
    return Status(StatusCode::InvalidArgument,
                  "expected a value of shape " + declared.toString() +
                      ", got " + shape.toString(),
                  variableName);
  KILN_ASSIGN_OR_RETURN(size_t newBytes,
                        bytesOf(elementType, shape, variableName));
  if (!buffer || newBytes != bytes) {
    BufferRef fresh;
    if (elementType != DType::String)
      fresh = allocateAlignedBuffer(newBytes, hugeVariableBytes);
    else if (auto empty = Tensor::create(DType::String, shape); empty.ok())
      fresh = empty->bufferRef();
    if (!fresh)
      return outOfMemory(elementType, shape, newBytes).withNode(variableName);
    buffer = std::move(fresh);
    bytes = newBytes;
    allocatedBytes.store(newBytes, std::memory_order_relaxed);
  }
  std::lock_guard guard(shapeMutex);
  current = shape;
  return okStatus();
}

StatusOr<Tensor> VariableSlot::view() {
  if (!isInitialized())
    return errorStatus(ErrorKind::UninitializedVariable, variableName, {},
                       variableName);
  return Tensor::fromBuffer(elementType, current, buffer);
}

StatusOr<Tensor> VariableSlot::snapshot(const KilnRunState *state) {
  if (!slotLock.acquire(LockMode::Shared, state))
    return stoppedStatus(state);
  StatusOr<Tensor> view = this->view();
  StatusOr<Tensor> copy = view.ok() ? view->clone() : view;
  slotLock.release(LockMode::Shared);
  return copy;
}

Status VariableSlot::assign(const Tensor &value, const KilnRunState *state) {
  if (value.dtype() != elementType)
    return Status(StatusCode::InvalidArgument,
                  "expected a value of dtype " +
                      std::string(dtypeName(elementType)) + ", got " +
                      std::string(dtypeName(value.dtype())),
                  variableName);
  if (!slotLock.acquire(LockMode::Update, state))
    return stoppedStatus(state);
  if (!slotLock.upgrade(state)) {
    slotLock.release(LockMode::Update);
    return stoppedStatus(state);
  }
  Status status = resize(value.shape());
  if (status.ok()) {
    // The value may be a view of the slot itself.
    if (elementType == DType::String)
      std::ranges::copy(value.data<String>(), static_cast<String *>(data()));
    else if (value.byteSize() != 0)
      std::memmove(data(), value.rawData(), value.byteSize());
    setInitialized(true);
  }
  slotLock.releaseExclusive();
  return status;
}

} // namespace kiln
