// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sessions side by side; after a difference, two fresh ones that show more.
#include "tools/compare/Compare.h"

#include "kiln/NodeTraits.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace kiln::compare {
namespace {

using Found = std::optional<Difference>;

/// The two sessions.
struct Pair {
  static StatusOr<Pair> open(const OpenSession &first,
                             const OpenSession &second) {
    Pair pair;
    KILN_ASSIGN_OR_RETURN(pair.first, first());
    KILN_ASSIGN_OR_RETURN(pair.second, second());
    return pair;
  }

  /// Runs both, and compares fetch by fetch. The error of both, where both
  /// fail alike.
  StatusOr<Found> run(const Graph &graph, const std::vector<Feed> &feeds,
                      const std::vector<std::string> &fetches,
                      const std::vector<std::string> &targets,
                      const Request &request) const {
    const RunOptions &options = request.options;
    std::vector<Fetch> wanted(fetches.begin(), fetches.end());
    std::vector<OperationId> run(targets.begin(), targets.end());
    auto a = first->run(feeds, wanted, run, options),
         b = second->run(feeds, wanted, run, options);
    if (!a.ok() || !b.ok()) {
      if (a.status().toString() == b.status().toString() ||
          (request.comparesCodes && a.status().code() == b.status().code()))
        return a.status();
      Difference difference;
      difference.element = -1;
      difference.first = a.status().toString();
      difference.second = b.status().toString();
      return Found(difference);
    }
    for (size_t i = 0; i < fetches.size(); ++i) {
      if (!(*a)[i].isValid() || !(*b)[i].isValid())
        continue; // an operation
      auto where = compareTensors((*a)[i], (*b)[i]);
      if (!where)
        continue;
      Difference found{*where, /*step=*/0, fetches[i], {}};
      if (const Node *node =
              graph.lookup(fetches[i].substr(0, fetches[i].find(':'))))
        found.op = node->op();
      return found;
    }
    return Found();
  }

  std::unique_ptr<Session> first, second;
};

using NodeList = std::vector<const Node *>;

std::string_view nodeName(std::string_view tensor) {
  return tensor.substr(0, tensor.find(':'));
}

/// What the named operations and tensors need, each node behind its inputs. It
/// ends at feeds; names that the graph does not have are the run's to report.
NodeList reach(const Graph &graph, const std::vector<std::string> &names,
               const std::vector<Feed> &feeds) {
  std::unordered_set<std::string_view> fed;
  for (const Feed &feed : feeds)
    fed.insert(nodeName(std::get<std::string>(feed.tensor)));
  NodeList order;
  std::unordered_set<const Node *> seen;
  // A node and how many of its inputs have been looked at.
  std::vector<std::pair<const Node *, size_t>> stack;
  auto visit = [&](const Node *node) {
    if (node && !fed.count(node->name()) && seen.insert(node).second)
      stack.emplace_back(node, 0);
  };
  for (const std::string &name : names)
    for (visit(graph.lookup(nodeName(name))); !stack.empty();) {
      auto &[node, next] = stack.back();
      size_t numData = node->inputs().size(), at = next++;
      if (at < numData) {
        visit(node->inputs()[at].node);
      } else if (at < numData + node->controlInputs().size()) {
        visit(node->controlInputs()[at - numData]);
      } else {
        order.push_back(node);
        stack.pop_back();
      }
    }
  return order;
}

/// Variables that the request reaches, each as a tensor that has its value.
std::vector<std::string> variableTensors(const Graph &graph,
                                         const NodeList &reached) {
  std::unordered_map<const Node *, std::string> readers;
  for (int i = 0; i < graph.numNodes(); ++i) {
    const Node *node = graph.node(i);
    if (traitsOf(*node).readsVariable && node->controlInputs().empty())
      readers.emplace(node->input(0).node, node->name() + ":0");
  }
  std::vector<std::string> tensors;
  for (const Node *node : reached) {
    NodeTraits traits = traitsOf(*node);
    if (!traits.isVariable)
      continue;
    if (traits.givesRef)
      tensors.push_back(node->name() + ":0");
    else if (auto reader = readers.find(node); reader != readers.end())
      tensors.push_back(reader->second);
  }
  return tensors;
}

bool isComparable(const Node &node, int output) {
  DType dtype = node.outputDType(output);
  return dtype != DType::Invalid && dtype != DType::String &&
         dtype != DType::Resource && dtype != DType::Variant;
}

/// Outputs that are views of a variable: fetched, they are read at the end of
/// the run, whatever the node's place is. Variables are compared on their own.
std::unordered_set<const Node *> findViews(const NodeList &reached) {
  std::unordered_set<const Node *> views;
  for (const Node *node : reached)
    if (NodeTraits traits = traitsOf(*node);
        traits.givesRef ||
        (traits.forwardsRef && views.count(node->input(0).node)))
      views.insert(node);
  return views;
}

class Comparison {
public:
  Comparison(const Graph &graph, const OpenSession &first,
             const OpenSession &second, const Request &request)
      : graph(graph), first(first), second(second), request(request) {}

  StatusOr<Found> run() {
    std::vector<std::string> wanted = request.fetches;
    wanted.insert(wanted.end(), request.targets.begin(), request.targets.end());
    reached = reach(graph, wanted, feedsOf(1));
    KILN_RETURN_IF_ERROR(checkSeeds());
    variables = variableTensors(graph, reached);

    KILN_ASSIGN_OR_RETURN(Pair pair, Pair::open(first, second));
    Status failed = okStatus();
    for (int64_t step = 0; step <= request.steps; ++step) {
      StatusOr<Found> found = runStep(pair, step, {});
      if (found.ok() && *found)
        return explain(step, **found);
      if (found.ok())
        continue;
      if (request.mayFail && !request.mayFail(step, found.status()))
        return Found(wrongFailure(step, found.status()));
      if (failed.ok())
        failed = found.status();
      if (step == 0 || !request.goesOn)
        break;
    }
    if (!failed.ok())
      return failed;
    return Found();
  }

private:
  const std::vector<Feed> &feedsOf(int64_t step) const {
    static const std::vector<Feed> none;
    if (step == 0 || request.feeds.empty())
      return none;
    return request.feeds[static_cast<size_t>(step - 1) % request.feeds.size()];
  }

  static Difference wrongFailure(int64_t step, const Status &status) {
    Difference difference;
    difference.step = step;
    difference.element = -1;
    difference.first = status.toString();
    difference.second = "no error";
    return difference;
  }

  /// Sequences without a seed are another one in every session.
  Status checkSeeds() const {
    for (const Node *node : reached)
      if (node->hasAttr("seed") && node->hasAttr("seed2") &&
          node->attrOr<int64_t>("seed", 0) == 0 &&
          node->attrOr<int64_t>("seed2", 0) == 0)
        return invalidArgumentError(
                   "expected random ops with a seed, got one without")
            .withNode(node->name());
    return okStatus();
  }

  /// Step 0 initializes. `extra` is fetched beside what was asked for.
  StatusOr<Found> runStep(const Pair &pair, int64_t step,
                          const std::vector<std::string> &extra) const {
    bool isInit = step == 0;
    if (isInit && request.init.empty())
      return Found();
    std::vector<std::string> fetches = extra;
    if (!isInit)
      fetches.insert(fetches.end(), request.fetches.begin(),
                     request.fetches.end());
    KILN_ASSIGN_OR_RETURN(Found found,
                          pair.run(graph, feedsOf(step), fetches,
                                   isInit ? request.init : request.targets,
                                   request));
    if (!found) {
      // One by one: some may have no value yet.
      for (const std::string &variable : variables) {
        StatusOr<Found> value = pair.run(graph, {}, {variable}, {}, request);
        if (!value.ok())
          continue; // both say so
        if (*value) {
          found = *value;
          found->isVariable = true;
          break;
        }
      }
    }
    if (found)
      found->step = step;
    return found;
  }

  /// Step `step` of fresh sessions, behind a replay of those before it.
  StatusOr<Found> replay(int64_t step,
                         const std::vector<std::string> &extra) const {
    KILN_ASSIGN_OR_RETURN(Pair pair, Pair::open(first, second));
    for (int64_t i = 0; i < step; ++i)
      if (Status status = runStep(pair, i, {}).status();
          !status.ok() && !request.goesOn)
        return status;
    return runStep(pair, step, extra);
  }

  /// Finds the first node of a step that is known to differ.
  StatusOr<Found> explain(int64_t step, Difference known) const {
    // What the initializer reaches, or the step.
    NodeList part = step == 0 ? reach(graph, request.init, {}) : reached;
    std::unordered_set<const Node *> views = findViews(part);
    std::vector<std::string> tensors;
    for (const Node *node : part)
      for (int i = 0; i < node->numOutputs(); ++i)
        if (isComparable(*node, i) && !views.count(node))
          tensors.push_back(strCat(node->name(), ":", i));
    StatusOr<Found> all = replay(step, tensors);
    if (all.ok() && *all && !(*all)->isVariable && !(*all)->tensor.empty())
      return all;
    // Fetching everything is another program: look at one value at a time.
    for (const std::string &tensor : tensors) {
      StatusOr<Found> one = replay(step, {tensor});
      if (one.ok() && *one && (*one)->tensor == tensor)
        return one;
    }
    known.isHidden = !known.tensor.empty();
    return Found(known);
  }

  const Graph &graph;
  const OpenSession &first, &second;
  const Request &request;
  NodeList reached;
  std::vector<std::string> variables;
};

} // namespace

std::string Difference::toString() const {
  std::string where =
      step == 0 ? std::string("initializing") : strCat("step ", step);
  if (tensor.empty())
    return strCat(where, ": ", first, " against ", second);
  std::string what =
      strCat(where, ": ", isVariable ? "variable " : "", tensor, " (", op, ")");
  if (element < 0)
    return strCat(what, ": ", first, " against ", second);
  what =
      strCat(what, ": element ", element, " is ", first, " against ", second);
  if (ulps)
    what = strCat(what, ", ", ulps, " units in the last place");
  what = strCat(what, "; ", count,
                count == 1 ? " element differs" : " elements differ");
  if (isHidden)
    what += "; intermediate values agree when they are fetched";
  return what;
}

StatusOr<std::optional<Difference>> compareRuns(const Graph &graph,
                                                const OpenSession &first,
                                                const OpenSession &second,
                                                const Request &request) {
  return Comparison(graph, first, second, request).run();
}

} // namespace kiln::compare
