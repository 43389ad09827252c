// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// First in, first out: tensors go round a ring, and into a larger one.
#include "runtime/resources/QueueElements.h"

#include "lib/Support/DataMemory.h"

#include <algorithm>
#include <ranges>
#include <utility>
#include <vector>

namespace kiln {
namespace {

class FifoElements final : public QueueElements {
public:
  explicit FifoElements(size_t numComponents) : numComponents(numComponents) {}

  size_t size() const noexcept override { return numTensors / numComponents; }

  bool reserve(size_t count, uint64_t &failedBytes) noexcept override {
    count *= numComponents;
    if (count <= ring.size())
      return true;
    std::vector<Tensor> larger;
    if (!reserveData(larger, std::max(count, 2 * ring.size()), failedBytes))
      return false;
    for (size_t i = 0; i < numTensors; ++i)
      larger.push_back(std::move(ring[placeOf(i)]));
    larger.resize(larger.capacity());
    ring = std::move(larger);
    first = 0;
    return true;
  }

  void put(std::span<Tensor> element) noexcept override {
    for (Tensor &tensor : element)
      ring[placeOf(numTensors++)] = std::move(tensor);
  }

  void take(std::span<Tensor> element) noexcept override {
    for (Tensor &tensor : element) {
      tensor = std::exchange(ring[std::exchange(first, placeOf(1))], Tensor());
      --numTensors;
    }
  }

  void putBack(std::span<Tensor> element) noexcept override {
    for (Tensor &tensor : std::views::reverse(element)) {
      first = (first + ring.size() - 1) % ring.size();
      ++numTensors;
      ring[first] = std::move(tensor);
    }
  }

  void release() noexcept override {
    if (ring.size() > keptQueueTensors)
      std::vector<Tensor>().swap(ring);
    first = 0;
  }

private:
  size_t placeOf(size_t index) const noexcept {
    return (first + index) % ring.size();
  }

  const size_t numComponents;
  std::vector<Tensor> ring; ///< places without a tensor hold invalid ones
  size_t first = 0, numTensors = 0;
};

} // namespace

std::unique_ptr<QueueElements> makeFifoElements(size_t numComponents) {
  return std::make_unique<FifoElements>(numComponents);
}

std::unique_ptr<QueueElements> QueueElements::create(const QueueSpec &spec) {
  switch (spec.kind) {
  case QueueKind::Fifo:
  case QueueKind::PaddingFifo:
    break;
  case QueueKind::RandomShuffle:
    return makeShuffledElements(spec);
  case QueueKind::Priority:
    return makePriorityElements(spec.types.size());
  }
  return makeFifoElements(spec.types.size());
}

} // namespace kiln
