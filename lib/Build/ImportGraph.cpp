// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the nodes of another graph, under names of the present scope.
#include "kiln/ImportGraph.h"

#include "kiln/GraphScopes.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/FunctionGraph.h"
#include "lib/Build/UnpublishedNodes.h"
#include "lib/Graph/Function.h"
#include "lib/Graph/OutputKey.h"
#include "lib/Graph/ProgramShapes.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <charconv>

namespace kiln {
namespace {

constexpr std::string_view colocationPrefix = "loc:@";

/// "op:1" or "op" or "^op"; of "op" the output 0.
struct TensorName {
  std::string op;
  int index = 0; ///< -1: a control input
  bool isOperation = false;

  static TensorName parse(std::string_view text) {
    if (text.starts_with('^'))
      return {std::string(text.substr(1)), -1, true};
    size_t colon = text.rfind(':');
    int index = 0;
    if (colon != text.npos) {
      const char *end = text.data() + text.size();
      auto [rest, error] = std::from_chars(text.data() + colon + 1, end, index);
      if (error == std::errc() && rest == end && index >= 0)
        return {std::string(text.substr(0, colon)), index, false};
    }
    return {std::string(text), 0, true};
  }
};

/// One import: what stands for the inputs, and what the nodes are called.
class Importer {
public:
  Importer(BuildState &state, const Graph &from,
           const ImportGraphOptions &options, std::string outerScope)
      : state(state), from(from), options(options),
        outerScope(std::move(outerScope)) {}

  StatusOr<std::vector<GraphElement>> import(const std::string &scope) {
    KILN_RETURN_IF_ERROR(checkVersions(from.versions()));
    KILN_RETURN_IF_ERROR(checkPlaces());
    KILN_RETURN_IF_ERROR(mapInputs());
    KILN_RETURN_IF_ERROR(checkReturned());
    if (state.finalized)
      return failedPreconditionError(
          "Graph is finalized and cannot be modified.");
    chooseNames(scope);
    std::vector<NodeSpec> specs;
    for (int id = 0; id < from.numNodes(); ++id)
      if (!options.without.contains(from.node(id)->name()))
        specs.push_back(specOf(*from.node(id)));
    KILN_RETURN_IF_ERROR(state.graph->constructionError());
    KILN_RETURN_IF_ERROR(takeFunctions(from, *rootOf(state).graph));
    HoldScope untilPlaced(state);
    const int before = state.graph->numAdded();
    KILN_RETURN_IF_ERROR(state.graph->addNodes(std::move(specs)));
    std::vector<const Node *> added;
    for (int id = before; id < state.graph->numAdded(); ++id)
      added.push_back(state.graph->addedNode(id));
    for (const Node *node : added) {
      KILN_RETURN_IF_ERROR(learnResults(*node));
      enter(*node);
    }
    place(added);
    KILN_RETURN_IF_ERROR(state.graph->constructionError());
    return returned();
  }

private:
  /// Gives a call by a function's name the function's results.
  Status learnResults(const Node &node) {
    SharedFunctions library = rootOf(state).graph->functionLibrary();
    const Function *callee =
        library && node.numOutputs() < 0 ? library->find(node.op()) : nullptr;
    if (!callee)
      return okStatus();
    std::vector<OutputInfo> results;
    for (const ArgDef &result : callee->results) {
      if (result.dtype == DType::Invalid)
        return okStatus(); // attributes of the call say it
      results.push_back({result.dtype, Shape::unknownRank()});
    }
    return state.graph->extendNode(
        node, {.inputs = {}, .outputs = std::move(results), .attrs = {}});
  }

  const Node *nodeOf(const TensorName &name) const {
    const Node *node = from.lookup(name.op);
    bool exists = node && (name.index < 0 || node->numOutputs() < 0 ||
                           name.index < node->numOutputs());
    return exists ? node : nullptr;
  }

  Status checkPlaces() const {
    for (int id = 0; id < from.numNodes(); ++id)
      for (const std::string &name : placesBeside(*from.node(id)))
        if (!from.lookup(name))
          return invalidArgumentError(strCat(
              "Node '", from.node(id)->name(),
              "' expects to be colocated with unknown node '", name, "'"));
    return okStatus();
  }

  /// Converts what stands for inputs, in the scope "_inputs".
  Status mapInputs() {
    if (options.inputMap.empty())
      return okStatus();
    std::vector<std::string> missing;
    for (const auto &[text, value] : options.inputMap) {
      TensorName name = TensorName::parse(text);
      if (!nodeOf(name))
        missing.push_back(name.index < 0 ? text
                                         : strCat(name.op, ":", name.index));
    }
    if (!missing.empty())
      return invalidArgumentError(
          strCat("Attempted to map inputs that were not found in graph_def: [",
                 strJoin(missing, ", "), "]"));
    // No scope of the root may begin so; what is a tensor already needs none.
    std::optional<NameScope> inputs;
    if (!state.scopes().nameScope.empty())
      inputs.emplace(state.builder(), "_inputs");
    for (const auto &[text, value] : options.inputMap) {
      TensorName name = TensorName::parse(text);
      Output tensor = state.builder().convert(value, {});
      KILN_RETURN_IF_ERROR(state.graph->constructionError());
      mapped[{nodeOf(name), name.index}] = tensor;
    }
    return okStatus();
  }

  Status checkReturned() const {
    for (const std::string &text : options.returnElements) {
      TensorName name = TensorName::parse(text);
      const Node *node = from.lookup(name.op);
      if (!node)
        return invalidArgumentError(
            name.isOperation ? strCat("Requested return node '", text,
                                      "' not found in graph def")
                             : strCat("Requested return tensor '", text,
                                      "' not found in graph def"));
      if (!name.isOperation && node->numOutputs() >= 0 &&
          name.index >= node->numOutputs())
        return invalidArgumentError(
            strCat("Invalid return output ", name.index, " of node '", name.op,
                   "', which has ", node->numOutputs(), " output(s)"));
    }
    return okStatus();
  }

  /// Names that are taken get a number, but none that another node has.
  void chooseNames(const std::string &scope) {
    for (int id = 0; id < from.numNodes(); ++id) {
      const std::string own = scope + from.node(id)->name();
      std::string name = own;
      for (int count = 0;
           state.graph->lookupAdded(name) ||
           (count > 0 && from.lookup(name.substr(scope.size())));)
        name = strCat(own, "_", ++count);
      names.push_back(std::move(name));
    }
  }
  const std::string &nameOf(const Node &node) const {
    return names[static_cast<size_t>(node.id())];
  }

  NodeSpec specOf(const Node &node) {
    NodeSpec spec{.name = nameOf(node),
                  .op = node.op(),
                  .attrs = node.attrs(),
                  .device = options.clearDevices ? "" : node.device()};
    // What is known of the shapes is no attribute of the node here.
    if (const AttrValue *shapes = spec.attrs.find("_output_shapes")) {
      spec.attrs.set(std::string(programShapesAttr), AttrValue(*shapes));
      spec.attrs.erase("_output_shapes");
    }
    if (const AttrValue *places = spec.attrs.find("_class"))
      if (const auto *list = places->getIf<std::vector<std::string>>())
        spec.attrs.set("_class", renamed(*list));
    // What comes from outside goes through the branch or loop around.
    NodeDraft outside{.op = node.op()};
    bool isTied = false;
    for (const Output &input : node.inputs()) {
      auto found = mapped.find(input);
      if (found != mapped.end())
        outside.inputs.push_back(found->second);
      else
        isTied = true;
    }
    std::vector<std::string> controls;
    for (const Node *control : node.controlInputs()) {
      auto found = mapped.find({control, -1});
      if (found != mapped.end())
        outside.controls.push_back(found->second.node);
      else
        controls.push_back("^" + nameOf(*control));
    }
    isTied |= !controls.empty();
    for (const Node *control : state.controlsFor(outside.inputs))
      if (std::ranges::find(outside.controls, control) ==
          outside.controls.end()) {
        outside.controls.push_back(control);
        state.graph->markControlSource(*control);
      }
    if (state.scopes().context && !(isTied && outside.inputs.empty())) {
      // What lets them in is named in the scope around.
      std::swap(state.scopes().nameScope, outerScope);
      state.scopes().context->prepare(state, outside);
      std::swap(state.scopes().nameScope, outerScope);
    }
    auto entered = outside.inputs.begin();
    for (const Output &input : node.inputs())
      if (mapped.contains(input))
        spec.inputs.emplace_back(*entered++);
      else
        spec.inputs.emplace_back(strCat(nameOf(*input.node), ":", input.index));
    for (std::string &control : controls)
      spec.inputs.emplace_back(std::move(control));
    for (const Node *control : outside.controls)
      spec.inputs.emplace_back("^" + control->name());
    return spec;
  }

  std::vector<std::string>
  renamed(const std::vector<std::string> &places) const {
    std::vector<std::string> changed;
    for (const std::string &place : places) {
      const Node *node =
          place.starts_with(colocationPrefix)
              ? from.lookup(place.substr(colocationPrefix.size()))
              : nullptr;
      changed.push_back(node ? strCat(colocationPrefix, nameOf(*node)) : place);
    }
    return changed;
  }

  /// Gives nodes the devices that they and scopes ask for. One that stands
  /// beside others has the device of the first of them that has one.
  /// **Source**: importer._ProcessNewOps.
  void place(const std::vector<const Node *> &added) {
    std::vector<std::pair<const Node *, std::vector<std::string>>> beside;
    for (const Node *node : added) {
      std::vector<std::string> others = placesBeside(*node);
      if (!others.empty()) {
        setDevice(state, *node, "");
        beside.emplace_back(node, std::move(others));
        continue;
      }
      auto own = DeviceName::parse(node->device());
      if (!own.ok())
        return state.fail(own.status().withNode(node->name()));
      setDevice(state, *node, own->toString());
      chooseDevice(state, *node);
      if (state.failed())
        return;
    }
    for (const auto &[node, others] : beside)
      for (const std::string &name : others) {
        const Node *other = state.graph->lookupAdded(name);
        if (!other || other->device().empty())
          continue;
        // A function may have named it in another form.
        auto device = DeviceName::parse(other->device());
        if (!device.ok())
          return state.fail(device.status().withNode(node->name()));
        setDevice(state, *node, device->toString());
        break;
      }
  }

  /// The nodes that the node is to stand beside, but for itself.
  static std::vector<std::string> placesBeside(const Node &node) {
    std::vector<std::string> names;
    if (auto places = node.attrRef<std::vector<std::string>>("_class");
        places.ok())
      for (std::string_view place : **places)
        if (place.starts_with(colocationPrefix) &&
            place.substr(colocationPrefix.size()) != node.name())
          names.emplace_back(place.substr(colocationPrefix.size()));
    return names;
  }

  void enter(const Node &node) {
    for (ControlFrame &frame : state.scopes().controls)
      frame.added.insert(&node);
    if (!state.scopes().context)
      return;
    state.contexts.emplace(&node, state.scopes().context);
    state.scopes().context->added(node);
  }

  std::vector<GraphElement> returned() const {
    std::vector<GraphElement> elements;
    for (const std::string &text : options.returnElements) {
      TensorName name = TensorName::parse(text);
      const Node *old = from.lookup(name.op);
      if (auto found = mapped.find({old, name.index});
          !name.isOperation && found != mapped.end()) {
        elements.emplace_back(found->second);
        continue;
      }
      const Node *node = state.graph->lookupAdded(nameOf(*old));
      if (name.isOperation)
        elements.emplace_back(node);
      else
        elements.emplace_back(Output{node, name.index});
    }
    return elements;
  }

  BuildState &state;
  const Graph &from;
  const ImportGraphOptions &options;
  std::string outerScope;
  std::map<OutputKey, Output> mapped;
  std::vector<std::string> names; ///< by the id of the imported node
};

} // namespace

std::vector<GraphElement> importGraphDef(const Graph &imported,
                                         const ImportGraphOptions &options) {
  GraphBuilder graph = GraphBuilder::current();
  BuildState &state = graph.internals();
  if (state.failed())
    return {};
  std::string outerScope = state.scopes().nameScope;
  NameScope scope(graph,
                  options.name.empty() ? graph.nameScope() : options.name);
  if (state.failed())
    return {};
  auto elements = Importer(state, imported, options, std::move(outerScope))
                      .import(options.name.empty() ? "" : scope.name());
  if (!elements.ok()) {
    state.fail(elements.status());
    return {};
  }
  return *std::move(elements);
}

} // namespace kiln
