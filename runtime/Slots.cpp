// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grows slots and carves their elements out of chunks.
#include "runtime/Slots.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/DataMemory.h"
#include "runtime/Abi.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace kiln {
namespace {

constexpr int64_t smallestChunk = 4096;
/// What is not given back between runs, beside the chunks.
constexpr size_t keptElements = size_t(1) << 14;

int64_t aligned(int64_t bytes) {
  constexpr auto unit = static_cast<int64_t>(abiBufferAlignment);
  return (bytes + unit - 1) / unit * unit;
}

bool outOfMemory(int64_t bytes, KilnRunState *state, int32_t node) {
  recordError(state, ErrorKind::OutOfSlots, node, bytes);
  return false;
}

Slot *addTo(std::deque<Slot> &slots) noexcept {
  if (!mayAllocateData(sizeof(Slot)))
    return nullptr;
  try {
    return &slots.emplace_back();
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

} // namespace

bool SlotShape::isFullyDefined() const noexcept {
  return hasRank && std::none_of(dims.begin(), dims.end(),
                                 [](int64_t dim) { return dim < 0; });
}

bool SlotShape::fits(std::span<const int64_t> shape) const noexcept {
  return !hasRank ||
         std::equal(dims.begin(), dims.end(), shape.begin(), shape.end(),
                    [](int64_t a, int64_t b) { return a < 0 || a == b; });
}

Slot *SlotTable::at(int64_t number) noexcept {
  while (static_cast<size_t>(number) >= slots.size()) {
    Slot *added = addTo(slots);
    if (!added)
      return nullptr;
    added->number = static_cast<int64_t>(slots.size()) - 1;
  }
  return ofThisRun(slots[static_cast<size_t>(number)]);
}

Slot *SlotTable::ofThisRun(Slot &slot) noexcept {
  // What an earlier run left points nowhere; this one may look at a slot that
  // it has not made, where a branch that is not taken would have.
  if (slot.run != run) {
    slot.elements.clear();
    slot.size = 0;
    slot.run = run;
  }
  return &slot;
}

Slot *SlotTable::addInner() noexcept {
  if (numInner == inner.size() && !addTo(inner))
    return nullptr;
  return ofThisRun(inner[numInner++]);
}

bool SlotTable::count(int64_t more, KilnRunState *state,
                      int32_t node) noexcept {
  if (more > maxBytes - bytes) {
    recordError(state, ErrorKind::SlotsBeyondLimit, node, maxBytes, bytes,
                more);
    return false;
  }
  bytes += more;
  return true;
}

bool SlotTable::make(Slot &slot, int64_t size, KilnRunState *state,
                     int32_t node) {
  slot.size = 0;
  ++slot.made;
  return resize(slot, size, state, node);
}

bool SlotTable::resize(Slot &slot, int64_t size, KilnRunState *state,
                       int32_t node) {
  auto wanted = static_cast<size_t>(size);
  if (wanted > slot.elements.size()) {
    size_t more = wanted - slot.elements.size();
    CheckedInt64 bytesMore = static_cast<int64_t>(more);
    bytesMore *= static_cast<int64_t>(sizeof(SlotElement));
    if (!count(bytesMore.value().value_or(INT64_MAX), state, node))
      return false;
    uint64_t failed = 0;
    if (!reserveData(slot.elements, wanted, failed))
      return outOfMemory(static_cast<int64_t>(failed), state, node);
    slot.elements.resize(wanted);
  }
  for (size_t i = slot.size; i < wanted; ++i)
    slot.elements[i].state = 0;
  slot.size = wanted;
  return true;
}

char *SlotTable::take(int64_t wanted, KilnRunState *state, int32_t node) {
  if (chunks.empty() ||
      chunks.back().size() - used < static_cast<size_t>(wanted)) {
    // One chunk is enough for a run like the one before.
    int64_t size =
        std::max({wanted, smallestChunk, chunks.empty() ? bytesBefore : bytes});
    uint64_t failed = 0;
    auto taken = pool.take(static_cast<size_t>(size));
    if (!taken.ok() && size > wanted)
      taken = pool.take(static_cast<size_t>(size = wanted));
    if (!taken.ok() || !reserveData(chunks, chunks.size() + 1, failed)) {
      outOfMemory(size, state, node);
      return nullptr;
    }
    chunks.push_back(*std::move(taken));
    used = 0;
  }
  char *data = static_cast<char *>(chunks.back().data()) + used;
  used += static_cast<size_t>(wanted);
  return data;
}

bool SlotTable::shape(SlotElement &element, std::span<const int64_t> dims,
                      int64_t bytesOfTensor, KilnRunState *state,
                      int32_t node) {
  int64_t header = aligned(static_cast<int64_t>(dims.size_bytes()));
  bool fits = element.data && bytesOfTensor <= element.room &&
              (element.rank == static_cast<int32_t>(dims.size()));
  if (!fits) {
    CheckedInt64 total = bytesOfTensor;
    total += header + static_cast<int64_t>(abiBufferAlignment);
    // An element that grows again and again leaves a bounded part unused.
    if (element.data)
      total += bytesOfTensor / 2;
    int64_t wanted = total.value().value_or(INT64_MAX) /
                     static_cast<int64_t>(abiBufferAlignment) *
                     static_cast<int64_t>(abiBufferAlignment);
    if (!count(wanted, state, node))
      return false;
    char *block = take(wanted, state, node);
    if (!block)
      return false;
    element.dims = reinterpret_cast<int64_t *>(block);
    element.data = block + header;
    element.room = wanted - header;
    element.rank = static_cast<int32_t>(dims.size());
  }
  std::copy(dims.begin(), dims.end(), element.dims);
  element.bytes = bytesOfTensor;
  return true;
}

void SlotTable::clear() noexcept {
  if (bytes == 0 && chunks.empty())
    return;
  for (std::deque<Slot> *list : {&slots, &inner})
    for (Slot &slot : *list)
      if (slot.elements.capacity() > keptElements)
        slot.elements = {};
  numInner = 0;
  chunks.clear();
  used = 0;
  bytesBefore = std::exchange(bytes, 0);
  ++run;
}

} // namespace kiln
