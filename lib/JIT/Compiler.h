// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a module of kiln IR to an executable.
#ifndef KILN_LIB_JIT_COMPILER_H
#define KILN_LIB_JIT_COMPILER_H

#include "kiln/CodeOptions.h"
#include "lib/Compiled/CompiledFunction.h"
#include "lib/JIT/CompileControl.h"
#include "lib/JIT/CompilerContext.h"
#include "lib/Loader/Linker.h"
#include "runtime/abi/Abi.h"

#include "mlir/IR/BuiltinOps.h"

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// What compilation can be told.
struct CompileOptions {
  /// Where the IR after every stage, the LLVM IR and the assembly are written,
  /// numbered in order; empty: nowhere.
  std::string dumpDirectory;
  /// A name of compileStageNames(): nothing after it is done and there is no
  /// executable; empty: all is done.
  std::string stopAfter;
  /// The stage to begin with; the module must have the contract of the stage
  /// before.
  passes::Stage startAt = passes::Stage::Simplify;
  bool fuse = true; ///< false: every op is a kernel of its own
  CodeOptions code;
  /// The table that kiln.constant_ref indexes, to which foldings are appended;
  /// null: none are made. Borrowed.
  std::vector<Tensor> *constants = nullptr;
  /// Vectors of 16 lanes a step of an elementwise loop.
  int64_t unroll = passes::KilnVectorizeOptions().unroll;
  InspectOptions inspect = {};
  /// Whether passes and code generation are to be fast rather than their code.
  bool quickCode = false;
  /// More LLVM instructions than this are generated quickly in any case.
  int64_t maxOptimizedInstructions = std::numeric_limits<int64_t>::max();
  int64_t maxCodeBytes =
      std::numeric_limits<int64_t>::max(); ///< of the objects
  /// With 1 no other thread takes part, and the code is one object.
  int threads = 0;
  /// Asked between steps; null: nothing ends it. Borrowed.
  const CompileControl *control = nullptr;

  Status check(std::string_view next) const {
    return control ? control->check(next) : okStatus();
  }
};

/// "import", the stages of passes::allStages, "llvm-ir", "assembly": what may
/// be dumped and stopped after, in order.
std::span<const std::string_view> compileStageNames();

/// What a compilation did. Nanoseconds that each part took; 0 for what was not
/// done.
struct CompileTimes {
  int64_t stages[std::size(passes::allStages)] = {};
  int64_t translate = 0; ///< MLIR's LLVM dialect to LLVM IR
  int64_t optimize = 0;
  int64_t codegen = 0;
  bool isQuick = false; ///< code generation without its optimizations
  int64_t passesTotal() const;
  int64_t llvmTotal() const { return translate + optimize + codegen; }
};

/// Code that is ready to run, and what the host must know to run it.
///
/// Immutable. **Ownership**: the code is freed with the last holder; every run
/// holds one. **Thread safety**: any number of runs at once.
class Executable {
public:
  /// Links the code. **Errors**: as loadCode() and bindKernels().
  static StatusOr<std::unique_ptr<Executable>>
  link(const CompiledCode &compiled, const InspectOptions &inspect = {});

  void run(const KilnRunArgs &args) const {
    reinterpret_cast<KilnEntryFn>(code->entry())(&args);
  }
  size_t codeBytes() const { return code->bytes(); }
  /// For KilnRunArgs::kernels.
  const KilnKernelFn *kernels() const { return kernelTable.data(); }
  const CodeLayout &layout() const { return codeLayout; }
  /// The name behind KilnRunState::errorNode; empty for -1.
  std::string_view node(int32_t index) const {
    return codeLayout.nodeAt(index);
  }

private:
  Executable() = default;
  std::shared_ptr<LinkedCode> code;
  std::vector<KilnKernelFn> kernelTable;
  CodeLayout codeLayout;
};

/// Runs the stages up to and including `last` in place; with Stage::Decompose
/// the module is ready for the evaluator.
/// **Errors**: INTERNAL with the node for what a stage cannot do; those of
/// CompileControl::check().
Status runStages(CompilerContext &context, mlir::ModuleOp module,
                 passes::Stage last, const CompileOptions &options,
                 CompileTimes &times);

/// Compiles the module, which is in `context` and is left in an unspecified
/// stage; no object when options.stopAfter came first. **Errors**: as
/// runStages; INVALID_ARGUMENT for an unknown stopAfter; RESOURCE_EXHAUSTED
/// beyond options.maxCodeBytes; UNKNOWN when a dump cannot be written.
StatusOr<CompiledCode> compile(CompilerContext &context, mlir::ModuleOp module,
                               const CompileOptions &options,
                               CompileTimes &times);

/// The same, linked; null for no object.
StatusOr<std::unique_ptr<Executable>> compile(CompilerContext &context,
                                              mlir::ModuleOp module,
                                              const CompileOptions &options);

} // namespace kiln

#endif // KILN_LIB_JIT_COMPILER_H
