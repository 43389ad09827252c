// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the runtime's own kernels, a list a file of Kernels.def.
#include "runtime/kernels/KernelRegistry.h"

#include "lib/Support/Strings.h"
#include "runtime/kernels/Kernels.h"

#include <mutex>

namespace kiln {

KernelRegistry::KernelRegistry() {
  for (auto list : {
#define KILN_KERNELS(kind) kind##Kernels,
#include "runtime/kernels/Kernels.def"
       })
    for (Kernel &kernel : list())
      kernels.emplace(kernel.name, kernel);
}

KernelRegistry &KernelRegistry::process() {
  static KernelRegistry &registry = *new KernelRegistry;
  return registry;
}

Status KernelRegistry::add(Kernel kernel) {
  std::string name = kernel.name;
  std::lock_guard lock(mutex);
  if (!kernels.emplace(name, std::move(kernel)).second)
    return alreadyExistsError(strCat("expected a new kernel, got ", name));
  return okStatus();
}

const Kernel *KernelRegistry::find(std::string_view name) const {
  std::lock_guard lock(mutex);
  auto found = kernels.find(name);
  return found == kernels.end() ? nullptr : &found->second;
}

} // namespace kiln
