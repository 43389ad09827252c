// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What computes an op.
#ifndef KILN_LIB_OPDEFS_COMPUTATION_H
#define KILN_LIB_OPDEFS_COMPUTATION_H

#include "lib/OpDefs/OpDef.h"

#include <string_view>

namespace kiln {

struct Computation {
  enum class By : uint8_t {
    Code,       ///< a lowering; of ops that users add, their kernel
    HostKernel, ///< lib/HostKernels, without effects: code calls it
    Cut,        ///< lib/HostKernels: a run is cut at the op
    Elsewhere,  ///< KILN_OP_ELSEWHERE in OpsWithoutKernel.def
    Nothing,    ///< KILN_OP_MISSING there
  };
  By by = By::Code;
  std::string_view text; ///< in words; "native code" and the like
};

/// By flags and OpsWithoutKernel.def; unit/HostKernelsTest holds that they
/// agree with the tables of lowerings and host kernels.
Computation computationOf(const OpDef &def);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_COMPUTATION_H
