// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts calls in place and turns If, Case and While into items with blocks.
#include "lib/Plan/Block.h"

#include "lib/Plan/Frames.h"
#include "lib/Plan/Optionals.h"
#include "lib/Plan/PickedHandles.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <set>
#include <utility>

namespace kiln {
namespace {

/// One tree. Recursion is bounded by maxCallDepth.
class BlockBuilder {
public:
  explicit BlockBuilder(std::shared_ptr<const FunctionLibrary> functions)
      : functions(std::move(functions)) {}

  StatusOr<std::unique_ptr<Block>> build(const PrunedGraph &graph,
                                         CallPath path) {
    auto block = std::make_unique<Block>();
    block->path = std::move(path);
    block->args = graph.feeds;
    block->results = graph.fetches;
    std::set<std::pair<const Node *, int>> outer = std::exchange(used, {});
    for (const Node *node : graph.nodes)
      for (const Output &input : node->inputs())
        used.insert({input.node, input.index});
    for (const Output &fetch : graph.fetches)
      used.insert({fetch.node, fetch.index});
    if (hasFrames(graph)) {
      KILN_RETURN_IF_ERROR(
          addStructured(graph, *block, [this](const Node &node, Block &to) {
            return add(node, to);
          }));
    } else {
      for (const Node *node : graph.nodes)
        KILN_RETURN_IF_ERROR(add(*node, *block));
    }
    used = std::move(outer);
    return block;
  }

  /// build(), without optionals.
  StatusOr<std::unique_ptr<Block>> buildRoot(const PrunedGraph &graph) {
    KILN_ASSIGN_OR_RETURN(std::unique_ptr<Block> root, build(graph, {}));
    resolvePickedHandles(*root);
    root->functions = functions;
    root->done = graph.done;
    if (hasOptionals)
      KILN_RETURN_IF_ERROR(resolveOptionals(*root));
    return root;
  }

private:
  Status add(const Node &node, Block &block) {
    if (++numNodes > GraphLimits().maxNodes)
      return resourceExhaustedError(
                 strCat("expected at most ", GraphLimits().maxNodes,
                        " nodes with those of called functions, got more"))
          .withNode(node.name());
    KILN_ASSIGN_OR_RETURN(Call call, findCall(functions.get(), node));
    Item item;
    item.node = &node;
    if (call.kind == Call::Kind::None) {
      const OpDef *def = lookupOp(node.op());
      if (!def)
        return notFoundError(strCat("Op type not registered '", node.op(), "'"))
            .withNode(node.name());
      block.writesVariable |= def->writesVariable();
      hasOptionals |= def->name.starts_with("Optional");
      block.items.push_back(std::move(item));
      return okStatus();
    }
    if (call.bodies.empty())
      return invalidArgumentError("expected at least one branch, got none")
          .withNode(node.name());
    block.writesVariable |= call.writesVariable();
    item.operands.assign(node.inputs().begin(), node.inputs().end());
    item.results = call.kind == Call::Kind::For
                       ? outputsOfFor(node)
                       : outputsOf(node, *call.bodies.back());
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
    const Node *caller = item.kind == Item::Kind::While ? nullptr : &node;
    KILN_ASSIGN_OR_RETURN(item.first, body(call, 0, node, block, caller));
    if (call.bodies.size() > 1) {
      KILN_ASSIGN_OR_RETURN(item.second, body(call, 1, node, block, caller));
    }
    if (call.kind == Call::Kind::For)
      KILN_RETURN_IF_ERROR(addCheckOfFor(call, item, block));
    if (item.kind == Item::Kind::While) {
      if (item.first->results.empty())
        return invalidArgumentError(
                   "expected a condition that gives a value, got none")
            .withNode(node.name());
      // The condition's function gives no values: the body has its arguments.
      item.first->condition = item.first->results.front();
      item.first->results = item.first->args;
    }
    block.items.push_back(std::move(item));
    return okStatus();
  }

  Status addCheckOfFor(const Call &call, const Item &loop, Block &block) {
    Item check;
    check.kind = Item::Kind::Call;
    check.node = loop.node;
    check.operands.assign(loop.operands.begin(), loop.operands.begin() + 3);
    check.results = {{loop.node, firstExtraResult + 3}};
    KILN_ASSIGN_OR_RETURN(check.first,
                          body(call, 2, *loop.node, block, nullptr));
    Item choice;
    choice.kind = Item::Kind::If;
    choice.node = loop.node;
    choice.condition = check.results.front();
    choice.first = std::make_unique<Block>();
    choice.second = std::make_unique<Block>();
    choice.first->path = choice.second->path = block.path;
    Item fail;
    fail.kind = Item::Kind::Fail;
    fail.node = loop.node;
    fail.operands = check.operands;
    choice.second->items.push_back(std::move(fail));
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
    KILN_ASSIGN_OR_RETURN(
        rest, body(call, call.bodies.size() - 1, node, block, &node));
    for (size_t i = call.bodies.size() - 1; i-- > k;) {
      Item choice;
      choice.kind = Item::Kind::If;
      choice.node = item.node;
      choice.condition = item.condition;
      choice.number = static_cast<int64_t>(i);
      choice.operands = item.operands;
      choice.results = item.results;
      KILN_ASSIGN_OR_RETURN(choice.first, body(call, i, node, block, &node));
      bool writes = choice.first->writesVariable || rest->writesVariable;
      choice.second = std::move(rest);
      rest = std::make_unique<Block>();
      rest->path = block.path.inside(node.name(), i);
      rest->results = item.results;
      rest->writesVariable = writes;
      rest->items.push_back(std::move(choice));
    }
    // A block of one branch takes the operands itself; a chain is around them.
    item.kind = Item::Kind::Call;
    if (call.bodies.size() > 1) {
      block.items.push_back(std::move(rest->items.front()));
      return okStatus();
    }
    item.first = std::move(rest);
    block.items.push_back(std::move(item));
    return okStatus();
  }

  /// A function that is called by name runs all that is stateful in it; all
  /// others what their control outputs need, and the results that somebody
  /// looks at: TensorFlow puts them in place and prunes (measured). Of a loop,
  /// without a caller, all results are needed, and so they are of what is
  /// called for none.
  StatusOr<std::unique_ptr<Block>> body(const Call &call, size_t number,
                                        const Node &node, const Block &around,
                                        const Node *caller) {
    const FunctionBody &function = *call.bodies[number];
    std::vector<bool> isWanted(function.results.size(), !caller);
    bool isAny = false;
    for (size_t i = 0; caller && i < isWanted.size(); ++i) {
      isWanted[i] = used.contains({caller, static_cast<int>(i)});
      isAny = isAny || isWanted[i];
    }
    if (caller && !isAny)
      isWanted.assign(isWanted.size(), true);
    RunRequest request{function.args, {}, function.targets};
    for (size_t i = 0; i < isWanted.size(); ++i)
      if (isWanted[i])
        request.fetches.push_back(function.results[i]);
    if (caller && !lookupOp(caller->op()))
      request.targets.insert(request.targets.end(),
                             function.statefulNodes.begin(),
                             function.statefulNodes.end());
    KILN_ASSIGN_OR_RETURN(PrunedGraph pruned,
                          prune(std::move(request), functions));
    KILN_ASSIGN_OR_RETURN(
        std::unique_ptr<Block> block,
        build(pruned, around.path.inside(node.name(), number)));
    block->results = function.results;
    for (size_t i = 0; i < isWanted.size(); ++i)
      if (!isWanted[i])
        block->results[i] = {nullptr, -1};
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
  static std::vector<Output> outputsOfFor(const Node &node) {
    std::vector<Output> outputs;
    for (int i = 0; i < 3; ++i)
      outputs.push_back({&node, firstExtraResult + i});
    for (int i = 0; i < node.numOutputs(); ++i)
      outputs.push_back({&node, i});
    return outputs;
  }

  std::shared_ptr<const FunctionLibrary> functions;
  /// Outputs of the graph at work that somebody looks at.
  std::set<std::pair<const Node *, int>> used;
  int64_t numNodes = 0;
  bool hasOptionals = false;
};

} // namespace

StatusOr<std::unique_ptr<Block>> makeBlocks(const PrunedGraph &graph) {
  return BlockBuilder(graph.functions).buildRoot(graph);
}

Item makeAlias(const Output &name, const Output &of, const CallPath &path) {
  Item item;
  item.kind = Item::Kind::Call;
  item.node = name.node;
  item.results = {name};
  item.first = std::make_shared<Block>();
  item.first->path = path;
  item.first->results = {of};
  return item;
}

int64_t countNodes(const Block &block) {
  int64_t count = 0;
  forEachItem(block, [&](const Item &item, const Block &) {
    count += item.kind == Item::Kind::Node;
  });
  return count;
}

} // namespace kiln
