// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the nodes of a GraphDef to a graph: under a prefix, with other inputs,
// behind other nodes.
#include "capi/ImportOptions.h"
#include "kiln/GraphDef.h"

#include <charconv>
#include <set>
#include <string_view>

using namespace kiln;
using namespace kiln::capi;

namespace {

/// "op:1", "op" and "^op" as NodeDefs name inputs.
ImportedTensor parseInput(std::string_view text) {
  if (text.starts_with('^'))
    return {std::string(text.substr(1)), -1};
  const size_t colon = text.rfind(':');
  int index = 0;
  if (colon != text.npos) {
    const char *end = text.data() + text.size();
    const auto [rest, error] =
        std::from_chars(text.data() + colon + 1, end, index);
    if (error == std::errc() && rest == end && index >= 0)
      return {std::string(text.substr(0, colon)), index};
  }
  return {std::string(text), 0};
}

/// All names of a graph, with the scopes that they stand in.
std::set<std::string, std::less<>> namesIn(const Graph &graph) {
  std::set<std::string, std::less<>> names;
  for (int id = 0; id < graph.numNodes(); ++id) {
    const std::string &name = graph.node(id)->name();
    names.insert(name);
    for (size_t end = name.find('/'); end != name.npos;
         end = name.find('/', end + 1))
      names.insert(name.substr(0, end));
  }
  return names;
}

/// One import. edit() is called while the GraphDef is loaded; what it was asked
/// to hand back is looked up in the graph afterwards.
class GraphImport {
public:
  GraphImport(const Graph &graph, const TF_ImportGraphDefOptions &options)
      : graph(graph), options(options), prefix(options.prefix) {}

  Status edit(std::vector<NodeSpec> &nodes) {
    for (const NodeSpec &node : nodes)
      own.emplace(node.name, node.name);
    if (Status status = choosePrefix(); !status.ok())
      return status;
    if (Status status = chooseNames(nodes); !status.ok())
      return status;
    for (NodeSpec &node : nodes)
      if (Status status = change(node); !status.ok())
        return status;
    return checkReturned();
  }

  std::unique_ptr<TF_ImportGraphDefResults> results() const {
    auto results = std::make_unique<TF_ImportGraphDefResults>();
    for (const ImportedTensor &tensor : options.returnOutputs) {
      auto mapped = options.inputMap.find(tensor);
      results->outputs.push_back(
          mapped != options.inputMap.end()
              ? outputOf(mapped->second)
              : outputOf(Output{nodeOf(tensor.first), tensor.second}));
    }
    for (const std::string &name : options.returnOperations)
      results->operations.push_back(operationOf(nodeOf(name)));
    for (const auto &[tensor, value] : options.inputMap) {
      if (used.contains(tensor) || exists(tensor))
        continue;
      results->missing.push_back(tensor.first);
      results->missingIndexes.push_back(tensor.second);
    }
    for (const std::string &name : results->missing)
      results->missingNames.push_back(name.c_str());
    return results;
  }

  /// What is known only when the nodes have their outputs.
  Status checkOutputs() const {
    for (const ImportedTensor &tensor : options.returnOutputs) {
      if (options.inputMap.contains(tensor))
        continue;
      const int outputs = nodeOf(tensor.first)->numOutputs();
      if (tensor.second < 0 || (outputs >= 0 && tensor.second >= outputs))
        return invalidArgumentError(
            "Invalid return output " + std::to_string(tensor.second) +
            " of node '" + tensor.first + "', which has " +
            std::to_string(outputs) + " output(s)");
    }
    return okStatus();
  }

private:
  Status choosePrefix() {
    if (prefix.empty())
      return okStatus();
    if (!prefix.ends_with('/'))
      prefix += '/';
    if (!isValidNodeName(prefix))
      return invalidArgumentError("Imported node name prefix '" + prefix +
                                  "' would lead to invalid node names");
    if (options.makesPrefixUnique) {
      const auto taken = namesIn(graph);
      std::string scope = prefix.substr(0, prefix.size() - 1);
      const std::string wanted = scope;
      for (int count = 0; taken.contains(scope);)
        scope = wanted + "_" + std::to_string(++count);
      prefix = scope + "/";
    }
    return okStatus();
  }

  Status chooseNames(const std::vector<NodeSpec> &nodes) {
    // A prefix that is unique makes the names so.
    const bool makesUnique = options.makesNamesUnique &&
                             (prefix.empty() || !options.makesPrefixUnique);
    std::set<std::string, std::less<>> taken;
    if (makesUnique)
      taken = namesIn(graph);
    std::set<std::string, std::less<>> added;
    for (const NodeSpec &node : nodes) {
      if (!isValidNodeName(node.name))
        return invalidArgumentError("Node '" + node.name +
                                    "': Node name contains invalid characters");
      std::string &name = own[node.name];
      name = prefix + node.name;
      for (int count = 0; makesUnique && (taken.contains(name) ||
                                          (count > 0 && own.contains(name)));)
        name = prefix + node.name + "_" + std::to_string(++count);
      if (!added.insert(node.name).second)
        return invalidArgumentError("Node '" + node.name + "' is not unique");
      if (!makesUnique && graph.lookup(name))
        return invalidArgumentError("Node name '" + name +
                                    "' already exists in the Graph");
    }
    return okStatus();
  }

  /// Gives a node its name, inputs, device and places.
  Status change(NodeSpec &node) {
    const std::string name = node.name;
    bool hasOwnInput = false, hasControl = false;
    for (NodeInput &input : node.inputs) {
      const auto *text = std::get_if<std::string>(&input);
      if (!text)
        continue;
      const ImportedTensor tensor = parseInput(*text);
      if (tensor.second >= 0 && hasControl)
        return invalidArgumentError(
            "Node '" + name +
            "': Control dependencies must come after regular dependencies");
      hasControl |= tensor.second < 0;
      if (auto mapped = options.inputMap.find(tensor);
          mapped != options.inputMap.end()) {
        used.insert(tensor);
        input = mapped->second.index < 0
                    ? NodeInput("^" + mapped->second.node->name())
                    : NodeInput(mapped->second);
        continue;
      }
      auto found = own.find(tensor.first);
      if (found == own.end())
        return invalidArgumentError("Node '" + name +
                                    "': Unknown input node '" + *text + "'");
      hasOwnInput = true;
      input = tensor.second < 0
                  ? "^" + found->second
                  : found->second + ":" + std::to_string(tensor.second);
    }
    // Others wait for them through their inputs.
    if (!hasOwnInput)
      for (const Node *control : options.controls)
        if (std::string text = "^" + control->name();
            std::ranges::find(node.inputs, NodeInput(text)) ==
            node.inputs.end())
          node.inputs.emplace_back(std::move(text));
    node.name = own[name];
    if (node.device.empty())
      node.device = options.defaultDevice;
    return renamePlaces(name, node);
  }

  /// "loc:@op": the nodes that this one is to be beside.
  Status renamePlaces(const std::string &name, NodeSpec &node) const {
    constexpr std::string_view place = "loc:@";
    const AttrValue *value = node.attrs.find("_class");
    const auto *list =
        value ? value->getIf<std::vector<std::string>>() : nullptr;
    if (!list)
      return okStatus();
    std::vector<std::string> renamed;
    for (const std::string &text : *list) {
      if (!text.starts_with(place)) {
        renamed.push_back(text);
        continue;
      }
      auto found = own.find(text.substr(place.size()));
      if (found == own.end())
        return invalidArgumentError(
            "Node '" + name + "' expects to be colocated with unknown node '" +
            text.substr(place.size()) + "'");
      renamed.push_back(std::string(place) + found->second);
    }
    node.attrs.set("_class", AttrValue(std::move(renamed)));
    return okStatus();
  }

  Status checkReturned() const {
    for (const ImportedTensor &tensor : options.returnOutputs)
      if (!options.inputMap.contains(tensor) && !own.contains(tensor.first))
        return invalidArgumentError("Requested return tensor '" + tensor.first +
                                    ":" + std::to_string(tensor.second) +
                                    "' not found in graph def");
    for (const std::string &name : options.returnOperations)
      if (!own.contains(name))
        return invalidArgumentError("Requested return node '" + name +
                                    "' not found in graph def");
    return okStatus();
  }

  bool exists(const ImportedTensor &tensor) const {
    const Node *node = nodeOf(tensor.first);
    return node &&
           (node->numOutputs() < 0 || tensor.second < node->numOutputs());
  }
  /// The node that a name of the GraphDef has become.
  const Node *nodeOf(const std::string &name) const {
    auto found = own.find(name);
    return found == own.end() ? nullptr : graph.lookup(found->second);
  }

  const Graph &graph;
  const TF_ImportGraphDefOptions &options;
  std::string prefix;
  /// The names of the GraphDef, with those that they get.
  std::map<std::string, std::string, std::less<>> own;
  std::set<ImportedTensor> used;
};

/// Null where it failed.
std::unique_ptr<TF_ImportGraphDefResults>
import(TF_Graph &to, const TF_Buffer *bytes,
       const TF_ImportGraphDefOptions &options, TF_Status *status) {
  clearStatus(status);
  std::lock_guard lock(to.adding);
  GraphImport work(*to.graph, options);
  bool isParsed = false;
  GraphLoadOptions load;
  load.edit = [&](std::vector<NodeSpec> &nodes) {
    isParsed = true;
    return work.edit(nodes);
  };
  const Status loaded = extendGraphDef(*to.graph, bytesOf(bytes), load);
  if (!loaded.ok()) {
    const bool isJunk =
        !isParsed && loaded.code() == StatusCode::InvalidArgument;
    setStatus(status,
              isJunk ? invalidArgumentError("Invalid GraphDef") : loaded);
    return nullptr;
  }
  if (const Status outputs = work.checkOutputs(); !outputs.ok()) {
    setStatus(status, outputs);
    return nullptr;
  }
  return work.results();
}

} // namespace

TF_ImportGraphDefResults *
TF_GraphImportGraphDefWithResults(TF_Graph *graph, const TF_Buffer *graph_def,
                                  const TF_ImportGraphDefOptions *options,
                                  TF_Status *status) {
  return import(*graph, graph_def, *options, status).release();
}

void TF_GraphImportGraphDefWithReturnOutputs(
    TF_Graph *graph, const TF_Buffer *graph_def,
    const TF_ImportGraphDefOptions *options, TF_Output *return_outputs,
    int num_return_outputs, TF_Status *status) {
  clearStatus(status);
  if (num_return_outputs != TF_ImportGraphDefOptionsNumReturnOutputs(options))
    return setStatus(
        status,
        invalidArgumentError("Expected 'num_return_outputs' to be " +
                             std::to_string(options->returnOutputs.size()) +
                             ", got " + std::to_string(num_return_outputs)));
  if (num_return_outputs > 0 && !return_outputs)
    return setStatus(
        status, invalidArgumentError("'return_outputs' must be preallocated "
                                     "to length " +
                                     std::to_string(num_return_outputs)));
  if (const auto results = import(*graph, graph_def, *options, status))
    std::ranges::copy(results->outputs, return_outputs);
}

void TF_GraphImportGraphDef(TF_Graph *graph, const TF_Buffer *graph_def,
                            const TF_ImportGraphDefOptions *options,
                            TF_Status *status) {
  import(*graph, graph_def, *options, status);
}
