// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hands a lock from run to run, and holds it by a tensor.
#include "runtime/resources/Mutex.h"

#include "lib/Support/DataMemory.h"

#include <atomic>
#include <new>

namespace kiln {
namespace {

struct LockBuffer : Buffer {
  explicit LockBuffer(std::shared_ptr<Mutex> held) : mutex(std::move(held)) {
    data = &mutex;
    release = releaseBuffer;
    writable = false;
  }
  static void releaseBuffer(Buffer *base) noexcept {
    auto *buffer = static_cast<LockBuffer *>(base);
    buffer->unlock();
    delete buffer;
  }
  bool unlock() noexcept {
    const bool holds = isHeld.exchange(false);
    if (holds)
      mutex->release();
    return holds;
  }

  std::shared_ptr<Mutex> mutex;
  std::atomic<bool> isHeld = true;
};

} // namespace

bool Mutex::begin(LockAttempt &attempt, RunContext &waiter) {
  std::lock_guard lock(guard);
  attempt.waiter = &waiter;
  attempt.isDone = false;
  pending.push_back(&attempt);
  serve();
  return attempt.isDone;
}

bool Mutex::hasEnded(const LockAttempt &attempt) const {
  std::lock_guard lock(guard);
  return attempt.isDone;
}

void Mutex::abandon(LockAttempt &attempt) {
  std::lock_guard lock(guard);
  std::erase(pending, &attempt);
  if (!attempt.isDone)
    return;
  isLocked = false;
  serve();
}

void Mutex::release() {
  std::lock_guard lock(guard);
  isLocked = false;
  serve();
}

void Mutex::serve() {
  if (isLocked || pending.empty())
    return;
  LockAttempt &next = *pending.front();
  pending.pop_front();
  isLocked = next.isDone = true;
  // Under the guard: once the attempt is let go of, the run may be gone.
  wakeRun(*next.waiter);
}

StatusOr<Tensor> holdLock(std::shared_ptr<Mutex> mutex) {
  auto *buffer = new (std::nothrow) LockBuffer(mutex);
  if (!buffer) {
    mutex->release();
    return outOfMemory(DType::Variant, Shape(), sizeof(LockBuffer));
  }
  return Tensor::fromBuffer(DType::Variant, Shape(), BufferRef::adopt(buffer));
}

bool releaseLock(const Tensor &tensor) {
  Buffer *buffer = tensor.bufferRef().get();
  return buffer && buffer->release == LockBuffer::releaseBuffer &&
         static_cast<LockBuffer *>(buffer)->unlock();
}

} // namespace kiln
