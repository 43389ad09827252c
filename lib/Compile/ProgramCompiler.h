// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a resolved request to a program: prune, import, compile or keep for the
// evaluator.
#ifndef KILN_LIB_COMPILE_PROGRAMCOMPILER_H
#define KILN_LIB_COMPILE_PROGRAMCOMPILER_H

#include "lib/Exec/Program.h"
#include "lib/Exec/Signature.h"
#include "lib/JIT/CompileControl.h"
#include "lib/Plan/ir/Block.h"

namespace kiln {

/// Who is to run a program.
enum class CodeChoice : uint8_t {
  Native,
  /// Native code that tells its regions, whatever the session's options say.
  WithRegions,
  Evaluator,
  /// The evaluator, if its run is estimated to end before native code could be
  /// made, or if the program only writes variables, has no feeds and is
  /// estimated under 50 ms there; else native code.
  EvaluatorIfSooner,
};

/// What is to be made in a session with these options.
CodeChoice chooseCode(const SessionOptions &options, bool needsNative,
                      bool regions);
/// Makes a request's key that of its code with regions.
void addRegionsMark(SignatureKey &key);

/// Compiles a request for feeds like `feeds`. Where native code ends in an
/// error of Kiln's own (INTERNAL), it is made once more without fusion, and if
/// that fails, too, there is a program of the evaluator; RunStats::degraded
/// says so. Not in a session that is NativeOnly. Where a rank, an axis or a
/// permutation comes from what the run computes, the run is cut behind that. A
/// run in steps has a plan (CutGraph.h), whatever the shapes of its feeds.
/// **Errors**: those of prune, import and the compiler; RESOURCE_EXHAUSTED
/// beyond limits.maxNodes; those of CompileControl::check(). **Thread safety**:
/// any number at once.
StatusOr<std::shared_ptr<const Program>>
compileProgram(const Graph &graph, const RunRequest &request,
               std::span<const FeedView> feeds, CodeChoice choice,
               bool isInSteps, SessionServices &services,
               const CompileControl &control);

/// Compiles a part of a run that is cut, which may be cut itself; `depth` is
/// the number of cut runs that it is in. **Errors**, **thread safety**: as
/// compileProgram().
StatusOr<std::shared_ptr<const Program>>
compilePart(const Block &part, std::span<const FeedView> feeds,
            CodeChoice choice, int depth, SessionServices &services,
            const CompileControl &control);

/// The stages of explainProgram() in order: "plan", and those of the compiler.
std::vector<std::string_view> explainStages();

/// Compiles a request up to a stage and returns that stage's text; dumps on the
/// way. **Errors**: as compileProgram(), Session::explain().
StatusOr<std::string> explainProgram(const Graph &graph,
                                     const RunRequest &request,
                                     std::span<const FeedView> feeds,
                                     SessionServices &services,
                                     const ExplainOptions &options);

} // namespace kiln

#endif // KILN_LIB_COMPILE_PROGRAMCOMPILER_H
