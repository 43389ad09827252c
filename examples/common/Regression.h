// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data for a linear regression, and its exact solution.
#ifndef KILN_EXAMPLES_COMMON_REGRESSION_H
#define KILN_EXAMPLES_COMMON_REGRESSION_H

#include "examples/common/Csv.h"

#include <cstdint>
#include <vector>

namespace kiln::examples {

/// Features with a column of ones before them, and labels; row-major.
struct RegressionData {
  int64_t rows = 0;
  int64_t features = 0; ///< the ones among them
  std::vector<float> x; ///< rows * features
  std::vector<float> y; ///< rows
};

/// Takes the last column as labels and standardizes the others: mean 0,
/// population standard deviation 1. **Edges**: a constant column becomes zeros.
RegressionData standardize(const Table &table);

/// Returns the smallest mean squared error that any theta has on the data, by
/// the normal equations in double precision.
double leastSquaresLoss(const RegressionData &data);

} // namespace kiln::examples

#endif // KILN_EXAMPLES_COMMON_REGRESSION_H
