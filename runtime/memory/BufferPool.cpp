// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Free lists by size class behind one mutex; the release hook of a tensor's
// buffer returns it here.
#include "runtime/memory/BufferPool.h"

#include "lib/Support/DataMemory.h"
#include "runtime/memory/Memory.h"
#include "runtime/threads/ForkMutex.h"

#include <array>
#include <bit>
#include <new>

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
  /// Buffers in use, and one for the pool itself.
  size_t references = 1;

  static void release(Buffer *buffer) noexcept {
    auto *pooled = static_cast<Pooled *>(buffer);
    auto *core = static_cast<Core *>(pooled->owner);
    size_t bytes = classBytes(pooled->sizeClass);
    bool isLast;
    {
      std::lock_guard guard(core->mutex);
      if (bytes <= core->maxIdleBytes - core->idleBytes) {
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
  /// Caller holds the mutex.
  void freeIdle() noexcept {
    for (Pooled *&list : free)
      while (Pooled *pooled = list) {
        list = pooled->next;
        destroy(pooled);
      }
    idleBytes = 0;
  }
};

BufferPool::BufferPool(size_t maxIdleBytes) : core(new Core) {
  core->maxIdleBytes = maxIdleBytes;
}

BufferPool::~BufferPool() {
  bool isLast;
  {
    std::lock_guard guard(core->mutex);
    core->freeIdle();
    core->maxIdleBytes = 0; // buffers that come back later are freed
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
        ++core->references;
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
        ++core->references;
        return BufferRef::adopt(fresh);
      }
      freeAligned(data);
    }
  }
  return outOfMemory("a buffer", bytes);
}

void BufferPool::trim() noexcept {
  std::lock_guard guard(core->mutex);
  core->freeIdle();
}

size_t BufferPool::idleBytes() const noexcept {
  std::lock_guard guard(core->mutex);
  return core->idleBytes;
}

} // namespace kiln
