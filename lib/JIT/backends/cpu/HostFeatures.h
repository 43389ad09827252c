// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code that is made here may use.
#ifndef KILN_LIB_JIT_BACKENDS_CPU_HOSTFEATURES_H
#define KILN_LIB_JIT_BACKENDS_CPU_HOSTFEATURES_H

#include "kiln/Status.h"

#include <map>
#include <string>

namespace kiln {

/// By the names that LLVM gives them, whether this processor has them; what is
/// beyond cpuLimit() it has not. **Errors**: INVALID_ARGUMENT for a limit that
/// is no level of x86-64.
StatusOr<std::map<std::string, bool>> hostFeatures();

} // namespace kiln

#endif // KILN_LIB_JIT_BACKENDS_CPU_HOSTFEATURES_H
