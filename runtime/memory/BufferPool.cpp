// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Free lists by size class behind one mutex; the release hook of a tensor's
// buffer returns it here.
#include "runtime/memory/BufferPool.h"

#include "lib/Support/DataMemory.h"
#include "runtime/memory/Memory.h"
#include "runtime/threads/ForkMutex.h"

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <utility>

namespace kiln {
namespace {

// Classes are 64 * {1, 1.25, 1.5, 1.75} * 2^k, rounded up to whole cache lines.
constexpr int minShift = 6;
constexpr int stepsPerPower = 4;
constexpr int numClasses = (46 - minShift) * stepsPerPower;

constexpr size_t classBytes(int sizeClass) {
  size_t base = size_t(1) << (minShift + sizeClass / stepsPerPower);
  size_t bytes = base + base / stepsPerPower *
                            static_cast<size_t>(sizeClass % stepsPerPower);
  return (bytes + bufferAlignment - 1) & ~(bufferAlignment - 1);
}

/// The least class with room for `bytes`; numClasses when there is none.
int classOf(size_t bytes) {
  if (bytes <= (size_t(1) << minShift))
    return 0;
  int power = static_cast<int>(std::bit_width(bytes - 1)) -
              1; // 2^power < bytes <= 2^(power + 1)
  for (int sizeClass = (power - minShift) * stepsPerPower;
       sizeClass < numClasses; ++sizeClass)
    if (classBytes(sizeClass) >= bytes)
      return sizeClass;
  return numClasses;
}

} // namespace

struct BufferPool::Pooled : Buffer {
  Pooled *next = nullptr;
  int sizeClass = 0;
};

struct BufferPool::Core {
  ForkMutex mutex;
  std::array<Pooled *, numClasses> free{};
  size_t idleBytes = 0;
  size_t maxIdleBytes = 0;
  size_t usedBytes = 0, mostUsedBytes = 0;
  /// Buffers in use, and one for the pool itself.
  size_t references = 1;

  static void release(Buffer *buffer) noexcept {
    auto *pooled = static_cast<Pooled *>(buffer);
    auto *core = static_cast<Core *>(pooled->owner);
    size_t bytes = classBytes(pooled->sizeClass);
    bool isLast;
    {
      std::lock_guard guard(core->mutex);
      core->usedBytes -= bytes;
      if (core->mayBeIdle(core->idleBytes + bytes)) {
        core->idleBytes += bytes;
        pooled->next = core->free[static_cast<size_t>(pooled->sizeClass)];
        core->free[static_cast<size_t>(pooled->sizeClass)] = pooled;
        pooled = nullptr;
      }
      isLast = --core->references == 0;
    }
    if (pooled)
      destroy(pooled);
    if (isLast)
      delete core;
  }
  static void destroy(Pooled *pooled) noexcept {
    freeAligned(pooled->data);
    delete pooled;
  }
  /// The caller holds the mutex here and below.
  void use(size_t bytes) noexcept {
    ++references;
    usedBytes += bytes;
    mostUsedBytes = std::max(mostUsedBytes, usedBytes);
  }
  bool mayBeIdle(size_t bytes) const noexcept {
    return bytes <= maxIdleBytes || usedBytes + bytes <= mostUsedBytes;
  }
  /// Frees idle buffers, the largest first, until so many may be idle.
  void freeIdle() noexcept {
    for (size_t sizeClass = free.size(); sizeClass-- > 0;)
      while (Pooled *pooled = free[sizeClass]) {
        if (mayBeIdle(idleBytes))
          return;
        free[sizeClass] = pooled->next;
        idleBytes -= classBytes(static_cast<int>(sizeClass));
        destroy(pooled);
      }
  }
  void freeAll() noexcept {
    const size_t most = std::exchange(maxIdleBytes, 0);
    mostUsedBytes = 0;
    freeIdle();
    maxIdleBytes = most;
    mostUsedBytes = usedBytes;
  }
};

BufferPool::BufferPool(size_t maxIdleBytes) : core(new Core) {
  core->maxIdleBytes = maxIdleBytes;
}

BufferPool::~BufferPool() {
  bool isLast;
  {
    std::lock_guard guard(core->mutex);
    core->freeAll();
    core->maxIdleBytes = core->mostUsedBytes = 0; // what comes back is freed
    isLast = --core->references == 0;
  }
  if (isLast)
    delete core;
}

StatusOr<BufferRef> BufferPool::allocate(size_t bytes) {
  int sizeClass = classOf(bytes);
  if (sizeClass < numClasses) {
    Pooled *pooled;
    {
      std::lock_guard guard(core->mutex);
      pooled = core->free[static_cast<size_t>(sizeClass)];
      if (pooled) {
        core->free[static_cast<size_t>(sizeClass)] = pooled->next;
        core->idleBytes -= classBytes(sizeClass);
        core->use(classBytes(sizeClass));
      }
    }
    if (pooled) {
      pooled->bytes = bytes;
      pooled->references.store(1, std::memory_order_relaxed);
      return BufferRef::adopt(pooled);
    }
    if (void *data = allocateAligned(classBytes(sizeClass))) {
      if (auto *fresh = new (std::nothrow) Pooled) {
        fresh->data = data;
        fresh->bytes = bytes;
        fresh->release = Core::release;
        fresh->owner = core;
        fresh->sizeClass = sizeClass;
        std::lock_guard guard(core->mutex);
        core->use(classBytes(sizeClass));
        core->freeIdle();
        return BufferRef::adopt(fresh);
      }
      freeAligned(data);
    }
  }
  return outOfMemory("a buffer", bytes);
}

void BufferPool::trim() noexcept {
  std::lock_guard guard(core->mutex);
  core->freeAll();
}

size_t BufferPool::idleBytes() const noexcept {
  std::lock_guard guard(core->mutex);
  return core->idleBytes;
}

} // namespace kiln
