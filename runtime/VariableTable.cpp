// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots and streams: finding, making, resizing, copying.
#include "runtime/VariableTable.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/Memory.h"
#include "runtime/RunState.h"

#include <cstring>
#include <random>

namespace kiln {
namespace {

// A variable is touched by every run: from this size on its page table entries
// cost more than its arithmetic.
constexpr size_t hugeVariableBytes = size_t(16) << 20;

std::string describe(DType dtype, const Shape &shape) {
  return std::string(dtypeName(dtype)) + " " + shape.toString();
}

StatusOr<size_t> bytesOf(DType dtype, const Shape &shape,
                         std::string_view name) {
  auto elements = shape.numElements();
  if (!elements.ok())
    return elements.status().withNode(name);
  auto bytes = checkedMul(*elements, static_cast<int64_t>(dtypeSize(dtype)));
  if (!bytes)
    return Status(StatusCode::InvalidArgument,
                  "expected a size that fits int64, got " +
                      describe(dtype, shape),
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

Status VariableSlot::resize(const Shape &shape) {
  if (!shape.isFullyDefined() || !declared.isCompatibleWith(shape))
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
  current = shape;
  return okStatus();
}

StatusOr<Tensor> VariableSlot::view() {
  if (!isInitialized())
    return errorStatus(ErrorKind::UninitializedVariable, variableName, {},
                       variableName);
  return Tensor::fromBuffer(elementType, current, buffer);
}

StatusOr<VariableSlot *> VariableTable::findOrCreate(std::string_view name,
                                                     DType dtype,
                                                     const Shape &shape) {
  std::lock_guard guard(mutex);
  if (auto it = slotByName.find(std::string(name)); it != slotByName.end()) {
    VariableSlot &slot = *it->second;
    if (slot.dtype() != dtype || !slot.declaredShape().isCompatibleWith(shape))
      return Status(StatusCode::InvalidArgument,
                    "expected variable " +
                        describe(slot.dtype(), slot.declaredShape()) +
                        ", got " + describe(dtype, shape),
                    std::string(name));
    return &slot;
  }
  if (dtypeSize(dtype) == 0)
    return Status(StatusCode::InvalidArgument,
                  "expected a dtype of fixed size, got " +
                      std::string(dtypeName(dtype)),
                  std::string(name));
  std::unique_ptr<VariableSlot> slot(new VariableSlot(
      std::string(name), static_cast<int>(slots.size()), dtype, shape));
  if (shape.isFullyDefined())
    KILN_RETURN_IF_ERROR(slot->resize(shape));
  slots.push_back(std::move(slot));
  slotByName.emplace(name, slots.back().get());
  return slots.back().get();
}

VariableSlot *VariableTable::find(std::string_view name) const {
  std::lock_guard guard(mutex);
  auto it = slotByName.find(std::string(name));
  return it == slotByName.end() ? nullptr : it->second;
}

VariableSlot *VariableTable::slot(int index) const {
  std::lock_guard guard(mutex);
  return index >= 0 && static_cast<size_t>(index) < slots.size()
             ? slots[static_cast<size_t>(index)].get()
             : nullptr;
}

int VariableTable::size() const {
  std::lock_guard guard(mutex);
  return static_cast<int>(slots.size());
}

StatusOr<RandomStream *>
VariableTable::findOrCreateStream(std::string_view node, int64_t seed,
                                  int64_t seed2) {
  std::lock_guard guard(mutex);
  auto [it, isNew] = streams.try_emplace(std::string(node));
  Stream &stream = it->second;
  if (!isNew) {
    if (stream.seed != seed || stream.seed2 != seed2)
      return Status(StatusCode::InvalidArgument,
                    "expected seeds " + std::to_string(stream.seed) + " and " +
                        std::to_string(stream.seed2) + ", got " +
                        std::to_string(seed) + " and " + std::to_string(seed2),
                    std::string(node));
    return stream.state.get();
  }
  stream.seed = seed;
  stream.seed2 = seed2;
  uint64_t key = static_cast<uint64_t>(seed),
           counter = static_cast<uint64_t>(seed2);
  if (key == 0 && counter == 0) {
    std::random_device entropy;
    key = uint64_t(entropy()) << 32 | entropy();
    counter = uint64_t(entropy()) << 32 | entropy();
  }
  stream.state = std::make_unique<RandomStream>(key, counter);
  return stream.state.get();
}

StatusOr<Tensor> VariableTable::snapshot(VariableSlot &slot,
                                         const KilnRunState *state) {
  if (!slot.lock().acquire(LockMode::Shared, state))
    return stoppedStatus(state);
  StatusOr<Tensor> view = slot.view();
  StatusOr<Tensor> copy = view.ok() ? view->clone() : view;
  slot.lock().release(LockMode::Shared);
  return copy;
}

Status VariableTable::assign(VariableSlot &slot, const Tensor &value,
                             const KilnRunState *state) {
  if (value.dtype() != slot.dtype())
    return Status(StatusCode::InvalidArgument,
                  "expected a value of dtype " +
                      std::string(dtypeName(slot.dtype())) + ", got " +
                      std::string(dtypeName(value.dtype())),
                  std::string(slot.name()));
  if (!slot.lock().acquire(LockMode::Update, state))
    return stoppedStatus(state);
  if (!slot.lock().upgrade(state)) {
    slot.lock().release(LockMode::Update);
    return stoppedStatus(state);
  }
  Status status = slot.resize(value.shape());
  if (status.ok()) {
    // The value may be a view of the slot itself.
    if (slot.dtype() == DType::String)
      std::ranges::copy(value.data<String>(),
                        static_cast<String *>(slot.data()));
    else if (value.byteSize() != 0)
      std::memmove(slot.data(), value.rawData(), value.byteSize());
    slot.setInitialized(true);
  }
  slot.lock().releaseExclusive();
  return status;
}

Queue &VariableTable::findOrCreateQueue(std::string_view key, QueueSpec spec) {
  std::lock_guard guard(mutex);
  auto [it, isNew] = queues.try_emplace(std::string(key));
  if (isNew) {
    if (spec.name.empty())
      spec.name = "_" + std::to_string(numNamedQueues++) + "_" + it->first;
    it->second = std::make_unique<Queue>(std::move(spec));
  }
  return *it->second;
}

size_t VariableTable::totalBytes() const {
  std::lock_guard guard(mutex);
  size_t total = 0;
  for (const auto &slot : slots)
    total += slot->allocatedBytes.load(std::memory_order_relaxed);
  return total;
}

} // namespace kiln
