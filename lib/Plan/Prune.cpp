// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the nodes that a run reaches and orders them.
#include "lib/Plan/Prune.h"

#include "lib/Graph/NodeBatch.h"
#include "lib/OpDefs/MissingOps.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace kiln {

namespace {

bool isPlaceholder(const Node &node) {
  const OpDef *def = lookupOp(node.op());
  return def && def->has(placeholder) && def->inputs.empty();
}

/// "float and shape [?,3]"; scalars and unknown ranks go without a shape.
Status missingFeed(const Node &node) {
  DType dtype = node.numOutputs() > 0
                    ? node.outputDType(0)
                    : node.attrOr<DType>("dtype", DType::Invalid);
  Shape shape = node.numOutputs() > 0
                    ? node.outputShape(0)
                    : node.attrOr<Shape>("shape", Shape::unknownRank());
  std::string text = strCat("You must feed a value for placeholder tensor '",
                            node.name(), "' with dtype ", dtypeTfName(dtype));
  if (shape.hasRank() && !shape.isScalar())
    text += strCat(" and shape ", shape.toString());
  return invalidArgumentError(std::move(text)).withNode(node.name());
}

/// One prune: the walk, then the order.
class Pruner {
public:
  Pruner(const RunRequest &request, const FunctionLibrary *functions)
      : request(request), functions(functions) {
    for (const Output &feed : request.feeds)
      fed[feed.node].push_back(feed.index);
  }

  Status walk() {
    for (const Output &fetch : request.fetches)
      reach(fetch);
    for (const Node *target : request.targets)
      reachByControl(target);
    while (!pending.empty()) {
      const Node *node = pending.back();
      pending.pop_back();
      for (const Output &input : node->inputs())
        reach(input);
      for (const Node *control : node->controlInputs())
        reachByControl(control);
    }
    // By id, so that the node an error names does not depend on the walk.
    std::sort(reached.begin(), reached.end(),
              [](const Node *a, const Node *b) { return a->id() < b->id(); });
    for (const Node *node : reached)
      if (isPlaceholder(*node))
        return missingFeed(*node);
    KILN_RETURN_IF_ERROR(checkOpsExist(reached, functions));
    for (const Node *node : reached) {
      KILN_ASSIGN_OR_RETURN(Call call, findCall(functions, *node));
      if (call.kind == Call::Kind::None ? lookupOp(node->op())->writesVariable()
                                        : call.writesVariable())
        writers.insert(node);
    }
    return okStatus();
  }

  StatusOr<std::vector<const Node *>> order() const {
    std::unordered_map<const Node *, int> waitingFor;
    std::unordered_map<const Node *, std::vector<const Node *>> users;
    for (const Node *node : reached) {
      int count = 0;
      auto follow = [&](const Node *source) {
        if (!isReached.contains(source))
          return;
        ++count;
        users[source].push_back(node);
      };
      for (const Output &input : node->inputs())
        if (!isFed(input) && !isLoopEdge(*input.node, *node))
          follow(input.node);
      for (const Node *control : node->controlInputs())
        if (!isFedPlaceholder(control))
          follow(control);
      waitingFor[node] = count;
    }

    // How many nodes stand in a row before a node, at most.
    std::unordered_map<const Node *, int> depth;
    using Ready = std::tuple<bool, int, int, const Node *>;
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    auto push = [&](const Node *node) {
      bool writes = writers.contains(node);
      ready.push({writes, writes ? depth[node] : 0, node->id(), node});
    };
    for (const Node *node : reached)
      if (waitingFor[node] == 0)
        push(node);
    std::vector<const Node *> ordered;
    while (!ready.empty()) {
      const Node *node = std::get<const Node *>(ready.top());
      ready.pop();
      ordered.push_back(node);
      for (const Node *user : users[node]) {
        depth[user] = std::max(depth[user], depth[node] + 1);
        if (--waitingFor[user] == 0)
          push(user);
      }
    }
    if (ordered.size() != reached.size())
      return cycleError(waitingFor);
    return ordered;
  }

private:
  bool isFed(const Output &output) const {
    auto found = fed.find(output.node);
    return found != fed.end() &&
           std::find(found->second.begin(), found->second.end(),
                     output.index) != found->second.end();
  }
  bool isFedPlaceholder(const Node *node) const {
    return isPlaceholder(*node) && isFed({node, 0});
  }

  void reach(const Output &output) {
    if (!isFed(output))
      enter(output.node);
  }
  void reachByControl(const Node *node) {
    if (!isFedPlaceholder(node))
      enter(node);
  }
  void enter(const Node *node) {
    if (!isReached.insert(node).second)
      return;
    reached.push_back(node);
    pending.push_back(node);
  }

  /// Names a node that stands on a cycle: going back through nodes that wait
  /// ends on one.
  Status
  cycleError(const std::unordered_map<const Node *, int> &waitingFor) const {
    auto waits = [&](const Node *node) {
      auto found = waitingFor.find(node);
      return found != waitingFor.end() && found->second > 0;
    };
    const Node *node = *std::find_if(reached.begin(), reached.end(), waits);
    for (size_t steps = 0; steps < reached.size(); ++steps) {
      const Node *before = nullptr;
      for (const Output &input : node->inputs())
        if (!before && !isFed(input) && !isLoopEdge(*input.node, *node) &&
            waits(input.node))
          before = input.node;
      for (const Node *control : node->controlInputs())
        if (!before && waits(control))
          before = control;
      node = before ? before : node;
    }
    return invalidArgumentError(strCat("the graph has a cycle through node ",
                                       quote(node->name())))
        .withNode(node->name());
  }

  const RunRequest &request;
  const FunctionLibrary *functions;
  std::unordered_map<const Node *, std::vector<int>> fed;
  std::unordered_set<const Node *> isReached;
  std::vector<const Node *> reached;
  std::vector<const Node *> pending;
  std::unordered_set<const Node *> writers;
};

} // namespace

StatusOr<PrunedGraph> prune(const Graph &graph, RunRequest request) {
  return prune(std::move(request), graph.functionLibrary());
}

StatusOr<PrunedGraph> prune(RunRequest request,
                            std::shared_ptr<const FunctionLibrary> functions) {
  Pruner pruner(request, functions.get());
  KILN_RETURN_IF_ERROR(pruner.walk());
  KILN_ASSIGN_OR_RETURN(std::vector<const Node *> nodes, pruner.order());
  PrunedGraph pruned;
  pruned.nodes = std::move(nodes);
  pruned.feeds = std::move(request.feeds);
  pruned.fetches = std::move(request.fetches);
  pruned.targets = std::move(request.targets);
  pruned.functions = std::move(functions);
  return pruned;
}

bool isMissingFeed(const Status &error, const Graph &graph) {
  const Node *node = graph.lookup(error.node());
  return node && isPlaceholder(*node) &&
         missingFeed(*node).message() == error.message();
}

} // namespace kiln
