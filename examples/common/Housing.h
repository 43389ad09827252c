// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The California housing data of the 1990 census.
#ifndef KILN_EXAMPLES_COMMON_HOUSING_H
#define KILN_EXAMPLES_COMMON_HOUSING_H

#include "examples/common/Csv.h"

namespace kiln::examples {

/// Reads cal_housing.data as StatLib published it (Pace & Barry, 1997) and
/// derives the eight features of the textbooks (MedInc, HouseAge, AveRooms,
/// AveBedrms, Population, AveOccup, Latitude, Longitude) and, as last column,
/// the median house value in 100,000 USD. **Errors**: as readCsv();
/// INVALID_ARGUMENT, with the line, for a block without households.
/// **Source**: sklearn.datasets.fetch_california_housing.
StatusOr<Table> readHousing(const std::string &path);

} // namespace kiln::examples

#endif // KILN_EXAMPLES_COMMON_HOUSING_H
