// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What object code depends on beside its source and its key: this build of Kiln
// and LLVM.
#ifndef KILN_LIB_JIT_CODEIDENTITY_H
#define KILN_LIB_JIT_CODEIDENTITY_H

#include "kiln/Status.h"
#include "lib/Compiled/Digest.h"

namespace kiln {

/// The same in two processes only if code that one of them makes is what the
/// other one would make of the same source under the same CodeKey: the build
/// ids of the libraries that make it. **Errors**: FAILED_PRECONDITION for a
/// library without a build id.
StatusOr<Digest> buildIdentity();

} // namespace kiln

#endif // KILN_LIB_JIT_CODEIDENTITY_H
