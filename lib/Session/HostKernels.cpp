// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the host kernels, family by family.
#include "lib/Session/HostKernels.h"

#include "lib/OpDefs/OpDef.h"
#include "lib/Support/Strings.h"

#include <cassert>
#include <mutex>

namespace kiln {

HostKernels::HostKernels() {
  for (auto *addFamily :
       {addAccumulatorKernels, addPlainKernels, addQueueKernels,
        addReaderKernels, addStageKernels, addStoredKernels, addTableKernels,
        addVariableKernels})
    addFamily(*this);
}

HostKernels &HostKernels::process() {
  static HostKernels &kernels = *new HostKernels;
  return kernels;
}

Status HostKernels::add(std::string opType, HostKernel kernel) {
  std::lock_guard lock(mutex);
  auto [place, isNew] = kernels.emplace(std::move(opType), kernel);
  return isNew ? okStatus()
               : alreadyExistsError(
                     strCat("expected a new host kernel, got ", place->first));
}

const HostKernel *HostKernels::find(std::string_view opType) const {
  std::lock_guard lock(mutex);
  auto found = kernels.find(opType);
  return found == kernels.end() ? nullptr : &found->second;
}

void HostKernels::addOwn(std::string_view name, HostKernel kernel,
                         Names prefixes, Names suffixes) {
  for (std::string_view prefix : prefixes)
    for (std::string_view suffix : suffixes)
      if (std::string opType = strCat(prefix, name, suffix); lookupOp(opType)) {
        Status added = add(std::move(opType), kernel);
        assert(added.ok() && "an op type has one host kernel");
        (void)added;
      }
}

} // namespace kiln
