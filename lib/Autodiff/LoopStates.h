// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops that one call of gradients() goes back through.
#ifndef KILN_LIB_AUTODIFF_LOOPSTATES_H
#define KILN_LIB_AUTODIFF_LOOPSTATES_H

#include "lib/Autodiff/LoopState.h"

#include <unordered_map>
#include <unordered_set>

namespace kiln {

/// **Source**: control_flow_state._ControlFlowState.
class LoopStates {
public:
  explicit LoopStates(BuildState &state)
      : state(state), caller(state.scopes().context) {}

  bool empty() const { return contexts.empty(); }
  /// Makes a state for the loop of each Exit among the nodes, and adds the
  /// loop's other Exits to them: a loop goes back with all of its variables.
  void addLoops(std::vector<const Node *> &nodes,
                std::unordered_set<const Node *> &isAmong);
  /// The state of the loop that a node is in; of an Exit the one around its
  /// loop where `isBefore`. Null outside of these loops.
  LoopState *of(const Node &node, bool isBefore = false) const;
  /// Makes what is added belong to the node's backward loop while it lives.
  std::unique_ptr<ContextScope> enter(const Node &node, bool isBefore) const;

  /// The Exits that nothing looks at, of loops whose others are ys.
  std::vector<Output>
  unusedExits(const std::unordered_map<const Node *, int> &pending,
              const std::unordered_set<const Node *> &ys);
  /// The Enters of the loops' variables.
  std::vector<const Node *> enters() const;
  /// Takes note of an Exit that has all of its gradients. Once its loop has no
  /// other to wait for, gives those to go on with; `hasGradient` tells of one
  /// whether it has a gradient, `setZeros` is called for those that get zeros.
  std::vector<const Node *>
  exitReady(const Output &exit,
            const std::function<bool(const Node &)> &hasGradient,
            const std::function<void(const Output &)> &setZeros);
  /// A Switch that a loop variable goes through is visited twice: after its
  /// Exit and after the body.
  bool isLoopSwitch(const Node &node) const;
  void finish();

private:
  BuildState &state;
  std::shared_ptr<ControlFlowContext> caller;
  /// The backward loops, outer ones first, and by the forward ones.
  std::vector<std::shared_ptr<WhileContext>> contexts;
  std::unordered_map<const WhileContext *, LoopState *> states;
};

} // namespace kiln

#endif // KILN_LIB_AUTODIFF_LOOPSTATES_H
