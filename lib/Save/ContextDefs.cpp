// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts of control flow as names of nodes and tensors.
#include "lib/Save/ContextDefs.h"

#include "lib/IO/Formats.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <set>

namespace kiln {
namespace {

/// The contexts of the graph by the one that they are in, in the order of
/// their names.
using Nested =
    std::multimap<const ControlFlowContext *,
                  std::pair<std::string, const ControlFlowContext *>>;

Nested nestedContexts(const BuildState &state) {
  std::set<std::pair<std::string, const ControlFlowContext *>> all;
  for (const auto &[node, context] : state.contexts)
    for (const ControlFlowContext *each = context.get(); each;
         each = each->outer.get())
      all.emplace(each->name, each);
  Nested nested;
  for (const auto &each : all)
    nested.emplace(each.second->outer.get(), each);
  return nested;
}

struct DefMaker {
  const std::string &scope;
  const Nested nested;

  std::string nameOf(const Output &tensor) const {
    return tensor.node ? nameBelow(tensor.name(), scope) : "";
  }
  std::vector<std::string> namesOf(const std::vector<Output> &tensors) const {
    std::vector<std::string> names;
    for (const Output &tensor : tensors)
      names.push_back(nameOf(tensor));
    return names;
  }

  ContextDef defOf(const ControlFlowContext &context) const {
    ContextDef def;
    def.name = nameBelow(context.name, scope);
    for (const Output &value : context.knownValues())
      def.values.push_back(nameOf(value));
    std::ranges::sort(def.values);
    for (const auto &[outside, inside] : context.externalValues())
      def.externalValues[nameOf(outside)] = nameOf(inside);
    if (const auto *loop = dynamic_cast<const WhileContext *>(&context)) {
      def.isWhile = true;
      def.parallelIterations = loop->parallelIterations;
      def.backProp = loop->backProp;
      def.swapMemory = loop->swapMemory;
      def.loopCondName = nameOf(loop->loopCond);
      def.pivotForPredName = nameOf(loop->pivotForPred);
      def.pivotForBodyName = nameOf(loop->pivotForBody);
      def.loopExitNames = namesOf(loop->loopExits);
      def.loopEnterNames = namesOf(loop->loopEnters);
      def.maximumIterationsName = nameOf(loop->maximumIterations);
    } else if (const auto *branch =
                   dynamic_cast<const CondContext *>(&context)) {
      def.predName = nameOf(branch->pred);
      def.pivotName = nameOf(branch->pivotTensor);
      def.branch = branch->branch;
    }
    auto [first, last] = nested.equal_range(&context);
    for (auto each = first; each != last; ++each)
      def.nested.push_back(defOf(*each->second.second));
    return def;
  }
};

class ContextMaker {
public:
  ContextMaker(BuildState &state, const std::string &scope)
      : state(state), scope(scope) {}

  StatusOr<std::shared_ptr<ControlFlowContext>>
  make(const ContextDef &def, std::shared_ptr<ControlFlowContext> outer) {
    std::shared_ptr<ControlFlowContext> context;
    if (def.isWhile) {
      KILN_ASSIGN_OR_RETURN(context, makeLoop(def));
    } else {
      KILN_ASSIGN_OR_RETURN(Output pred, find(def.predName));
      KILN_ASSIGN_OR_RETURN(Output pivot, find(def.pivotName));
      if (!pred.node || !pivot.node || def.branch < 0 || def.branch > 1)
        return invalidArgumentError(
            strCat(def.name, " is no branch of a conditional"));
      context = std::make_shared<CondContext>(pred, pivot, def.branch);
    }
    context->name = scope + def.name;
    context->outer = std::move(outer);
    KILN_RETURN_IF_ERROR(takeValues(def, *context));
    // A scope before the names of nodes is none before those of frames.
    for (const Node *node : ownNodes)
      if (def.isWhile && (node->op() == "Enter" || node->op() == "RefEnter"))
        context->name = node->attrOr<std::string>("frame_name", context->name);
    for (const Node *node : ownNodes)
      state.contexts[node] = context;
    for (const ContextDef &nested : def.nested)
      KILN_RETURN_IF_ERROR(make(nested, context).status());
    return context;
  }

private:
  /// No tensor for no name.
  StatusOr<Output> find(const std::string &name) const {
    if (name.empty())
      return Output();
    if (name.find(':') == name.npos) {
      KILN_ASSIGN_OR_RETURN(const Node *node,
                            state.graph->findNode(scope + name));
      return Output{node, 0};
    }
    return state.graph->findTensor(scope + name);
  }

  StatusOr<std::vector<Output>>
  findAll(const std::vector<std::string> &names) const {
    std::vector<Output> tensors;
    for (const std::string &name : names) {
      KILN_ASSIGN_OR_RETURN(tensors.emplace_back(), find(name));
    }
    return tensors;
  }

  StatusOr<std::shared_ptr<ControlFlowContext>>
  makeLoop(const ContextDef &def) const {
    auto loop = std::make_shared<WhileContext>(def.parallelIterations,
                                               def.backProp, def.swapMemory);
    KILN_ASSIGN_OR_RETURN(loop->loopCond, find(def.loopCondName));
    KILN_ASSIGN_OR_RETURN(loop->pivotForPred, find(def.pivotForPredName));
    KILN_ASSIGN_OR_RETURN(loop->pivotForBody, find(def.pivotForBodyName));
    KILN_ASSIGN_OR_RETURN(loop->loopExits, findAll(def.loopExitNames));
    KILN_ASSIGN_OR_RETURN(loop->loopEnters, findAll(def.loopEnterNames));
    KILN_ASSIGN_OR_RETURN(loop->maximumIterations,
                          find(def.maximumIterationsName));
    if (!loop->loopCond.node || !loop->pivotForPred.node ||
        !loop->pivotForBody.node)
      return invalidArgumentError(strCat(def.name, " is no loop"));
    return std::shared_ptr<ControlFlowContext>(std::move(loop));
  }

  Status takeValues(const ContextDef &def, ControlFlowContext &context) {
    ownNodes.clear();
    std::vector<Output> known;
    for (const std::string &name : def.values) {
      KILN_ASSIGN_OR_RETURN(Output value, find(name));
      known.push_back(value);
      if (!def.externalValues.contains(name))
        ownNodes.push_back(value.node);
    }
    context.knowOnly(known);
    for (const auto &[outside, inside] : def.externalValues) {
      KILN_ASSIGN_OR_RETURN(Output from, find(outside));
      KILN_ASSIGN_OR_RETURN(Output to, find(inside));
      context.addExternalValue(from, to);
    }
    return okStatus();
  }

  BuildState &state;
  const std::string &scope;
  std::vector<const Node *> ownNodes;
};

} // namespace

StatusOr<std::string> encodeContext(const BuildState &state,
                                    const ControlFlowContext &context,
                                    const std::string &scope) {
  return encodeContextDef(
      DefMaker{scope, nestedContexts(state)}.defOf(context));
}

StatusOr<std::shared_ptr<ControlFlowContext>>
decodeContext(BuildState &state, std::string_view bytes, bool isWhile,
              const std::string &scope) {
  KILN_ASSIGN_OR_RETURN(ContextDef def, decodeContextDef(bytes, isWhile));
  return ContextMaker(state, scope).make(def, nullptr);
}

} // namespace kiln
