// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Function libraries from their wire form.
#ifndef KILN_LIB_IO_FUNCTIONCODEC_H
#define KILN_LIB_IO_FUNCTIONCODEC_H

#include "lib/Graph/Function.h"
#include "lib/IO/TensorCodec.h"

namespace kiln::proto {
class FunctionDefLibrary;
class NodeDef;
} // namespace kiln::proto

namespace kiln::io {

/// Decodes a node of a graph or of a function. **Errors**: as decodeAttr(),
/// with node and attribute.
StatusOr<NodeSpec> decodeNode(const proto::NodeDef &nodeDef,
                              ByteBudget &budget);

/// Decodes a library. What is wrong with a function is kept in it
/// (Function::problem), because a graph may hold functions that are never run.
/// **Errors**: RESOURCE_EXHAUSTED beyond the budget; INVALID_ARGUMENT for two
/// functions of one name.
StatusOr<std::shared_ptr<const FunctionLibrary>>
decodeLibrary(const proto::FunctionDefLibrary &library, ByteBudget &budget,
              const GraphLimits &limits);

/// Adds the functions that were built, which no file has yet.
void encodeBuilt(const FunctionLibrary &library,
                 proto::FunctionDefLibrary &message);

} // namespace kiln::io

#endif // KILN_LIB_IO_FUNCTIONCODEC_H
