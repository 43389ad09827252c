// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arenas change hands through one hot pointer; a list behind it serves
// overlapping runs.
#include "runtime/ArenaPool.h"

#include "lib/Support/DataMemory.h"
#include "runtime/Memory.h"

#include <new>

namespace kiln {

Arena::~Arena() {
  if (block)
    pool->giveBack(block);
}

void *Arena::data() const noexcept { return block ? block->data : nullptr; }
size_t Arena::size() const noexcept { return block ? block->bytes : 0; }

ArenaPool::~ArenaPool() { trim(); }

StatusOr<Arena> ArenaPool::take(size_t bytes) {
  if (bytes == 0)
    return Arena();
  Block *block = hot.exchange(nullptr, std::memory_order_acquire);
  if (!block) {
    std::lock_guard guard(mutex);
    if (!idle.empty()) {
      block = idle.back();
      idle.pop_back();
    }
  }
  if (block && block->bytes >= bytes)
    return Arena(this, block);
  // Freed before the larger one is asked for: their sum may be more than there
  // is.
  if (block)
    destroy(block);
  void *data = allocateAligned(bytes);
  block = data ? new (std::nothrow) Block{data, bytes} : nullptr;
  if (!block) {
    freeAligned(data);
    return outOfMemory("the temporary values of a run", bytes);
  }
  bytesInPool.fetch_add(bytes, std::memory_order_relaxed);
  return Arena(this, block);
}

void ArenaPool::giveBack(Block *block) noexcept {
  // The one in the hot place may be smaller and colder: it makes room.
  block = hot.exchange(block, std::memory_order_acq_rel);
  if (!block)
    return;
  std::lock_guard guard(mutex);
  idle.push_back(block);
}

void ArenaPool::trim() noexcept {
  if (Block *block = hot.exchange(nullptr, std::memory_order_acquire))
    destroy(block);
  std::lock_guard guard(mutex);
  for (Block *block : idle)
    destroy(block);
  idle.clear();
}

void ArenaPool::destroy(Block *block) noexcept {
  bytesInPool.fetch_sub(block->bytes, std::memory_order_relaxed);
  freeAligned(block->data);
  delete block;
}

} // namespace kiln
