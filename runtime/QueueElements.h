// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tensors in a queue: a ring that never throws when it cannot grow.
#ifndef KILN_RUNTIME_QUEUEELEMENTS_H
#define KILN_RUNTIME_QUEUEELEMENTS_H

#include "kiln/Tensor.h"

#include <cstdint>
#include <vector>

namespace kiln {

/// Tensors, put in at both ends and taken out at the front.
///
/// Ownership: owns the tensors. Thread safety: none. **Cost**: a move a tensor;
/// memory grows by reserve() alone and goes by release().
class QueueElements {
public:
  size_t size() const noexcept { return numElements; }
  bool empty() const noexcept { return numElements == 0; }

  /// Makes room for `count` tensors in all. Returns false, with the bytes that
  /// could not be had, and all as it was.
  bool reserve(size_t count, uint64_t &failedBytes) noexcept;
  /// There must be room.
  void pushBack(Tensor tensor) noexcept;
  void pushFront(Tensor tensor) noexcept;
  /// There must be a tensor.
  Tensor popFront() noexcept;
  /// Gives memory back that only a long queue needs. It must be empty.
  void release() noexcept;

private:
  size_t placeOf(size_t index) const noexcept {
    return (first + index) % ring.size();
  }

  std::vector<Tensor> ring; ///< places without a tensor hold invalid ones
  size_t first = 0, numElements = 0;
};

} // namespace kiln

#endif // KILN_RUNTIME_QUEUEELEMENTS_H
