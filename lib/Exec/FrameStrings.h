// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a frame does about strings before and after the code that moves their
// handles.
#ifndef KILN_LIB_EXEC_FRAMESTRINGS_H
#define KILN_LIB_EXEC_FRAMESTRINGS_H

#include "lib/Exec/Program.h"
#include "runtime/memory/RunStrings.h"

#include <span>
#include <vector>

namespace kiln {

/// Owns nothing between runs but memory for handles.
///
/// Code writes the handles of a result into memory of the frame's, and those of
/// a variable over the variable's own. After the code, still under the run's
/// locks, results and variables become owners; what the variables held and what
/// the run made is let go last (runtime/README.md).
class FrameStrings {
public:
  explicit FrameStrings(const Program &program);

  /// What kernels and the evaluator make.
  RunStrings &made() { return runStrings; }
  /// Where code writes the handles of a result. **Errors**:
  /// RESOURCE_EXHAUSTED.
  StatusOr<void *> bindResult(size_t result, int64_t elements) {
    Status status = handles[result].resize(static_cast<size_t>(elements));
    return status.ok() ? StatusOr<void *>(handles[result].handles().data())
                       : StatusOr<void *>(std::move(status));
  }

  /// Under the run's locks, before the code. **Errors**: RESOURCE_EXHAUSTED.
  Status begin() {
    return variables.empty() ? okStatus() : rememberVariables();
  }
  /// After code that has not failed: `places` and `given` as Frame::run().
  void settleResults(std::span<const int> places, std::span<Tensor> given);
  /// As settleResults(), of one result whose handles lie elsewhere.
  static void assign(Tensor &result, const StringHandle *handles);
  /// Under the run's locks, after the code, failed or not.
  void settleVariables() {
    if (!variables.empty())
      adoptVariables();
  }
  /// After the locks or under them: no handle is used any more.
  void end() { runStrings.clear(); }

private:
  Status rememberVariables();
  void adoptVariables();
  std::span<String> elementsOf(size_t variable);

  const Program &program;
  RunStrings runStrings;
  std::vector<HandleMemory> handles;      ///< by result
  std::vector<VariableStrings> variables; ///< by Binding::writtenStrings
};

} // namespace kiln

#endif // KILN_LIB_EXEC_FRAMESTRINGS_H
