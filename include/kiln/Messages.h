// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow's messages as bytes, from and to the values that Kiln has for
// them. Graphs have kiln/GraphDef.h, MetaGraphs kiln/MetaGraph.h, RunMetadata
// kiln/Summary.h (toRunMetadata).
#ifndef KILN_MESSAGES_H
#define KILN_MESSAGES_H

#include "kiln/Graph.h"
#include "kiln/OpSchema.h"
#include "kiln/RunOptions.h"
#include "kiln/SessionOptions.h"

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

// Bytes are in protobuf's binary form, maps in order of their keys, so that
// they are the same each time. **Errors** of all: RESOURCE_EXHAUSTED beyond
// protobuf's 2 GiB and, of decoding, beyond 2 GiB of constants, or where memory
// cannot be had; FAILED_PRECONDITION where libkiln-io.so cannot be loaded; of
// decoding, INVALID_ARGUMENT for bytes that are not the message, nest deeper
// than 100 messages or have dtypes, shapes or tensors that cannot be. **Thread
// safety**: free.

KILN_EXPORT StatusOr<std::string> encodeAttrValue(const AttrValue &value);
KILN_EXPORT StatusOr<AttrValue> decodeAttrValue(std::string_view bytes);

/// Serializes a TensorShapeProto.
KILN_EXPORT StatusOr<std::string> encodeTensorShape(const Shape &shape);
KILN_EXPORT StatusOr<Shape> decodeTensorShape(std::string_view bytes);

/// Serializes a TensorProto: one element as a value, others as contents,
/// strings one by one. **Errors**: also INVALID_ARGUMENT for handles, which no
/// message holds.
KILN_EXPORT StatusOr<std::string> encodeTensorProto(const Tensor &tensor);
/// **Errors**: also UNIMPLEMENTED for constants that no tensor holds.
/// **Cost**: as the shape says, however few bytes there are.
KILN_EXPORT StatusOr<Tensor> decodeTensorProto(std::string_view bytes);

/// Serializes a NodeDef with the inputs in their order; of a graph's node
/// toNodeDef() of kiln/GraphDef.h makes what the graph's own message has.
KILN_EXPORT StatusOr<std::string> encodeNodeDef(const NodeSpec &node);
KILN_EXPORT StatusOr<NodeSpec> decodeNodeDef(std::string_view bytes);

KILN_EXPORT StatusOr<std::string>
encodeVersionDef(const GraphVersions &versions);

KILN_EXPORT StatusOr<std::string> encodeOpDef(const OpSchema &op);
/// **Edges**: documentation and deprecations are dropped.
KILN_EXPORT StatusOr<OpSchema> decodeOpDef(std::string_view bytes);
/// In the order that they have here.
KILN_EXPORT StatusOr<std::string>
encodeOpList(std::span<const OpSchema *const> ops);
KILN_EXPORT StatusOr<std::vector<OpSchema>>
decodeOpList(std::string_view bytes);
/// Serializes a KernelList.
KILN_EXPORT StatusOr<std::string>
encodeKernelList(std::span<const OpKernel> kernels);

/// How bindings show ops: names, order of arguments, documentation. Begins with
/// what an OpList says. **Thread safety**: none. **Source**: ApiDefMap.
class ApiDefMap {
public:
  virtual ~ApiDefMap() = default;
  /// Changes what a text of ApiDefs names; ops that the list has not are
  /// skipped. In place of "text" a value may be <<END, lines and END.
  /// **Errors**: INVALID_ARGUMENT for another text; FAILED_PRECONDITION, with
  /// TensorFlow's texts, for names that the op has not; what stands before them
  /// is taken.
  virtual Status put(std::string_view text) = 0;
  /// Serializes the ApiDef of an op, with new names in its texts where they
  /// have the old ones in backticks. **Errors**: NOT_FOUND.
  virtual StatusOr<std::string> get(std::string_view op) const = 0;
};
/// **Errors**: INVALID_ARGUMENT for bytes that are no OpList.
KILN_EXPORT StatusOr<std::unique_ptr<ApiDefMap>>
makeApiDefMap(std::string_view opList);

/// Serializes the functions of a graph's library, each as a FunctionDef: those
/// that were loaded in their order, then those that were built.
KILN_EXPORT StatusOr<std::vector<std::string>>
encodeFunctionDefs(const Graph &graph);
/// Adds the function of a FunctionDef to a graph's library. **Edges**: nothing
/// where it is there already. What is wrong with its body is an error of its
/// first use. **Errors**: INVALID_ARGUMENT, with TensorFlow's text, where an op
/// or another function has the name. **Thread safety**: as Graph::addNode().
KILN_EXPORT Status addFunctionDef(Graph &graph, std::string_view bytes);

/// What a ConfigProto says that means something to Kiln.
struct SessionConfig {
  SessionOptions options;
  /// Of each run whose own options have no limit; zero: none.
  std::chrono::nanoseconds operationTimeout{0};
};
/// Reads intra_op_parallelism_threads, allow_soft_placement, device_count of
/// "CPU" and operation_timeout_in_ms; other fields are skipped.
KILN_EXPORT StatusOr<SessionConfig> decodeConfigProto(std::string_view bytes);

/// What a message of RunOptions says that means something to Kiln.
struct RunConfig {
  /// Zero: the session's.
  std::chrono::nanoseconds timeout{0};
  /// Whether statistics are wanted (trace_level).
  bool isTraced = false;
};
/// Reads timeout_in_ms and trace_level; other fields are skipped.
KILN_EXPORT StatusOr<RunConfig> decodeRunOptions(std::string_view bytes);

} // namespace kiln

#endif // KILN_MESSAGES_H
