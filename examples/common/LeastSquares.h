// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exact solution of a linear regression, without Kiln.
#ifndef KILN_EXAMPLES_COMMON_LEASTSQUARES_H
#define KILN_EXAMPLES_COMMON_LEASTSQUARES_H

#include "examples/common/Regression.h"

namespace kiln::examples {

/// Returns the smallest mean squared error that any theta has on the data, by
/// the normal equations in double precision.
double leastSquaresLoss(const RegressionData &data);

} // namespace kiln::examples

#endif // KILN_EXAMPLES_COMMON_LEASTSQUARES_H
