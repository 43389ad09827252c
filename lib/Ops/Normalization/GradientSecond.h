// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the family's gradients that is of gradients.
#ifndef KILN_LIB_OPS_NORMALIZATION_GRADIENTSECOND_H
#define KILN_LIB_OPS_NORMALIZATION_GRADIENTSECOND_H

namespace kiln {

class GradientCall;
void batchNormSecondGradient(GradientCall &call);

} // namespace kiln

#endif // KILN_LIB_OPS_NORMALIZATION_GRADIENTSECOND_H
