// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph with what to run of it, as it is generated, compared, reduced, saved.
#ifndef KILN_TEST_FUZZ_GRAPHS_PROGRAM_H
#define KILN_TEST_FUZZ_GRAPHS_PROGRAM_H

#include "kiln/Session.h"
#include "lib/IO/proto/Graph.pb.h"
#include "test/fuzz/graphs/Contents.h"
#include "tools/compare/Compare.h"

#include <map>

namespace kiln::fuzz {

/// Values by the name of the placeholder.
using Feeds = std::map<std::string, Tensor>;

/// Ownership: its own; copies are deep but for tensors, which are not written.
struct Program {
  proto::GraphDef graph;
  std::vector<Feeds> feeds; ///< one set a run, in turn
  /// Which set each of them is: from numSets on those that the program does not
  /// expect. Empty: each its own.
  std::vector<size_t> sets;
  std::vector<std::string> fetches;
  std::vector<std::string> targets;
  std::vector<std::string> init;
  int64_t runs = 3;
  /// Whether the last set of feeds is one that the program does not expect:
  /// what fails in both ways may fail in another node.
  bool isHostile = false;
  /// Whether a branch runs that was made for other feeds.
  bool mayFailAnywhere = false;
  /// Requests of another session, each with a set of feeds.
  struct Ask {
    std::vector<std::string> fetches;
    size_t set = 0;
  };
  std::vector<Ask> asks;
  /// Nodes, counted for each set of feeds, whose sizes do not fit there.
  int misfits = 0;
  /// Nodes that run with some of the first sets alone, by name: they cannot
  /// fail a run with another.
  std::map<std::string, Sets, std::less<>> idle;

  /// Nodes but for placeholders and constants, those of functions included.
  int numOps() const;
  int numNodes() const;
  /// Whether a run leaves something behind for the next one.
  bool hasState() const;
  /// Whether a run may fail so: not where the node at fault does not run.
  bool mayFail(int64_t run, const Status &status) const;
  /// The set of feeds of a run, which are counted from 1.
  size_t setOf(int64_t run) const {
    size_t at = feeds.empty() ? 0 : size_t(run - 1) % feeds.size();
    return sets.empty() ? at : sets[at];
  }
  bool isExpected(int64_t run) const { return setOf(run) < numSets; }
};

/// Whether a run ended with an error that no program may show. What TensorFlow
/// calls internal, in the same words, is none: numbers between bounds that are
/// infinitely far from their mean.
bool isInternalFault(const Status &status);

/// What came of running a program twice.
struct Outcome {
  /// Where the two ways differ, or a node fails that does not run.
  std::optional<std::string> difference;
  /// The error of both with feeds that the program expects, or what is wrong
  /// with the program.
  Status status;

  /// Whether Kiln is wrong.
  bool isFault() const { return difference || isInternalFault(status); }
  std::string toString() const {
    return difference ? *difference : status.toString();
  }
};

/// How a program is run: a session on its graph.
using OpenProgram =
    std::function<StatusOr<std::unique_ptr<Session>>(std::shared_ptr<Graph>)>;

/// Whether this ends by itself in a process of its own.
bool endsWell(const std::function<void()> &action);

/// A session of one thread that may touch no file.
OpenProgram opener(ExecutionMode mode);

/// Runs in two ways and compares bit by bit.
Outcome compareProgram(const Program &program, const OpenProgram &first,
                       const OpenProgram &second);
/// As native code and by the evaluator.
Outcome compareProgram(const Program &program);
/// The same in a process of its own: a crash is a difference, and so is what
/// does not end within a minute.
Outcome compareIsolated(const Program &program);

/// Writes graph.pb, graph.pbtxt, feeds0.pb, feeds1.pb ... (each a GraphDef of
/// constants) and request.json, and returns the command line of kiln-run that
/// compares the runs again.
StatusOr<std::string> saveProgram(const Program &program,
                                  const std::string &folder);

} // namespace kiln::fuzz

#endif // KILN_TEST_FUZZ_GRAPHS_PROGRAM_H
