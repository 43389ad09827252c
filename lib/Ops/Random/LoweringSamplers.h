// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of Random's lowerings that LoweringSamplers.cpp defines.
#ifndef KILN_LIB_OPS_RANDOM_LOWERINGSAMPLERS_H
#define KILN_LIB_OPS_RANDOM_LOWERINGSAMPLERS_H

namespace kiln {

class LoweringRegistry;

void registerSamplerLowerings(LoweringRegistry &registry);

} // namespace kiln

#endif // KILN_LIB_OPS_RANDOM_LOWERINGSAMPLERS_H
