// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface behind which stands what is particular to a machine: schedules
// are chosen for it, code is emitted and made into objects. Objects are loaded
// and launched without it (CodeLoader).
#ifndef KILN_LIB_JIT_CODEBACKEND_H
#define KILN_LIB_JIT_CODEBACKEND_H

#include "kiln/CodeOptions.h"
#include "kiln/Status.h"
#include "lib/Compiled/Digest.h"
#include "passes/Passes.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <string>
#include <string_view>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace kiln {

/// Makes code for one target. Thread safety: one object a thread.
class CodeBackend {
public:
  virtual ~CodeBackend() = default;

  /// "cpu". With the digest of the target, which is the same only where code
  /// is, what tells code of other machines apart (CodeKey).
  virtual std::string_view name() const = 0;
  virtual const Digest &target() const = 0;

  /// **Schedule**: what kiln-vectorize and kiln-pack-constants choose the loops
  /// of fusions for. `unroll`: as many vectors a step, on the largest of its
  /// processors.
  virtual passes::KilnVectorizeOptions scheduleTarget(int64_t unroll) const = 0;

  /// **Emit**: the LLVM IR of a module of the LLVM dialect, with all that its
  /// functions share. Null where that fails, with a diagnostic.
  virtual std::unique_ptr<llvm::Module>
  emit(mlir::ModuleOp module, llvm::LLVMContext &context) const = 0;
  /// Improves it, with `quick` by what is cheap. `firstTemporary`: where the
  /// temporaries begin in the buffer table.
  virtual void optimize(llvm::Module &module, int64_t firstTemporary,
                        bool quick) = 0;

  /// **Object**: what a loader of this backend takes. **Ownership**: consumes
  /// the module's IR, which must not be used afterwards. With `quick` it takes
  /// a fraction of the time, and the code is slower; the bits are the same.
  virtual StatusOr<std::string> emitObject(llvm::Module &module,
                                           bool quick) = 0;
  /// The object as text; works on a copy of the module.
  virtual StatusOr<std::string> emitAssembly(const llvm::Module &module) = 0;
};

/// The backend that code with these options is made by. **Errors**:
/// INVALID_ARGUMENT for a processor whose code this one cannot run, and for a
/// name that is none.
StatusOr<std::unique_ptr<CodeBackend>> codeBackend(const CodeOptions &code);

} // namespace kiln

#endif // KILN_LIB_JIT_CODEBACKEND_H
