// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One loop for each pair of types.
#include "tools/common/CastTensor.h"

#include "kiln/Float16.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace kiln {
namespace {

/// The float that rounds to the same float16 as the double does: what is lost
/// shows in the last bit, so that nothing is rounded twice.
float oddFloat(double value) {
  auto rounded = static_cast<float>(value);
  if (std::isnan(value) || static_cast<double>(rounded) == value)
    return rounded;
  auto bits = std::bit_cast<uint32_t>(rounded);
  if (std::fabs(static_cast<double>(rounded)) > std::fabs(value))
    --bits;
  return std::bit_cast<float>(bits | 1);
}

/// Returns false for a float that the integer type does not hold.
template <class To, class From> bool convert(From from, To &to) {
  if constexpr (std::is_class_v<From>) { // floats of 16 bits
    return convert(static_cast<float>(from), to);
  } else if constexpr (std::is_same_v<To, bool>) {
    to = from != From(0);
  } else if constexpr (std::is_same_v<To, Half> &&
                       std::is_same_v<From, double>) {
    to = Half(oddFloat(from));
  } else if constexpr (std::is_class_v<To>) {
    to = To(static_cast<float>(from));
  } else if constexpr (std::is_floating_point_v<From> &&
                       std::is_integral_v<To>) {
    auto whole = std::trunc(static_cast<double>(from));
    constexpr auto least = static_cast<double>(std::numeric_limits<To>::min());
    const double end = std::ldexp(1.0, std::numeric_limits<To>::digits);
    if (!(whole >= least && whole < end))
      return false;
    to = static_cast<To>(whole);
  } else {
    to = static_cast<To>(from);
  }
  return true;
}

} // namespace

bool isCastable(DType dtype) noexcept {
  return dispatchElement(dtype, [](auto) { return true; });
}

StatusOr<Tensor> castTensor(const Tensor &tensor, DType dtype) {
  if (tensor.dtype() == dtype)
    return tensor;
  if (!isCastable(tensor.dtype()) || !isCastable(dtype))
    return invalidArgumentError(strCat("expected numbers to make ",
                                       dtypeName(dtype), " of, got ",
                                       dtypeName(tensor.dtype())));
  KILN_ASSIGN_OR_RETURN(Tensor result, Tensor::create(dtype, tensor.shape()));
  int64_t refused = -1;
  dispatchElement(tensor.dtype(), [&]<class From>(From) {
    return dispatchElement(dtype, [&]<class To>(To) {
      auto from = tensor.data<From>();
      auto to = result.mutableData<To>();
      for (size_t i = 0; i < from.size() && refused < 0; ++i)
        if (!convert(from[i], to[i]))
          refused = static_cast<int64_t>(i);
      return true;
    });
  });
  if (refused >= 0)
    return invalidArgumentError(strCat("expected values that ",
                                       dtypeName(dtype), " holds, element ",
                                       refused, " (row-major) is not one"));
  return result;
}

} // namespace kiln
