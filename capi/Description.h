// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An operation that is being described, by TensorFlow's rules of inferring
// attributes from inputs.
#ifndef KILN_CAPI_DESCRIPTION_H
#define KILN_CAPI_DESCRIPTION_H

#include "capi/Handles.h"
#include "kiln/OpSchema.h"

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Errors are kept until TF_FinishOperation, which gives all of them at once.
///
/// Invariant: inputs, control inputs and attributes are as they were given;
/// what follows from an input is an attribute from then on.
struct TF_OperationDescription {
  TF_OperationDescription(TF_Graph &graph, const char *op, const char *name);

  /// Gives one tensor to the next argument of the op.
  void addInput(const kiln::Output &input);
  /// Gives a list of tensors to the next argument of the op.
  void addInputList(std::span<const kiln::Output> inputs);
  /// **Errors**: kept where the attribute has another value already.
  void setAttr(std::string_view attrName, kiln::AttrValue value);

  /// Keeps an error of what was given.
  void fail(const kiln::Status &error) { errors.emplace_back(error.message()); }

  /// The first error of all; OK where there is a node to be added.
  kiln::Status finish();

  TF_Graph &graph;
  kiln::NodeSpec spec;
  /// Names of operations that it is to stand beside, as "loc:@name".
  std::set<std::string> colocations;

  /// The schema of an op of this name, or of a function of the graph.
  const kiln::OpSchema *schema() const { return op; }

private:
  const kiln::OpArgument *nextArgument();
  bool isInGraph(const kiln::Output &input);
  void checkType(const kiln::OpArgument &arg, kiln::DType expected,
                 const kiln::Output &input);

  const kiln::OpSchema *op;
  std::optional<kiln::OpSchema> function;
  size_t argument = 0; ///< the next one's number
  std::vector<std::string> errors;
  std::vector<std::string> edgeErrors; ///< of tensors that do not exist
};

#endif // KILN_CAPI_DESCRIPTION_H
