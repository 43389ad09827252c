// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows loops and predicates along the edges.
#include "lib/Plan/import/ControlFlowAnalysis.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <optional>

namespace kiln {

StatusOr<ControlFlowAnalysis>
ControlFlowAnalysis::analyze(const PrunedGraph &graph) {
  ControlFlowAnalysis flow;
  for (const Output &feed : graph.feeds)
    flow.fed.insert(feed);
  KILN_RETURN_IF_ERROR(flow.findLoops(graph));
  flow.findEqualReads(graph);
  // A loop runs under what all of its Enters do, which may come late in the
  // order: sets only grow, from the outermost loop inwards.
  bool changed = true;
  for (size_t pass = 0; changed && pass <= flow.list.size(); ++pass) {
    changed = false;
    KILN_RETURN_IF_ERROR(flow.findLiterals(graph, changed));
  }
  flow.findNestings(graph);
  return flow;
}

bool ControlFlowAnalysis::isLoopMerge(const Node &node) const {
  return kindOf(node) == OpRole::Merge &&
         !mergesOfOneIteration.contains(&node) &&
         std::any_of(node.inputs().begin(), node.inputs().end(),
                     [&](const Output &input) {
                       return !isFed(input) &&
                              roleOf(*input.node) == OpRole::NextIteration;
                     });
}

Status ControlFlowAnalysis::findLoops(const PrunedGraph &graph) {
  list.emplace_back();
  std::map<std::pair<int, std::string>, int> numberOfLoop;
  for (const Node *node : graph.nodes) {
    OpRole kind = roleOf(*node);
    int loop = -1;
    Status status;
    auto follow = [&](const Node *source) {
      auto found = loopAroundNode.find(source);
      if (found == loopAroundNode.end())
        return; // a back edge, or what lies behind a feed
      int given = roleOf(*source) == OpRole::Enter
                      ? loopOfBoundaryNode.at(source)
                      : found->second;
      if (loop >= 0 && given != loop && status.ok())
        status =
            invalidArgumentError(
                strCat("the node ", quote(node->name()),
                       " has inputs from different frames: ",
                       quote(list[static_cast<size_t>(loop)].name), " and ",
                       quote(list[static_cast<size_t>(given)].name)))
                .withNode(node->name());
      loop = std::max(loop, given);
    };
    for (const Output &input : node->inputs())
      if (!isFed(input))
        follow(input.node);
    for (const Node *control : node->controlInputs())
      follow(control);
    KILN_RETURN_IF_ERROR(status);
    loop = std::max(loop, 0);
    if (kind == OpRole::Enter) {
      std::string name = node->attrOr<std::string>("frame_name", "");
      auto [place, isNew] =
          numberOfLoop.try_emplace({loop, name}, static_cast<int>(list.size()));
      if (isNew) {
        list.emplace_back();
        list.back().parent = loop;
        list.back().name = name;
      }
      loopOfBoundaryNode[node] = place->second;
      list[static_cast<size_t>(place->second)].enters.push_back(node);
    } else if (kind == OpRole::Exit) {
      if (loop == 0)
        return invalidArgumentError("expected an Exit to be in a loop")
            .withNode(node->name());
      loopOfBoundaryNode[node] = loop;
      list[static_cast<size_t>(loop)].exits.push_back(node);
      loop = list[static_cast<size_t>(loop)].parent;
    } else if (kind == OpRole::LoopCond) {
      Loop &body = list[static_cast<size_t>(loop)];
      if (loop == 0 || body.loopCond)
        return unimplementedError(
                   loop == 0 ? "expected a LoopCond to be in a loop"
                             : "expected a loop to have one LoopCond, got two")
            .withNode(node->name());
      body.loopCond = node;
    }
    loopAroundNode[node] = loop;
    list[static_cast<size_t>(loop)].nodes.push_back(node);
  }
  for (size_t i = list.size(); i-- > 1;)
    if (!list[i].loopCond)
      KILN_RETURN_IF_ERROR(dissolve(static_cast<int>(i), graph));
  return okStatus();
}

Status ControlFlowAnalysis::dissolve(int index, const PrunedGraph &graph) {
  Loop &loop = list[static_cast<size_t>(index)];
  for (const Node *node : loop.nodes) {
    if (!isLoopMerge(*node))
      continue;
    if (!endsInSecondIteration(*node, index, graph))
      return unimplementedError(strCat("expected loop ", quote(loop.name),
                                       " to have a LoopCond, got none"))
          .withNode(node->name());
    mergesOfOneIteration.insert(node);
  }
  for (const auto *gates : {&loop.enters, &loop.exits})
    unlooped.insert(gates->begin(), gates->end());
  for (const Node *node : loop.nodes)
    loopAroundNode[node] = loop.parent;
  for (Loop &inner : list)
    if (inner.parent == index)
      inner.parent = loop.parent;
  Loop &around = list[static_cast<size_t>(loop.parent)];
  around.nodes.clear();
  for (const Node *node : graph.nodes)
    if (loopAroundNode.at(node) == loop.parent)
      around.nodes.push_back(node);
  loop = Loop();
  return okStatus();
}

bool ControlFlowAnalysis::endsInSecondIteration(
    const Node &merge, int index, const PrunedGraph &graph) const {
  auto isOfFirstIteration = [&](const Output &output) {
    return !isFed(output) && roleOf(*output.node) == OpRole::Enter &&
           loopOfBoundary(output.node) == index &&
           !output.node->attrOr<bool>("is_constant", false);
  };
  for (const Node *node : graph.nodes)
    for (const Output &input : node->inputs())
      if (input.node == &merge &&
          (roleOf(*node) != OpRole::Switch ||
           !isOfFirstIteration(canonical(node->input(1)))))
        return false;
  for (const Node *node : graph.nodes)
    if (std::find(node->controlInputs().begin(), node->controlInputs().end(),
                  &merge) != node->controlInputs().end())
      return false;
  return std::none_of(
      graph.fetches.begin(), graph.fetches.end(),
      [&](const Output &fetch) { return fetch.node == &merge; });
}

bool ControlFlowAnalysis::isDead(const Literals &literals) {
  return std::any_of(literals.begin(), literals.end(), [&](Literal literal) {
    return literals.contains({literal.first, !literal.second});
  });
}

/// The predicates of literals, in the order of the longest of the lists that
/// names them; then what it lacks.
static std::vector<int> joinNestings(std::vector<std::vector<int>> lists,
                                     const Literals &literals) {
  std::stable_sort(
      lists.begin(), lists.end(),
      [](const auto &a, const auto &b) { return a.size() > b.size(); });
  std::vector<int> &rest = lists.emplace_back();
  for (const Literal &literal : literals)
    rest.push_back(literal.first);
  std::vector<int> joined;
  for (const std::vector<int> &list : lists)
    for (int predicate : list)
      if ((literals.contains({predicate, false}) ||
           literals.contains({predicate, true})) &&
          std::find(joined.begin(), joined.end(), predicate) == joined.end())
        joined.push_back(predicate);
  return joined;
}

void ControlFlowAnalysis::findNestings(const PrunedGraph &graph) {
  auto nestingOf = [&](const Node *source) {
    auto found = nestings.find(source);
    return found == nestings.end() ? std::vector<int>() : found->second;
  };
  for (const Node *node : graph.nodes) {
    std::vector<std::vector<int>> given; // by what the node comes behind
    for (const Node *control : node->controlInputs())
      given.push_back(nestingOf(control));
    for (const Output &input : node->inputs()) {
      if (isFed(input) || !isReached(input.node))
        continue;
      given.push_back(nestingOf(input.node));
      if (kindOf(*input.node) == OpRole::Switch)
        given.back().push_back(
            numberOfPredicate.at(keyOf(deciderOf(input.node->input(1)).first)));
    }
    nestings[node] = joinNestings(std::move(given), literals.at(node));
  }
  for (Loop &loop : list) {
    std::vector<std::vector<int>> given;
    for (const Node *enter : loop.enters)
      given.push_back(nestingOf(enter));
    loop.nesting = joinNestings(std::move(given), loop.literals);
    for (const Node *exit : loop.exits)
      nestings[exit] = loop.nesting;
  }
}

Output ControlFlowAnalysis::canonical(Output output) const {
  while (!isFed(output) && isReached(output.node)) {
    const Node &node = *output.node;
    OpRole kind = kindOf(node);
    bool passes =
        kind == OpRole::Switch ||
        (kind == OpRole::Enter && node.attrOr<bool>("is_constant", false)) ||
        kind == OpRole::Identity;
    if (!passes)
      break;
    output = node.input(0);
  }
  return output;
}

void ControlFlowAnalysis::findEqualReads(const PrunedGraph &graph) {
  std::map<std::pair<OutputKey, std::set<const Node *>>, const Node *> first;
  for (const Node *node : graph.nodes) {
    const OpDef *def = lookupOp(node->op());
    if (!def || !def->has(readsVariable) || node->numInputs() == 0)
      continue;
    std::set<const Node *> after(node->controlInputs().begin(),
                                 node->controlInputs().end());
    firstEqualRead[node] =
        first.try_emplace({node->input(0), std::move(after)}, node)
            .first->second;
  }
}

OutputKey ControlFlowAnalysis::keyOf(const Output &root) const {
  auto read = firstEqualRead.find(root.node);
  return isFed(root) || read == firstEqualRead.end()
             ? OutputKey(root)
             : OutputKey(read->second, root.index);
}

/// The element of an integer scalar that is a Const.
static std::optional<int32_t> constantOf(const Output &output) {
  const OpDef *def = lookupOp(output.node->op());
  if (!def || !def->has(constant))
    return std::nullopt;
  auto value = output.node->attrRef<TensorConstant>("value");
  if (!value.ok() || (*value)->dtype != DType::Int32 ||
      !(*value)->shape.isScalar() || !(*value)->value.isValid())
    return std::nullopt;
  return (*value)->value.data<int32_t>()[0];
}

std::pair<Output, bool>
ControlFlowAnalysis::deciderOf(const Output &predicate) const {
  Output root = canonical(predicate);
  std::pair<Output, bool> itself = {root, true};
  if (isFed(root) || !isReached(root.node) ||
      roleOf(*root.node) != OpRole::Equal)
    return itself;
  // The gradient of a Merge asks it which input it took.
  Output which = canonical(root.node->input(0)),
         number = canonical(root.node->input(1));
  if (isFed(which) || isFed(number) || which.index != 1 ||
      !literals.contains(which.node) || kindOf(*which.node) != OpRole::Merge ||
      which.node->numInputs() != 2 || isLoopMerge(*which.node) ||
      firstWay(*which.node) >= 0)
    return itself;
  std::optional<int32_t> asked = constantOf(number);
  if (!asked || *asked < 0 || *asked > 1)
    return itself;
  const Literals &common = literals.at(which.node);
  std::vector<Literal> rest;
  for (const Literal &literal : of(which.node->input(*asked)))
    if (!common.contains(literal))
      rest.push_back(literal);
  if (rest.size() != 1 || !of(which.node->input(1 - *asked))
                               .contains({rest[0].first, !rest[0].second}))
    return itself;
  return {this->predicate(rest[0].first), rest[0].second};
}

int ControlFlowAnalysis::conditionOf(const Loop &loop) const {
  auto found = numberOfPredicate.find({loop.loopCond, 0});
  return found == numberOfPredicate.end() ? -1 : found->second;
}

Literals ControlFlowAnalysis::of(const Output &output) const {
  if (isFed(output) || !isReached(output.node))
    return {};
  Literals result = literals.at(output.node);
  if (kindOf(*output.node) == OpRole::Switch) {
    auto [root, truth] = deciderOf(output.node->input(1));
    result.insert(
        {numberOfPredicate.at(keyOf(root)), (output.index == 1) == truth});
  }
  // Inside of its loop an Enter is always flow.
  return kindOf(*output.node) == OpRole::Enter ? Literals() : result;
}

Literals ControlFlowAnalysis::inputLiterals(const Node &node) const {
  Literals result;
  auto add = [&](const Literals &more) {
    result.insert(more.begin(), more.end());
  };
  for (const Output &input : node.inputs())
    if (!isFed(input) && literals.contains(input.node))
      add(of(input));
  for (const Node *control : node.controlInputs())
    if (auto found = literals.find(control);
        found != literals.end() && kindOf(*control) != OpRole::Enter)
      add(found->second);
  return result;
}

StatusOr<Literals> ControlFlowAnalysis::mergeLiterals(const Node &merge) const {
  if (int way = firstWay(merge); way >= 0)
    return of(merge.input(way));
  std::vector<Literals> ways;
  for (const Output &input : merge.inputs())
    ways.push_back(of(input));
  Literals first = ways.front();
  std::erase_if(ways, isDead);
  // Where no input can be alive, the Merge cannot either.
  if (ways.empty())
    return first;
  if (ways.size() == 1)
    return ways.front();
  if (ways.size() == 2) {
    // They differ in the value of one predicate.
    Literals common;
    std::vector<Literal> rest[2];
    for (int i = 0; i < 2; ++i)
      for (const Literal &literal : ways[static_cast<size_t>(i)]) {
        if (ways[static_cast<size_t>(1 - i)].contains(literal))
          common.insert(literal);
        else
          rest[i].push_back(literal);
      }
    if (rest[0].size() == 1 && rest[1].size() == 1 &&
        rest[0][0].first == rest[1][0].first)
      return common;
    if (rest[0].empty() || rest[1].empty())
      return invalidArgumentError(
                 strCat("expected one input of Merge ", quote(merge.name()),
                        " to be alive, got two that may both be"))
          .withNode(merge.name());
  }
  return unimplementedError(
             strCat("expected the inputs of Merge ", quote(merge.name()),
                    " to be alive for the two values of one predicate, got ",
                    ways.size(), " inputs of other predicates"))
      .withNode(merge.name());
}

int ControlFlowAnalysis::firstWay(const Node &merge) const {
  // A constant is there before a Merge that has one, and both before the rest.
  enum Time { AtOnce, Soon, Later };
  const bool isOfOneIteration = mergesOfOneIteration.contains(&merge);
  auto timeOf = [&](const Output &input) {
    if (isFed(input))
      return Later;
    if (isOfOneIteration)
      return roleOf(*input.node) != OpRole::NextIteration ? AtOnce : Later;
    const OpDef *def = lookupOp(input.node->op());
    if (def && def->has(constant) && input.node->controlInputs().empty())
      return AtOnce;
    return earlyMerges.contains(input.node) ? Soon : Later;
  };
  int way = -1;
  Time first = Later;
  for (int i = 0; i < merge.numInputs(); ++i) {
    const Time time = timeOf(merge.input(i));
    if (time < first)
      way = i;
    else if (time == first)
      way = -1; // one is as early as the other
    first = std::min(first, time);
  }
  // What runs in any case may come as early, for all that is known.
  for (int i = 0; way >= 0 && i < merge.numInputs(); ++i)
    if (!isOfOneIteration && timeOf(merge.input(i)) == Later &&
        of(merge.input(i)).empty())
      return -1;
  return way;
}

int ControlFlowAnalysis::onlyWay(const Node &merge) const {
  if (int way = firstWay(merge); way >= 0)
    return way;
  int way = -1;
  for (int i = 0; i < merge.numInputs(); ++i)
    if (!isDead(of(merge.input(i)))) {
      if (way >= 0)
        return -1;
      way = i;
    }
  return way;
}

Status ControlFlowAnalysis::findLiterals(const PrunedGraph &graph,
                                         bool &changed) {
  for (const Node *node : graph.nodes) {
    Literals found;
    OpRole kind = kindOf(*node);
    if (kind == OpRole::Switch) {
      Output root = deciderOf(node->input(1)).first;
      if (numberOfPredicate
              .try_emplace(keyOf(root), static_cast<int>(predicates.size()))
              .second)
        predicates.push_back(root);
    }
    if (kind == OpRole::Exit) {
      found = list[static_cast<size_t>(loopOfBoundary(node))].literals;
    } else if (kind == OpRole::Merge && !isLoopMerge(*node)) {
      KILN_ASSIGN_OR_RETURN(found, mergeLiterals(*node));
      if (firstWay(*node) >= 0)
        earlyMerges.insert(node);
    } else if (kind == OpRole::Trigger) {
      // Runs whatever its inputs are; in the part of a loop that they are of.
      int condition =
          conditionOf(list[static_cast<size_t>(loopAroundNode.at(node))]);
      for (const Literal &literal : inputLiterals(*node))
        if (literal.first == condition)
          found.insert(literal);
    } else if (isLoopMerge(*node)) {
      // Alive in every iteration.
    } else {
      found = inputLiterals(*node);
    }
    if (kind == OpRole::Enter) {
      Literals &loop = list[static_cast<size_t>(loopOfBoundary(node))].literals;
      size_t before = loop.size();
      loop.insert(found.begin(), found.end());
      changed |= loop.size() != before;
    }
    auto [place, isNew] = literals.try_emplace(node, found);
    if (!isNew && place->second != found) {
      place->second = std::move(found);
      changed = true;
    }
  }
  return okStatus();
}

} // namespace kiln
