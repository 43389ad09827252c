// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph with what to run of it, as it is generated, compared, reduced, saved.
#ifndef KILN_TEST_FUZZ_GRAPHS_PROGRAM_H
#define KILN_TEST_FUZZ_GRAPHS_PROGRAM_H

#include "kiln/Session.h"
#include "lib/IO/proto/Graph.pb.h"
#include "tools/compare/Compare.h"

#include <map>

namespace kiln::fuzz {

/// Values by the name of the placeholder.
using Feeds = std::map<std::string, Tensor>;

/// Ownership: its own; copies are deep but for tensors, which nobody writes.
struct Program {
  proto::GraphDef graph;
  std::vector<Feeds> feeds; ///< one set a run, in turn
  std::vector<std::string> fetches;
  std::vector<std::string> targets;
  std::vector<std::string> init;
  int64_t runs = 3;

  /// Nodes but for placeholders and constants, those of functions included.
  int numOps() const;
  int numNodes() const;
};

/// What came of running a program twice.
struct Outcome {
  /// Where the two ways differ.
  std::optional<compare::Difference> difference;
  /// The error of both, or what is wrong with the program.
  Status status;

  /// Whether Kiln is wrong: no program may show it an internal error.
  bool isFault() const {
    return difference || status.code() == StatusCode::Internal;
  }
  std::string toString() const {
    return difference ? difference->toString() : status.toString();
  }
};

/// How a program is run: a session on its graph.
using OpenProgram =
    std::function<StatusOr<std::unique_ptr<Session>>(std::shared_ptr<Graph>)>;

/// A session of one thread that may touch no file.
OpenProgram opener(ExecutionMode mode);

/// Runs in two ways and compares bit by bit.
Outcome compareProgram(const Program &program, const OpenProgram &first,
                       const OpenProgram &second);
/// As native code and by the evaluator.
Outcome compareProgram(const Program &program);

/// Writes graph.pb, graph.pbtxt, feeds0.pb, feeds1.pb ... (each a GraphDef of
/// constants) and request.json, and returns the command line of kiln-run that
/// compares the runs again.
StatusOr<std::string> saveProgram(const Program &program,
                                  const std::string &folder);

} // namespace kiln::fuzz

#endif // KILN_TEST_FUZZ_GRAPHS_PROGRAM_H
