// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop of TensorFlow 1 and the loop that goes back through it: counters, and
// the values that the one keeps for the other.
#include "lib/Autodiff/LoopState.h"

#include "lib/Autodiff/GradientCall.h"
#include "lib/Build/UnpublishedNodes.h"

namespace kiln {
namespace {

const Node *add(std::string_view op, std::string_view name,
                std::vector<std::variant<Input, InputList>> inputs,
                AttrMap attrs = {}) {
  return GraphBuilder::current().addOp({.op = std::string(op),
                                        .name = std::string(name),
                                        .inputs = std::move(inputs),
                                        .attrs = std::move(attrs)});
}

/// The context that a node was added in; an Exit's is its loop's.
std::shared_ptr<ControlFlowContext> contextOf(const BuildState &state,
                                              const Node &node) {
  auto found = state.contexts.find(&node);
  return found == state.contexts.end() ? nullptr : found->second;
}

/// The Enter that the value is in every iteration; null where it may change.
const Node *constantEnter(const Output &value) {
  const Node *node = value.node;
  while (node->op() == "Switch" || node->op() == "RefSwitch" ||
         node->op() == "Identity" || node->op() == "RefIdentity")
    node = node->input(0).node;
  return isLoopConstantEnter(*node) ? node : nullptr;
}

} // namespace

LoopState *LoopState::of(const WhileContext *context) {
  return context ? dynamic_cast<LoopState *>(context->forwardValues.get())
                 : nullptr;
}

LoopState *LoopState::current(const BuildState &state) {
  return state.scopes().context ? of(state.scopes().context->whileContext())
                                : nullptr;
}

std::shared_ptr<WhileContext>
LoopState::create(BuildState &state, WhileContext &forward, LoopState *outer,
                  const std::shared_ptr<ControlFlowContext> &caller) {
  auto backward = std::make_shared<WhileContext>(
      forward.parallelIterations, forward.backProp, forward.swapMemory);
  std::shared_ptr<LoopState> own(
      new LoopState(state, forward, *backward, outer, caller));
  backward->forwardValues = own;
  Output count = own->countForward();
  Output stack;
  if (outer && count.node)
    stack = outer->push(count);
  if (outer)
    backward->outer = outer->backward.shared_from_this();
  else
    backward->outer = forward.outer ? forward.outer : caller;
  ContextScope around(state, backward->outer);
  backward->name = state.uniqueName(forward.name, true);
  if (stack.node)
    count = outer->pop(stack, count);
  own->countBackward(count);
  return backward;
}

LoopState::LoopVariable
LoopState::addVariable(WhileContext &loop, const Output &start,
                       const std::function<Output(const Output &)> &next,
                       std::string_view name, std::string_view mergeName,
                       const Shape *shape) {
  LoopVariable made;
  ContextScope inside(state, loop.shared_from_this());
  loop.addValue(start);
  Output entered = loop.addEnter(state, start, /*isConstant=*/false, name);
  if (!entered.node)
    return {};
  if (shape)
    setShape(state, entered, *shape);
  loop.loopEnters.push_back(entered);
  const Node *merge =
      addFlowNode(state, "Merge", mergeName, {entered, entered});
  if (!merge)
    return {};
  if (!loop.loopCond.node) {
    loop.pivotForPred = {merge, 0};
    Output isLeft{add("GreaterEqual", "", {Output{merge, 0}, one}), 0};
    loop.loopCond = {add("LoopCond", name, {isLeft}), 0};
  }
  const Node *split = add("Switch", "", {Output{merge, 0}, loop.loopCond});
  if (!split)
    return {};
  Output result = next({split, 1});
  made.next = result.node;
  made.nextIteration =
      result.node ? addFlowNode(state, "NextIteration", "", {result}) : nullptr;
  if (!made.nextIteration)
    return {};
  if (Status status = state.graph->closeLoop(*merge, *made.nextIteration);
      !status.ok()) {
    state.fail(status);
    return {};
  }
  made.exit = {addFlowNode(state, "Exit", name, {{split, 0}}), 0};
  loop.loopExits.push_back(made.exit);
  if (loop.outer)
    loop.outer->addValue(made.exit);
  return made;
}

Output LoopState::countForward() {
  Output zero;
  {
    ContextScope around(state, forward.outer ? forward.outer : caller);
    zero = ops::constant(0, {.name = "f_count"});
  }
  if (!zero.node)
    return {};
  // The pushes of one run of the loop come before those of the next one.
  if (outer)
    addControl(state, zero.node, outer->forwardAdd);
  LoopVariable counter = addVariable(
      forward, zero,
      [](const Output &count) {
        return Output{add("AddV2", "Add", {count, 1}), 0};
      },
      "f_count", /*mergeName=*/"");
  forwardAdd = counter.next;
  forwardIndex = counter.nextIteration;
  return counter.exit;
}

void LoopState::countBackward(const Output &count) {
  if (!count.node)
    return;
  one = ops::constant(1, {.name = "b_count"});
  LoopVariable counter = addVariable(
      backward, count,
      [&](const Output &left) {
        backward.pivotForBody = {add("Sub", "", {left, one}), 0};
        return backward.pivotForBody;
      },
      "b_count", /*mergeName=*/"");
  backwardIndex = counter.nextIteration;
  // The pops of one run of the loop come before those of the next one.
  if (outer && backwardIndex)
    addControl(state, outer->backwardSync(), counter.exit.node);
}

const Node *LoopState::forwardSync() {
  if (!forwardTrigger) {
    OutsideScope alone(state);
    forwardTrigger = add("ControlTrigger", "f_sync", {});
    if (forwardTrigger)
      state.contexts[forwardTrigger] = forward.shared_from_this();
    addControl(state, forwardIndex, forwardTrigger);
  }
  return forwardTrigger;
}

const Node *LoopState::backwardSync() {
  if (!backwardTrigger) {
    OutsideScope alone(state);
    backwardTrigger = add("ControlTrigger", "b_sync", {});
    if (backwardTrigger)
      state.contexts[backwardTrigger] = backward.shared_from_this();
    addControl(state, backwardIndex, backwardTrigger);
  }
  return backwardTrigger;
}

Output LoopState::push(const Output &value, bool isOther) {
  if (state.failed() || !value.node)
    return {};
  OutsideScope alone(state);
  Output stack;
  {
    ContextScope around(state, caller);
    ColocationScope place(value);
    Output size = ops::constant(-1, {.dtype = DType::Int32});
    stack = {add("StackV2", "f_acc", {size}, {{"elem_type", value.dtype()}}),
             0};
  }
  if (!stack.node)
    return {};
  Output entered = forward.enter(state, stack);
  auto where = outputContext(state, *value.node);
  const bool isInBranch = where.get() != &forward;
  if (isInBranch && !dynamic_cast<const CondContext *>(where.get())) {
    state.fail(internalError("expected a value of the loop that gradients go "
                             "back through")
                   .withNode(value.node->name()));
    return {};
  }
  const Node *pushed = nullptr;
  {
    ContextScope inside(state, isOther ? where->outer : where);
    pushed = add("StackPushV2", "", {entered, value},
                 {{"swap_memory", forward.swapMemory}});
  }
  if (!pushed)
    return {};
  if (isOther)
    state.contexts[pushed] = where;
  addControl(state, isInBranch ? forwardSync() : forwardIndex, pushed);
  addControl(state, pushed, forwardAdd);
  return stack;
}

Output LoopState::pop(const Output &stack, const Output &value, bool isOther) {
  if (state.failed() || !stack.node || !value.node)
    return {};
  const CondContext *branch = nullptr;
  for (auto at = contextOf(state, *value.node);
       at && at.get() != &forward && !branch; at = at->outer)
    branch = dynamic_cast<const CondContext *>(at.get());
  OutsideScope alone(state);
  ContextScope inside(state, backward.shared_from_this());
  Output handle = stack;
  if (branch) {
    const Node *guard = addSwitch(state, stack, saved(branch->pred));
    handle = {guard, isOther ? 1 - branch->branch : branch->branch};
  }
  if (state.failed())
    return {};
  Output top{add("StackPopV2", "", {handle}, {{"elem_type", value.dtype()}}),
             0};
  setShape(state, top, value.shape());
  addControl(state, backwardSync(), top.node);
  return top;
}

Output LoopState::saved(const Output &value) {
  if (auto found = history.find(value); found != history.end())
    return found->second;
  Output origin = value, real;
  LoopState *at = this;
  for (const Node *enter = constantEnter(origin); enter && at;
       enter = at ? constantEnter(origin) : nullptr) {
    origin = enter->input(0);
    at = at->outer;
  }
  ContextScope inside(state, backward.shared_from_this());
  if (!at) {
    real = backward.enter(state, origin);
  } else if (const auto *constant = origin.node->op() == "Const"
                                        ? origin.node->findAttr("value")
                                        : nullptr;
             constant && constant->getIf<TensorConstant>()) {
    real = addConst(state, *constant->getIf<TensorConstant>(), "");
  } else {
    Output stack = at->push(origin);
    real = at->pop(stack, origin);
    if (at != this && real.node)
      real = backward.enter(state, real);
  }
  history[value] = real;
  return real;
}

} // namespace kiln
