// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The branches and loops that nodes are added in.
#ifndef KILN_LIB_BUILD_CONTROLFLOWCONTEXT_H
#define KILN_LIB_BUILD_CONTROLFLOWCONTEXT_H

#include "kiln/Graph.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace kiln {

struct BuildState;
class WhileContext;

/// A node before it is added.
struct NodeDraft {
  std::string op;
  std::vector<Output> inputs = {};
  std::vector<const Node *> controls = {};
  std::string name = {};
  AttrMap attrs = {};
  std::string device = {};
};

struct OutputOrder {
  bool operator()(const Output &a, const Output &b) const {
    return std::pair(a.node, a.index) < std::pair(b.node, b.index);
  }
};

/// What a loop of gradients has of the loop that it goes back through.
class ForwardValues {
public:
  virtual ~ForwardValues() = default;
  virtual const WhileContext &forwardLoop() const = 0;
  /// A value of the forward loop as it was in the iteration that is gone back
  /// through.
  virtual Output saved(const Output &value) = 0;
};

/// A branch of a conditional or the body of a loop. What is added in it takes
/// tensors from outside through it. **Source**:
/// control_flow_ops.ControlFlowContext.
class ControlFlowContext
    : public std::enable_shared_from_this<ControlFlowContext> {
public:
  virtual ~ControlFlowContext() = default;

  /// Replaces inputs from outside, and adds the pivot to nodes that nothing
  /// else ties to the context.
  virtual void prepare(BuildState &state, NodeDraft &draft) = 0;
  /// The tensor as it is seen inside. **Source**: AddValue.
  virtual Output enter(BuildState &state, const Output &outside) = 0;
  /// The context that a node which is added here belongs to.
  virtual std::shared_ptr<ControlFlowContext> ownerOf(const BuildState &state,
                                                      const NodeDraft &draft);
  /// The node that others here wait for; null while there is none.
  virtual const Node *pivot() const = 0;
  virtual WhileContext *asWhile() { return nullptr; }

  /// Called once a node is there.
  void added(const Node &node);
  /// The innermost loop around, or this one.
  WhileContext *whileContext();
  /// Whether the tensor has been made or let in here.
  bool knows(const Output &tensor) const { return values.contains(tensor); }
  void addValue(const Output &tensor) { values.insert(tensor); }
  /// **Source**: _InitializeValues.
  void knowOnly(const std::vector<Output> &tensors) {
    values = {tensors.begin(), tensors.end()};
  }

  const std::set<Output, OutputOrder> &knownValues() const { return values; }
  const std::map<Output, Output, OutputOrder> &externalValues() const {
    return external;
  }
  void addExternalValue(const Output &outside, const Output &inside) {
    external[outside] = inside;
  }

  std::shared_ptr<ControlFlowContext> outer;
  std::string name;

protected:
  /// Splits the draft's control inputs: those from outside of the loop that
  /// this is in are taken away and given back.
  std::vector<const Node *> takeExternalControls(BuildState &state,
                                                 NodeDraft &draft);

  std::set<Output, OutputOrder> values;
  /// What stands inside for a tensor from outside.
  std::map<Output, Output, OutputOrder> external;
};

/// **Source**: control_flow_ops.CondContext.
class CondContext : public ControlFlowContext {
public:
  CondContext(const Output &pred, const Output &pivot, int branch);
  void prepare(BuildState &state, NodeDraft &draft) override;
  Output enter(BuildState &state, const Output &outside) override;
  const Node *pivot() const override { return pivotTensor.node; }
  /// A result of the branch as the Merge takes it. **Source**:
  /// _ProcessOutputTensor.
  Output result(BuildState &state, const Output &tensor);

  const Output pred, pivotTensor;
  const int branch;

private:
  Output switched(BuildState &state, const Output &tensor);
};

/// **Source**: control_flow_ops.WhileContext.
class WhileContext : public ControlFlowContext {
public:
  WhileContext(int64_t parallelIterations, bool backProp, bool swapMemory)
      : parallelIterations(parallelIterations), backProp(backProp),
        swapMemory(swapMemory) {}
  void prepare(BuildState &state, NodeDraft &draft) override;
  Output enter(BuildState &state, const Output &outside) override;
  /// The shape of a forward value is taken, and kept, in the forward loop: not
  /// the value.
  std::shared_ptr<ControlFlowContext> ownerOf(const BuildState &state,
                                              const NodeDraft &draft) override;
  const Node *pivot() const override {
    return pivotForBody.node ? pivotForBody.node : pivotForPred.node;
  }
  WhileContext *asWhile() override { return this; }

  /// An Enter of this loop; its control inputs are those that may stand outside
  /// of it.
  Output addEnter(BuildState &state, const Output &tensor, bool isConstant,
                  std::string_view enterName = {});

  const int64_t parallelIterations;
  const bool backProp, swapMemory;
  Output pivotForPred, pivotForBody;
  Output loopCond;
  Output maximumIterations;
  std::vector<Output> loopEnters, loopExits;
  /// What a loop that gradients() has added knows of the forward one.
  std::shared_ptr<ForwardValues> forwardValues;
};

/// The context of a node's outputs: an Exit's are outside of its loop.
/// **Source**: control_flow_util.GetOutputContext.
std::shared_ptr<ControlFlowContext> outputContext(const BuildState &state,
                                                  const Node &node);
bool isLoopExit(const Node &node);
bool isLoopConstantEnter(const Node &node);

/// Nodes are added outside of all control dependencies and contexts while it
/// lives.
class OutsideScope {
public:
  explicit OutsideScope(BuildState &state);
  ~OutsideScope();
  OutsideScope(const OutsideScope &) = delete;
  OutsideScope &operator=(const OutsideScope &) = delete;

private:
  struct Saved;
  BuildState &state;
  std::unique_ptr<Saved> saved;
};

/// Nodes are added in the context while it lives.
class ContextScope {
public:
  ContextScope(BuildState &state, std::shared_ptr<ControlFlowContext> context);
  ~ContextScope();
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

private:
  BuildState &state;
  std::shared_ptr<ControlFlowContext> before;
};

/// Adds a Switch, or RefSwitch, that stands where the data does: its outputs
/// are 0, false, and 1, true. **Source**: _SwitchRefOrTensor.
const Node *addSwitch(BuildState &state, const Output &data,
                      const Output &pred);
/// Adds a node of the op, or of "Ref" and the op where the first input is a
/// reference.
const Node *addFlowNode(BuildState &state, std::string_view op,
                        std::string_view nodeName, std::vector<Output> inputs,
                        AttrMap attrs = {},
                        std::vector<const Node *> controls = {});
/// Whether every value of the one shape is of the general one too: a loop's
/// variable may keep that shape.
bool isCovered(const Shape &shape, const Shape &general);

} // namespace kiln

#endif // KILN_LIB_BUILD_CONTROLFLOWCONTEXT_H
