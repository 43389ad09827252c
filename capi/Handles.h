// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is behind the opaque pointers of TensorFlow's C interface, and how they
// turn into what Kiln's public API takes.
//
// A TF_Operation is a kiln::Node, which has one address as long as its graph
// lives. Sessions share the graph of a TF_Graph, so that it may be deleted
// before them.
#ifndef KILN_CAPI_HANDLES_H
#define KILN_CAPI_HANDLES_H

#include "kiln/GraphBuilder.h"
#include "kiln/NodeUses.h"
#include "kiln/Session.h"
#include "tensorflow/c/c_api.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

struct TF_Status {
  TF_Code code = TF_OK;
  std::string message;
  std::vector<std::pair<std::string, std::string>> payloads;
};

/// Invariants: (1) numbers have `memory` and `value`, on one buffer; (2) of
/// strings, one of the two: `value` from a run until somebody asks for the
/// data, `memory` from then on; (3) what Kiln has no tensors of, resources for
/// example, has `memory` alone.
struct TF_Tensor {
  TF_DataType type = TF_FLOAT;
  kiln::Shape shape;
  kiln::BufferRef memory; ///< what C code sees
  kiln::Tensor value;     ///< what sessions take
  std::mutex converting;  ///< guards memory and value of strings
};

struct TF_Graph {
  TF_Graph();
  ~TF_Graph();
  std::shared_ptr<kiln::Graph> graph;
  /// Graphs take one thread that adds; C programs may have several.
  std::mutex adding;
  /// What adds loops and gradients, which has to know the loops; made by its
  /// first user, under `adding`.
  std::optional<kiln::GraphBuilder> builder;
  kiln::GraphBuilder &building();
  kiln::NodeUses uses;
  /// Of the parts of a loop: the graph that it is to be in, and the tensors
  /// that its variables begin with.
  TF_Graph *parent = nullptr;
  const TF_Output *parentInputs = nullptr;
};

/// A function that belongs to no graph: a FunctionDef, and the name in it.
struct TF_Function {
  std::string name;
  std::string bytes;
};

namespace kiln::capi {

/// Writes a status of Kiln's; an error of a run ends with its node, as
/// TensorFlow's do.
void setStatus(TF_Status *to, const Status &from);
/// OK, before a function begins.
void clearStatus(TF_Status *status);

inline const Node *nodeOf(const TF_Operation *operation) {
  return reinterpret_cast<const Node *>(operation);
}
/// Nobody writes a node through it: TensorFlow's functions want no const.
inline TF_Operation *operationOf(const Node *node) {
  return reinterpret_cast<TF_Operation *>(const_cast<Node *>(node));
}
inline Output outputOf(TF_Output output) {
  return {nodeOf(output.oper), output.index};
}
inline TF_Output outputOf(const Output &output) {
  return {operationOf(output.node), output.index};
}

/// OUT_OF_RANGE, with TensorFlow's text, for an output that a node has not.
Status noOutputError(const Node &node, int index);
/// TensorFlow's error for an op that neither Kiln nor a library of functions
/// has.
Status opNotRegistered(std::string_view op);

/// A tensor on the result of a run; null where memory is out.
TF_Tensor *tensorOf(Tensor value);
/// What a session is fed. **Errors**: INVALID_ARGUMENT for types that have no
/// values outside of runs and for memory that holds no strings;
/// RESOURCE_EXHAUSTED. **Cost**: copies strings, and nothing else.
StatusOr<Tensor> valueOf(TF_Tensor &tensor);

/// Fills in a buffer that a caller gave to be filled in.
void setBuffer(TF_Buffer *to, std::string_view bytes);
/// The bytes of a buffer, none of a null one.
std::string_view bytesOf(const TF_Buffer *buffer);

} // namespace kiln::capi

#endif // KILN_CAPI_HANDLES_H
