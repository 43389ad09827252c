// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of the process by name: what native code and the evaluator call
// for work that is not loops.
#ifndef KILN_RUNTIME_KERNELS_KERNELREGISTRY_H
#define KILN_RUNTIME_KERNELS_KERNELREGISTRY_H

#include "kiln/Status.h"
#include "runtime/abi/Abi.h"
#include "runtime/threads/ForkMutex.h"

#include <map>
#include <string>
#include <string_view>

namespace kiln {

/// A kernel: a function on whole tensors, and what callers may assume of it.
///
/// A kernel gives the same bits for the same inputs, also from several threads
/// at once, unless it says that it has effects; it does not throw.
struct Kernel {
  std::string name;
  KilnKernelFn run = nullptr;
  /// Whether a call does anything beside giving its outputs, or depends on
  /// anything but its inputs: it runs once, where it stands.
  bool hasEffects = false;
  /// Whether it may report an error for some inputs.
  bool mayFail = true;
  /// Whether nothing is left of its effects when the run has ended: a run that
  /// is given up may begin again.
  bool effectsEndWithRun = false;
};

/// The kernels of the runtime, and those that higher layers add. A kernel is
/// never removed: what find() gives lives as long as the process.
///
/// Thread safety: all functions; `mutex` guards the map.
class KernelRegistry {
public:
  /// Returns the registry of the process, with the kernels of
  /// Kernels.def. **Ownership**: never destroyed.
  static KernelRegistry &process();

  /// **Errors**: ALREADY_EXISTS for a name that is taken.
  Status add(Kernel kernel);
  /// Null for a name that was not added.
  const Kernel *find(std::string_view name) const;

private:
  KernelRegistry();

  mutable ForkMutex mutex;
  std::map<std::string, Kernel, std::less<>> kernels;
};

} // namespace kiln

#endif // KILN_RUNTIME_KERNELS_KERNELREGISTRY_H
