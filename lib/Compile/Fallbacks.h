// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is tried where a compilation ends in an error of Kiln's own, and the
// blocks of a request: what compiling and explaining share.
#ifndef KILN_LIB_COMPILE_FALLBACKS_H
#define KILN_LIB_COMPILE_FALLBACKS_H

#include "lib/Compile/BlockCompiler.h"
#include "lib/Support/Strings.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Calls `attempt` with options and whether they are the first, until it ends
/// in anything but INTERNAL: without fusion the second time, for the evaluator
/// the third, in a session whose mode is Auto. `degraded` says why it was not
/// the first that succeeded. **Errors**: the first attempt's.
template <class Attempt>
Status tryInTurn(CodeChoice choice, ExecutionMode mode, const Attempt &attempt,
                 std::string &degraded) {
  struct Candidate {
    BlockCompiler::Options options;
    std::string_view name; ///< of those that follow the first
  };
  std::vector<Candidate> candidates = {{{choice, true}, ""}};
  if (choice != CodeChoice::Evaluator && mode == ExecutionMode::Auto) {
    candidates.push_back(
        {{choice == CodeChoice::WithRegions ? choice : CodeChoice::Native,
          false},
         "without fusion"});
    candidates.push_back({{CodeChoice::Evaluator, false}, "evaluated"});
  }
  Status first;
  for (const Candidate &candidate : candidates) {
    Status status = attempt(candidate.options, first.ok());
    if (status.ok()) {
      if (!first.ok())
        degraded = strCat(candidate.name, ": ", first.toString());
      return status;
    }
    if (first.ok())
      first = std::move(status);
    if (first.code() != StatusCode::Internal)
      break;
  }
  return first;
}

/// The tree that a request is compiled from; `pruneNs` is how long pruning
/// took. **Errors**: those of prune(), checkPlacement() and makeBlocks();
/// RESOURCE_EXHAUSTED beyond options.limits.maxNodes.
StatusOr<std::unique_ptr<Block>>
makeRequestBlocks(const Graph &graph, const RunRequest &request,
                  const SessionOptions &options, int64_t &pruneNs);

} // namespace kiln

#endif // KILN_LIB_COMPILE_FALLBACKS_H
