// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that the session does between parts and that never wait, as blocking
// kernels.
#ifndef KILN_LIB_SESSION_HOSTOPS_H
#define KILN_LIB_SESSION_HOSTOPS_H

#include "lib/OpDefs/HostOps.h"
#include "runtime/kernels/BlockingKernel.h"

#include <functional>
#include <memory>
#include <new>
#include <stdexcept>

namespace kiln {

/// Does an op, bound to what it works on.
using BoundHostOp = std::function<Status(const HostCall &)>;

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

/// An op that is done where it begins. **Ownership**: borrows the node and the
/// files.
std::unique_ptr<BlockingOp> makeHostOp(const Node &node,
                                       const FileAccess &files, BoundHostOp op);

} // namespace kiln

#endif // KILN_LIB_SESSION_HOSTOPS_H
