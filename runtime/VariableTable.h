// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state that outlives runs: one slot per variable, one random stream per
// random node, and queues, owned by a session.
#ifndef KILN_RUNTIME_VARIABLETABLE_H
#define KILN_RUNTIME_VARIABLETABLE_H

#include "kiln/Tensor.h"
#include "runtime/ForkMutex.h"
#include "runtime/Queue.h"
#include "runtime/RandomStream.h"
#include "runtime/SlotLock.h"

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kiln {

/// One variable: what it is, where its elements lie, whether it has a value.
///
/// Invariants:
///  1. name, index, dtype and declared shape never change.
///  2. data() is 64-byte aligned and has room for shape(); it is null only
///  while shape() is unknown (a variable
///     declared without a full shape that nobody assigned yet).
///  3. While the declared shape is fully defined, shape() equals it and data()
///  never changes.
/// Thread safety, by lock: shape(), data(), the elements and the initialized
/// byte are read under any mode of lock() and written under exclusive alone;
/// the rest is constant.
class VariableSlot {
public:
  std::string_view name() const noexcept { return variableName; }
  /// The place in the table; locks are taken in this order.
  int index() const noexcept { return slotIndex; }
  DType dtype() const noexcept { return elementType; }
  const Shape &declaredShape() const noexcept { return declared; }

  SlotLock &lock() noexcept { return slotLock; }

  const Shape &shape() const noexcept { return current; }
  void *data() noexcept { return buffer ? buffer->data : nullptr; }
  size_t byteSize() const noexcept { return bytes; }
  bool isInitialized() const noexcept { return initialized != 0; }
  void setInitialized(bool value) noexcept { initialized = value; }
  /// The byte that native code reads and sets: 0 or 1.
  uint8_t *initializedByte() noexcept { return &initialized; }

  /// Gives the slot another shape, as an assignment with validate_shape=false
  /// does; the elements are lost when the size changes. Caller holds exclusive.
  /// **Errors**: INVALID_ARGUMENT when the declared shape does not allow it;
  /// RESOURCE_EXHAUSTED (the slot stays as it was).
  Status resize(const Shape &shape);
  /// Returns a tensor on the slot's own buffer: later writes show through it.
  /// Caller holds the lock while it looks.
  /// **Errors**: FAILED_PRECONDITION, naming the variable, when it has no
  /// value.
  StatusOr<Tensor> view();

private:
  friend class VariableTable;
  VariableSlot(std::string name, int index, DType dtype, Shape shape)
      : variableName(std::move(name)), slotIndex(index), elementType(dtype),
        declared(std::move(shape)) {}

  std::string variableName;
  int slotIndex;
  DType elementType;
  Shape declared;
  Shape current = Shape::unknownRank();
  BufferRef buffer;
  size_t bytes = 0;
  std::atomic<size_t> allocatedBytes{0}; // `bytes`, for those who hold no lock
  uint8_t initialized = 0;
  SlotLock slotLock;
};

/// The slots, random streams and queues of a session (or container).
///
/// Invariants: (1) slots, streams and queues are only added, never moved or
/// removed: pointers are valid as long as the table; (2) slot i has index i;
/// (3) a name has one slot and one stream at most. Ownership: the table owns
/// slots, their buffers and the streams; views share the buffers. Thread
/// safety: all functions; what guards what:
///
///   | data                                  | guarded by               |
///   | slots, streams, names (containers)    | VariableTable::mutex     |
///   | a slot's shape, buffer, elements,     | its SlotLock: any mode   |
///   | initialized byte                      | reads, exclusive writes  |
///   | a stream's position, allocatedBytes   | nothing: atomic          |
///
/// Lock order: the mutex is never held while a SlotLock is waited for.
class VariableTable {
public:
  VariableTable() = default;
  VariableTable(const VariableTable &) = delete;
  VariableTable &operator=(const VariableTable &) = delete;

  /// Returns the variable's slot, made on first use (a fully defined shape gets
  /// its buffer then, not its pages).
  /// **Errors**: INVALID_ARGUMENT when the name is there with another dtype or
  /// an incompatible shape, when the dtype has no fixed size;
  /// RESOURCE_EXHAUSTED.
  StatusOr<VariableSlot *> findOrCreate(std::string_view name, DType dtype,
                                        const Shape &shape);
  /// The slot, or null.
  VariableSlot *find(std::string_view name) const;
  /// Slot `index`, 0 <= index < size(); null outside.
  VariableSlot *slot(int index) const;
  int size() const;

  /// Returns the stream of a random node, seeded on first use. **Edges**: seed
  /// = seed2 = 0 draws a seed from the system. **Errors**: INVALID_ARGUMENT
  /// when the node is there with other seeds.
  StatusOr<RandomStream *> findOrCreateStream(std::string_view node,
                                              int64_t seed, int64_t seed2);

  /// Returns a queue under its key, made on first use. An empty spec.name
  /// becomes "_N_" and the key, N counting such queues of the table: TensorFlow
  /// names a queue without a shared name so, counting through the process.
  Queue &findOrCreateQueue(std::string_view key, QueueSpec spec);

  /// Returns a copy of a variable, taken under its shared lock. **Errors**:
  /// FAILED_PRECONDITION without a value, RESOURCE_EXHAUSTED, CANCELLED or
  /// DEADLINE_EXCEEDED by the state's cancel word.
  static StatusOr<Tensor> snapshot(VariableSlot &slot,
                                   const KilnRunState *state = nullptr);
  /// Writes a variable under its exclusive lock: shape as resize(), dtype must
  /// be the slot's.
  static Status assign(VariableSlot &slot, const Tensor &value,
                       const KilnRunState *state = nullptr);

  /// Bytes of all slots' buffers.
  size_t totalBytes() const;

private:
  struct Stream {
    int64_t seed = 0, seed2 = 0; // as the graph gives them
    std::unique_ptr<RandomStream> state;
  };

  mutable ForkMutex mutex;
  std::vector<std::unique_ptr<VariableSlot>> slots;
  std::unordered_map<std::string, VariableSlot *> slotByName;
  std::unordered_map<std::string, Stream> streams;
  std::unordered_map<std::string, std::unique_ptr<Queue>> queues;
  int numNamedQueues = 0; // by findOrCreateQueue
};

} // namespace kiln

#endif // KILN_RUNTIME_VARIABLETABLE_H
