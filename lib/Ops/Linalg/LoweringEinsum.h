// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of Linalg's lowerings that LoweringEinsum.cpp defines.
#ifndef KILN_LIB_OPS_LINALG_LOWERINGEINSUM_H
#define KILN_LIB_OPS_LINALG_LOWERINGEINSUM_H

namespace kiln {

class LoweringRegistry;

void registerEinsumLowering(LoweringRegistry &registry);

} // namespace kiln

#endif // KILN_LIB_OPS_LINALG_LOWERINGEINSUM_H
