// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves a queue's tensors round a ring and into a larger one.
#include "runtime/QueueElements.h"

#include "lib/Support/DataMemory.h"

#include <algorithm>
#include <utility>

namespace kiln {

bool QueueElements::reserve(size_t count, uint64_t &failedBytes) noexcept {
  if (count <= ring.size())
    return true;
  std::vector<Tensor> larger;
  if (!reserveData(larger, std::max(count, 2 * ring.size()), failedBytes))
    return false;
  for (size_t i = 0; i < numElements; ++i)
    larger.push_back(std::move(ring[placeOf(i)]));
  larger.resize(larger.capacity());
  ring = std::move(larger);
  first = 0;
  return true;
}

void QueueElements::pushBack(Tensor tensor) noexcept {
  ring[placeOf(numElements++)] = std::move(tensor);
}

void QueueElements::pushFront(Tensor tensor) noexcept {
  first = (first + ring.size() - 1) % ring.size();
  ++numElements;
  ring[first] = std::move(tensor);
}

Tensor QueueElements::popFront() noexcept {
  --numElements;
  return std::exchange(ring[std::exchange(first, placeOf(1))], Tensor());
}

void QueueElements::release() noexcept {
  constexpr size_t kept = 64; // a short queue's, used again and again
  if (ring.size() > kept)
    std::vector<Tensor>().swap(ring);
  first = 0;
}

} // namespace kiln
