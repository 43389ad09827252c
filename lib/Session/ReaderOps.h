// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops on readers, which the session does between parts.
#ifndef KILN_LIB_SESSION_READEROPS_H
#define KILN_LIB_SESSION_READEROPS_H

#include "kiln/Node.h"
#include "runtime/BlockingKernel.h"

namespace kiln {

/// The op of a node on a reader; null for nodes of other types. **Errors**,
/// with TensorFlow's texts: INVALID_ARGUMENT for attributes that make no
/// reader; UNIMPLEMENTED for a handle that comes from nowhere.
StatusOr<std::unique_ptr<BlockingOp>> bindReaderOp(const Node &node,
                                                   const BlockingSite &site);

} // namespace kiln

#endif // KILN_LIB_SESSION_READEROPS_H
