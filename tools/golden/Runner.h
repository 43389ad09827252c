// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running a golden case through the public API.
#ifndef KILN_TOOLS_GOLDEN_RUNNER_H
#define KILN_TOOLS_GOLDEN_RUNNER_H

#include "kiln/Session.h"
#include "tools/golden/Case.h"

#include <string>
#include <vector>

namespace kiln::golden {

/// What one step gave.
struct StepResult {
  Status status;
  std::vector<Tensor> fetched; ///< one a fetch; none with an error
  RunStats stats;              ///< of the last repetition
  std::string failure;         ///< what differs; empty: the step passed
  bool isListed = false;       ///< among the known failures (KnownFailures.h)
};

struct CaseResult {
  std::string failure; ///< why nothing ran; empty otherwise
  std::vector<StepResult> steps;
  bool passed() const;
};

/// Runs all steps in order, each session of the case on the one graph: the
/// recorded one where none is given.
CaseResult runCase(const Case &golden, const SessionOptions &options,
                   std::shared_ptr<Graph> graph = nullptr);

/// The first step whose status or values differ in any bit between two runs of
/// a case, and how; empty where there is none. Known failures of the first run
/// are left out.
std::string compareBits(const CaseResult &first, const CaseResult &second);

/// Writes `folder`/STEP/K.npy for the K-th fetch of each step and
/// `folder`/results.json. **Edges**: strings that a .npy file does not hold,
/// since one ends in a zero byte, are `folder`/STEP/K.json, as in case.json.
/// **Errors**: UNKNOWN for a folder that cannot be made; as writeNpy().
Status writeResults(const CaseResult &result,
                    const std::filesystem::path &folder);

} // namespace kiln::golden

#endif // KILN_TOOLS_GOLDEN_RUNNER_H
