// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies of functions: arguments, captures, and what a library has of them.
#include "lib/Build/FunctionGraph.h"

#include "kiln/GraphScopes.h"
#include "kiln/Ops.h"
#include "lib/Build/DefaultGraphs.h"
#include "lib/Graph/Function.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {
namespace {

constexpr std::string_view handleDTypes = "_handle_dtypes";
constexpr std::string_view handleShapes = "_handle_shapes";

/// A placeholder that nothing around it holds for.
Output addPlaceholder(
    BuildState &body, DType dtype, const Shape &shape, std::string_view name,
    std::string_view userName,
    const std::optional<std::pair<DType, Shape>> &variable = std::nullopt) {
  AttrMap attrs{{"dtype", dtype}, {"shape", shape}};
  if (!userName.empty())
    attrs.set("_user_specified_name", std::string(userName));
  if (variable) {
    attrs.set(std::string(handleDTypes), std::vector<DType>{variable->first});
    attrs.set(std::string(handleShapes), std::vector<Shape>{variable->second});
  }
  OutsideScope alone(body);
  PlacementScopes placement;
  AttrMap attributes;
  std::swap(placement, body.placement());
  std::swap(attributes, body.attributes);
  Output made{body.addNode("Placeholder",
                           body.uniqueName(name.empty() ? "Placeholder" : name,
                                           /*markAsUsed=*/true),
                           {}, std::move(attrs)),
              0};
  std::swap(placement, body.placement());
  std::swap(attributes, body.attributes);
  return made;
}

/// The names that a definition gives to arguments, results and nodes.
/// **Source**: NodeNameMapping of graph_to_functiondef.cc.
class Names {
public:
  std::string unique(std::string name) {
    auto [found, isNew] = used.emplace(name, 0);
    while (!isNew) {
      std::string candidate = strCat(name, "_", found->second++);
      if (used.emplace(candidate, 0).second)
        return candidate;
    }
    return name;
  }
  /// The name of an argument or a result.
  std::string uniqueOfArg(std::string_view name) {
    std::string text;
    for (char c : name) {
      bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      bool isDigit = c >= '0' && c <= '9';
      if (text.empty() && !isLetter)
        continue;
      text += c >= 'A' && c <= 'Z'  ? static_cast<char>(c - 'A' + 'a')
              : isLetter || isDigit ? c
                                    : '_';
    }
    return unique(text.empty() ? "unknown" : text);
  }

private:
  std::unordered_map<std::string, int> used;
};

/// Writes one body down.
class Definition {
public:
  explicit Definition(const BuildState &body, const FunctionLibrary *library)
      : body(body), graph(*body.graph), library(library) {}

  StatusOr<std::shared_ptr<const Function>> write() {
    const FunctionGraph &source = *body.function;
    made->name = source.name;
    made->ownAttrs = source.attrs;
    made->isStateful = isStateful(body);
    for (const Output &output : source.outputs)
      made->results.push_back(
          {names.uniqueOfArg(output.node->name()), output.dtype(), {}, {}, {}});
    for (const Output &input : source.inputs)
      addArgument(*input.node);
    for (int id = 0; id < graph.numAdded(); ++id)
      if (const Node &node = *graph.addedNode(id); !nameOf.contains(&node))
        nameOf.emplace(&node, names.unique(node.name()));
    for (int id = 0; id < graph.numAdded(); ++id)
      if (const Node &node = *graph.addedNode(id); !isArgument.contains(&node))
        KILN_RETURN_IF_ERROR(addNode(node).withNode(node.name()));
    if (source.runsEffects)
      for (int id = 0; id < graph.numAdded(); ++id)
        if (const Node &node = *graph.addedNode(id); hasEffect(node))
          made->controlReturns.push_back(nameOf.at(&node));
    for (size_t i = 0; i < source.outputs.size(); ++i) {
      KILN_ASSIGN_OR_RETURN(std::string text, textOf(source.outputs[i]));
      made->returns.emplace(made->results[i].name, std::move(text));
    }
    return std::shared_ptr<const Function>(std::move(made));
  }

private:
  bool hasEffect(const Node &node) const {
    const OpDef *def = lookupOp(node.op());
    const Function *callee =
        def || !library ? nullptr : library->find(node.op());
    return def ? def->hasEffect() ||
                     (def->has(callsFunctions) && def->has(stateful))
               : callee && callee->isStateful;
  }

  void addArgument(const Node &placeholder) {
    std::string name = names.uniqueOfArg(placeholder.name());
    DType dtype = placeholder.outputDType(0);
    made->args.push_back({name, dtype, {}, {}, {}});
    made->argShapes.push_back(placeholder.outputShape(0));
    AttrMap &attrs = made->argAttrs.emplace_back();
    for (const NamedAttr &attr : placeholder.attrs())
      if (attr.name.starts_with('_') && attr.name != handleDTypes &&
          attr.name != handleShapes)
        attrs.set(attr.name, attr.value);
    if (dtype != DType::Resource)
      attrs.set("_output_shapes",
                std::vector<Shape>{placeholder.outputShape(0)});
    isArgument.insert(&placeholder);
    nameOf.emplace(&placeholder, std::move(name));
  }

  Status addNode(const Node &node) {
    NodeSpec spec{.name = nameOf.at(&node),
                  .op = node.op(),
                  .attrs = node.attrs(),
                  .device = node.device()};
    if (graph.isControlSource(node))
      spec.attrs.set("_has_manual_control_dependencies", true);
    for (const Output &input : node.inputs()) {
      KILN_ASSIGN_OR_RETURN(std::string text, textOf(input));
      spec.inputs.emplace_back(std::move(text));
    }
    for (const Node *control : node.controlInputs())
      spec.inputs.emplace_back("^" + nameOf.at(control));
    made->nodes.push_back(std::move(spec));
    return okStatus();
  }

  /// "arg" or "node:output_arg:index".
  StatusOr<std::string> textOf(const Output &output) const {
    const Node &node = *output.node;
    const std::string &name = nameOf.at(&node);
    if (isArgument.contains(&node))
      return name;
    int index = output.index;
    if (const OpDef *def = lookupOp(node.op())) {
      for (const ArgDef &arg : def->outputs) {
        KILN_ASSIGN_OR_RETURN(
            std::vector<ArgType> types,
            expandArgs(std::span(&arg, 1), node.attrs(), node.name(), *def));
        auto count = static_cast<int>(types.size());
        if (index < count)
          return strCat(name, ":", arg.name, ":", index);
        index -= count;
      }
    } else if (const Function *callee =
                   library ? library->find(node.op()) : nullptr;
               callee && index < static_cast<int>(callee->results.size())) {
      return strCat(name, ":", callee->results[static_cast<size_t>(index)].name,
                    ":0");
    }
    return invalidArgumentError(strCat("the function ", quote(made->name),
                                       " uses ", quote(output.name()),
                                       ", which is no output"));
  }

  const BuildState &body;
  const Graph &graph;
  const FunctionLibrary *library;
  std::shared_ptr<Function> made = std::make_shared<Function>();
  Names names;
  std::unordered_map<const Node *, std::string> nameOf;
  std::unordered_set<const Node *> isArgument;
};

bool isIn(std::string_view name, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, name) != list.end();
}

/// Whether nothing in the body does more to a handle than to read by it.
bool isOnlyRead(const BuildState &body, const Output &handle) {
  const Graph &graph = *body.graph;
  for (int id = 0; id < graph.numAdded(); ++id) {
    const Node &node = *graph.addedNode(id);
    for (int i = 0; i < node.numInputs(); ++i) {
      if (node.input(i) != handle)
        continue;
      if (isIn(node.op(), {"ReadVariableOp", "VariableShape", "ResourceGather",
                           "ResourceGatherNd", "_ReadVariablesOp"}))
        continue;
      auto listed =
          node.attrOr<std::vector<int64_t>>("_read_only_resource_inputs", {});
      if (std::ranges::find(listed, i) == listed.end())
        return false;
    }
  }
  return true;
}

} // namespace

BuildState &rootOf(BuildState &state) {
  BuildState *root = &state;
  while (root->function)
    if (auto outer = root->function->outer.lock())
      root = outer.get();
    else
      break;
  return *root;
}

GraphBuilder workingGraph(const GraphBuilder &own) {
  GraphBuilder here = GraphBuilder::current();
  return here.internals().function ? here : own;
}

std::shared_ptr<BuildState> beginFunction(BuildState &outer, std::string name) {
  GraphBuilder made;
  BuildState &body = made.internals();
  body.function = std::make_unique<FunctionGraph>();
  body.function->name = std::move(name);
  body.function->outer = outer.weak_from_this();
  body.function->attrs.set("_construction_context",
                           std::string("kEagerRuntime"));
  body.seed = outer.seed;
  body.placement().devices = outer.placement().devices;
  return body.shared_from_this();
}

Output addArgument(BuildState &body, const Output &like, const Shape &shape,
                   std::string_view name) {
  Output made = addPlaceholder(body, like.dtype(), shape, name, name,
                               variableOfHandle(like));
  body.function->inputs.push_back(made);
  return made;
}

Output addArgument(BuildState &body, DType dtype, const Shape &shape,
                   std::string_view name, bool isNoted) {
  Output made = addPlaceholder(body, dtype, shape, name, isNoted ? name : "");
  body.function->inputs.push_back(made);
  return made;
}

Output captured(BuildState &body, const Output &outside,
                std::string_view name) {
  if (body.failed() || !outside.node || body.graph->contains(outside.node))
    return outside;
  FunctionGraph &function = *body.function;
  if (function.insteadOfCapture)
    if (std::optional<Output> other = function.insteadOfCapture(outside))
      return *other;
  for (const FunctionGraph::Capture &known : function.captures)
    if (known.outside == outside)
      return known.inside;
  for (auto from = stateOf(*outside.node); from && from->function;
       from = from->function->outer.lock())
    if (from.get() == &body) {
      body.fail(invalidArgumentError(strCat(
          "Tensor(\"", outside.name(),
          "\", shape=", outside.shape().toTupleString(),
          ", dtype=", dtypeName(outside.dtype()),
          ") is out of scope and cannot be used here. Use return values, "
          "explicit Python locals or TensorFlow collections to access it.")));
      return {};
    }
  const std::string &userName = outside.node->name();
  Output inside = addPlaceholder(body, outside.dtype(), outside.shape(),
                                 name.empty() ? userName : name, userName,
                                 variableOfHandle(outside));
  if (!inside.node)
    return {};
  function.captures.push_back({outside, inside});
  function.inputs.push_back(inside);
  return inside;
}

void defineFunction(BuildState &body, std::string_view before) {
  BuildState &root = rootOf(body);
  if (root.failed() || body.failed())
    return;
  SharedFunctions old = root.graph->functionLibrary();
  auto written = Definition(body, old.get()).write();
  if (!written.ok())
    return root.fail(written.status());
  auto library = old ? std::make_shared<FunctionLibrary>(*old)
                     : std::make_shared<FunctionLibrary>();
  for (std::string_view name : {before, std::string_view(body.function->name)})
    library->remove(name);
  library->add(*std::move(written));
  root.graph->setFunctionLibrary(std::move(library));
}

static std::string numbered(BuildState &state, const std::string &text) {
  BuildState &root = rootOf(state);
  SharedFunctions library = root.graph->functionLibrary();
  std::string name;
  do
    name = strCat(text, "_", ++root.functionsNamed);
  while (library && library->find(name));
  return name;
}

std::string functionName(BuildState &state, std::string_view scope,
                         std::string_view kind) {
  std::string text = strCat(scope, kind);
  std::ranges::replace(text, '/', '_');
  return numbered(state, text);
}

std::string gradientName(BuildState &state, std::string_view function) {
  return numbered(state, strCat(function, "_grad"));
}

bool isStateful(const BuildState &body) {
  SharedFunctions library =
      rootOf(const_cast<BuildState &>(body)).graph->functionLibrary();
  for (int id = 0; id < body.graph->numAdded(); ++id) {
    const std::string &op = body.graph->addedNode(id)->op();
    const OpDef *def = lookupOp(op);
    const Function *callee = def || !library ? nullptr : library->find(op);
    if (def ? def->has(stateful) : callee && callee->isStateful)
      return true;
  }
  return false;
}

std::vector<int64_t>
readOnlyArguments(const std::vector<std::shared_ptr<BuildState>> &bodies,
                  int64_t first) {
  std::vector<int64_t> found;
  for (size_t i = 0; i < bodies[0]->function->inputs.size(); ++i) {
    bool isHandle = bodies[0]->function->inputs[i].dtype() == DType::Resource;
    if (isHandle && std::ranges::all_of(bodies, [&](const auto &body) {
          return isOnlyRead(*body, body->function->inputs[i]);
        }))
      found.push_back(first + static_cast<int64_t>(i));
  }
  return found;
}

std::optional<std::pair<DType, Shape>> variableOfHandle(const Output &handle) {
  if (handle.dtype() != DType::Resource)
    return std::nullopt;
  const Node &node = *handle.node;
  const std::string &op = node.op();
  if (op == "VarHandleOp")
    return std::pair(node.attrOr("dtype", DType::Invalid),
                     node.attrOr("shape", Shape::unknownRank()));
  if (op == "Placeholder") {
    auto dtypes = node.attrOr<std::vector<DType>>(handleDTypes, {});
    auto shapes = node.attrOr<std::vector<Shape>>(handleShapes, {});
    if (dtypes.size() == 1 && shapes.size() == 1)
      return std::pair(dtypes[0], shapes[0]);
    return std::nullopt;
  }
  // What a branch or a loop takes in.
  if (isIn(op, {"Switch", "Enter"}))
    return variableOfHandle(node.input(0));
  // What a loop gives of a handle is what it took.
  if (isIn(op, {"Identity", "While", "StatelessWhile"}) &&
      handle.index < node.numInputs())
    return variableOfHandle(node.input(handle.index));
  return std::nullopt;
}

} // namespace kiln
