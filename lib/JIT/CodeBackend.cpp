// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the backend: this machine's processor.
#include "lib/JIT/CodeBackend.h"

#include "lib/JIT/backends/cpu/Target.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {

StatusOr<std::unique_ptr<CodeBackend>> codeBackend(const CodeOptions &code) {
  KILN_ASSIGN_OR_RETURN(std::unique_ptr<HostTarget> target,
                        HostTarget::create(code.cpu));
  return std::unique_ptr<CodeBackend>(std::move(target));
}

} // namespace kiln
