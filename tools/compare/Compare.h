// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one thing in two ways and finds the first node whose value differs.
#ifndef KILN_TOOLS_COMPARE_COMPARE_H
#define KILN_TOOLS_COMPARE_COMPARE_H

#include "kiln/Session.h"
#include "tools/compare/Tensors.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kiln::compare {

/// A way to run a graph: a fresh session, whose variables have no values yet.
using OpenSession = std::function<StatusOr<std::unique_ptr<Session>>()>;

/// What both run: `init` once, then fetches and targets so many times.
struct Request {
  /// What is fed: a set a step, in turn, of the same tensors; empty for none.
  std::vector<std::vector<Feed>> feeds;
  std::vector<std::string> fetches;
  std::vector<std::string> targets;
  std::vector<std::string> init;
  int64_t steps = 1;
  /// The options of each run, such as its timeout.
  RunOptions options = {};
  /// Whether errors are the same that have one code: of two nodes that fail,
  /// either may be the first.
  bool comparesCodes = false;
  /// Whether steps go on behind one that fails in both: where nothing has a
  /// state, for what a step had done until then is another matter in each.
  bool goesOn = false;
  /// Says of an error that both have whether the step may fail so; empty: any
  /// error is right.
  std::function<bool(int64_t step, const Status &)> mayFail = {};
};

/// Where two runs part.
struct Difference : TensorDifference {
  int64_t step = 0;   ///< 0: while initializing
  std::string tensor; ///< "op:0"; empty where a run failed without a node
  std::string op;     ///< the node's type
  /// The value of a variable behind the step, not a value computed in it.
  bool isVariable = false;
  /// Only what was asked for differs; with intermediate values fetched beside
  /// it, both runs agree.
  bool isHidden = false;

  std::string toString() const;
};

/// Runs both side by side and compares, bit by bit, the fetches of every step
/// and the variables behind it. On a difference both start again from fresh
/// sessions and replay the steps before it; then every intermediate value is
/// fetched, in the order of the run, and the first that differs is the answer.
/// Where fetching them all hides the difference, they are fetched one by one.
/// **Errors**: what keeps both from running alike, such as a mistake in the
/// request: two runs that fail with the same status agree, and that status is
/// the error, behind all other steps where it goes on. INVALID_ARGUMENT for a
/// random op without a seed.
/// **Cost**: a few compilations; one more a node where a difference hides.
StatusOr<std::optional<Difference>> compareRuns(const Graph &graph,
                                                const OpenSession &first,
                                                const OpenSession &second,
                                                const Request &request);

} // namespace kiln::compare

#endif // KILN_TOOLS_COMPARE_COMPARE_H
