// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A borrowed buffer is a Buffer with the reference behind it; idle ones wait in
// a list for the next borrow, dropped ones in another for the GIL.
#include "python/bind/Borrow.h"

#include <atomic>
#include <new>

namespace kiln::python {
namespace {

struct Borrowed : Buffer {
  PyObject *object = nullptr;
  Borrowed *next = nullptr;
};

/// Guarded by the GIL.
Borrowed *idle = nullptr;
/// Dropped by threads without the GIL, newest first.
std::atomic<Borrowed *> dropped{nullptr};

void recycle(Borrowed *buffer) noexcept {
  PyObject *object = std::exchange(buffer->object, nullptr);
  buffer->next = idle;
  idle = buffer;
  Py_DECREF(object); // may run anything, this function too
}

int recycleDropped(void *) noexcept {
  Borrowed *next = dropped.exchange(nullptr, std::memory_order_acquire);
  while (Borrowed *buffer = next) {
    next = buffer->next;
    recycle(buffer);
  }
  return 0;
}

void release(Buffer *base) noexcept {
  auto *buffer = static_cast<Borrowed *>(base);
  if (!Py_IsInitialized())
    return; // the objects went with the interpreter
  if (PyGILState_Check()) {
    recycle(buffer);
    return;
  }
  Borrowed *head = dropped.load(std::memory_order_relaxed);
  do
    buffer->next = head;
  while (!dropped.compare_exchange_weak(head, buffer, std::memory_order_release,
                                        std::memory_order_relaxed));
  // One call takes all that were dropped until then. Where the interpreter's
  // queue is full, the next borrow does.
  if (!head)
    Py_AddPendingCall(recycleDropped, nullptr);
}

} // namespace

BufferRef borrowFrom(PyObject *owner, const void *data, size_t bytes) noexcept {
  if (dropped.load(std::memory_order_relaxed)) [[unlikely]]
    recycleDropped(nullptr);
  Borrowed *buffer = idle;
  if (buffer)
    idle = buffer->next;
  else if (!(buffer = new (std::nothrow) Borrowed))
    return {};
  buffer->data = const_cast<void *>(data);
  buffer->bytes = bytes;
  buffer->release = release;
  buffer->writable = false;
  buffer->references.store(1, std::memory_order_relaxed);
  buffer->object = Py_NewRef(owner);
  return BufferRef::adopt(buffer);
}

PyObject *solelyBorrowed(const Buffer &buffer) noexcept {
  if (buffer.release != release)
    return nullptr;
  PyObject *object = static_cast<const Borrowed &>(buffer).object;
  return Py_REFCNT(object) == 1 ? object : nullptr;
}

} // namespace kiln::python
