// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compiling thread owns: an MLIR context with its dialects, pass
// managers and the target; kept and used again.
#ifndef KILN_LIB_JIT_COMPILERCONTEXT_H
#define KILN_LIB_JIT_COMPILERCONTEXT_H

#include "kiln/Status.h"
#include "lib/JIT/CodeBackend.h"
#include "lib/JIT/FoldedConstants.h"
#include "lib/JIT/KernelTable.h"
#include "passes/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

#include <map>
#include <memory>
#include <string>

namespace kiln {

/// An MLIR context without threads, its diagnostics collected, with all that is
/// worth building once.
///
/// Loaded are the dialects of imported IR: what the evaluator runs needs no
/// more, and the passes of the stages after it load theirs. Thread safety: one
/// thread at a time. **Cost**: creation 0.07 ms, the first one of a process
/// 0.8 ms (AMD EPYC, 28 November 2026); the first module through each stage
/// pays for its dialects and pattern sets.
class CompilerContext {
public:
  CompilerContext();
  ~CompilerContext();

  mlir::MLIRContext &mlirContext() { return context; }
  /// Those of the compilation that the context is at.
  KernelUses &kernels() { return kernelUses; }
  FoldedConstants &constants() { return foldedConstants; }
  /// The backend for these options, made when first asked for. **Errors**: as
  /// codeBackend().
  StatusOr<CodeBackend *> backend(const CodeOptions &code);
  /// Runs one stage in place. **Errors**: the first diagnostic of a failing
  /// pass, with its node.
  Status runStage(mlir::ModuleOp module, passes::Stage stage,
                  const passes::PipelineOptions &options);

private:
  struct StageManager {
    passes::PipelineOptions options;
    std::unique_ptr<mlir::PassManager> manager;
  };

  mlir::MLIRContext context;
  KernelUses kernelUses;
  FoldedConstants foldedConstants;
  std::map<std::string, std::unique_ptr<CodeBackend>> backends; ///< by cpu
  /// By stage; made anew when other options come.
  StageManager managers[std::size(passes::allStages)];
};

/// Turns what a context reports while it lives into one Status; nothing is
/// printed.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(mlir::MLIRContext &context);
  ~DiagnosticCollector();
  /// The first error with its node, or INTERNAL with `otherwise` when none was
  /// reported.
  Status status(std::string_view otherwise) const;

private:
  mlir::MLIRContext &context;
  mlir::DiagnosticEngine::HandlerID handler;
  Status first;
};

/// A context of the process's pool, given back at the end.
///
/// Attributes and types of a context are never freed: after so many leases or
/// nodes it is dropped, not given back. Thread safety: lease() any thread; the
/// context then is the leasing thread's. IR must be gone before the lease.
class ContextLease {
public:
  static ContextLease lease();
  /// How many contexts of the process are leased now. Thread safety: any.
  static int64_t numLeased() noexcept;
  ContextLease(ContextLease &&other) noexcept = default;
  ContextLease &operator=(ContextLease &&other) noexcept;
  ~ContextLease();

  /// Counts what is compiled with it.
  void addNodes(int64_t count) { nodes += count; }

  CompilerContext &operator*() const { return *context; }
  CompilerContext *operator->() const { return context.get(); }

private:
  ContextLease(std::unique_ptr<CompilerContext> context, int leases,
               int64_t nodes);
  void giveBack();

  std::unique_ptr<CompilerContext> context;
  int leases = 0;
  int64_t nodes = 0;
};

} // namespace kiln

#endif // KILN_LIB_JIT_COMPILERCONTEXT_H
