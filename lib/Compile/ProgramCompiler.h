// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a resolved request to a program: prune, cut, compile or take from disk.
#ifndef KILN_LIB_COMPILE_PROGRAMCOMPILER_H
#define KILN_LIB_COMPILE_PROGRAMCOMPILER_H

#include "kiln/SessionOptions.h"
#include "lib/Compile/CompileServices.h"
#include "lib/Exec/Program.h"
#include "lib/Exec/ProgramFinder.h"
#include "lib/JIT/CompileControl.h"
#include "lib/Plan/ir/Block.h"

namespace kiln {

/// Whether a query wants native code, and what tells of its regions.
struct NativeNeed {
  bool isNeeded = false;
  bool regions = false;
};

/// Compiles a request for feeds like `feeds`. Where native code ends in an
/// error of Kiln's own (INTERNAL), it is made once more without fusion, and if
/// that fails, too, there is a program of the evaluator; RunStats::degraded
/// says so. Not in a session that is NativeOnly. Where a rank, an axis or a
/// permutation comes from what the run computes, the run is cut behind that. A
/// run in steps has a plan (CutGraph.h), whatever the shapes of its feeds.
/// **Errors**: those of prune, import and the compiler; RESOURCE_EXHAUSTED
/// beyond limits.maxNodes; those of CompileControl::check(). **Thread safety**:
/// any number at once.
StatusOr<ProgramPtr>
compileProgram(const Graph &graph, const RunRequest &request,
               std::span<const FeedView> feeds, NativeNeed need, bool isInSteps,
               const CompileServices &services, const CompileControl &control);

/// Compiles a function that is a request of its own. **Errors**, **thread
/// safety**: as compileProgram().
StatusOr<ProgramPtr> compileFunction(const FunctionRequest &function,
                                     std::span<const FeedView> feeds,
                                     NativeNeed need,
                                     const CompileServices &services,
                                     const CompileControl &control);

/// Compiles a part of a run that is cut, which may be cut itself; `depth` is
/// the number of cut runs that it is in. **Errors**, **thread safety**: as
/// compileProgram().
StatusOr<ProgramPtr> compilePart(const Block &part,
                                 std::span<const FeedView> feeds,
                                 NativeNeed need, int depth,
                                 const CompileServices &services,
                                 const CompileControl &control);

/// Compiles a request to native code that another process can run without a
/// compiler: with its objects and all of its constants. What it is bound to in
/// the session stays there. **Errors**: as compileProgram(); UNIMPLEMENTED for
/// a run that is cut, and for what is known of variables in this session alone.
StatusOr<CompiledFunction> compileAhead(const Graph &graph,
                                        const RunRequest &request,
                                        std::span<const FeedView> feeds,
                                        const CompileServices &services,
                                        const CompileControl &control);

/// The stages of explainProgram() in order: "plan", and those of the compiler.
std::vector<std::string_view> explainStages();

/// Compiles a request to native code, as compileProgram() does, up to a stage
/// and returns that stage's text; dumps on the way. Queues are not made.
/// **Errors**: as compileProgram(), Session::explain().
StatusOr<std::string> explainProgram(const Graph &graph,
                                     const RunRequest &request,
                                     std::span<const FeedView> feeds,
                                     const CompileServices &services,
                                     const ExplainOptions &options);

} // namespace kiln

#endif // KILN_LIB_COMPILE_PROGRAMCOMPILER_H
