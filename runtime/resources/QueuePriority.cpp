// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A heap by priority. Among equal ones the order is that of the standard
// library's heap, which is TensorFlow's.
#include "lib/Support/DataMemory.h"
#include "runtime/resources/QueueElements.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace kiln {
namespace {

class PriorityElements final : public QueueElements {
public:
  explicit PriorityElements(size_t numComponents)
      : numComponents(numComponents) {}

  size_t size() const noexcept override { return heap.size(); }

  bool reserve(size_t count, uint64_t &failedBytes) noexcept override {
    if (count <= numPlaces)
      return true;
    count = std::max(count, 2 * numPlaces);
    if (!reserveData(heap, count, failedBytes) ||
        !reserveData(unused, count, failedBytes) ||
        !reserveData(tensors, count * numComponents, failedBytes))
      return false;
    tensors.resize(count * numComponents);
    while (numPlaces < count)
      unused.push_back(numPlaces++);
    return true;
  }

  void put(std::span<Tensor> element) noexcept override {
    const Entry entry{element[0].data<int64_t>()[0], unused.back()};
    unused.pop_back();
    std::move(element.begin(), element.end(), at(entry.place));
    heap.push_back(entry);
    std::push_heap(heap.begin(), heap.end(), comesLater);
  }

  void take(std::span<Tensor> element) noexcept override {
    std::pop_heap(heap.begin(), heap.end(), comesLater);
    const size_t place = heap.back().place;
    heap.pop_back();
    unused.push_back(place);
    for (Tensor &tensor : element)
      tensor = std::exchange(at(place)[&tensor - element.data()], Tensor());
  }

  void putBack(std::span<Tensor> element) noexcept override { put(element); }

  void release() noexcept override {
    if (tensors.size() <= keptQueueTensors)
      return;
    std::vector<Entry>().swap(heap);
    std::vector<Tensor>().swap(tensors);
    std::vector<size_t>().swap(unused);
    numPlaces = 0;
  }

private:
  struct Entry {
    int64_t priority;
    size_t place; ///< of its tensors
  };
  static bool comesLater(const Entry &a, const Entry &b) {
    return a.priority > b.priority;
  }
  std::vector<Tensor>::iterator at(size_t place) {
    return tensors.begin() + static_cast<ptrdiff_t>(place * numComponents);
  }

  const size_t numComponents;
  std::vector<Entry> heap;
  std::vector<Tensor> tensors;
  std::vector<size_t> unused;
  size_t numPlaces = 0;
};

} // namespace

std::unique_ptr<QueueElements> makePriorityElements(size_t numComponents) {
  return std::make_unique<PriorityElements>(numComponents);
}

} // namespace kiln
