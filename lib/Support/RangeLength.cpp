// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounds in double, which is exact enough for one operation on narrower floats.
#include "lib/Support/RangeLength.h"

#include "kiln/Float16.h"
#include "lib/Support/Strings.h"

#include <cmath>

namespace kiln {

static double roundTo(DType dtype, double number) {
  switch (dtype) {
  case DType::Float64:
    return number;
  case DType::BFloat16:
    return static_cast<float>(BFloat16(static_cast<float>(number)));
  default:
    return static_cast<float>(number);
  }
}

StatusOr<int64_t> floatRangeLength(DType dtype, double start, double limit,
                                   double delta) {
  if (delta == 0)
    return invalidArgumentError("Requires delta != 0: 0");
  const bool isUp = delta > 0;
  if (!(isUp ? start <= limit : start >= limit))
    return invalidArgumentError(
        strCat("Requires start ", isUp ? "<=" : ">=", " limit when delta ",
               isUp ? ">" : "<", " 0: ", start, "/", limit));
  const double length = std::ceil(
      std::fabs(roundTo(dtype, roundTo(dtype, limit - start) / delta)));
  if (!(length < 9.2e18))
    return invalidArgumentError(
        "Requires ((limit - start) / delta) <= 9223372036854775807");
  return static_cast<int64_t>(length);
}

} // namespace kiln
