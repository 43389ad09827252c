// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine that code is generated for: this one, with all that its processor
// can do or with what a lesser one can.
#ifndef KILN_LIB_JIT_BACKENDS_CPU_TARGET_H
#define KILN_LIB_JIT_BACKENDS_CPU_TARGET_H

#include "lib/JIT/CodeBackend.h"

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace kiln {

/// Turns LLVM IR into object code for the host.
///
/// Nothing is vectorized or unrolled here: the passes have done it; LLVM only
/// cleans up behind the lowering. **Cost**: creation 0.25 ms.
class HostTarget final : public CodeBackend {
public:
  static constexpr std::string_view backendName = "cpu";

  /// `cpu`: CodeOptions::cpu.
  /// **Errors**: INVALID_ARGUMENT for an unknown name, and for one whose code
  /// this processor cannot run.
  static StatusOr<std::unique_ptr<HostTarget>>
  create(const std::string &cpu = {});
  /// target() of what create() makes: of the processor's name and features.
  /// **Errors**: INVALID_ARGUMENT for a limit that is no level of x86-64.
  static StatusOr<Digest> identity(const std::string &cpu);
  ~HostTarget() override;

  std::string_view name() const override { return backendName; }
  const Digest &target() const override { return digest; }
  passes::KilnVectorizeOptions scheduleTarget(int64_t unroll) const override;
  /// With the triple, the data layout and what all functions share: frame
  /// pointers, no unwinding, wide vectors.
  std::unique_ptr<llvm::Module> emit(mlir::ModuleOp module,
                                     llvm::LLVMContext &context) const override;
  /// Runs a reduced list of passes.
  void optimize(llvm::Module &module, int64_t firstTemporary,
                bool quick) override;
  /// A relocatable object; with `quick` its code keeps values in memory.
  StatusOr<std::string> emitObject(llvm::Module &module, bool quick) override;
  StatusOr<std::string> emitAssembly(const llvm::Module &module) override;

  /// What emit() does to LLVM IR.
  void prepare(llvm::Module &module) const;

private:
  HostTarget() = default;

  std::unique_ptr<llvm::TargetMachine> machine;
  Digest digest = {};
  int vectorBits = 0;
};

} // namespace kiln

#endif // KILN_LIB_JIT_BACKENDS_CPU_TARGET_H
