// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts calls in place and turns If, Case, While and For into items with blocks.
#include "lib/Plan/import/BodyPlan.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace kiln {
namespace {

/// One body. Recursion is bounded by maxCallDepth and maxBlockDepth.
class CallInliner {
public:
  explicit CallInliner(BodyPlan &body) : body(body) {
    for (const Node *node : body.graph.nodes)
      used.insert(node->inputs().begin(), node->inputs().end());
    used.insert(body.graph.fetches.begin(), body.graph.fetches.end());
  }

  Status run(Block &block) {
    for (Item &item : std::exchange(block.items, {})) {
      if (item.kind == Item::Kind::Node) {
        KILN_RETURN_IF_ERROR(add(*item.node, block));
        continue;
      }
      for (Block *inner : {item.first.get(), item.second.get()})
        if (inner)
          KILN_RETURN_IF_ERROR(run(*inner));
      block.items.push_back(std::move(item));
    }
    return okStatus();
  }

private:
  Status add(const Node &node, Block &block) {
    KILN_RETURN_IF_ERROR(body.plan.count(node));
    KILN_ASSIGN_OR_RETURN(Call call,
                          findCall(body.graph.functions.get(), node));
    Item item;
    item.node = &node;
    if (call.kind == Call::Kind::None) {
      if (!lookupOp(node.op()))
        return notFoundError(strCat("Op type not registered '", node.op(), "'"))
            .withNode(node.name());
      block.items.push_back(std::move(item));
      return okStatus();
    }
    if (call.bodies.empty())
      return invalidArgumentError("expected at least one branch, got none")
          .withNode(node.name());
    item.operands.assign(node.inputs().begin(), node.inputs().end());
    if (call.kind == Call::Kind::For) {
      KILN_ASSIGN_OR_RETURN(item.results, outputsOfFor(node));
    } else {
      item.results = outputsOf(node, *call.bodies.back());
    }
    bool hasChoice =
        call.kind == Call::Kind::If || call.kind == Call::Kind::Case;
    if (hasChoice) {
      if (item.operands.empty())
        return invalidArgumentError(
                   "expected an input that picks the branch, got no input")
            .withNode(node.name());
      item.condition = item.operands.front();
      item.operands.erase(item.operands.begin());
    }
    if (call.kind == Call::Kind::Case)
      return addCase(call, 0, std::move(item), block);
    constexpr Item::Kind kinds[] = {Item::Kind::Node,  Item::Kind::Call,
                                    Item::Kind::If,    Item::Kind::If,
                                    Item::Kind::While, Item::Kind::While};
    item.kind = kinds[static_cast<size_t>(call.kind)];
    const bool isLoop = item.kind == Item::Kind::While;
    KILN_ASSIGN_OR_RETURN(
        item.first,
        bodyOf(call, 0, node, block,
               isLoop ? std::vector<bool>(call.bodies[0]->results.size(), true)
                      : usedResults(call, node)));
    if (call.bodies.size() > 1) {
      KILN_ASSIGN_OR_RETURN(
          item.second,
          bodyOf(call, 1, node, block,
                 isLoop ? neededResults(call, node) : usedResults(call, node)));
    }
    if (call.kind == Call::Kind::While)
      passOn(call, *item.second);
    if (call.kind == Call::Kind::For)
      KILN_RETURN_IF_ERROR(addCheckOfFor(call, item, block));
    if (item.kind == Item::Kind::While) {
      if (item.first->results.empty())
        return invalidArgumentError(
                   "expected a condition that gives a value, got none")
            .withNode(node.name());
      // The condition's function gives no values: the body has its arguments.
      item.first->condition = item.first->results.front();
      item.first->results.assign(item.first->args.begin(),
                                 item.first->args.end());
    }
    block.items.push_back(std::move(item));
    return okStatus();
  }

  Status addCheckOfFor(const Call &call, const Item &loop, Block &block) {
    KILN_ASSIGN_OR_RETURN(Output ends,
                          body.plan.synthesized.name(*loop.node, DType::Bool));
    Item check;
    check.kind = Item::Kind::Call;
    check.node = loop.node;
    check.operands.assign(loop.operands.begin(), loop.operands.begin() + 3);
    check.results = {ends};
    KILN_ASSIGN_OR_RETURN(check.first,
                          bodyOf(call, 2, *loop.node, block, {true}));
    Item choice = makeItem(Item::Kind::If, loop.node, block.path);
    choice.condition = PlanValue::result(ends);
    Item &fail = choice.second->items.emplace_back();
    fail.kind = Item::Kind::Fail;
    fail.node = loop.node;
    fail.operands = check.operands;
    fail.failure.reason = Failure::Reason::EndlessFor;
    block.items.push_back(std::move(check));
    block.items.push_back(std::move(choice));
    return okStatus();
  }

  /// Branch `k` or those after it: the last is taken for all other numbers.
  Status addCase(const Call &call, size_t k, Item item, Block &block) {
    const Node &node = *item.node;
    if (call.bodies.size() > maxCaseBranches)
      return resourceExhaustedError(strCat("expected at most ", maxCaseBranches,
                                           " branches, got ",
                                           call.bodies.size()))
          .withNode(node.name());
    // From the last to the first, so that long chains need no deep stack here.
    std::unique_ptr<Block> rest;
    KILN_ASSIGN_OR_RETURN(rest, bodyOf(call, call.bodies.size() - 1, node,
                                       block, usedResults(call, node)));
    for (size_t i = call.bodies.size() - 1; i-- > k;) {
      Item choice;
      choice.kind = Item::Kind::If;
      choice.node = item.node;
      choice.condition = item.condition;
      choice.number = static_cast<int64_t>(i);
      choice.operands = item.operands;
      choice.results = item.results;
      KILN_ASSIGN_OR_RETURN(
          choice.first, bodyOf(call, i, node, block, usedResults(call, node)));
      choice.second = std::move(rest);
      rest = std::make_unique<Block>();
      rest->path = block.path.inside(node.name(), i);
      rest->results.assign(item.results.begin(), item.results.end());
      rest->items.push_back(std::move(choice));
    }
    // A block of one branch takes the operands itself; a chain is around them.
    item.kind = Item::Kind::Call;
    if (call.bodies.size() > 1) {
      block.items.push_back(std::move(rest->items.front()));
      return okStatus();
    }
    item.condition = {};
    item.first = std::move(rest);
    block.items.push_back(std::move(item));
    return okStatus();
  }

  /// What runs all that is stateful in a function: a call by name, an If or
  /// While that TensorFlow does not take apart, and a stateful call or Case of
  /// one without outputs of any kind (measured).
  static bool runsAllEffects(const Node &node, const FunctionBody &function) {
    const OpDef *def = lookupOp(node.op());
    if (!def)
      return true;
    if (def->role == OpRole::If || def->role == OpRole::While)
      return !node.attrOr<bool>("_lower_using_switch_merge", false);
    return def->has(stateful) && function.results.empty() &&
           function.targets.empty();
  }

  /// Whether TensorFlow puts the node's functions in place of it, so that who
  /// comes after it waits for their control outputs alone.
  bool isTakenApart(const Node &node) const {
    const std::vector<const Node *> &targets = body.graph.targets;
    // Those of a function are its control outputs.
    const bool isAskedFor =
        body.block.path.name.empty() &&
        std::find(targets.begin(), targets.end(), &node) != targets.end();
    return node.attrOr<bool>("_lower_using_switch_merge", false) && !isAskedFor;
  }

  /// The results of a call, branch or loop that are used. Where none is, all of
  /// what is called as a whole, and of what the run is asked for by name.
  std::vector<bool> usedResults(const Call &call, const Node &node) const {
    std::vector<bool> isUsed(call.bodies.back()->results.size());
    bool isAny = false;
    for (size_t i = 0; i < isUsed.size(); ++i) {
      isUsed[i] = used.contains({&node, static_cast<int>(i)});
      isAny = isAny || isUsed[i];
    }
    if (!isAny && !isTakenApart(node))
      isUsed.assign(isUsed.size(), true);
    return isUsed;
  }

  /// The results of a loop that are used, and those that an iteration needs for
  /// them, for the condition and for the control outputs: TensorFlow takes the
  /// loop apart and prunes. All of a For, and of a While that stays whole.
  std::vector<bool> neededResults(const Call &call, const Node &node) const {
    const FunctionBody &test = *call.bodies[0], &body = *call.bodies[1];
    std::vector<bool> isNeeded(body.results.size(), true);
    if (call.kind != Call::Kind::While || runsAllEffects(node, body))
      return isNeeded;
    std::map<OutputKey, size_t> argument;
    for (const FunctionBody *function : {&test, &body})
      for (size_t i = 0; i < function->args.size(); ++i)
        argument[function->args[i]] = i;
    std::vector<Output> tensors = test.results;
    std::vector<const Node *> nodes = test.targets;
    nodes.insert(nodes.end(), body.targets.begin(), body.targets.end());
    const std::vector<bool> isUsed = usedResults(call, node);
    for (size_t i = 0; i < isNeeded.size(); ++i) {
      isNeeded[i] = i < isUsed.size() && isUsed[i];
      if (isNeeded[i])
        tensors.push_back(body.results[i]);
    }
    std::set<const Node *> seen;
    while (!tensors.empty() || !nodes.empty()) {
      if (!tensors.empty()) {
        const Output tensor = tensors.back();
        tensors.pop_back();
        auto found = argument.find(tensor);
        if (found == argument.end())
          nodes.push_back(tensor.node);
        else if (!isNeeded[found->second]) {
          isNeeded[found->second] = true;
          tensors.push_back(body.results[found->second]);
        }
        continue;
      }
      const Node *next = nodes.back();
      nodes.pop_back();
      if (!seen.insert(next).second)
        continue;
      tensors.insert(tensors.end(), next->inputs().begin(),
                     next->inputs().end());
      nodes.insert(nodes.end(), next->controlInputs().begin(),
                   next->controlInputs().end());
    }
    return isNeeded;
  }

  /// What no iteration needs stays as it was.
  static void passOn(const Call &call, Block &body) {
    const FunctionBody &function = *call.bodies[1];
    for (size_t i = 0; i < body.results.size(); ++i)
      if (body.results[i].isNone())
        body.results[i] = function.args[i];
  }

  /// Where not all effects run (runsAllEffects()), those do that the control
  /// outputs need, and the results that are wanted: TensorFlow puts the
  /// function in place and prunes.
  StatusOr<std::unique_ptr<Block>> bodyOf(const Call &call, size_t number,
                                          const Node &node, const Block &around,
                                          const std::vector<bool> &isWanted) {
    const FunctionBody &function = *call.bodies[number];
    RunRequest request{function.args, {}, function.targets};
    for (size_t i = 0; i < isWanted.size(); ++i)
      if (isWanted[i])
        request.fetches.push_back(function.results[i]);
    if (runsAllEffects(node, function))
      request.targets.insert(request.targets.end(),
                             function.statefulNodes.begin(),
                             function.statefulNodes.end());
    KILN_ASSIGN_OR_RETURN(PrunedGraph pruned,
                          prune(std::move(request), body.graph.functions));
    KILN_ASSIGN_OR_RETURN(
        std::unique_ptr<Block> block,
        importBody(pruned, around.path.inside(node.name(), number), body.plan));
    block->results.clear();
    for (size_t i = 0; i < isWanted.size(); ++i)
      block->results.push_back(isWanted[i] ? PlanValue(function.results[i])
                                           : PlanValue());
    return block;
  }

  static std::vector<Output> outputsOf(const Node &node,
                                       const FunctionBody &function) {
    std::vector<Output> outputs;
    size_t count = node.numOutputs() >= 0
                       ? static_cast<size_t>(node.numOutputs())
                       : function.results.size();
    for (size_t i = 0; i < count; ++i)
      outputs.push_back({&node, static_cast<int>(i)});
    return outputs;
  }

  /// The loop gives its counters, too.
  StatusOr<std::vector<Output>> outputsOfFor(const Node &node) {
    std::vector<Output> outputs;
    for (int i = 0; i < 3; ++i) {
      KILN_ASSIGN_OR_RETURN(outputs.emplace_back(),
                            body.plan.synthesized.name(node, DType::Int32));
    }
    for (int i = 0; i < node.numOutputs(); ++i)
      outputs.push_back({&node, i});
    return outputs;
  }

  BodyPlan &body;
  /// The tensors of the body's graph that its nodes and fetches use.
  std::set<OutputKey> used;
};

} // namespace

Status inlineCalls(BodyPlan &body) { return CallInliner(body).run(body.block); }

} // namespace kiln
