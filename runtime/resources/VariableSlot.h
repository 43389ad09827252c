// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable: what it is, where its elements lie, whether it has a value.
#ifndef KILN_RUNTIME_RESOURCES_VARIABLESLOT_H
#define KILN_RUNTIME_RESOURCES_VARIABLESLOT_H

#include "kiln/Tensor.h"
#include "runtime/resources/Resource.h"
#include "runtime/resources/SlotLock.h"
#include "runtime/threads/PerProcess.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace kiln {

/// A lock that is held shortly; what a thread of the parent holds is free in a
/// child of fork().
class PerProcessLock {
public:
  void lock() noexcept {
    const int own = processGeneration() + 1;
    for (int seen = 0; !holder.compare_exchange_weak(
             seen, own, std::memory_order_acquire, std::memory_order_relaxed);
         seen = seen == own ? 0 : seen)
      if (seen == own)
        std::this_thread::yield();
  }
  void unlock() noexcept { holder.store(0, std::memory_order_release); }

private:
  std::atomic<int> holder{0}; ///< one more than the process's generation
};

/// A variable's place. **Ownership**: shared by the table and the programs that
/// use it; views share its buffer.
///
/// Invariants:
///  1. name, index, dtype and declared shape never change.
///  2. data() is 64-byte aligned and has room for shape(); it is null only
///  while shape() is unknown (a variable
///     declared without a full shape and never assigned).
///  3. Unless isOpen(), shape() is the declared one and data() never changes.
/// Thread safety, by lock: shape(), data(), the elements and the initialized
/// byte are read under any mode of lock() and written under exclusive alone;
/// presentShape() is `shapeMutex`'s; the rest is constant.
class VariableSlot final : public Resource {
public:
  /// **Errors**: INVALID_ARGUMENT for a dtype of no fixed size, and for a shape
  /// whose size does not fit; RESOURCE_EXHAUSTED.
  static StatusOr<std::shared_ptr<VariableSlot>>
  create(std::string name, int64_t index, DType dtype, const Shape &shape);

  std::string_view name() const noexcept { return variableName; }
  /// Its number in its table; locks are taken in this order.
  int64_t index() const noexcept { return slotIndex; }
  DType dtype() const noexcept { return elementType; }
  const Shape &declaredShape() const noexcept { return declared; }
  /// Whether it has no static shape: it was declared without a full one, or an
  /// assignment that checks no shape may bring another, and open() said so. For
  /// good; while a lock is held and it is not, shape() is as declared.
  bool isOpen() const noexcept {
    return isOpened.load(std::memory_order_relaxed);
  }
  void open() noexcept { isOpened.store(true, std::memory_order_relaxed); }

  SlotLock &lock() noexcept { return slotLock; }

  const Shape &shape() const noexcept { return current; }
  /// The shape as it is at some moment of the call, which takes no lock; of
  /// unknown rank before the first assignment of one without a static shape.
  Shape presentShape() const {
    std::lock_guard guard(shapeMutex);
    return current;
  }
  void *data() noexcept { return buffer ? buffer->data : nullptr; }
  size_t byteSize() const noexcept { return bytes; }
  bool isInitialized() const noexcept { return initialized != 0; }
  void setInitialized(bool value) noexcept { initialized = value; }
  /// The byte that native code reads and sets: 0 or 1.
  uint8_t *initializedByte() noexcept { return &initialized; }

  /// Gives the slot another shape, as an assignment with validate_shape=false
  /// does; the elements are lost when the size changes. Caller holds exclusive.
  /// **Errors**: INVALID_ARGUMENT when the declared shape does not allow it,
  /// unless open() was called;
  /// RESOURCE_EXHAUSTED (the slot stays as it was).
  Status resize(const Shape &shape);
  /// Returns a tensor on the slot's own buffer: later writes show through it.
  /// Caller holds the lock while it looks.
  /// **Errors**: FAILED_PRECONDITION, naming the variable, when it has no
  /// value.
  StatusOr<Tensor> view();

  /// Returns a copy of the value, taken under the shared lock. **Errors**:
  /// FAILED_PRECONDITION without a value, RESOURCE_EXHAUSTED, CANCELLED or
  /// DEADLINE_EXCEEDED by the state's cancel word.
  StatusOr<Tensor> snapshot(const KilnRunState *state = nullptr);
  /// Writes the variable under its exclusive lock: shape as resize(), dtype
  /// must be the slot's.
  Status assign(const Tensor &value, const KilnRunState *state = nullptr);

  size_t heldBytes() const noexcept override {
    return allocatedBytes.load(std::memory_order_relaxed);
  }

private:
  VariableSlot(std::string name, int64_t index, DType dtype, Shape shape)
      : variableName(std::move(name)), slotIndex(index), elementType(dtype),
        declared(std::move(shape)), isOpened(!declared.isFullyDefined()) {}

  std::string variableName;
  int64_t slotIndex;
  DType elementType;
  Shape declared;
  std::atomic<bool> isOpened;
  Shape current = Shape::unknownRank();
  /// Guards `current` where no lock is held, for the time of a copy; the cache
  /// of code asks under its own mutex, so this is none that fork() takes.
  mutable PerProcessLock shapeMutex;
  BufferRef buffer;
  size_t bytes = 0;
  std::atomic<size_t> allocatedBytes{0}; // `bytes`, for readers without a lock
  uint8_t initialized = 0;
  SlotLock slotLock;
};

} // namespace kiln

#endif // KILN_RUNTIME_RESOURCES_VARIABLESLOT_H
