// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arenas change hands through one hot pointer; a list behind it serves
// overlapping runs.
#include "runtime/memory/ArenaPool.h"

#include "lib/Support/DataMemory.h"
#include "runtime/memory/Memory.h"

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
  if (!block || block->bytes < bytes) {
    Block *small = block;
    block = takeIdle(bytes);
    if (small && block)
      giveBack(small);
    else if (small)
      destroy(small);
  }
  if (block && block->bytes >= bytes)
    return Arena(this, block);
  // Where none is large enough one goes for the new one, so that there are no
  // more than runs at once; and goes first: there may not be room for both.
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

/// The smallest that is large enough, else the last; null where none is idle.
ArenaPool::Block *ArenaPool::takeIdle(size_t bytes) noexcept {
  std::lock_guard guard(mutex);
  if (idle.empty())
    return nullptr;
  auto best = idle.end() - 1;
  for (auto it = idle.begin(); it != idle.end(); ++it)
    if ((*it)->bytes >= bytes &&
        ((*best)->bytes < bytes || (*it)->bytes < (*best)->bytes))
      best = it;
  Block *block = *best;
  idle.erase(best);
  idleBytes -= block->bytes;
  return block;
}

void ArenaPool::giveBack(Block *block) noexcept {
  size_t hotBytes = block->bytes;
  // The one in the hot place may be smaller and colder: it makes room.
  block = hot.exchange(block, std::memory_order_acq_rel);
  if (!block)
    return;
  std::lock_guard guard(mutex);
  idle.push_back(block);
  idleBytes += block->bytes;
  size_t limit = maxIdleBytes.load(std::memory_order_relaxed);
  size_t numFreed = 0;
  for (; numFreed < idle.size() && idleBytes + hotBytes > limit; ++numFreed) {
    idleBytes -= idle[numFreed]->bytes;
    destroy(idle[numFreed]);
  }
  idle.erase(idle.begin(), idle.begin() + static_cast<ptrdiff_t>(numFreed));
}

void ArenaPool::trim() noexcept {
  if (Block *block = hot.exchange(nullptr, std::memory_order_acquire))
    destroy(block);
  std::lock_guard guard(mutex);
  for (Block *block : idle)
    destroy(block);
  idle.clear();
  idleBytes = 0;
}

void ArenaPool::destroy(Block *block) noexcept {
  bytesInPool.fetch_sub(block->bytes, std::memory_order_relaxed);
  freeAligned(block->data);
  delete block;
}

} // namespace kiln
