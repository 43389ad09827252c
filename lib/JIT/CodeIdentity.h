// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What object code depends on beside its source: this build of Kiln and LLVM,
// and the machine.
#ifndef KILN_LIB_JIT_CODEIDENTITY_H
#define KILN_LIB_JIT_CODEIDENTITY_H

#include "kiln/Status.h"
#include "lib/Compiled/Digest.h"

#include <string>

namespace kiln {

/// The same in two processes only if code that one of them compiles for `cpu`
/// (HostTarget::create()'s) is what the other one would compile, and runs
/// there: the build ids of the libraries that make it, the processor's name and
/// features. **Errors**: FAILED_PRECONDITION for a library without a build id.
StatusOr<Digest> codeIdentity(const std::string &cpu);

} // namespace kiln

#endif // KILN_LIB_JIT_CODEIDENTITY_H
