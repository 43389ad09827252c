// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ops on datasets take: inputs, and functions with what they capture.
#ifndef KILN_LIB_OPS_PIPELINE_HOSTINPUTS_H
#define KILN_LIB_OPS_PIPELINE_HOSTINPUTS_H

#include "lib/HostKernels/HostCall.h"
#include "lib/OpDefs/HandleSource.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Pipelines/Datasets.h"
#include "lib/Pipelines/ElementFunction.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/BlockingKernel.h"

#include <utility>

namespace kiln {

/// The inputs of a call, one after the other.
class Inputs {
public:
  Inputs(std::span<const Tensor> inputs, int64_t maxBytes)
      : maxBytes(maxBytes), left(inputs) {}
  Inputs(const HostCall &call, int64_t maxBytes)
      : Inputs(call.inputs, maxBytes) {}

  /// What a dataset may hold at a time.
  const int64_t maxBytes;

  StatusOr<DatasetPtr> dataset() {
    KILN_ASSIGN_OR_RETURN(const Tensor *input, next());
    DatasetPtr made = datasetOf(*input);
    if (!made)
      return invalidArgumentError(
          "The given variant does not represent a dataset.");
    return made;
  }
  StatusOr<std::vector<DatasetPtr>> datasets(size_t count) {
    std::vector<DatasetPtr> made;
    for (size_t i = 0; i < count; ++i) {
      KILN_ASSIGN_OR_RETURN(made.emplace_back(), dataset());
    }
    return made;
  }
  template <class T> StatusOr<T> scalar(std::string_view name) {
    KILN_ASSIGN_OR_RETURN(const Tensor *input, next());
    if (input->rank() != 0 || input->dtype() != dtypeOf<T>)
      return invalidArgumentError(strCat(name, " must be a scalar"));
    return input->data<T>()[0];
  }
  StatusOr<Element> tensors(size_t count) {
    Element made;
    for (size_t i = 0; i < count; ++i) {
      KILN_ASSIGN_OR_RETURN(const Tensor *input, next());
      made.push_back(*input);
    }
    return made;
  }
  size_t count() const { return left.size(); }

private:
  StatusOr<const Tensor *> next() {
    if (left.empty())
      return internalError("expected another input, got none");
    const Tensor *first = left.data();
    left = left.subspan(1);
    return first;
  }

  std::span<const Tensor> left;
};

/// A function that a node names, and how many of its captured arguments are
/// values.
struct BoundFunction {
  FunctionPtr function;
  size_t numValues = 0;

  StatusOr<CapturedFunction> with(Inputs &inputs) const {
    KILN_ASSIGN_OR_RETURN(Element captured, inputs.tensors(numValues));
    return CapturedFunction(function, std::move(captured));
  }
};

/// Binds the functions of a node. Its inputs are looked at in order.
class Binding {
public:
  Binding(const Node &node, const BlockingSite &site)
      : node(node), site(site) {}

  void skip(size_t count) { input += static_cast<int>(count); }
  /// The function of an attribute, whose captured arguments are the next
  /// inputs, as many as the list of another attribute.
  StatusOr<BoundFunction> bind(std::string_view attr, std::string_view types) {
    if (!site.functions)
      return internalError("expected functions of a graph, got none");
    const auto count =
        node.attrOr<std::vector<DType>>(types, std::vector<DType>()).size();
    std::vector<const Node *> captured;
    BoundFunction bound;
    for (size_t i = 0; i < count; ++i, ++input) {
      if (node.input(input).dtype() != DType::Resource) {
        captured.push_back(nullptr);
        ++bound.numValues;
        continue;
      }
      KILN_ASSIGN_OR_RETURN(const Node *source,
                            sourceOfHandle(site.handles[handle++]));
      if (!source)
        return unimplementedError(strCat("expected captured input ", i, " (",
                                         quote(node.input(input).name()),
                                         ") to be a resource of the graph"));
      captured.push_back(source);
    }
    KILN_ASSIGN_OR_RETURN(bound.function,
                          site.functions->bind(node, attr, captured));
    return bound;
  }

private:
  const Node &node;
  const BlockingSite &site;
  int input = 0;
  size_t handle = 0;
};

/// Gives a node its dataset.
inline Status giveDataset(const HostCall &call, StatusOr<DatasetPtr> made) {
  KILN_RETURN_IF_ERROR(made.status());
  KILN_ASSIGN_OR_RETURN(call.outputs[0], tensorOf(*std::move(made)));
  return okStatus();
}

/// What a dataset of a session may hold at a time.
inline int64_t maxBytesOf(const BlockingSite &site) {
  return site.functions ? site.functions->maxBytes() : anyBytes;
}

/// Binds what makes a dataset of a node and its inputs.
template <StatusOr<DatasetPtr> (*make)(const Node &node, Inputs &inputs)>
StatusOr<BoundHostOp> bindDataset(const Node &, const BlockingSite &site) {
  return BoundHostOp([most = maxBytesOf(site)](const HostCall &call) {
    Inputs inputs(call, most);
    return giveDataset(call, make(call.node, inputs));
  });
}

} // namespace kiln

#endif // KILN_LIB_OPS_PIPELINE_HOSTINPUTS_H
