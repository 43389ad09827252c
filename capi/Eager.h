// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is behind contexts, handles and ops of the eager interface.
//
// A context has one graph and one session. An op becomes a node of the graph
// once for each set of attributes and inputs, on placeholders that all ops
// share, and runs by a callable that is found again. Handles of numbers and
// strings hold a value; one of a resource or variant holds the node that
// describes it: the ops that take it are run together with that node, which
// finds the resource again by its name.
#ifndef KILN_CAPI_EAGER_H
#define KILN_CAPI_EAGER_H

#include "capi/Description.h"
#include "capi/Sessions.h"
#include "tensorflow/c/eager/c_api.h"

#include <list>
#include <map>

struct TFE_ContextOptions {
  TF_SessionOptions session;
  TFE_ContextDevicePlacementPolicy policy = TFE_DEVICE_PLACEMENT_SILENT;
};

struct TFE_TensorHandle {
  TF_DataType type = TF_FLOAT;
  kiln::Tensor value;
  /// What there is in place of a value, and the graph that it is in.
  kiln::Output source;
  std::shared_ptr<kiln::Graph> graph;
};

namespace kiln::capi {

/// An op that has its node.
struct EagerNode {
  const Node *node = nullptr;
  /// The placeholders of the inputs that have values, in their order.
  std::vector<TensorId> feeds;
  Callable call;
};

/// What one node is found by.
struct EagerKey {
  std::string op;
  std::string device;
  std::vector<Output> inputs;
  AttrMap attrs;
  bool operator==(const EagerKey &) const = default;
};
struct EagerKeyHash {
  size_t operator()(const EagerKey &key) const noexcept;
};

} // namespace kiln::capi

struct TFE_Context {
  TF_Graph graph;
  std::unique_ptr<kiln::capi::SessionHandle> session;
  TFE_ContextDevicePlacementPolicy policy = TFE_DEVICE_PLACEMENT_SILENT;

  /// The placeholder for the n-th input of a dtype. **Thread safety**: for the
  /// thread that adds nodes.
  kiln::StatusOr<kiln::Output> placeholder(kiln::DType dtype, int n);

  std::shared_mutex finding; ///< guards nodes
  std::unordered_map<kiln::capi::EagerKey, kiln::capi::EagerNode,
                     kiln::capi::EagerKeyHash>
      nodes;
  /// Of resources that nobody else may find.
  std::atomic<int64_t> resources{0};
};

struct TFE_Op {
  TFE_Op(TFE_Context &context, const char *name)
      : context(context), name(name), description(context.graph, name, name) {}

  TFE_Context &context;
  std::string name;
  std::string device;
  /// Of which the attributes and the schema are used alone.
  TF_OperationDescription description;
  std::list<TFE_TensorHandle> inputs;
  std::shared_ptr<kiln::Cancellation> cancellation; ///< of its run; or null
  size_t argument = 0; ///< the next one of the schema
};

namespace kiln::capi {

/// The number of tensors that an argument of an op stands for, by the op's
/// attributes; -1 where they do not say.
int lengthOf(const OpArgument &argument, const AttrMap &attrs);
/// The dtypes of these, Invalid where the attributes do not say.
std::vector<DType> dtypesOf(const OpArgument &argument, const AttrMap &attrs);

} // namespace kiln::capi

#endif // KILN_CAPI_EAGER_H
