// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images under projective transforms: each element of the result is looked up
// where the transform says.
#include "lib/Ops/Image/Host.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace kiln::host {
namespace {

enum class Fill { Constant, Reflect, Wrap, Nearest };

/// What a processor makes of a number beyond all integers, or of NaN.
int64_t toInteger(float number) {
  constexpr float end = 9223372036854775808.f;
  return number >= -end && number < end ? static_cast<int64_t>(number)
                                        : std::numeric_limits<int64_t>::min();
}

/// \p number times a length, without an end.
float times(int64_t number, int64_t length) {
  return static_cast<float>(static_cast<int64_t>(
      static_cast<uint64_t>(number) * static_cast<uint64_t>(length)));
}

/// A coordinate beyond an image as one within it. **Source**: MapCoordinate.
float mapInto(Fill fill, float x, int64_t length) {
  if (fill == Fill::Constant)
    return x;
  const auto last = static_cast<float>(length - 1),
             size = static_cast<float>(length);
  const bool isBelow = x<0, isBeyond = x> last;
  if (fill != Fill::Nearest && (isBelow || isBeyond) && length <= 1) {
    x = 0;
  } else if (fill == Fill::Reflect && isBelow) {
    const float both = 2 * size;
    if (x < both)
      x = times(toInteger(-x / both), 2 * length) + x;
    x = x < -size ? x + both : -x - 1;
  } else if (fill == Fill::Reflect && isBeyond) {
    const float both = 2 * size;
    x -= times(toInteger(x / both), 2 * length);
    if (x >= size)
      x = both - x - 1;
  } else if (fill == Fill::Wrap && isBelow) {
    const auto turns = static_cast<uint64_t>(toInteger(-x / last)) + 1;
    x += times(static_cast<int64_t>(turns), length);
  } else if (fill == Fill::Wrap && isBeyond) {
    x -= times(toInteger(x / last), length);
  }
  // NaN stays so.
  x = x < 0 ? 0 : x;
  return last < x ? last : x;
}

/// A number as an element, which wraps where it has no place.
template <class T> T elementOf(float number) {
  if constexpr (std::is_same_v<T, int32_t>)
    return number >= -2147483648.f && number < 2147483648.f
               ? static_cast<int32_t>(number)
               : std::numeric_limits<int32_t>::min();
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(toInteger(number));
  else
    return static_cast<T>(number);
}

/// One image of a batch.
template <class T> struct Image {
  const T *elements;
  int64_t height, width, channels;
  T beyond;

  T at(float y, float x, int64_t channel) const {
    if (!(y >= 0 && y < static_cast<float>(height) && x >= 0 &&
          x < static_cast<float>(width)))
      return beyond;
    return elements[(static_cast<int64_t>(y) * width +
                     static_cast<int64_t>(x)) *
                        channels +
                    channel];
  }

  T between(float y, float x, int64_t channel) const {
    const float top = std::floor(y), left = std::floor(x);
    const float bottom = top + 1, right = left + 1;
    auto row = [&](float of) {
      return (right - x) * static_cast<float>(at(of, left, channel)) +
             (x - left) * static_cast<float>(at(of, right, channel));
    };
    return elementOf<T>((bottom - y) * row(top) + (y - top) * row(bottom));
  }
};

struct Form {
  int64_t batch, height, width;
  bool isBilinear;
  Fill fill;
};

template <class T>
void transform(const Form &form, const Tensor &images, const Tensor &transforms,
               float fillValue, Tensor &result) {
  Image<T> image{static_cast<const T *>(images.rawData()), images.dim(1),
                 images.dim(2), images.dim(3), elementOf<T>(fillValue)};
  const int64_t size = image.height * image.width * image.channels;
  const float *of = transforms.data<float>().data();
  T *to = static_cast<T *>(result.mutableRawData());
  for (int64_t i = 0; i < form.batch; ++i, image.elements += size) {
    const float *t = transforms.dim(0) == 1 ? of : of + 8 * i;
    for (int64_t row = 0; row < form.height; ++row)
      for (int64_t column = 0; column < form.width; ++column) {
        const auto y = static_cast<float>(row), x = static_cast<float>(column);
        const float depth = t[6] * x + t[7] * y + 1.f;
        if (depth == 0) {
          to = std::fill_n(to, image.channels, image.beyond);
          continue;
        }
        const float fromX = mapInto(
            form.fill, (t[0] * x + t[1] * y + t[2]) / depth, image.width);
        const float fromY = mapInto(
            form.fill, (t[3] * x + t[4] * y + t[5]) / depth, image.height);
        for (int64_t channel = 0; channel < image.channels; ++channel)
          *to++ = form.isBilinear
                      ? image.between(fromY, fromX, channel)
                      : image.at(std::round(fromY), std::round(fromX), channel);
      }
  }
}

StatusOr<Form> formOf(const HostCall &call) {
  const Tensor &images = call.inputs[0], &transforms = call.inputs[1],
               &size = call.inputs[2];
  if (images.rank() != 4)
    return invalidArgumentError("Input images must have rank 4");
  if (transforms.rank() != 2 || transforms.dim(1) != 8 ||
      (transforms.dim(0) != images.dim(0) && transforms.dim(0) != 1))
    return invalidArgumentError(
        "Input transform should be num_images x 8 or 1 x 8");
  if (size.rank() != 1)
    return invalidArgumentError(
        strCat("output shape must be 1-dimensional", size.shape().toString()));
  if (size.numElements() != 2)
    return invalidArgumentError(
        strCat("output shape must have two elements", size.shape().toString()));
  const int64_t height = size.data<int32_t>()[0],
                width = size.data<int32_t>()[1];
  if (height <= 0 || width <= 0)
    return invalidArgumentError("output dimensions must be positive");
  const auto interpolation = call.node.attrOr<std::string>("interpolation", {}),
             mode = call.node.attrOr<std::string>("fill_mode", "CONSTANT");
  if (interpolation != "NEAREST" && interpolation != "BILINEAR")
    return invalidArgumentError(strCat("Invalid interpolation ", interpolation,
                                       ". Supported types: NEAREST, BILINEAR"));
  // TensorFlow fills anyhow where the mode is none of these.
  if (mode != "CONSTANT" && mode != "REFLECT" && mode != "WRAP" &&
      mode != "NEAREST")
    return invalidArgumentError(
        strCat("Invalid fill_mode ", mode,
               ". Supported types: CONSTANT, REFLECT, WRAP, NEAREST"));
  return Form{images.dim(0), height, width, interpolation == "BILINEAR",
              mode == "CONSTANT"  ? Fill::Constant
              : mode == "REFLECT" ? Fill::Reflect
              : mode == "WRAP"    ? Fill::Wrap
                                  : Fill::Nearest};
}

} // namespace

Status transformImages(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(const Form form, formOf(call));
  const Tensor &images = call.inputs[0], &transforms = call.inputs[1];
  float fillValue = 0;
  if (call.inputs.size() > 3) {
    const Tensor &given = call.inputs[3];
    if (given.rank() != 0)
      return invalidArgumentError(
          strCat("fill_value must be a scalar", given.shape().toString()));
    fillValue = given.data<float>()[0];
  }
  const DType dtype = images.dtype();
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::create(
          dtype, Shape({form.batch, form.height, form.width, images.dim(3)})));
  auto use = [&]<class T>(T) {
    transform<T>(form, images, transforms, fillValue, call.outputs[0]);
    return okStatus();
  };
  if (dtype == DType::Float16)
    return use(Half());
  if (dtype == DType::BFloat16)
    return use(BFloat16());
  return dispatchNumber(dtype, use);
}

} // namespace kiln::host
