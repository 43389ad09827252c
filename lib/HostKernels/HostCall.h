// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call of the body of an op that is neither loops nor a kernel of the
// runtime, on whole tensors.
#ifndef KILN_LIB_HOSTKERNELS_HOSTCALL_H
#define KILN_LIB_HOSTKERNELS_HOSTCALL_H

#include "kiln/Node.h"
#include "kiln/Tensor.h"
#include "lib/Support/FileAccess.h"
#include "runtime/abi/RunState.h"

#include <functional>
#include <span>

namespace kiln {

/// Borrows everything.
struct HostCall {
  const Node &node;
  std::span<const Tensor> inputs; ///< without handles
  std::span<Tensor> outputs;      ///< to be set
  const FileAccess &files;
  /// What a body that takes long asks whether to stop (cancelCode()); null
  /// where nothing ends it.
  const KilnRunState *run = nullptr;
};

/// A body that needs nothing but the call. **Errors**: of the op, without the
/// node.
using HostOpFn = Status (*)(const HostCall &call);
/// A body that is bound to what it works on.
using BoundHostOp = std::function<Status(const HostCall &)>;

} // namespace kiln

#endif // KILN_LIB_HOSTKERNELS_HOSTCALL_H
