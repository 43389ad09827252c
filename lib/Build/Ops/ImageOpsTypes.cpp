// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images of other types.
#include "kiln/ops/Array.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/ElementwiseOps.h"
#include "kiln/ops/ImageColorOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "lib/Build/Ops/ImageOpsHelpers.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"

#include <limits>

namespace kiln::ops {
namespace {

/// How many bits the largest number of an integer type has.
int bitsOf(DType dtype) {
  return dispatchInteger(dtype, [](auto sample) {
    return std::numeric_limits<decltype(sample)>::digits;
  });
}

/// The largest number of an integer type.
double largestOf(DType dtype) {
  return dispatchInteger(dtype, [](auto sample) {
    return static_cast<double>(std::numeric_limits<decltype(sample)>::max());
  });
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
    const double scale = 1.0 / largestOf(x.dtype());
    return rawOps::mul(cast(x, dtype), scale, {.name = scope});
  }
  const double scale = largestOf(dtype) + 0.5;
  return casted(rawOps::mul(x, scale), dtype, options.saturate, scope);
}

} // namespace kiln::ops
