// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of a graph's library one by one, as messages.
#include "kiln/Messages.h"
#include "lib/IO/FunctionCodec.h"
#include "lib/IO/GraphCodec.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Graph.pb.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

StatusOr<std::vector<std::string>> encode(const FunctionLibrary &library) {
  proto::FunctionDefLibrary message;
  KILN_RETURN_IF_ERROR(io::encodeLibrary(library, message));
  std::vector<std::string> functions;
  for (const proto::FunctionDef &function : message.function()) {
    KILN_ASSIGN_OR_RETURN(std::string bytes,
                          io::serialize(function, GraphDefFormat::Binary));
    functions.push_back(std::move(bytes));
  }
  return functions;
}

Status nameIsTaken(std::string_view name, std::string_view byWhat) {
  return invalidArgumentError(strCat("Cannot add function '", name,
                                     "' because ", byWhat,
                                     " with the same name already exists."));
}

/// Whether the library has the very function that the message is. **Errors**:
/// where it has another one of the name.
StatusOr<bool> hasFunction(const FunctionLibrary &library,
                           const proto::FunctionDef &function) {
  const std::string &name = function.signature().name();
  if (!library.find(name))
    return false;
  KILN_ASSIGN_OR_RETURN(std::string bytes,
                        io::serialize(function, GraphDefFormat::Binary));
  KILN_ASSIGN_OR_RETURN(std::vector<std::string> known, encode(library));
  if (std::ranges::find(known, bytes) == known.end())
    return nameIsTaken(name, "a different function");
  return true;
}

Status add(Graph &graph, std::string_view bytes) {
  const GraphLoadOptions usual;
  proto::FunctionDefLibrary message;
  proto::FunctionDef &function = *message.add_function();
  KILN_RETURN_IF_ERROR(io::parseBinary(bytes, usual.maxDepth, function));
  const std::string &name = function.signature().name();
  if (lookupOp(name))
    return nameIsTaken(name, "an op");
  SharedFunctions known = graph.functionLibrary();
  if (known) {
    KILN_ASSIGN_OR_RETURN(bool isThere, hasFunction(*known, function));
    if (isThere)
      return okStatus();
  }
  io::ByteBudget budget(usual.maxConstantBytes);
  KILN_ASSIGN_OR_RETURN(
      std::shared_ptr<const FunctionLibrary> library,
      io::decodeLibrary(message, budget,
                        known ? known->limits() : usual.limits));
  io::addLibrary(std::move(library), graph);
  return okStatus();
}

} // namespace

StatusOr<std::vector<std::string>> encodeFunctionDefs(const Graph &graph) {
  SharedFunctions library = graph.functionLibrary();
  if (!library)
    return std::vector<std::string>();
  return io::withoutExceptions<StatusOr<std::vector<std::string>>>(
      "functions of a graph", 0, [&] { return encode(*library); });
}

Status addFunctionDef(Graph &graph, std::string_view bytes) {
  return io::withoutExceptions<Status>("a FunctionDef", bytes.size(),
                                       [&] { return add(graph, bytes); });
}

} // namespace kiln
