// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Function libraries from their wire form.
#ifndef KILN_LIB_IO_FUNCTIONCODEC_H
#define KILN_LIB_IO_FUNCTIONCODEC_H

#include "kiln/OpSchema.h"
#include "lib/Graph/Function.h"
#include "lib/IO/TensorCodec.h"

#include <google/protobuf/repeated_field.h>

namespace kiln::proto {
class FunctionDefLibrary;
class NodeDef;
class OpDef;
class OpDef_ArgDef;
} // namespace kiln::proto

namespace kiln::io {

/// Decodes a node of a graph or of a function. **Errors**: as decodeAttr(),
/// with node and attribute.
StatusOr<NodeSpec> decodeNode(const proto::NodeDef &nodeDef,
                              ByteBudget &budget);
void encodeNode(const NodeSpec &spec, proto::NodeDef &nodeDef);
void encodeSchema(const OpSchema &op, proto::OpDef &message);

/// Decodes the arguments or results of a signature. **Errors**:
/// INVALID_ARGUMENT for one that has not one type.
Status
decodeArgs(const google::protobuf::RepeatedPtrField<proto::OpDef_ArgDef> &list,
           std::vector<ArgDef> &args);

/// Decodes a library. What is wrong with a function is kept in it
/// (Function::problem), because a graph may hold functions that are never run.
/// **Errors**: RESOURCE_EXHAUSTED beyond the budget; INVALID_ARGUMENT for two
/// functions of one name.
StatusOr<std::shared_ptr<const FunctionLibrary>>
decodeLibrary(const proto::FunctionDefLibrary &library, ByteBudget &budget,
              const GraphLimits &limits);

/// Gives a graph the functions of a library beside its own.
void addLibrary(std::shared_ptr<const FunctionLibrary> library, Graph &graph);

/// All functions of a library. **Errors**: none that parsing it the first time
/// did not have.
Status encodeLibrary(const FunctionLibrary &library,
                     proto::FunctionDefLibrary &message);
/// Adds the functions that were built, which no file has yet.
void encodeBuilt(const FunctionLibrary &library,
                 proto::FunctionDefLibrary &message);

} // namespace kiln::io

#endif // KILN_LIB_IO_FUNCTIONCODEC_H
