// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running out of memory as a status.
#ifndef KILN_LIB_SUPPORT_CALLWITHMEMORY_H
#define KILN_LIB_SUPPORT_CALLWITHMEMORY_H

#include "kiln/Status.h"

#include <new>
#include <stdexcept>

namespace kiln {

/// Calls a function that gives a status. **Errors**: also RESOURCE_EXHAUSTED
/// where it ran out of memory.
template <class Fn> Status callWithMemory(Fn &&function) {
  try {
    return function();
  } catch (const std::bad_alloc &) {
    return resourceExhaustedError("OOM when allocating what an op needs");
  } catch (const std::length_error &) {
    return resourceExhaustedError("OOM when allocating what an op needs");
  }
}

} // namespace kiln

#endif // KILN_LIB_SUPPORT_CALLWITHMEMORY_H
