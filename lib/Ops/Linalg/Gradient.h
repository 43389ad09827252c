// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of the family's gradients.
#ifndef KILN_LIB_OPS_LINALG_GRADIENT_H
#define KILN_LIB_OPS_LINALG_GRADIENT_H

namespace kiln {

class GradientRegistry;
class GradientCall;
void einsumGradient(GradientCall &call);
void svdGradient(GradientCall &call);
/// Matrices given by their diagonals.
void registerBandGradients(GradientRegistry &registry);
/// Decompositions.
void registerFactorGradients(GradientRegistry &registry);

} // namespace kiln

#endif // KILN_LIB_OPS_LINALG_GRADIENT_H
