// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes away what the limit lacks.
#include "lib/JIT/backends/cpu/HostFeatures.h"

#include "runtime/arithmetic/CpuVariants.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

#include <algorithm>
#include <iterator>

namespace kiln {

StatusOr<std::map<std::string, bool>> hostFeatures() {
  // A virtual machine takes tens of microseconds to tell.
  static const llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  std::map<std::string, bool> features;
  for (const auto &feature : host)
    features[feature.getKey().str()] = feature.getValue();
  const std::string &limit = cpuLimit();
  if (limit.empty())
    return features;
  // Below v2 LLVM passes float16 in other registers than our runtime does.
  constexpr llvm::StringLiteral levels[] = {"x86-64-v2", "x86-64-v3",
                                            "x86-64-v4"};
  if (std::find(std::begin(levels), std::end(levels), limit) ==
      std::end(levels))
    return invalidArgumentError("expected x86-64-v2, x86-64-v3 or x86-64-v4 "
                                "as KILN_CPU_LIMIT, got " +
                                limit);
  llvm::SmallVector<llvm::StringRef> named;
  llvm::X86::getFeaturesForCPU(limit, named);
  // LLVM's list leaves out what its entries imply, and 64bit.
  llvm::StringMap<bool> allowed;
  allowed["64bit"] = true;
  for (llvm::StringRef name : named) {
    allowed[name] = true;
    llvm::X86::updateImpliedFeatures(name, true, allowed);
  }
  for (auto &[name, isThere] : features)
    isThere = isThere && allowed.lookup(name);
  return features;
}

} // namespace kiln
