// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says of each node which ops that cut come before it, chooses its part by
// that, and collects what each part takes and gives.
#include "lib/Plan/CutGraph.h"

#include "lib/Ops/OpDef.h"
#include "lib/Plan/CutKind.h"
#include "lib/Plan/CutSets.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace kiln {
namespace {

struct NodeInfo {
  const OpDef *def = nullptr; ///< null for a function that is called by name
  size_t position = 0;
  bool hasOutputs = false;
  bool isConstant = false; ///< a value that no part makes
  CutKind kind = CutKind::Pure;
  /// It, or something that waits for it, does more than order others.
  bool matters = false;
  /// Something that matters waits for it.
  bool isAwaited = false;
  /// Parts that write a variable which it reads, and that it need not follow.
  std::vector<CutSets::Id> bounds;
  FlowDepth depth;
  /// Of an op that cuts, its number among those that are awaited.
  int number = -1;
  /// The variable or queue behind output 0, as the node that declares it.
  const Node *root = nullptr;
  CutSets::Id before = CutSets::none; ///< ops that cut on the ways to it
  CutSets::Id place = CutSets::none;  ///< the set of its part
};

/// One cutting.
class Cutter {
public:
  /// Of a run in steps, feeds are waited for. The run is cut behind the node
  /// of `asked`, if there is one.
  Cutter(const PrunedGraph &graph, bool isInSteps, Output asked = {})
      : graph(graph), isInSteps(isInSteps), asked(asked),
        done(graph.done.begin(), graph.done.end()) {
    hasLoops = asked.node && std::ranges::any_of(graph.nodes, [](auto *node) {
                 return node->op() == "NextIteration";
               });
    for (size_t i = 0; i < graph.feeds.size(); ++i)
      feedOf[key(graph.feeds[i])] = static_cast<int>(i);
  }

  CutGraph run() {
    classify();
    findBefore();
    pullReads();
    findPlaces();
    for (const Node *node : graph.nodes)
      placeNode(*node);
    for (const Output &fetch : graph.fetches) {
      const NodeInfo *info = infoOf(fetch.node);
      result.fetches.push_back(
          valueAt(fetch, isInSteps && info ? info->before : last));
    }
    finishUnits();
    countUses();
    return std::move(result);
  }

  /// False where a node would have to be earlier than what it needs.
  bool isPossible() {
    return std::ranges::all_of(infos, [&](const auto &entry) {
      const NodeInfo &info = entry.second;
      return !info.matters || info.kind == CutKind::Copied ||
             sets.isSubset(info.before, info.place);
    });
  }

private:
  using Key = std::pair<int, int>;
  struct Part {
    CutSets::Id set = CutSets::none;
    CutUnit unit;
    std::vector<std::pair<size_t, const Node *>> nodes;
    std::unordered_set<const Node *> copies;
    std::map<Key, int> feeds, fetches; ///< numbers of values
    bool hasEffect = false;
  };

  static Key key(const Output &output) {
    return {output.node->id(), output.index};
  }
  bool isFed(const Output &output) const {
    return feedOf.contains(key(output));
  }
  /// Whether an earlier part of a run that was cut before has done it.
  bool isDone(const Node &node) const { return done.contains(&node); }
  /// Null for what is not in the run: what lies behind feeds.
  NodeInfo *infoOf(const Node *node) {
    auto found = infos.find(node);
    return found == infos.end() ? nullptr : &found->second;
  }
  /// The variable, queue or view that input i is; null for a value.
  const Node *rootOf(const Output &input) {
    NodeInfo *source = isFed(input) ? nullptr : infoOf(input.node);
    return source && input.index == 0 ? source->root : nullptr;
  }
  /// Calls `use` with the numbers of the feeds that are waited for.
  template <class Use> void forArrivals(const Node &node, Use use) {
    if (!isInSteps)
      return;
    for (const Output &input : node.inputs())
      if (auto feed = feedOf.find(key(input)); feed != feedOf.end())
        use(feed->second);
  }
  /// Calls `use` with the nodes that this one comes after.
  template <class Use> void forSources(const Node &node, Use use) {
    for (const Output &input : node.inputs())
      if (!isFed(input))
        if (NodeInfo *source = infoOf(input.node))
          use(*source);
    for (const Node *control : node.controlInputs())
      if (NodeInfo *source = infoOf(control))
        use(*source);
  }

  static bool isOp(const NodeInfo &info, std::string_view name) {
    return info.def && info.def->canonicalName == name;
  }

  void classify() {
    FlowDepths inner = findInner(graph);
    for (const Node *node : graph.nodes) {
      NodeInfo info;
      info.def = lookupOp(node->op());
      info.position = infos.size();
      for (const Output &input : node->inputs())
        if (!info.root)
          info.root = rootOf(input);
      // prune() has found it already.
      Call call = *findCall(graph.functions.get(), *node);
      auto depth = inner.find(node);
      bool isInner = depth != inner.end();
      info.depth = isInner ? depth->second : FlowDepth();
      info.kind = cutKind(*node, info.def, call, isInner, info.root);
      info.isConstant = !isInner && info.def && info.def->has(constant);
      // A value inside of a branch may be dead, so that no part can be fed it:
      // each computes its own. (A loop stays in one part.)
      if (asked.node && info.depth.loops == 0 && info.depth.branches > 0 &&
          info.kind == CutKind::Pure && info.def && !info.def->has(stateful) &&
          !info.root)
        info.kind = CutKind::Copied;
      if (isDone(*node)) {
        info.kind = CutKind::Copied;
        info.root = rootOf(node->input(0));
      } else if (node == asked.node) {
        info.kind = CutKind::Pure;
        info.root = nullptr;
      }
      info.hasOutputs = info.def ? !info.def->outputs.empty()
                                 : !call.bodies[0]->results.empty();
      infos.emplace(node, info);
    }
    for (auto it = graph.nodes.rbegin(); it != graph.nodes.rend(); ++it) {
      NodeInfo &info = infos.at(*it);
      info.matters |= info.kind != CutKind::Pure || info.hasOutputs;
      if (info.matters)
        forSources(**it, [](NodeInfo &source) {
          source.matters = source.isAwaited = true;
        });
    }
    // The first numbers are those of feeds.
    numAwaited = isInSteps ? static_cast<int>(graph.feeds.size()) : 0;
    for (const Node *node : graph.nodes)
      if (NodeInfo &info = infos.at(node);
          node == asked.node || (info.kind == CutKind::Cut && info.isAwaited))
        info.number = numAwaited++;
  }

  /// Calls `step`, which says whether it changed anything; again and again
  /// where loops lead back to nodes that come first.
  template <class Step> void settle(Step step) {
    while (step() && hasLoops)
      ;
  }

  void findBefore() {
    settle([&] {
      bool isChanged = false;
      for (const Node *node : graph.nodes) {
        NodeInfo &info = infos.at(node);
        CutSets::Id known = info.before;
        if (info.matters)
          addBefore(*node, info);
        isChanged |= info.before != known;
      }
      return isChanged;
    });
  }

  void addBefore(const Node &node, NodeInfo &info) {
    forSources(node, [&](const NodeInfo &source) {
      info.before = sets.unite(info.before, source.before);
      if (source.number >= 0)
        info.before = sets.unite(info.before, sets.single(source.number));
    });
    forArrivals(node, [&](int feed) {
      info.before = sets.unite(info.before, sets.single(feed));
    });
    if (info.kind != CutKind::Cut)
      last = sets.unite(last, info.before);
  }

  void pullReads() {
    auto nameOf = [](const Node &root) {
      auto shared = root.attrOr<std::string>("shared_name", "");
      return shared.empty() ? root.name() : shared;
    };
    std::map<std::string, std::set<CutSets::Id>> early;
    auto forEach = [&](CutKind kind, auto use) {
      for (const Node *node : graph.nodes)
        if (NodeInfo &info = infos.at(node); info.kind == kind)
          for (const Output &input : node->inputs())
            if (const Node *root = rootOf(input))
              use(info, nameOf(*root));
    };
    forEach(CutKind::Effect, [&](NodeInfo &info, const std::string &name) {
      if (info.before != last)
        early[name].insert(info.before);
    });
    if (!early.empty())
      forEach(CutKind::Pure, [&](NodeInfo &info, const std::string &name) {
        for (CutSets::Id written : early[name])
          if (sets.isSubset(info.before, written))
            info.bounds.push_back(written);
      });
  }

  void findPlaces() {
    for (auto &[node, info] : infos)
      info.place = last;
    settle([&] {
      bool isChanged = false;
      auto limit = [&](NodeInfo &info, CutSets::Id set) {
        CutSets::Id known = info.place;
        info.place = sets.intersect(known, set);
        isChanged |= info.place != known;
      };
      for (auto it = graph.nodes.rbegin(); it != graph.nodes.rend(); ++it) {
        NodeInfo &info = infos.at(*it);
        if (info.kind == CutKind::Effect || info.kind == CutKind::Cut ||
            *it == asked.node || isInSteps)
          limit(info, info.before);
        for (CutSets::Id bound : info.bounds)
          limit(info, bound);
        forSources(**it, [&](NodeInfo &source) { limit(source, info.place); });
        // A loop is in one part.
        if (hasLoops)
          forSources(**it, [&](NodeInfo &source) {
            if (isOp(info, "Exit") || isOp(source, "LoopCond"))
              limit(info, source.place);
          });
      }
      return isChanged;
    });
  }

  Part &part(CutSets::Id set) {
    auto found = parts.find(set);
    if (found == parts.end()) {
      found = parts.try_emplace(set).first;
      found->second.set = set;
    }
    return found->second;
  }

  int newValue(const Output &output) {
    result.values.push_back({.output = output});
    return static_cast<int>(result.values.size()) - 1;
  }

  /// The value of a feed, constant or output of an op that cuts; -1 for what
  /// parts compute.
  int valueOutsideParts(const Output &output) {
    auto feed = feedOf.find(key(output));
    const NodeInfo *info = infoOf(output.node);
    bool isConstant = info && info->isConstant;
    if (feed == feedOf.end() && !isConstant && info->kind != CutKind::Cut)
      return -1;
    auto [it, isNew] = outside.try_emplace(key(output), 0);
    if (isNew) {
      it->second = newValue(output);
      CutValue &value = result.values.back();
      value.feed = feed == feedOf.end() ? -1 : feed->second;
      value.isConstant = value.feed < 0 && isConstant;
    }
    return it->second;
  }

  /// The value of an output as it stands when the part of `set` has ended.
  int valueAt(const Output &output, CutSets::Id set) {
    if (int value = valueOutsideParts(output); value >= 0)
      return value;
    const NodeInfo &info = infos.at(output.node);
    bool isView = info.root && output.index == 0;
    Part &from =
        part(isView || info.kind == CutKind::Copied ? set : info.place);
    use(output, from);
    auto [it, isNew] = from.fetches.try_emplace(key(output), 0);
    if (isNew) {
      it->second = newValue(output);
      result.values.back().isAsked = output == asked;
      from.unit.outputs.push_back(it->second);
      from.unit.graph.fetches.push_back(output);
    }
    return it->second;
  }

  /// Makes an output known to a part.
  void use(const Output &output, Part &to) {
    std::vector<Output> pending = {output};
    while (!pending.empty()) {
      Output next = pending.back();
      pending.pop_back();
      NodeInfo *info = infoOf(next.node);
      bool isFedHere = isFed(next);
      bool isView = !isFedHere && info->root && next.index == 0;
      if (!isFedHere && info->kind == CutKind::Copied) {
        if (!to.copies.insert(next.node).second)
          continue;
        to.nodes.emplace_back(info->position, next.node);
        if (isDone(*next.node)) {
          to.unit.graph.done.push_back(next.node);
          pending.push_back(next.node->input(0));
        } else {
          pending.insert(pending.end(), next.node->inputs().begin(),
                         next.node->inputs().end());
          for (const Node *control : next.node->controlInputs())
            if (NodeInfo *pivot = infoOf(control);
                pivot && pivot->depth.branches > 0)
              pending.push_back({control, 0});
        }
      } else if (isView && info->place != to.set) {
        if (!to.copies.insert(next.node).second)
          continue;
        to.nodes.emplace_back(info->position, next.node);
        to.unit.graph.done.push_back(next.node);
        pending.push_back(next.node->input(0));
      } else if (isFedHere || info->kind == CutKind::Cut ||
                 info->place != to.set) {
        if (to.feeds.contains(key(next)))
          continue;
        int value = valueAt(next, to.set);
        to.feeds.emplace(key(next), value);
        to.unit.inputs.push_back(value);
        to.unit.graph.feeds.push_back(next);
      }
    }
  }

  void placeNode(const Node &node) {
    NodeInfo &info = infos.at(&node);
    if (info.kind == CutKind::Cut) {
      CutUnit &unit = cuts.emplace_back(&info, CutUnit()).second;
      unit.node = &node;
      // The first input of an op on a queue is its handle.
      bool hasHandle = info.def->has(cutsRun);
      for (int i = 0; i < node.numInputs(); ++i)
        unit.inputs.push_back(
            hasHandle && i == 0 ? -1 : valueAt(node.input(i), info.before));
    } else if (info.kind != CutKind::Copied &&
               (info.kind == CutKind::Effect || info.hasOutputs)) {
      Part &home = part(info.place);
      home.hasEffect |=
          info.kind == CutKind::Effect || (info.def && info.def->has(stateful));
      home.nodes.emplace_back(info.position, &node);
      for (const Output &input : node.inputs())
        use(input, home);
    }
  }

  /// Puts parts and ops that cut in order, and counts who waits for whom.
  void finishUnits() {
    struct Place {
      CutSets::Id after;
      int number = -1;
      bool isPart = false;
      size_t position = 0;    ///< between equals
      bool isArrival = false; ///< of a feed: nothing in the run comes before
    };
    std::vector<std::pair<Place, CutUnit>> units;
    for (auto &[set, part] : parts) {
      if (!part.hasEffect && part.unit.outputs.empty())
        continue; // nobody looks at it
      std::sort(part.nodes.begin(), part.nodes.end());
      for (auto &[position, node] : part.nodes)
        part.unit.graph.nodes.push_back(node);
      part.unit.graph.functions = graph.functions;
      units.push_back({{set, -1, true, units.size()}, std::move(part.unit)});
    }
    for (auto &[info, unit] : cuts) {
      for (int i = 0; i < numOutputs(*unit.node, *info); ++i)
        unit.outputs.push_back(valueAt({unit.node, i}, info->before));
      units.push_back(
          {{info->before, info->number, false, units.size()}, std::move(unit)});
    }
    if (isInSteps)
      for (auto &[output, feed] : feedOf) {
        CutUnit arrival;
        arrival.feed = feed;
        arrival.outputs.push_back(
            valueOutsideParts(graph.feeds[static_cast<size_t>(feed)]));
        units.push_back({{CutSets::none, feed, false, units.size(), true},
                         std::move(arrival)});
      }
    std::sort(units.begin(), units.end(), [&](const auto &a, const auto &b) {
      auto key = [&](const Place &place) {
        return std::tuple(sets.size(place.after), !place.isPart,
                          place.position);
      };
      return key(a.first) < key(b.first);
    });
    auto comesBefore = [&](const Place &a, const Place &b) {
      if (b.isArrival)
        return false;
      if (!a.isPart)
        return a.number >= 0 && sets.contains(b.after, a.number);
      return sets.isSubset(a.after, b.after) &&
             (a.after != b.after || !b.isPart);
    };
    for (size_t i = 0; i < units.size(); ++i)
      for (size_t j = 0; j < units.size(); ++j)
        if (i != j && comesBefore(units[i].first, units[j].first)) {
          units[i].second.users.push_back(static_cast<int>(j));
          ++units[j].second.numBefore;
        }
    for (auto &[place, unit] : units)
      result.units.push_back(std::move(unit));
  }

  static int numOutputs(const Node &node, const NodeInfo &info) {
    auto types = expandArgs(info.def->outputs, node, *info.def);
    return types.ok() ? static_cast<int>(types->size()) : 0;
  }

  void countUses() {
    auto count = [&](int value) {
      if (value >= 0)
        ++result.values[static_cast<size_t>(value)].numUses;
    };
    for (const CutUnit &unit : result.units)
      std::for_each(unit.inputs.begin(), unit.inputs.end(), count);
    std::for_each(result.fetches.begin(), result.fetches.end(), count);
  }

  CutGraph result;
  const PrunedGraph &graph;
  const bool isInSteps;
  const Output asked;
  const std::unordered_set<const Node *> done;
  bool hasLoops = false; ///< of version 1, and no op that cuts
  std::map<Key, int> feedOf;
  std::unordered_map<const Node *, NodeInfo> infos;
  int numAwaited = 0;
  CutSets sets;
  CutSets::Id last = CutSets::none;
  std::map<CutSets::Id, Part> parts;
  std::vector<std::pair<const NodeInfo *, CutUnit>> cuts;
  std::map<Key, int> outside;
};

} // namespace

CutGraph cutGraph(const PrunedGraph &graph) {
  return Cutter(graph, false).run();
}

std::optional<CutGraph> cutBehind(const PrunedGraph &graph,
                                  const Output &tensor) {
  // What has no inputs is a variable, which no part is fed.
  if (tensor.node->numInputs() == 0)
    return std::nullopt;
  Cutter cutter(graph, false, tensor);
  CutGraph cut = cutter.run();
  return cutter.isPossible() ? std::optional(std::move(cut)) : std::nullopt;
}

CutGraph cutIntoSteps(const PrunedGraph &graph) {
  return Cutter(graph, true).run();
}

} // namespace kiln
