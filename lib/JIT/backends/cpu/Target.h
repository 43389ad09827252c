// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine that code is generated for: this one, with all that its processor
// can do or with what a lesser one can.
#ifndef KILN_LIB_JIT_BACKENDS_CPU_TARGET_H
#define KILN_LIB_JIT_BACKENDS_CPU_TARGET_H

#include "kiln/Status.h"

#include <cstdint>
#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace kiln {

/// Turns LLVM IR into object code for the host.
///
/// Nothing is vectorized or unrolled here: the passes have done it; LLVM only
/// cleans up behind the lowering. Thread safety: one object a thread. **Cost**:
/// creation 0.25 ms.
class HostTarget {
public:
  /// `cpu`: CodeOptions::cpu.
  /// **Errors**: INVALID_ARGUMENT for an unknown name, and for one whose code
  /// this processor cannot run.
  static StatusOr<std::unique_ptr<HostTarget>>
  create(const std::string &cpu = {});
  ~HostTarget();

  /// Sets the triple, the data layout and what all functions share: frame
  /// pointers, no unwinding, wide vectors.
  void prepare(llvm::Module &module) const;
  /// Runs the reduced pass list, with `quick` its cheap part. `firstTemporary`:
  /// where the temporaries begin in the buffer table.
  void optimize(llvm::Module &module, int64_t firstTemporary,
                bool quick = false);
  /// Returns a relocatable object. **Ownership**: consumes the module's IR,
  /// which must not be used afterwards. With `quick` it takes a fraction of the
  /// time, and the code keeps its values in memory; the bits are the same.
  StatusOr<std::string> emitObject(llvm::Module &module, bool quick = false);
  /// Returns the assembly text; works on a copy of the module.
  StatusOr<std::string> emitAssembly(const llvm::Module &module);

  /// Vector registers: how wide and how many.
  int64_t registerBytes() const { return vectorBits / 8; }
  int64_t registers() const { return vectorBits == 512 ? 32 : 16; }
  /// "znver5 with 512-bit vectors" or the like: part of a key for stored code.
  const std::string &description() const { return hostDescription; }

private:
  HostTarget() = default;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::string hostDescription;
  int vectorBits = 0;
};

} // namespace kiln

#endif // KILN_LIB_JIT_BACKENDS_CPU_TARGET_H
