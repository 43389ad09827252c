// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that are neither loops nor kernels of a part: the session does them
// between the parts of a run, on whole tensors, without locks.
#ifndef KILN_LIB_OPS_HOSTOPS_H
#define KILN_LIB_OPS_HOSTOPS_H

#include "kiln/Node.h"
#include "kiln/Tensor.h"
#include "lib/Support/FileAccess.h"

#include <span>
#include <string_view>

namespace kiln {

/// One call of such an op. Borrows everything.
struct HostCall {
  const Node &node;
  std::span<const Tensor> inputs; ///< without handles
  std::span<Tensor> outputs;      ///< to be set
  const FileAccess &files;
};

/// **Errors**: of the op, without the node.
using HostOpFn = Status (*)(const HostCall &call);

/// The ops on checkpoints, records and messages, which lib/IO has: null for
/// others.
HostOpFn findIoOp(std::string_view opType);
/// The ops on sparse and ragged tensors, which lib/Sparse has.
HostOpFn findSparseOp(std::string_view opType);

} // namespace kiln

#endif // KILN_LIB_OPS_HOSTOPS_H
