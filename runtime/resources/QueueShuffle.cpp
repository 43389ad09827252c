// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws the next element among those that are there, from TensorFlow's stream:
// the words of the Philox blocks one after the other, each modulo the number of
// elements; the last element goes to the place of the drawn one.
#include "lib/Support/DataMemory.h"
#include "runtime/random/RandomScalar.h"
#include "runtime/random/RandomStream.h"
#include "runtime/resources/QueueElements.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace kiln {
namespace {

class ShuffledElements final : public QueueElements {
public:
  explicit ShuffledElements(const QueueSpec &spec)
      : numComponents(spec.types.size()),
        stream(RandomStream::create(spec.seed, spec.seed2)) {}

  size_t size() const noexcept override {
    return tensors.size() / numComponents;
  }

  bool reserve(size_t count, uint64_t &failedBytes) noexcept override {
    return reserveData(tensors, count * numComponents, failedBytes);
  }

  void put(std::span<Tensor> element) noexcept override {
    for (Tensor &tensor : element)
      tensors.push_back(std::move(tensor));
  }

  void take(std::span<Tensor> element) noexcept override {
    size_t drawn = nextWord() % size() * numComponents;
    size_t last = tensors.size() - numComponents;
    for (size_t i = 0; i < numComponents; ++i) {
      element[i] = std::move(tensors[drawn + i]);
      if (drawn != last)
        tensors[drawn + i] = std::move(tensors[last + i]);
    }
    tensors.resize(last);
  }

  void putBack(std::span<Tensor> element) noexcept override { put(element); }

  void release() noexcept override {
    if (tensors.capacity() > keptQueueTensors)
      std::vector<Tensor>().swap(tensors);
  }

private:
  uint32_t nextWord() noexcept {
    if (nextOfBlock == block.size()) {
      random::PhiloxState state;
      stream->reserve(1, state.counter);
      block = random::philoxWords(state);
      nextOfBlock = 0;
    }
    return block[nextOfBlock++];
  }

  const size_t numComponents;
  const std::unique_ptr<RandomStream> stream;
  std::array<uint32_t, 4> block{};
  size_t nextOfBlock = block.size();
  std::vector<Tensor> tensors;
};

} // namespace

std::unique_ptr<QueueElements> makeShuffledElements(const QueueSpec &spec) {
  return std::make_unique<ShuffledElements>(spec);
}

} // namespace kiln
