// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images of other types.
#include "kiln/ops/Array.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/ImageColorOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/Selection.h"
#include "lib/Build/Ops/ImageOpsHelpers.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"

#include <bit>
#include <cmath>
#include <limits>

namespace kiln::ops {
namespace {

/// How many bits the largest number of an integer type has.
int bitsOf(DType dtype) {
  return dispatchInteger(dtype, [](auto sample) {
    return std::numeric_limits<decltype(sample)>::digits;
  });
}

/// The smallest and largest numbers of a type, as floats that need not be
/// exact.
struct Limits {
  double least, most;
};
Limits limitsOf(DType dtype) {
  switch (dtype) {
  case DType::Float16:
    return {-65504, 65504};
  case DType::BFloat16:
    return {-std::ldexp(255, 120), std::ldexp(255, 120)};
  case DType::Float32:
    return {std::numeric_limits<float>::lowest(),
            std::numeric_limits<float>::max()};
  case DType::Float64:
    return {std::numeric_limits<double>::lowest(),
            std::numeric_limits<double>::max()};
  default:
    return dispatchInteger(dtype, [](auto sample) {
      using T = decltype(sample);
      return Limits{static_cast<double>(std::numeric_limits<T>::lowest()),
                    static_cast<double>(std::numeric_limits<T>::max())};
    });
  }
}

/// The number of a float type that is nearest to a limit, and not beyond it.
double within(DType dtype, double limit) {
  // How many bits of the 53 of a double the type leaves out.
  const int spare = dtype == DType::Float32    ? 29
                    : dtype == DType::Float16  ? 42
                    : dtype == DType::BFloat16 ? 45
                                               : 0;
  const auto bits = std::bit_cast<uint64_t>(limit);
  return std::bit_cast<double>(bits >> spare << spare);
}

/// The limits that values of a type are held in before they become another.
std::pair<Tensor, Tensor> clampOf(DType from, DType to) {
  if (isInteger(from))
    return dispatchInteger(from, [&](auto sample) {
      using T = decltype(sample);
      return dispatchInteger(to, [&](auto target) {
        using U = std::numeric_limits<decltype(target)>;
        using Own = std::numeric_limits<T>;
        const T least = std::cmp_less(Own::lowest(), U::lowest())
                            ? static_cast<T>(U::lowest())
                            : Own::lowest();
        const T most = std::cmp_greater(Own::max(), U::max())
                           ? static_cast<T>(U::max())
                           : Own::max();
        return std::pair(Tensor::scalar(least), Tensor::scalar(most));
      });
    });
  const Limits own = limitsOf(from), target = limitsOf(to);
  const double least = within(from, std::max(own.least, target.least));
  const double most = within(from, std::min(own.most, target.most));
  return {Tensor::scalar(least), Tensor::scalar(most)};
}

/// A cast of values that are held within the limits of both types. **Source**:
/// tf.saturate_cast, "saturate_cast".
Output saturateCast(const Output &value, DType dtype,
                    const OpOptions &options) {
  Input input = value;
  FunctionScope scope(options.name, "saturate_cast", {&input});
  if (!value.node)
    return {};
  auto [least, most] = clampOf(value.dtype(), dtype);
  Output low = convert(least, "", value.dtype());
  Output high = convert(most, "", value.dtype());
  Output held = rawOps::clipByValue(value, low, high, {.name = "clamp"});
  return cast(held, dtype, {.name = scope});
}

/// A cast, saturating or not.
Output casted(const Output &value, DType dtype, bool saturate,
              const std::string &name) {
  return saturate ? saturateCast(value, dtype, {.name = name})
                  : cast(value, dtype, {.name = name});
}

Output betweenIntegers(const Output &image, DType dtype, bool saturate,
                       const std::string &scope) {
  // The largest numbers are powers of two less 1.
  const int less = bitsOf(image.dtype()) - bitsOf(dtype);
  if (less > 0)
    return casted(floorDiv(image, int64_t{1} << less), dtype, saturate, scope);
  Output wide = casted(image, dtype, saturate, "");
  return rawOps::mul(wide, int64_t{1} << -less, {.name = scope});
}

} // namespace

Output convertImageDType(const Input &image, DType dtype,
                         const ConvertImageDTypeOptions &options) {
  GraphScope graph(builderOf(image));
  Output x = convert(image, "image");
  if (!x.node)
    return {};
  const std::string &name =
      options.name.empty() ? std::string("convert_image") : options.name;
  if (!isFloating(dtype) && !isInteger(dtype))
    return failed(
        invalidArgumentError("dtype must be either floating point or integer"),
        name);
  if (!isFloating(x.dtype()) && !isInteger(x.dtype()))
    return failed(invalidArgumentError(
                      "image dtype must be either floating point or integer"),
                  name);
  if (dtype == x.dtype())
    return rawOps::identity(x, {.name = options.name});
  Input value = x;
  FunctionScope scope(options.name, "convert_image", {&value});
  if (isInteger(x.dtype()) && isInteger(dtype))
    return betweenIntegers(x, dtype, options.saturate, scope);
  if (isFloating(x.dtype()) && isFloating(dtype))
    return cast(x, dtype, {.name = scope});
  if (isInteger(x.dtype())) {
    const double scale = 1.0 / limitsOf(x.dtype()).most;
    return rawOps::mul(cast(x, dtype), scale, {.name = scope});
  }
  const double scale = limitsOf(dtype).most + 0.5;
  return casted(rawOps::mul(x, scale), dtype, options.saturate, scope);
}

} // namespace kiln::ops
