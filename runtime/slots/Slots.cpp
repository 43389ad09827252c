// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grows slots, and carves rows and single elements out of chunks.
#include "runtime/slots/Slots.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/DataMemory.h"
#include "runtime/abi/Abi.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace kiln {
namespace {

constexpr int64_t smallestChunk = 4096;
/// What is not given back between runs, beside the chunks.
constexpr size_t keptElements = size_t(1) << 14;
constexpr size_t keptStates = size_t(1) << 20;
constexpr size_t keptSlots = size_t(1) << 12;
/// Where elements are more bytes together, few of them may ever be written:
/// each gets its memory when it is.
constexpr int64_t maxRowBytes = int64_t(1) << 30;

constexpr auto alignment = static_cast<int64_t>(abiBufferAlignment);

int64_t aligned(int64_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
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

bool Slot::isRowOf(std::span<const int64_t> wanted) const noexcept {
  return !isLoose && row.dims && size <= row.room &&
         std::ranges::equal(row.shape(), wanted) && shape.fits(wanted) &&
         (!is(slotHasOneShape) || shape.isFullyDefined());
}

bool Slot::isShapedBeside(int64_t i) const noexcept {
  for (int64_t other = 0; other < size; ++other)
    if (other != i && isShaped(other))
      return true;
  return false;
}

void Slot::expose() noexcept {
  dims = row.dims;
  dtype = static_cast<int32_t>(storedAs(type)); // what code calls it
  room = std::min(row.room, static_cast<int64_t>(stateBytes.size()));
  if (maxSize >= 0)
    room = std::min(room, maxSize);
  rank = !is(slotIsClosed) && isRowOf(row.shape()) ? row.rank : -1;
}

Slot *SlotTable::at(int64_t number) noexcept {
  if (number < 0) {
    auto place = static_cast<size_t>(-1 - number);
    Slot *slot = place < moving.size() ? moving[place] : nullptr;
    return slot ? slot : renewed(number);
  }
  while (static_cast<size_t>(number) >= slots.size()) {
    Slot *added = addTo(slots);
    if (!added)
      return nullptr;
    added->number = static_cast<int64_t>(slots.size()) - 1;
  }
  return ofThisRun(slots[static_cast<size_t>(number)]);
}

Slot *SlotTable::renewed(int64_t number) noexcept {
  if (number >= 0)
    return at(number);
  auto place = static_cast<size_t>(-1 - number);
  if (place < moving.size() && moving[place] && !moving[place]->isHeld)
    return moving[place];
  return addMoving(number);
}

Slot *SlotTable::addMoving(int64_t number) noexcept {
  Slot *slot = addInner();
  if (!slot || !move(number, slot))
    return nullptr;
  slot->number = static_cast<int64_t>(numInner) - 1;
  return slot;
}

bool SlotTable::move(int64_t number, Slot *slot) noexcept {
  auto place = static_cast<size_t>(-1 - number);
  uint64_t failed = 0;
  if (!reserveData(moving, place + 1, failed))
    return false;
  moving.resize(std::max(moving.size(), place + 1));
  moving[place] = slot;
  return true;
}

bool SlotTable::recall(int64_t number, int64_t place) noexcept {
  auto at = static_cast<size_t>(place);
  return place >= 0 && at < numInner && move(number, &inner[at]);
}

Slot *SlotTable::ofThisRun(Slot &slot) noexcept {
  // What an earlier run left points nowhere; this one may look at a slot that
  // it has not made, where a branch that is not taken would have.
  if (slot.run != run) {
    slot.hide();
    // One that grows has what the run before needed at once.
    slot.roomBefore =
        slot.isLoose ? 0
                     : std::min(slot.row.room,
                                static_cast<int64_t>(slot.stateBytes.size()));
    slot.row = {};
    slot.isLoose = false;
    slot.elements.clear();
    slot.stateBytes.clear();
    slot.size = 0;
    slot.isHeld = false;
    slot.gradients = slot.nextGradient = nullptr;
    slot.run = run;
  }
  return &slot;
}

Slot *SlotTable::addInner() noexcept {
  if (numInner == inner.size() && !addTo(inner))
    return nullptr;
  inner[numInner].place = static_cast<int64_t>(numInner);
  return ofThisRun(inner[numInner++]);
}

bool SlotTable::fits(CheckedInt64 more) const noexcept {
  return more.value().value_or(INT64_MAX) <= maxBytes - bytes;
}

bool SlotTable::count(int64_t more, KilnRunState *state,
                      int32_t node) noexcept {
  if (!fits(more)) {
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
  auto wanted = static_cast<size_t>(size), before = slot.stateBytes.size();
  if (wanted > before) {
    // By doubling, so that what grows by one element asks seldom.
    if (fits(static_cast<int64_t>(before)))
      wanted = std::max(wanted, 2 * before);
    if (!count(static_cast<int64_t>(wanted - before), state, node))
      return false;
    uint64_t failed = 0;
    if (!reserveData(slot.stateBytes, wanted, failed))
      return outOfMemory(static_cast<int64_t>(failed), state, node);
    slot.stateBytes.resize(wanted);
    slot.states = slot.stateBytes.data();
  }
  if (size > slot.size)
    std::memset(slot.states + slot.size, 0,
                static_cast<size_t>(size - slot.size));
  slot.size = size;
  return !slot.isLoose || addElements(slot, state, node);
}

char *SlotTable::take(int64_t wanted, KilnRunState *state, int32_t node) {
  if (!count(wanted, state, node))
    return nullptr;
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

bool SlotTable::shape(Slot &slot, int64_t i, std::span<const int64_t> dims,
                      int64_t bytesOfTensor, KilnRunState *state,
                      int32_t node) {
  if (!slot.isLoose) {
    int64_t needed = std::max(i + 1, slot.size);
    bool isSame = slot.row.dims && std::ranges::equal(slot.row.shape(), dims);
    if (isSame && needed <= slot.row.room)
      return true;
    Placed placed =
        isSame || !slot.isShapedBeside(i)
            ? placeRow(slot, needed, dims, bytesOfTensor, state, node)
            : Placed::No;
    if (placed != Placed::No)
      return placed == Placed::Yes;
    if (!loosen(slot, state, node))
      return false;
  }
  return shapeLoose(slot, i, dims, bytesOfTensor, state, node);
}

SlotTable::Placed SlotTable::placeRow(Slot &slot, int64_t numElements,
                                      std::span<const int64_t> dims,
                                      int64_t bytesOfTensor,
                                      KilnRunState *state, int32_t node) {
  Slot::Row &row = slot.row;
  bool isSame = row.dims && std::ranges::equal(row.shape(), dims);
  int64_t header = aligned(static_cast<int64_t>(dims.size_bytes()));
  auto bytesOf = [&](CheckedInt64 count) {
    CheckedInt64 total = count;
    total *= bytesOfTensor;
    return total;
  };
  auto place = [&](int64_t blockBytes) {
    row.blockBytes = blockBytes;
    row.bytes = bytesOfTensor;
    row.room = bytesOfTensor == 0 ? INT64_MAX : blockBytes / bytesOfTensor;
    row.rank = static_cast<int32_t>(dims.size());
    std::copy(dims.begin(), dims.end(), row.dims);
    return Placed::Yes;
  };
  int64_t least = bytesOf(numElements).value().value_or(INT64_MAX);
  if (row.dims && row.rank == static_cast<int32_t>(dims.size()) &&
      least <= row.blockBytes)
    return place(row.blockBytes);

  // What grows again and again leaves a bounded part unused.
  CheckedInt64 wanted = bytesOf(slot.roomBefore);
  if (isSame) {
    wanted = bytesOf(row.room);
    wanted *= 2;
  } else if (row.dims) {
    wanted = least;
    wanted += least / 2;
  }
  int64_t block = std::max(least, wanted.value().value_or(0));
  if (block > maxRowBytes ||
      !fits(CheckedInt64(block) + CheckedInt64(header + alignment)))
    block = least;
  CheckedInt64 total = block;
  total += header + alignment;
  if (block > maxRowBytes || !fits(total))
    return Placed::No;
  char *taken = take(*total.value() / alignment * alignment, state, node);
  if (!taken)
    return Placed::Failed;
  if (isSame && row.bytes != 0)
    std::memcpy(taken + header, slot.data,
                static_cast<size_t>(std::min(slot.size, row.room) * row.bytes));
  slot.data = taken + header;
  row.dims = reinterpret_cast<int64_t *>(taken);
  return place(block);
}

bool SlotTable::addElements(Slot &slot, KilnRunState *state, int32_t node) {
  auto wanted = slot.stateBytes.size(), before = slot.elements.size();
  if (wanted <= before)
    return true;
  CheckedInt64 more = static_cast<int64_t>(wanted - before);
  more *= static_cast<int64_t>(sizeof(SlotElement));
  if (!count(more.value().value_or(INT64_MAX), state, node))
    return false;
  uint64_t failed = 0;
  if (!reserveData(slot.elements, wanted, failed))
    return outOfMemory(static_cast<int64_t>(failed), state, node);
  slot.elements.resize(wanted);
  return true;
}

bool SlotTable::loosen(Slot &slot, KilnRunState *state, int32_t node) {
  if (!addElements(slot, state, node))
    return false;
  if (slot.row.dims)
    for (int64_t i = 0; i < std::min(slot.size, slot.row.room); ++i)
      if (slot.isShaped(i))
        slot.elements[static_cast<size_t>(i)] = slot.element(i);
  slot.isLoose = true;
  return true;
}

bool SlotTable::shapeList(Slot &slot, int64_t i, KilnRunState *state,
                          int32_t node) {
  if (!slot.isLoose && !loosen(slot, state, node))
    return false;
  Slot *&inner = slot.inner(i);
  return inner || (inner = addInner()) ||
         outOfMemory(sizeof(Slot), state, node);
}

bool SlotTable::hold(Slot &stack, int64_t i, Slot &array, KilnRunState *state,
                     int32_t node) {
  if (!count(sizeof(Slot), state, node) || !addElements(stack, state, node))
    return false;
  stack.isLoose = array.isHeld = true;
  stack.inner(i) = &array;
  return true;
}

bool SlotTable::shapeLoose(Slot &slot, int64_t i, std::span<const int64_t> dims,
                           int64_t bytesOfTensor, KilnRunState *state,
                           int32_t node) {
  SlotElement &element = slot.elements[static_cast<size_t>(i)];
  int64_t header = aligned(static_cast<int64_t>(dims.size_bytes()));
  // The extents of what was in a row are those of all of it.
  bool fits = element.data && bytesOfTensor <= element.room &&
              element.rank == static_cast<int32_t>(dims.size()) &&
              (element.dims != slot.row.dims ||
               std::ranges::equal(element.shape(), dims));
  if (!fits) {
    CheckedInt64 total = bytesOfTensor;
    total += header + alignment;
    // An element that grows again and again leaves a bounded part unused.
    if (element.data)
      total += bytesOfTensor / 2;
    int64_t wanted = total.value().value_or(INT64_MAX) / alignment * alignment;
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

void SlotTable::endRun() noexcept {
  for (std::deque<Slot> *list : {&slots, &inner})
    for (Slot &slot : *list) {
      if (slot.elements.capacity() > keptElements)
        slot.elements = {};
      if (slot.stateBytes.capacity() > keptStates)
        slot.stateBytes = {};
    }
  numInner = 0;
  inner.resize(std::min(inner.size(), keptSlots));
  std::fill(moving.begin(), moving.end(), nullptr);
  chunks.clear();
  used = 0;
  bytesBefore = std::exchange(bytes, 0);
  ++run;
}

} // namespace kiln
