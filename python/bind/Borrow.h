// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers on the memory of Python objects.
#ifndef KILN_PYTHON_BIND_BORROW_H
#define KILN_PYTHON_BIND_BORROW_H

#include "kiln/Buffer.h"

#include <nanobind/nanobind.h>

namespace kiln::python {

/// Makes a read-only buffer that holds a reference to the object whose memory
/// it is. The last user may drop it on any thread: without the GIL the
/// reference waits for the interpreter's main thread, or for the next borrow.
/// Null when memory cannot be had. Holds the GIL. **Cost**: no allocation in
/// the steady state.
BufferRef borrowFrom(PyObject *owner, const void *data, size_t bytes) noexcept;

/// Returns the object (borrowed) whose memory the buffer is, where the buffer
/// holds the only reference to it; null for others and other buffers. Holds the
/// GIL.
PyObject *solelyBorrowed(const Buffer &buffer) noexcept;

} // namespace kiln::python

#endif // KILN_PYTHON_BIND_BORROW_H
