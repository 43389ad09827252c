// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects nodes by what Kiln lacks for them.
#include "kiln/MissingOps.h"

#include "lib/OpDefs/Computation.h"
#include "lib/OpDefs/MissingOps.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/Strings.h"

#include <map>

namespace kiln {
namespace {

/// Op types that an error names; more of them are counted.
constexpr size_t maxNamedTypes = 20;

/// Entries in the order of their first nodes.
class Collection {
public:
  void add(const std::string &op, std::string lack, std::string node) {
    auto [found, added] = places.try_emplace({op, lack}, entries.size());
    if (added)
      entries.push_back({op, std::move(lack), std::move(node)});
    ++entries[found->second].nodes;
  }
  std::vector<MissingOp> entries;

private:
  std::map<std::pair<std::string, std::string>, size_t> places;
};

bool exists(const std::string &op, const FunctionLibrary *functions) {
  return lookupOp(op) || (functions && functions->find(op));
}

} // namespace

Status checkOpsExist(std::span<const Node *const> nodes,
                     const FunctionLibrary *functions) {
  Collection missing;
  for (const Node *node : nodes)
    if (!exists(node->op(), functions))
      missing.add(node->op(), {}, node->name());
  const std::vector<MissingOp> &types = missing.entries;
  if (types.empty())
    return okStatus();
  std::string text = strCat("Op type not registered ", quote(types.front().op));
  for (size_t i = 1; i < types.size() && i < maxNamedTypes; ++i)
    text += strCat(i == 1 ? "; nor " : ", ", quote(types[i].op), " (node ",
                   quote(types[i].node), ")");
  if (types.size() > maxNamedTypes)
    text += strCat(" and ", types.size() - maxNamedTypes, " more");
  return notFoundError(std::move(text)).withNode(types.front().node);
}

std::vector<MissingOp> findMissingOps(const Graph &graph) {
  Collection missing;
  auto functions = graph.functionLibrary();
  for (int id = 0, end = graph.numNodes(); id < end; ++id) {
    const Node &node = *graph.node(id);
    if (!exists(node.op(), functions.get()))
      missing.add(node.op(), {}, node.name());
    const OpDef *def = lookupOp(node.op());
    if (!def)
      continue;
    if (const Computation computation = computationOf(*def);
        computation.by == Computation::By::Nothing)
      missing.add(node.op(), std::string(computation.text), node.name());
    // What TensorFlow has no kernel for either is no lack.
    Status supported = checkSupported(node, *def);
    if (supported.code() == StatusCode::Unimplemented)
      missing.add(node.op(), std::string(supported.message()), node.name());
  }
  if (functions)
    for (const auto &[name, function] : functions->all())
      for (const NodeSpec &node : function->nodes)
        if (!exists(node.op, functions.get()))
          missing.add(node.op, {}, strCat(name, "/", node.name));
  return std::move(missing.entries);
}

} // namespace kiln
