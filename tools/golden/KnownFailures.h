// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A ratchet for the golden cases: the steps that do not pass yet, each with its
// reason; a change that makes one pass takes it off the list.
//
//   # A comment, and lines of a case, its steps and a part of what they say:
//   op_array 15-16,60 'MirrorPad'
//   # Natively alone; "evaluator" for the other way:
//   res_cond_while native 1-4 'If'
#ifndef KILN_TOOLS_GOLDEN_KNOWNFAILURES_H
#define KILN_TOOLS_GOLDEN_KNOWNFAILURES_H

#include "tools/golden/Runner.h"

#include <array>
#include <map>
#include <string>
#include <string_view>

namespace kiln::golden {

class KnownFailures {
public:
  /// Reads a list. **Errors**: as readFile(); INVALID_ARGUMENT, with path and
  /// line, for a line that is not as above and for a step listed twice.
  static StatusOr<KnownFailures> read(const std::string &path);

  /// Judges the steps of a case by the list: one that fails as listed counts as
  /// passed; one that passes, or fails in another way, and one that the case
  /// does not have, is a failure. Returns how many failed as listed. Sets
  /// StepResult::isListed.
  int judge(const std::string &caseName, ExecutionMode mode,
            CaseResult &result) const;

private:
  /// The text that a step's failure holds, natively and by the evaluator; empty
  /// where it passes.
  using Texts = std::array<std::string, 2>;

  Status addLine(std::string_view line);
  Status addSteps(std::string_view steps, std::string_view mode,
                  std::string_view text, std::map<size_t, Texts> &listed);

  std::map<std::string, std::map<size_t, Texts>, std::less<>> cases;
};

} // namespace kiln::golden

#endif // KILN_TOOLS_GOLDEN_KNOWNFAILURES_H
