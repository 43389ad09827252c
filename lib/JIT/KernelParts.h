// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a module in objects of their own, which other modules can
// link, too.
#ifndef KILN_LIB_JIT_KERNELPARTS_H
#define KILN_LIB_JIT_KERNELPARTS_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace kiln {

struct KernelModule {
  std::string name; ///< of the function of kiln-share-kernels
  std::unique_ptr<llvm::Module> module;
};

/// LLVM instructions of a kernel, as costOf() counts them, from which on it has
/// an object: one costs a millisecond more than a function of the module.
inline constexpr int64_t minKernelCost = 1'000;

/// Takes kernels out of the module, with the tasks that only they have; it then
/// only declares them. Left in it are small ones, those that need other
/// functions of the module, and what is more than a module's share of objects.
/// What is taken depends on the module alone.
std::vector<KernelModule> takeKernels(llvm::Module &module);

} // namespace kiln

#endif // KILN_LIB_JIT_KERNELPARTS_H
