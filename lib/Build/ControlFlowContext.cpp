// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How nodes that are added in branches and loops take what is outside.
#include "lib/Build/ControlFlowContext.h"

#include "kiln/GraphScopes.h"
#include "lib/Build/BuildState.h"

#include <algorithm>

namespace kiln {

bool isLoopExit(const Node &node) {
  return node.op() == "Exit" || node.op() == "RefExit";
}

bool isLoopConstantEnter(const Node &node) {
  return (node.op() == "Enter" || node.op() == "RefEnter") &&
         node.attrOr<bool>("is_constant", false);
}

std::shared_ptr<ControlFlowContext> outputContext(const BuildState &state,
                                                  const Node &node) {
  auto found = state.contexts.find(&node);
  if (found == state.contexts.end())
    return nullptr;
  return isLoopExit(node) ? found->second->outer : found->second;
}

struct OutsideScope::Saved {
  std::vector<ControlFrame> controls;
  std::shared_ptr<ControlFlowContext> context;
};
OutsideScope::OutsideScope(BuildState &state)
    : state(state), saved(std::make_unique<Saved>()) {
  std::swap(saved->controls, state.scopes().controls);
  std::swap(saved->context, state.scopes().context);
}
OutsideScope::~OutsideScope() {
  state.scopes().controls = std::move(saved->controls);
  state.scopes().context = std::move(saved->context);
}

ContextScope::ContextScope(BuildState &state,
                           std::shared_ptr<ControlFlowContext> context)
    : state(state),
      before(std::exchange(state.scopes().context, std::move(context))) {}
ContextScope::~ContextScope() { state.scopes().context = std::move(before); }

const Node *addFlowNode(BuildState &state, std::string_view op,
                        std::string_view nodeName, std::vector<Output> inputs,
                        AttrMap attrs, std::vector<const Node *> controls) {
  if (state.failed() || inputs.empty() || !inputs[0].node)
    return nullptr;
  bool isRef = inputs[0].node->output(inputs[0].index).isRef;
  attrs.set("T", inputs[0].dtype());
  if (op == "Merge")
    attrs.set("N", static_cast<int64_t>(inputs.size()));
  // What the context adds for inputs from outside is named after the node.
  NameScope scope(state.builder(), nodeName.empty() ? op : nodeName);
  return state.addNode((isRef ? "Ref" : "") + std::string(op),
                       withoutSlash(scope.name()), std::move(inputs),
                       std::move(attrs), std::move(controls));
}

const Node *addSwitch(BuildState &state, const Output &data,
                      const Output &pred) {
  if (state.failed() || !data.node || !pred.node)
    return nullptr;
  std::vector<const Node *> colocations{data.node};
  DeviceFrames devices;
  std::swap(colocations, state.placement().colocations);
  std::swap(devices, state.placement().devices);
  const Node *node = addFlowNode(state, "Switch", "Switch", {data, pred});
  std::swap(colocations, state.placement().colocations);
  std::swap(devices, state.placement().devices);
  return node;
}

void ControlFlowContext::added(const Node &node) {
  // What a loop has is not known around it, but for its exits.
  for (int i = 0; i < node.numOutputs(); ++i)
    for (ControlFlowContext *context = this; context;
         context = asWhile() ? nullptr : context->outer.get())
      context->values.insert({&node, i});
}

std::shared_ptr<ControlFlowContext>
ControlFlowContext::ownerOf(const BuildState &, const NodeDraft &) {
  return shared_from_this();
}

WhileContext *ControlFlowContext::whileContext() {
  for (ControlFlowContext *context = this; context;
       context = context->outer.get())
    if (WhileContext *loop = context->asWhile())
      return loop;
  return nullptr;
}

std::vector<const Node *>
ControlFlowContext::takeExternalControls(BuildState &state, NodeDraft &draft) {
  WhileContext *loop = whileContext();
  if (!loop)
    return {};
  std::vector<const Node *> outside;
  std::erase_if(draft.controls, [&](const Node *control) {
    auto context = outputContext(state, *control);
    if (context && context->whileContext() == loop)
      return false;
    outside.push_back(control);
    return true;
  });
  return outside;
}

CondContext::CondContext(const Output &pred, const Output &pivot, int branch)
    : pred(pred), pivotTensor(pivot), branch(branch) {
  values.insert(pred);
  external[pred] = pred;
  values.insert(pivot);
}

Output CondContext::switched(BuildState &state, const Output &tensor) {
  return {addSwitch(state, tensor, pred), branch};
}

Output CondContext::enter(BuildState &state, const Output &outside) {
  if (values.contains(outside)) {
    auto found = external.find(outside);
    return found == external.end() ? outside : found->second;
  }
  values.insert(outside);
  Output result = outside;
  if (outer) {
    result = outer->enter(state, outside);
    values.insert(result);
    external[result] = result;
  }
  {
    OutsideScope alone(state);
    result = switched(state, result);
  }
  if (!result.node)
    return {};
  state.contexts.emplace(result.node, shared_from_this());
  for (ControlFlowContext *context = this; context;
       context = context->outer.get())
    context->addValue(result);
  external[outside] = result;
  return result;
}

void CondContext::prepare(BuildState &state, NodeDraft &draft) {
  if (draft.inputs.empty()) {
    takeExternalControls(state, draft);
    bool isTied = std::ranges::any_of(draft.controls, [&](const Node *node) {
      for (auto context = outputContext(state, *node); context;
           context = context->outer)
        if (context.get() == this)
          return true;
      return false;
    });
    if (!isTied && pivotTensor.node)
      draft.controls.push_back(pivotTensor.node);
    return;
  }
  for (Output &input : draft.inputs)
    if (!(draft.op == "Merge" && input.node->op() == "NextIteration"))
      input = enter(state, input);
  takeExternalControls(state, draft);
}

Output CondContext::result(BuildState &state, const Output &tensor) {
  if (values.contains(tensor)) {
    auto found = external.find(tensor);
    return found == external.end() ? tensor : found->second;
  }
  values.insert(tensor);
  Output real = tensor;
  if (outer) {
    real = outer->enter(state, tensor);
    values.insert(real);
    external[real] = real;
  }
  real = switched(state, real);
  external[tensor] = real;
  return real;
}

Output WhileContext::addEnter(BuildState &state, const Output &tensor,
                              bool isConstant, std::string_view enterName) {
  if (state.failed() || !tensor.node)
    return {};
  std::vector<const Node *> controls = state.controlsFor({tensor});
  WhileContext *outerLoop = outer ? outer->whileContext() : nullptr;
  std::erase_if(controls, [&](const Node *control) {
    auto wanted = outputContext(state, *control);
    for (ControlFlowContext *context = outer.get(); context != wanted.get();
         context = context->outer.get())
      if (!context || context == outerLoop)
        return true;
    return false;
  });
  const Node *entered = nullptr;
  {
    OutsideScope alone(state);
    // A node without a name of its own has its type's.
    bool isRef = tensor.node->output(tensor.index).isRef;
    entered = addFlowNode(
        state, "Enter", isRef && enterName == "Enter" ? "RefEnter" : enterName,
        {tensor},
        {{"frame_name", name},
         {"is_constant", isConstant},
         {"parallel_iterations", parallelIterations}},
        std::move(controls));
  }
  if (!entered)
    return {};
  state.contexts.emplace(entered, shared_from_this());
  for (ControlFrame &frame : state.scopes().controls)
    frame.added.insert(entered);
  values.insert({entered, 0});
  return {entered, 0};
}

Output WhileContext::enter(BuildState &state, const Output &outside) {
  auto own = state.contexts.find(outside.node);
  bool isHere = own != state.contexts.end() && own->second.get() == this;
  if (values.contains(outside) || isHere) {
    auto found = external.find(outside);
    return found == external.end() ? outside : found->second;
  }
  values.insert(outside);
  WhileContext *user =
      state.scopes().context ? state.scopes().context->whileContext() : nullptr;
  auto from = outputContext(state, *outside.node);
  if (user && user->forwardValues && from &&
      from->whileContext() == &user->forwardValues->forwardLoop()) {
    Output saved = user->forwardValues->saved(outside);
    external[outside] = saved;
    return saved;
  }
  Output result = outer ? outer->enter(state, outside) : outside;
  result = addEnter(state, result, /*isConstant=*/true);
  external[outside] = result;
  return result;
}

std::shared_ptr<ControlFlowContext>
WhileContext::ownerOf(const BuildState &state, const NodeDraft &draft) {
  if (forwardValues && draft.inputs.size() == 1 &&
      (draft.op == "Shape" || draft.op == "Size" || draft.op == "Rank"))
    if (auto from = outputContext(state, *draft.inputs[0].node);
        from && from->whileContext() == &forwardValues->forwardLoop())
      return from;
  return shared_from_this();
}

void WhileContext::prepare(BuildState &state, NodeDraft &draft) {
  for (Output &input : draft.inputs)
    input = enter(state, input);
  if (state.failed())
    return;
  std::vector<const Node *> outside = takeExternalControls(state, draft);
  bool isFree = draft.controls.empty() &&
                std::ranges::all_of(draft.inputs, [](const Output &input) {
                  return isLoopConstantEnter(*input.node);
                });
  if (isFree && pivot())
    draft.controls.push_back(pivot());
  // Others' control inputs become data that enters the loop.
  for (const Node *control : outside) {
    if (control->numOutputs() < 1)
      continue;
    std::vector<ControlFrame> none;
    std::swap(none, state.scopes().controls);
    ContextScope here(state, shared_from_this());
    const Node *identity =
        addFlowNode(state, "Identity", "Identity", {{control, 0}});
    std::swap(none, state.scopes().controls);
    if (identity)
      draft.controls.push_back(identity);
  }
}

bool isCovered(const Shape &shape, const Shape &general) {
  if (!general.hasRank())
    return true;
  if (shape.rank() != general.rank())
    return false;
  for (int i = 0; i < general.rank(); ++i)
    if (general.dim(i) >= 0 && general.dim(i) != shape.dim(i))
      return false;
  return true;
}

} // namespace kiln
