// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a tree of blocks to a program: import, the stages, native code or the
// evaluator.
#ifndef KILN_LIB_COMPILE_BLOCKCOMPILER_H
#define KILN_LIB_COMPILE_BLOCKCOMPILER_H

#include "lib/Compile/CompileServices.h"
#include "lib/Compile/FunctionStore.h"
#include "lib/Compile/OpCounts.h"
#include "lib/Compile/SessionShapes.h"
#include "lib/Compile/Stopwatch.h"
#include "lib/Exec/Program.h"
#include "lib/JIT/Compiler.h"
#include "lib/Plan/ir/Block.h"

#include <optional>

namespace kiln {

/// What a program is to be run by.
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

/// One attempt at compiling a tree for feeds like `feeds`, on a context of its
/// own.
///
/// **Ownership**: borrows what it is given. Thread safety: one thread; one call
/// of compile() or explain().
class BlockCompiler {
public:
  struct Options {
    CodeChoice choice = CodeChoice::Native;
    bool fuse = true;
  };

  BlockCompiler(const Block &root, std::span<const FeedView> feeds,
                Options options, const CompileServices &services,
                const CompileControl &control);

  /// Makes the program's function, binding and executor; gives native code to
  /// `store` where that is not null. **Errors**: those of importGraph(), which
  /// may set `asked`, bindFunction(), the stages and the linker;
  /// RESOURCE_EXHAUSTED beyond the session's limits; those of
  /// CompileControl::check().
  Status compile(const FunctionStore *store, Program &program,
                 std::optional<AskedTensor> &asked);

  /// Compiles for the reader, in the same way, and returns the text of the
  /// stage `wanted.stopAfter`, which is one of compileStageNames(); dumps on
  /// the way. Nothing is bound, linked or stored. **Errors**: as compile();
  /// UNKNOWN where a dump cannot be written or read.
  StatusOr<std::string> explain(const ExplainOptions &wanted,
                                std::optional<AskedTensor> &asked);

private:
  Status import(std::optional<AskedTensor> &asked);
  /// Runs the stages that native code and the evaluator share, and counts.
  Status decompose();
  /// From there to object code; none where `options.stopAfter` comes first.
  StatusOr<CompiledCode> generate(const FunctionInterface &made);
  /// Tells passes how large the run is that the code is made for.
  void noteSizes(const FunctionInterface &made);
  bool isEvaluatedFirst(Program &program) const;
  Status evaluate(Program &program);
  Status link(CompiledCode code, const FunctionStore *store, Program &program);
  const SessionOptions &sessionOptions() const {
    return services.session.options;
  }

  const Block &root;
  const std::span<const FeedView> feeds;
  const Options how;
  const CompileServices &services;
  const CompileControl &control;
  const int64_t numNodes;
  SessionShapes shapes;
  ContextLease lease; ///< outlives the module
  mlir::OwningOpRef<mlir::ModuleOp> module;
  FunctionInterface interface; ///< until a program takes it
  std::vector<Tensor> constants;
  CompileOptions options;
  CompileTimes times;
  OpCounts counts;
  RunStats stats;
  Stopwatch watch;
};

} // namespace kiln

#endif // KILN_LIB_COMPILE_BLOCKCOMPILER_H
