// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditionals and loops of TensorFlow 1: Switch, Merge, Enter, Exit.
#ifndef KILN_CONTROLFLOW_H
#define KILN_CONTROLFLOW_H

#include "kiln/OpOptions.h"
#include "kiln/Variable.h"

#include <functional>
#include <initializer_list>
#include <optional>
#include <vector>

namespace kiln {

/// Several tensors; where there is one, it may stand for itself.
struct Outputs : std::vector<Output> {
  using std::vector<Output>::vector;
  Outputs(std::vector<Output> outputs)
      : std::vector<Output>(std::move(outputs)) {}
  Outputs(const Output &output) : std::vector<Output>{output} {}
  Outputs(const Assignment &assignment)
      : std::vector<Output>{assignment.value()} {}
  Outputs(const Variable &variable) : std::vector<Output>{variable.value()} {}
  /// The first; one without a node where there is none.
  operator Output() const { return empty() ? Output() : front(); }
};

/// From now on conditionals and loops of the current graph are nodes that call
/// functions, If and While, instead of Switch, Merge, Enter and Exit. In the
/// bodies of functions they always are. **Source**: tf.enable_control_flow_v2.
KILN_EXPORT void enableControlFlowV2(bool enable = true);
KILN_EXPORT bool isControlFlowV2Enabled();

namespace ops {

/// What a branch gives: tensors, and operations, for each of which a bool
/// stands.
struct BranchResult {
  BranchResult(Outputs outputs) : outputs(std::move(outputs)) {}
  BranchResult(const Output &output) : outputs(output) {}
  BranchResult(const Assignment &assignment) : outputs(assignment) {}
  BranchResult(const Variable &variable) : outputs(variable) {}
  KILN_EXPORT BranchResult(const Input &value);
  BranchResult(const Node *operation)
      : outputs(Output()), operations{operation} {}
  /// One without a node where there is an operation.
  Outputs outputs;
  /// One for each output, null where that is a tensor; or none at all.
  std::vector<const Node *> operations = {};
  /// The operation of a place; null where a tensor stands there.
  const Node *operationAt(size_t i) const {
    return i < operations.size() ? operations[i] : nullptr;
  }
};
using Branch = std::function<BranchResult()>;

/// Runs what the one or the other function adds. Tensors from outside enter by
/// Switch; only what a branch adds is bound to it. **Errors** of the graph:
/// INVALID_ARGUMENT with TensorFlow's texts where the branches' results differ
/// in number or dtype, or there are none. **Source**: tf.cond, "cond".
KILN_EXPORT Outputs cond(const Input &pred, const Branch &ifTrue,
                         const Branch &ifFalse, const OpOptions &options = {});

/// What the one or the other function gives, where it is known which, otherwise
/// cond(). **Source**: smart_cond of tf.layers.
KILN_EXPORT BranchResult smartCond(const Input &pred, const Branch &ifTrue,
                                   const Branch &ifFalse,
                                   const OpOptions &options = {});

struct SwitchCaseOptions {
  /// What runs where the index is that of no branch; the last branch where
  /// there is none.
  Branch otherwise = {};
  std::string name = {};
};
/// Runs the branch of the index. Branches are functions, whatever the graph's
/// kind of control flow. **Errors** of the graph: INVALID_ARGUMENT with
/// TensorFlow's texts for an index that is no tensor of integers, for no
/// branches, and where their results differ in number or dtype. **Source**:
/// tf.switch_case, "switch_case".
KILN_EXPORT Outputs switchCase(const Input &branchIndex,
                               const std::vector<Branch> &branches,
                               const SwitchCaseOptions &options = {});

struct AssertThatOptions {
  /// How many elements of each tensor the message shows.
  int64_t summarize = 3;
  std::string name = {};
};
/// Ends the run where the condition is false, with the data in the message;
/// what is to wait for it is added in a ControlScope. Data of other types than
/// string and int32 is looked at only then. **Source**: tf.Assert, "Assert".
KILN_EXPORT const Node *assertThat(const Input &condition,
                                   const InputList &data,
                                   const AssertThatOptions &options = {});

struct WhileOptions {
  /// One a loop variable where given: shapes that hold in every iteration.
  std::vector<Shape> shapeInvariants = {};
  int64_t parallelIterations = 10;
  bool backProp = true;
  bool swapMemory = false;
  std::optional<Input> maximumIterations = {};
  std::string name = {};
};
/// Calls `body` once, with what stands for the loop variables, and gives what
/// they are when `condition` is false. **Errors** of the graph:
/// INVALID_ARGUMENT with TensorFlow's texts: no loop variables, another number
/// or dtype of results, a shape that changes. **Source**: tf.while_loop,
/// "while".
KILN_EXPORT Outputs
whileLoop(const std::function<Output(const Outputs &)> &condition,
          const std::function<Outputs(const Outputs &)> &body,
          const InputList &loopVariables, const WhileOptions &options = {});

} // namespace ops
} // namespace kiln

#endif // KILN_CONTROLFLOW_H
