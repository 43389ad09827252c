// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs between messages and kiln::Graph, for messages that hold graphs.
#ifndef KILN_LIB_IO_GRAPHCODEC_H
#define KILN_LIB_IO_GRAPHCODEC_H

#include "kiln/GraphDef.h"
#include "lib/Support/DataMemory.h"
#include "lib/Support/FloatState.h"

#include <new>
#include <stdexcept>

namespace kiln::proto {
class GraphDef;
class VersionDef;
} // namespace kiln::proto

namespace kiln::io {

/// Makes the checker of graphs whose options bring none: makeNodeChecker().
/// libkiln-io.so has tables of ops of its own, which know none that programs
/// register, so that it is given libkiln.so's function when it is loaded.
extern NodeChecker (*makeDefaultChecker)();

/// **Errors**: as extendGraphDef(), but for the parser's.
Status decodeGraph(const proto::GraphDef &graphDef,
                   const GraphLoadOptions &options, Graph &graph);
/// **Errors**: as toGraphDef(), but for the serializer's.
Status encodeGraph(const Graph &graph, proto::GraphDef &graphDef);
void encodeVersions(const GraphVersions &versions, proto::VersionDef &message);
/// Bytes that names and constants take in a message, at least.
uint64_t graphBytes(const Graph &graph);

/// Protobuf and the containers that it fills throw when memory runs out.
template <class Result, class Work>
Result withoutExceptions(std::string_view what, uint64_t bytes, Work work) {
  DefaultFloatState floatState;
  try {
    return work();
  } catch (const std::bad_alloc &) {
    return outOfMemory(what, bytes);
  } catch (const std::length_error &) {
    return outOfMemory(what, bytes);
  }
}

} // namespace kiln::io

#endif // KILN_LIB_IO_GRAPHCODEC_H
