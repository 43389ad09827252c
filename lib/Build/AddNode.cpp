// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds a node with what the scopes around it say: control dependencies,
// device, colocation, attributes.
#include "kiln/Containers.h"
#include "kiln/Describe.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/FunctionGraph.h"
#include "lib/Build/UnpublishedNodes.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <optional>
#include <set>

namespace kiln {
namespace {

/// The texts "loc:@name" that say where a node stands; its own where it says
/// nothing. **Source**: tf.Operation.colocation_groups.
std::vector<std::string> colocationGroups(const Node &node) {
  std::vector<std::string> groups;
  if (auto classes = node.attrRef<std::vector<std::string>>("_class");
      classes.ok())
    for (const std::string &text : **classes)
      if (text.starts_with("loc:@"))
        groups.push_back(text);
  if (groups.empty())
    groups.push_back("loc:@" + node.name());
  return groups;
}

/// In a function, tensors from outside become its arguments. **Errors** of the
/// state.
void captureInputs(BuildState &state, NodeDraft &draft) {
  if (state.function)
    for (Output &input : draft.inputs)
      input = captured(state, input);
}

/// The node waits for these and for what control_dependencies() blocks say; in
/// a function, the call waits for what is outside.
void addControls(BuildState &state, NodeDraft &draft,
                 const std::vector<const Node *> &more) {
  draft.controls = state.controlsFor(draft.inputs);
  for (const Node *node : more)
    if (std::ranges::find(draft.controls, node) == draft.controls.end())
      draft.controls.push_back(node);
  if (!state.function)
    return;
  std::erase_if(draft.controls, [&](const Node *node) {
    bool isOutside = !state.graph->contains(node);
    auto &all = state.function->controls;
    if (isOutside && std::ranges::find(all, node) == all.end())
      all.push_back(node);
    return isOutside;
  });
}

/// In a conditional or a loop, takes inputs through it. Returns what the node
/// belongs to, null outside of both. **Errors** of the state.
std::shared_ptr<ControlFlowContext> enterContext(BuildState &state,
                                                 NodeDraft &draft) {
  if (!state.scopes().context)
    return nullptr;
  std::shared_ptr<ControlFlowContext> owner =
      state.scopes().context->ownerOf(state, draft);
  owner->prepare(state, draft);
  return owner;
}

/// Whether a node is to stand beside one that has a device, which has the last
/// word.
bool isPlacedBeside(const BuildState &state) {
  return std::ranges::any_of(
      state.placement().colocations,
      [](const Node *node) { return !node->device().empty(); });
}

/// The device, and what the node is to stand beside.
void place(const BuildState &state, NodeDraft &draft) {
  draft.device = namedDevice(state.placement().devices);
  if (state.placement().colocations.empty())
    return;
  std::set<std::string> groups;
  bool isPlaced = false;
  for (auto node = state.placement().colocations.rbegin();
       node != state.placement().colocations.rend(); ++node) {
    for (std::string &group : colocationGroups(**node))
      groups.insert(std::move(group));
    if (!isPlaced && !(*node)->device().empty()) {
      draft.device = (*node)->device();
      isPlaced = true;
    }
  }
  draft.attrs.set("_class",
                  std::vector<std::string>(groups.begin(), groups.end()));
}

/// Where the resource of the node stands, if it has one.
void addContainer(BuildState &state, NodeDraft &draft) {
  const std::string container = currentContainer(state.builder());
  const OpDef *def = container.empty() ? nullptr : lookupOp(draft.op);
  if (!def || !def->findAttr("container"))
    return;
  const AttrValue *given = draft.attrs.find("container");
  const auto *text = given ? given->getIf<std::string>() : nullptr;
  if (!text || text->empty())
    draft.attrs.set("container", container);
}

/// The attributes of attribute scopes, container scopes and gradient overrides.
void addAttributes(BuildState &state, NodeDraft &draft) {
  addContainer(state, draft);
  for (const NamedAttr &attr : state.attributes)
    if (!draft.attrs.find(attr.name))
      draft.attrs.set(attr.name, attr.value);
  for (const auto &[type, gradient] : state.gradientOverrides)
    if (type == draft.op && !draft.attrs.find("_gradient_op_type"))
      draft.attrs.set("_gradient_op_type", gradient);
}

NodeSpec specOf(NodeDraft draft) {
  NodeSpec spec;
  spec.name = std::move(draft.name);
  spec.op = std::move(draft.op);
  spec.attrs = std::move(draft.attrs);
  spec.device = std::move(draft.device);
  for (const Output &input : draft.inputs)
    spec.inputs.push_back(input);
  for (const Node *node : draft.controls)
    spec.inputs.push_back("^" + node->name());
  return spec;
}

} // namespace

std::vector<const Node *>
BuildState::controlsFor(const std::vector<Output> &inputs) const {
  std::vector<const Node *> found;
  auto isInput = [&](const Node *node) {
    return std::ranges::any_of(
        inputs, [&](const Output &input) { return input.node == node; });
  };
  for (const ControlFrame &frame : scopes().controls) {
    // An input that was added in the block has waited already.
    bool hasWaited = std::ranges::any_of(inputs, [&](const Output &input) {
      return frame.added.contains(input.node);
    });
    if (hasWaited)
      continue;
    for (const Node *node : frame.inputs)
      if (!isInput(node) && std::ranges::find(found, node) == found.end())
        found.push_back(node);
  }
  return found;
}

const Node *BuildState::addNode(std::string op, std::string name,
                                std::vector<Output> inputs, AttrMap attrs,
                                std::vector<const Node *> moreControls) {
  if (failed())
    return nullptr;
  if (finalized) {
    fail(failedPreconditionError("Graph is finalized and cannot be modified.")
             .withNode(name));
    return nullptr;
  }
  if (function && function->insteadOfNode)
    if (const Node *added = function->insteadOfNode(op, name, inputs, attrs))
      return added;
  NodeDraft draft{.op = std::move(op),
                  .inputs = std::move(inputs),
                  .name = std::move(name),
                  .attrs = std::move(attrs)};
  captureInputs(*this, draft);
  if (failed())
    return nullptr;
  addControls(*this, draft, moreControls);
  const std::vector<const Node *> manual = draft.controls;
  std::shared_ptr<ControlFlowContext> owner = enterContext(*this, draft);
  if (failed())
    return nullptr;
  place(*this, draft);
  addAttributes(*this, draft);
  NodeSpec spec = specOf(std::move(draft));
  std::optional<HoldScope> untilPlaced;
  if (asksFunctions(placement().devices) && !isPlacedBeside(*this))
    untilPlaced.emplace(*this);
  auto added = graph->addNode(spec);
  if (!added.ok()) {
    fail(withShapes(added.status(), spec).withNode(spec.name));
    return nullptr;
  }
  for (const Node *node : manual)
    graph->markControlSource(*node);
  for (ControlFrame &frame : scopes().controls)
    frame.added.insert(*added);
  if (owner) {
    contexts.emplace(*added, owner);
    owner->added(**added);
  }
  if (untilPlaced) {
    // Asked from the innermost on, also where names are merged already.
    setDevice(*this, **added, "");
    chooseDevice(*this, **added);
  }
  return *added;
}

Output addConst(BuildState &state, TensorConstant value,
                std::string_view name) {
  if (state.failed())
    return {};
  AttrMap attrs{{"dtype", value.dtype}, {"value", std::move(value)}};
  std::string full =
      name.ends_with('/')
          ? withoutSlash(name)
          : state.uniqueName(name.empty() ? "Const" : name, true);
  return {state.addNode("Const", std::move(full), {}, std::move(attrs)), 0};
}

Output addConst(BuildState &state, Tensor value, std::string_view name) {
  return addConst(state, TensorConstant(std::move(value)), name);
}

} // namespace kiln
