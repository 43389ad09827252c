// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements in a queue, in the order in which they come out; nothing throws
// when there is no memory for more.
#ifndef KILN_RUNTIME_RESOURCES_QUEUEELEMENTS_H
#define KILN_RUNTIME_RESOURCES_QUEUEELEMENTS_H

#include "kiln/Tensor.h"
#include "runtime/resources/QueueSpec.h"

#include <cstdint>
#include <memory>
#include <span>

namespace kiln {

/// Elements, each of as many tensors as the queue has components.
///
/// Ownership: owns the tensors. Thread safety: none. **Cost**: moves of tensors
/// (of a Priority queue, log n of numbers besides); memory grows by reserve()
/// alone and goes by release().
class QueueElements {
public:
  static std::unique_ptr<QueueElements> create(const QueueSpec &spec);
  virtual ~QueueElements() = default;

  virtual size_t size() const noexcept = 0;
  bool empty() const noexcept { return size() == 0; }

  /// Makes room for `count` elements in all. Returns false, with the bytes that
  /// could not be had, and the elements as they were.
  virtual bool reserve(size_t count, uint64_t &failedBytes) noexcept = 0;
  /// Moves an element's tensors in. There must be room.
  virtual void put(std::span<Tensor> element) noexcept = 0;
  /// Moves the next element's tensors out. There must be one.
  virtual void take(std::span<Tensor> element) noexcept = 0;
  /// Takes one in again that was the last to be taken out; where the order is
  /// first in first out, at the front. There must be room.
  virtual void putBack(std::span<Tensor> element) noexcept = 0;
  /// Gives memory back that only a long queue needs. It must be empty.
  virtual void release() noexcept = 0;
};

/// The elements of a kind of queue of so many components.
std::unique_ptr<QueueElements> makeFifoElements(size_t numComponents);
std::unique_ptr<QueueElements> makeShuffledElements(const QueueSpec &spec);
std::unique_ptr<QueueElements> makePriorityElements(size_t numComponents);

/// As many tensors as a queue keeps room for, when it is empty, to be used
/// again and again.
inline constexpr size_t keptQueueTensors = 64;

} // namespace kiln

#endif // KILN_RUNTIME_RESOURCES_QUEUEELEMENTS_H
