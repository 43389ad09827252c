// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Delta debugging: each change stays if the fault does.
#include "test/fuzz/graphs/Reduce.h"

#include "test/fuzz/graphs/BadNodes.h"
#include "test/fuzz/graphs/Edit.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

class Reducer {
public:
  Reducer(Program program, const IsFaulty &isFaulty)
      : best(std::move(program)), isFaulty(isFaulty) {}

  Program reduce() {
    reduceRuns();
    dropBadNodes();
    reduceWanted();
    spreadFeeds();
    for (int before = 0; before != best.numNodes();) {
      before = best.numNodes();
      cutNodes();
      dropControls();
      bypassNodes();
      reduceWanted();
    }
    shrinkExtents();
    return std::move(best);
  }

private:
  /// Takes the candidate where it is still faulty.
  bool accept(Program candidate) {
    prune(candidate);
    if (!isFaulty(candidate))
      return false;
    best = std::move(candidate);
    return true;
  }

  void reduceRuns() {
    Program alone = best;
    alone.asks.clear();
    accept(std::move(alone));
    for (size_t at = 0; at < best.feeds.size(); ++at) {
      Program one = best;
      one.feeds = {best.feeds[at]};
      one.sets = {best.setOf(int64_t(at) + 1)};
      one.runs = 1;
      if (accept(std::move(one)))
        return;
    }
    for (int64_t runs = 1; runs < best.runs; ++runs) {
      Program fewer = best;
      fewer.runs = runs;
      if (accept(std::move(fewer)))
        return;
    }
  }

  /// Removes parts of a list: half of it, then ever smaller parts.
  void reduceList(std::vector<std::string> Program::*list) {
    for (size_t size = std::max<size_t>((best.*list).size(), 1); size > 0;
         size /= 2)
      for (size_t at = 0; at < (best.*list).size();) {
        Program without = best;
        auto &names = without.*list;
        size_t end = std::min(at + size, names.size());
        names.erase(names.begin() + long(at), names.begin() + long(end));
        if (!accept(std::move(without)))
          at += size;
      }
  }

  void reduceWanted() {
    for (const std::string &fetch : std::vector<std::string>(best.fetches)) {
      if (best.fetches.size() == 1)
        break;
      Program one = best;
      one.fetches = {fetch};
      one.targets.clear();
      if (accept(std::move(one)))
        break;
    }
    reduceList(&Program::targets);
    reduceList(&Program::fetches);
    reduceList(&Program::init);
  }

  void dropBadNodes() {
    for (int i = best.graph.node_size() - 1; i >= 0; --i)
      if (best.graph.node(i).name().starts_with(badPrefix)) {
        Program without = best;
        without.graph.mutable_node()->DeleteSubrange(i, 1);
        accept(std::move(without));
      }
  }

  /// What replaces operands by others may turn predicates round: then nodes
  /// that did not run may fail.
  static void forgetIdle(Program &program) { program.idle.clear(); }

  /// One set a run, so that what depends on the run can be fed.
  void spreadFeeds() {
    std::vector<Feeds> feeds;
    std::vector<size_t> sets;
    for (int64_t run = 0; run < best.runs; ++run) {
      feeds.push_back(best.feeds.empty()
                          ? Feeds()
                          : best.feeds[size_t(run) % best.feeds.size()]);
      sets.push_back(best.setOf(run + 1));
    }
    best.feeds = std::move(feeds);
    best.sets = std::move(sets);
  }

  void cutNodes() {
    Computed computed = computeAll(best);
    std::vector<std::string> nodes;
    for (const proto::NodeDef &node : best.graph.node())
      if (computed.count(node.name() + ":0"))
        nodes.push_back(node.name());
    for (size_t size = std::max<size_t>(nodes.size() / 2, 1); size > 0;
         size /= 2)
      for (size_t at = 0; at < nodes.size();) {
        size_t end = std::min(at + size, nodes.size());
        std::set<std::string> part(nodes.begin() + long(at),
                                   nodes.begin() + long(end));
        Program without = best;
        if (cut(without, part, computed) && accept(std::move(without)))
          nodes.erase(nodes.begin() + long(at), nodes.begin() + long(end));
        else
          at += size;
      }
  }

  void dropControls() {
    for (int i = 0; i < best.graph.node_size(); ++i) {
      Program without = best;
      auto &inputs = *without.graph.mutable_node(i)->mutable_input();
      int before = inputs.size();
      while (!inputs.empty() && inputs.Get(inputs.size() - 1).starts_with("^"))
        inputs.RemoveLast();
      if (inputs.size() != before)
        accept(std::move(without));
    }
  }

  /// A change of types is refused when the graph is loaded: no fault.
  void bypassNodes() {
    for (int i = best.graph.node_size() - 1; i >= 0; --i)
      for (int input = 0; i < best.graph.node_size() &&
                          input < best.graph.node(i).input_size();
           ++input) {
        if (best.graph.node(i).input(input).starts_with("^"))
          continue;
        Program without = best;
        bypass(without.graph, best.graph.node(i).name(), input);
        forgetIdle(without);
        if (accept(std::move(without)))
          break;
      }
    for (int f = best.graph.library().function_size() - 1; f >= 0; --f)
      for (int i = 0; f < best.graph.library().function_size() &&
                      i < best.graph.library().function(f).node_def_size();) {
        const proto::NodeDef node =
            best.graph.library().function(f).node_def(i);
        bool isGone = false;
        for (int input = 0; !isGone && input < node.input_size(); ++input) {
          Program without = best;
          bypass(*without.graph.mutable_library()->mutable_function(f),
                 node.name(), input);
          forgetIdle(without);
          isGone = accept(std::move(without));
        }
        if (!isGone)
          ++i;
      }
  }

  void shrinkExtents() {
    for (bool isSmaller = true; isSmaller;) {
      isSmaller = false;
      for (int64_t extent : extentsOf(best)) {
        for (int64_t smaller :
             {int64_t{1}, int64_t{2}, extent / 2, extent - 1}) {
          if (smaller >= extent || smaller < 1)
            continue;
          Program less = best;
          shrink(less, extent, smaller);
          forgetIdle(less);
          if (accept(std::move(less))) {
            isSmaller = true;
            break;
          }
        }
        if (isSmaller)
          break;
      }
    }
  }

  Program best;
  const IsFaulty &isFaulty;
};

} // namespace

Program reduceProgram(Program program, const IsFaulty &isFaulty) {
  return Reducer(std::move(program), isFaulty).reduce();
}

Program reduceProgram(Program program) {
  return reduceProgram(std::move(program), [](const Program &candidate) {
    return compareProgram(candidate).isFault();
  });
}

} // namespace kiln::fuzz
