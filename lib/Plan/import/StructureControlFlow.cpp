// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups nodes by what they run under, and puts the groups in an order.
#include "lib/Plan/import/BodyPlan.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <unordered_set>

namespace kiln {
namespace {

/// What is put in order in one loop: a node, or a loop as a whole.
struct Unit {
  const Node *node = nullptr;
  int loop = -1;
  Literals literals;
  std::vector<int> nesting;          ///< of the literals' predicates
  std::vector<const Node *> sources; ///< of edges
  bool writes = false;
};

/// One graph.
class Structurer {
public:
  explicit Structurer(BodyPlan &body)
      : graph(body.graph), flow(*body.flow), branchFetches(body.branchFetches) {
  }

  Status run(Block &block) {
    for (const Node *node : graph.nodes) {
      for (const Output &input : node->inputs())
        if (!flow.isFed(input))
          users[input].push_back(node);
      // A branch uses what decides it, through views of it or not.
      forEachDecider(*node, flow.of(node), [&](const Output &decides) {
        users[decides].push_back(node);
      });
    }
    for (const Output &fetch : graph.fetches)
      users[fetch].push_back(nullptr);
    for (const BranchFetch &fetch : branchFetches)
      forEachDecider(fetch.literals, [&](const Output &decides) {
        users[decides].push_back(nullptr);
      });
    units.resize(flow.loops().size());
    unitOf.resize(flow.loops().size());
    for (size_t loop = units.size(); loop-- > 0;)
      KILN_RETURN_IF_ERROR(makeUnits(static_cast<int>(loop)));
    std::vector<int> all;
    for (size_t i = 0; i < units[0].size(); ++i)
      all.push_back(static_cast<int>(i));
    KILN_RETURN_IF_ERROR(fill(0, std::move(all), {}, block));
    // No block holds a node that never runs: its fetch is nothing.
    for (const BranchFetch &fetch : branchFetches) {
      if (!ControlFlowAnalysis::isDead(fetch.literals))
        continue;
      Item item = makeItem(Item::Kind::Call, fetch.tensor.node, block.path);
      item.results = {fetch.tensor};
      item.first->results = {PlanValue()};
      block.items.push_back(std::move(item));
    }
    return okStatus();
  }

private:
  const Loop &loopAt(int index) const {
    return flow.loops()[static_cast<size_t>(index)];
  }

  using DeciderFn = std::function<void(const Output &)>;
  /// The predicates that decide by these literals, but for those that are fed.
  void forEachDecider(const Literals &literals, const DeciderFn &found) const {
    for (const Literal &literal : literals)
      if (const Output &decides = flow.predicate(literal.first);
          !flow.isFed(decides))
        found(decides);
  }
  /// Those that decide over a node of these literals. A Merge that becomes a
  /// branch has none of its own for what decides between its inputs.
  void forEachDecider(const Node &node, const Literals &literals,
                      const DeciderFn &found) const {
    forEachDecider(literals, found);
    if (isMerge(node) && flow.firstWay(node) < 0)
      for (const Output &input : node.inputs())
        forEachDecider(flow.of(input), found);
  }

  /// The unit of loop `index` that a node is part of; -1 for none.
  int unitIn(int index, const Node *node) const {
    if (!flow.isReached(node))
      return -1;
    auto &own = unitOf[static_cast<size_t>(index)];
    if (auto found = own.find(node); found != own.end())
      return found->second;
    int inner = flow.loopAround(node);
    while (inner > 0 && loopAt(inner).parent != index)
      inner = loopAt(inner).parent;
    auto found = loopUnit.find(inner);
    return inner > 0 && found != loopUnit.end() ? found->second : -1;
  }

  bool isMerge(const Node &node) const {
    return flow.kindOf(node) == OpRole::Merge;
  }

  Status makeUnits(int index) {
    std::vector<Unit> &list = units[static_cast<size_t>(index)];
    for (const Node *node : loopAt(index).nodes) {
      if (flow.isLoopMerge(*node) && index > 0)
        continue; // an argument of the loop
      Unit unit;
      unit.node = node;
      unit.literals = flow.of(node);
      unit.nesting = flow.nesting(node);
      int first = isMerge(*node) ? flow.firstWay(*node) : -1;
      for (int i = 0; i < node->numInputs(); ++i)
        if (!flow.isFed(node->input(i)) && (first < 0 || first == i))
          unit.sources.push_back(node->input(i).node);
      unit.sources.insert(unit.sources.end(), node->controlInputs().begin(),
                          node->controlInputs().end());
      addPredicates(*node, unit);
      KILN_ASSIGN_OR_RETURN(Call call, findCall(graph.functions.get(), *node));
      unit.writes = call.kind == Call::Kind::None
                        ? lookupOp(node->op())->writesVariable()
                        : call.writesVariable();
      unitOf[static_cast<size_t>(index)][node] = static_cast<int>(list.size());
      list.push_back(std::move(unit));
    }
    for (size_t i = 1; i < flow.loops().size(); ++i) {
      const Loop &loop = flow.loops()[i];
      if (loop.parent != index)
        continue;
      Unit unit;
      unit.node = loop.loopCond;
      unit.loop = static_cast<int>(i);
      unit.literals = loop.literals;
      unit.nesting = loop.nesting;
      unit.sources.assign(loop.enters.begin(), loop.enters.end());
      for (const Unit &inner : units[i])
        unit.writes |= inner.writes;
      loopUnit[unit.loop] = static_cast<int>(list.size());
      list.push_back(std::move(unit));
    }
    return okStatus();
  }

  /// What decides over the node comes before it, which its edges do not say
  /// where two reads of a variable are one predicate.
  void addPredicates(const Node &node, Unit &unit) const {
    forEachDecider(node, unit.literals, [&](const Output &decides) {
      if (decides.node != &node)
        unit.sources.push_back(decides.node);
    });
  }

  /// Whether all that the unit comes behind is done, or among the units `with`
  /// which it would be put into the branches of one If: all but the results of
  /// that If, its Merges, which have the literals of `context`.
  bool isReady(int index, int unit, const std::unordered_set<int> &with,
               const Literals &context) const {
    const std::vector<Unit> &all = units[static_cast<size_t>(index)];
    const Unit &candidate = all[static_cast<size_t>(unit)];
    return std::all_of(
        candidate.sources.begin(), candidate.sources.end(),
        [&](const Node *source) {
          if (flow.isReached(source) && flow.loopAround(source) == index &&
              index > 0 && flow.isLoopMerge(*source))
            return true;
          int from = unitIn(index, source);
          if (from < 0 || from == unit || done.contains({index, from}))
            return true;
          const Unit &before = all[static_cast<size_t>(from)];
          return with.contains(from) &&
                 !(isResult(before) && before.literals == context);
        });
  }

  /// A Merge of a branch: it is a result of the If.
  bool isResult(const Unit &unit) const {
    return unit.loop < 0 && isMerge(*unit.node) && flow.onlyWay(*unit.node) < 0;
  }

  /// The predicate that a unit is decided by next in a block of this context;
  /// -1 for none.
  int deciding(int index, const Unit &unit, const Literals &context) const {
    Literals rest;
    if (isResult(unit)) {
      for (const Output &input : unit.node->inputs())
        if (Literals way = flow.of(input); !ControlFlowAnalysis::isDead(way))
          std::set_difference(way.begin(), way.end(), unit.literals.begin(),
                              unit.literals.end(),
                              std::inserter(rest, rest.end()));
      for (const Literal &literal : unit.literals)
        if (!context.contains(literal))
          return firstAvailable(index, unit, context);
      return rest.empty() ? -1 : rest.begin()->first;
    }
    return firstAvailable(index, unit, context);
  }
  int firstAvailable(int index, const Unit &unit,
                     const Literals &context) const {
    int first = -1;
    for (int predicate : unit.nesting) {
      auto isOf = [&](const Literals &literals) {
        return literals.contains({predicate, false}) ||
               literals.contains({predicate, true});
      };
      if (isOf(context) || !isOf(unit.literals))
        continue;
      const Output &decides = flow.predicate(predicate);
      bool isHere = flow.isReached(decides.node) && !flow.isFed(decides) &&
                    flow.loopAround(decides.node) == index;
      Literals needs = isHere ? flow.of(decides) : Literals();
      if (std::includes(context.begin(), context.end(), needs.begin(),
                        needs.end()))
        return predicate;
      first = first < 0 ? predicate : first;
    }
    return first;
  }
  /// All units of one predicate that can run now.
  std::unordered_set<int> closure(int index, const std::vector<int> &left,
                                  const Literals &context,
                                  int predicate) const {
    std::unordered_set<int> group;
    for (bool grows = true; grows;) {
      grows = false;
      for (int unit : left) {
        const Unit &candidate = units[size_t(index)][size_t(unit)];
        if (!group.contains(unit) &&
            deciding(index, candidate, context) == predicate &&
            isReady(index, unit, group, context)) {
          group.insert(unit);
          grows = true;
        }
      }
    }
    return group;
  }

  /// Puts units of a loop that run under `context` into a block. Among what
  /// can come next, what writes no variable comes first, and nodes before
  /// branches.
  Status fill(int index, std::vector<int> left, const Literals &context,
              Block &block) {
    auto at = [&](int unit) -> const Unit & {
      return units[size_t(index)][size_t(unit)];
    };
    if (depth > maxBlockDepth)
      return resourceExhaustedError(
                 strCat("expected branches and loops at most ", maxBlockDepth,
                        " deep, got more"))
          .withNode(left.empty() ? "" : at(left.front()).node->name());
    std::erase_if(left, [&](int unit) {
      return ControlFlowAnalysis::isDead(at(unit).literals) &&
             done.insert({index, unit}).second;
    });
    while (!left.empty()) {
      bool progressed = false;
      auto runNodes = [&](bool writes, bool one) -> Status {
        for (int unit : left) {
          if (done.contains({index, unit}) || at(unit).writes != writes ||
              deciding(index, at(unit), context) >= 0 ||
              !isReady(index, unit, {}, context))
            continue;
          KILN_RETURN_IF_ERROR(emit(index, unit, block));
          progressed = true;
          if (one)
            break;
        }
        return okStatus();
      };
      auto runGroup = [&](bool writes) -> Status {
        std::set<int> tried;
        for (int unit : left) {
          int predicate = deciding(index, at(unit), context);
          if (predicate < 0 || done.contains({index, unit}) ||
              !isReady(index, unit, {}, context) ||
              !tried.insert(predicate).second)
            continue;
          std::vector<int> open;
          for (int other : left)
            if (!done.contains({index, other}))
              open.push_back(other);
          auto group = closure(index, open, context, predicate);
          bool groupWrites =
              std::any_of(group.begin(), group.end(),
                          [&](int member) { return at(member).writes; });
          if (groupWrites != writes)
            continue;
          progressed = true;
          return addIf(index, open, group, context, predicate, block);
        }
        return okStatus();
      };
      KILN_RETURN_IF_ERROR(runNodes(false, false));
      if (!progressed)
        KILN_RETURN_IF_ERROR(runGroup(false));
      if (!progressed)
        KILN_RETURN_IF_ERROR(runNodes(true, true));
      if (!progressed)
        KILN_RETURN_IF_ERROR(runGroup(true));
      if (!progressed)
        return unimplementedError("expected branches that wait for each other "
                                  "in one order, got a cycle")
            .withNode(at(left.front()).node->name());
      std::erase_if(left,
                    [&](int unit) { return done.contains({index, unit}); });
    }
    return okStatus();
  }

  static Status addNode(const Node &node, Block &block) {
    block.items.emplace_back().node = &node;
    return okStatus();
  }

  Status emit(int index, int unit, Block &block) {
    const Unit &what = units[size_t(index)][size_t(unit)];
    done.insert({index, unit});
    if (what.loop >= 0)
      return addLoop(what.loop, block);
    if (!isMerge(*what.node))
      return addNode(*what.node, block);
    // Here only one of its inputs can be alive.
    Item item = makeItem(Item::Kind::Call, what.node, block.path);
    int way = flow.onlyWay(*what.node);
    item.results = {{what.node, 0}, {what.node, 1}};
    item.first->results = {what.node->input(way), PlanValue::constant(way)};
    block.items.push_back(std::move(item));
    return okStatus();
  }

  bool isUsed(const Node *node, int index) const {
    return users.contains({node, index});
  }

  Status addIf(int index, const std::vector<int> &open,
               const std::unordered_set<int> &group, const Literals &context,
               int predicate, Block &block) {
    Item item = makeItem(Item::Kind::If, nullptr, block.path);
    item.condition = flow.predicate(predicate);
    ++depth;
    for (bool value : {true, false}) {
      Literals inner = context;
      inner.insert({predicate, value});
      std::vector<int> members;
      for (int unit : open)
        if (const Unit &member = units[size_t(index)][size_t(unit)];
            group.contains(unit) &&
            member.literals.contains({predicate, value}))
          members.push_back(unit);
      auto &branch = value ? item.first : item.second;
      KILN_RETURN_IF_ERROR(fill(index, std::move(members), inner, *branch));
    }
    for (int unit : open) {
      const Unit &member = units[size_t(index)][size_t(unit)];
      if (!group.contains(unit))
        continue;
      if (!item.node || isResult(member))
        item.node = member.node;
      if (isResult(member) && member.literals == context) {
        KILN_RETURN_IF_ERROR(addMerge(*member.node, predicate, item));
        done.insert({index, unit});
      }
    }
    addCrossing(index, group, predicate, item);
    --depth;
    block.items.push_back(std::move(item));
    return okStatus();
  }

  Status addMerge(const Node &merge, int predicate, Item &item) const {
    int of[2] = {-1, -1}; // the input of the first branch, of the second
    for (int i = 0; i < merge.numInputs(); ++i) {
      Literals literals = flow.of(merge.input(i));
      if (ControlFlowAnalysis::isDead(literals))
        continue;
      if (literals.contains({predicate, true}))
        of[0] = i;
      else if (literals.contains({predicate, false}))
        of[1] = i;
    }
    if (of[0] < 0 || of[1] < 0)
      return unimplementedError("expected a Merge of two branches, got one "
                                "that is never taken")
          .withNode(merge.name());
    item.results.push_back({&merge, 0});
    item.first->results.push_back(merge.input(of[0]));
    item.second->results.push_back(merge.input(of[1]));
    if (isUsed(&merge, 1)) {
      item.results.push_back({&merge, 1});
      item.first->results.push_back(PlanValue::constant(of[0]));
      item.second->results.push_back(PlanValue::constant(of[1]));
    }
    return okStatus();
  }

  /// What else of a branch is used behind it, by what runs under the same
  /// predicate: gradients use the values of the branch. The other branch
  /// has none to give.
  void addCrossing(int index, const std::unordered_set<int> &group,
                   int predicate, Item &item) const {
    std::vector<Output> crossing;
    for (const auto &[key, readers] : users) {
      int unit = unitIn(index, key.node);
      bool isRead =
          std::any_of(readers.begin(), readers.end(), [&](const Node *reader) {
            return !reader || !group.contains(unitIn(index, reader));
          });
      if (isRead && unit >= 0 && group.contains(unit) &&
          flow.loopAround(key.node) == index)
        crossing.push_back({key.node, key.index});
    }
    std::sort(crossing.begin(), crossing.end(),
              [](const Output &a, const Output &b) {
                return std::pair(a.node->id(), a.index) <
                       std::pair(b.node->id(), b.index);
              });
    for (const Output &output : crossing) {
      const Literals &literals = flow.of(output.node);
      bool inFirst = literals.contains({predicate, true});
      if (inFirst == literals.contains({predicate, false}))
        continue; // a Merge, which is a result already
      item.results.push_back(output);
      item.first->results.push_back(inFirst ? PlanValue(output) : PlanValue());
      item.second->results.push_back(inFirst ? PlanValue() : PlanValue(output));
    }
  }

  Status addLoop(int index, Block &block) {
    const Loop &loop = loopAt(index);
    Item item = makeItem(Item::Kind::While, loop.loopCond, block.path);
    Block &before = *item.first, &body = *item.second;
    KILN_RETURN_IF_ERROR(bindMerges(loop, item));

    int condition = flow.conditionOf(loop);
    std::vector<int> beforeUnits, bodyUnits;
    std::vector<Unit> &list = units[size_t(index)];
    for (size_t i = 0; i < list.size(); ++i) {
      // What nothing holds back goes to the next iteration as long as there is
      // one.
      bool inBody = list[i].literals.contains({condition, true}) ||
                    (list[i].loop < 0 &&
                     flow.kindOf(*list[i].node) == OpRole::NextIteration);
      if (!inBody && list[i].literals.contains({condition, false})) {
        // What passes on is as good before the condition, in every iteration.
        if (list[i].loop < 0 && roleOf(*list[i].node) == OpRole::Identity) {
          list[i].literals.erase({condition, false});
          beforeUnits.push_back(static_cast<int>(i));
          continue;
        }
        return unimplementedError(
                   strCat(
                       "expected nothing but an Exit behind the end of loop ",
                       quote(loop.name), ", got ", list[i].node->op()))
            .withNode(list[i].node->name());
      }
      (inBody ? bodyUnits : beforeUnits).push_back(static_cast<int>(i));
    }
    forward(index, beforeUnits, bodyUnits, item);
    ++depth;
    KILN_RETURN_IF_ERROR(fill(index, std::move(beforeUnits), {}, before));
    KILN_RETURN_IF_ERROR(
        fill(index, std::move(bodyUnits), {{condition, true}}, body));
    --depth;
    before.condition = Output{loop.loopCond, 0};
    block.items.push_back(std::move(item));
    return okStatus();
  }

  /// The loop's Merges are what it carries.
  Status bindMerges(const Loop &loop, Item &item) const {
    for (const Node *node : loop.nodes) {
      if (!flow.isLoopMerge(*node))
        continue;
      Output start, next;
      for (const Output &input : node->inputs())
        (flow.kindOf(*input.node) == OpRole::NextIteration ? next : start) =
            input;
      if (node->numInputs() != 2 || !start.node || flow.isFed(start) ||
          flow.kindOf(*start.node) != OpRole::Enter || isUsed(node, 1))
        return unimplementedError(
                   "expected a Merge of an Enter and a NextIteration whose "
                   "value_index has no consumer")
            .withNode(node->name());
      item.first->args.push_back({node, 0});
      item.operands.push_back(start);
      item.second->results.push_back(next);
    }
    for (const Node *enter : loop.enters) {
      if (enter->attrOr<bool>("is_constant", false))
        continue;
      auto found = users.find({enter, 0});
      if (found != users.end() &&
          !std::all_of(found->second.begin(), found->second.end(),
                       [&](const Node *user) {
                         return user && flow.isLoopMerge(*user);
                       }))
        return unimplementedError("expected an Enter that is not constant to "
                                  "be looked at by a Merge alone")
            .withNode(enter->name());
    }
    return okStatus();
  }

  /// Values from before the condition that the body, or what is behind the
  /// loop, uses.
  void forward(int index, const std::vector<int> &beforeUnits,
               const std::vector<int> &bodyUnits, Item &item) const {
    std::unordered_set<int> inBefore(beforeUnits.begin(), beforeUnits.end());
    std::unordered_set<int> inBody(bodyUnits.begin(), bodyUnits.end());
    std::set<OutputKey> seen;
    auto look = [&](const Output &output) {
      if (!output.node || flow.isFed(output) || !flow.isReached(output.node))
        return;
      bool isHere = flow.loopAround(output.node) == index &&
                    (flow.isLoopMerge(*output.node) ||
                     inBefore.contains(unitIn(index, output.node)));
      // A loop inside of the first part is used by its Exits.
      if (isHere && seen.insert(output).second) {
        item.first->results.push_back(output);
        item.second->args.push_back(output);
        item.results.push_back(output);
      }
    };
    for (const Node *exit : loopAt(index).exits)
      look(exit->input(0));
    for (const Node *node : graph.nodes) {
      if (!inBody.contains(unitIn(index, node)))
        continue;
      for (const Output &input : node->inputs())
        look(input);
      forEachDecider(*node, flow.of(node), look);
    }
  }

  const PrunedGraph &graph;
  const ControlFlowAnalysis &flow;
  const std::vector<BranchFetch> &branchFetches;
  /// What uses an output; null for a fetch.
  std::map<OutputKey, std::vector<const Node *>> users;
  std::vector<std::vector<Unit>> units; ///< by loop
  std::vector<std::unordered_map<const Node *, int>> unitOf;
  std::unordered_map<int, int> loopUnit; ///< in its parent, by loop
  std::set<std::pair<int, int>> done;    ///< loops' units
  int depth = 0;                         ///< of blocks
};

} // namespace

bool hasControlFlowV1(const PrunedGraph &graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [](const Node *node) { return isFlow(roleOf(*node)); });
}

Status structureControlFlow(BodyPlan &body) {
  const PrunedGraph &graph = body.graph;
  if (!hasControlFlowV1(graph)) {
    for (const Node *node : graph.nodes)
      body.block.items.emplace_back().node = node;
    return okStatus();
  }
  KILN_ASSIGN_OR_RETURN(body.flow, ControlFlowAnalysis::analyze(graph));
  KILN_ASSIGN_OR_RETURN(body.branchFetches,
                        findBranchFetches(graph, *body.flow));
  return Structurer(body).run(body.block);
}

} // namespace kiln
