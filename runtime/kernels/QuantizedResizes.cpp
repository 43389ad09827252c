// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resizes images of quantized numbers by linear interpolation, in integers, as
// TensorFlow's kernels do: 7 bits of a place between two elements for bytes, 30
// for numbers of 32 bits; floats in floats.
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

namespace kiln {
namespace {

/// Two elements along a dimension, and how far behind the first one.
struct Between {
  int64_t lower, upper;
  float place;
};

float scaleOf(int64_t from, int64_t to, bool alignsCorners) {
  if (alignsCorners && to > 1)
    return static_cast<float>(from - 1) / static_cast<float>(to - 1);
  return static_cast<float>(from) / static_cast<float>(to);
}

Between betweenOf(int64_t i, float scale, int64_t extent, bool hasCenters) {
  const auto number = static_cast<float>(i);
  const float at = hasCenters ? (number + 0.5f) * scale - 0.5f : number * scale;
  const float whole = std::floor(at);
  Between result;
  result.upper = std::min(static_cast<int64_t>(std::ceil(at)), extent - 1);
  result.lower =
      std::min(std::max<int64_t>(static_cast<int64_t>(whole), 0), result.upper);
  result.place = at - whole;
  return result;
}

/// Products that wrap, as those of the kernel do where a place is below 0.
template <class Wide> Wide times(Wide a, Wide b) {
  using Bits = std::make_unsigned_t<Wide>;
  return static_cast<Wide>(static_cast<Bits>(a) * static_cast<Bits>(b));
}

/// Of integers: T, the places as Place, all sums as Sum.
template <class T, class Place, class Sum, int bits> struct Integers {
  static T mix(T topLeft, T topRight, T bottomLeft, T bottomRight, float x,
               float y) {
    const auto atX = static_cast<Place>(x * static_cast<float>(1 << bits)),
               atY = static_cast<Place>(y * static_cast<float>(1 << bits));
    using Wide = int64_t;
    constexpr Wide one = Wide(1) << bits;
    // Numbers of 32 bits are read by way of float32, as the kernel reads them.
    auto read = [](T x) {
      return sizeof(T) < sizeof(float)
                 ? Wide(x)
                 : static_cast<Wide>(static_cast<float>(x));
    };
    auto line = [&](T left, T right) {
      return static_cast<Sum>(
          times<Wide>(read(left), one) +
          static_cast<Sum>(times<Wide>(read(right) - read(left), atX)));
    };
    const Sum top = line(topLeft, topRight),
              bottom = line(bottomLeft, bottomRight);
    const auto sum = static_cast<Sum>(
        top + times<Wide>((Wide(bottom) - Wide(top)) / one, atY));
    return static_cast<T>(static_cast<int32_t>((sum + one / 2) / one));
  }
};
struct Floats {
  static float mix(float topLeft, float topRight, float bottomLeft,
                   float bottomRight, float x, float y) {
    const float top = topLeft + (topRight - topLeft) * x,
                bottom = bottomLeft + (bottomRight - bottomLeft) * x;
    return top + (bottom - top) * y;
  }
};

template <class T, class Arithmetic> int32_t resize(const KernelCall &call) {
  const std::span<const int64_t> from = call.inputDims(0),
                                 to = call.outputDims(0);
  const T *images = call.input<T>(0);
  T *out = call.output<T>(0);
  if (from[1] == to[1] && from[2] == to[2]) {
    std::copy_n(images, call.inputElements(0), out);
    return mustStop(call.state());
  }
  const bool aligns = call.number(0) != 0, hasCenters = call.number(1) != 0;
  std::unique_ptr<Between[]> columns(new (std::nothrow)
                                         Between[static_cast<size_t>(to[2])]);
  if (!columns)
    return !call.fail(ErrorKind::OutOfMemory, to[2] * int64_t(sizeof(Between)));
  for (int64_t x = 0; x < to[2]; ++x)
    columns[static_cast<size_t>(x)] =
        betweenOf(x, scaleOf(from[2], to[2], aligns), from[2], hasCenters);
  const int64_t depth = from[3], row = from[2] * depth;
  return call.forEach(to[0] * to[1], [&](int64_t i) {
    const Between y = betweenOf(i % to[1], scaleOf(from[1], to[1], aligns),
                                from[1], hasCenters);
    const T *image = images + i / to[1] * from[1] * row;
    const T *top = image + y.lower * row, *bottom = image + y.upper * row;
    T *line = out + i * to[2] * depth;
    for (int64_t x = 0; x < to[2]; ++x) {
      const Between &at = columns[static_cast<size_t>(x)];
      for (int64_t c = 0; c < depth; ++c)
        line[x * depth + c] = Arithmetic::mix(
            top[at.lower * depth + c], top[at.upper * depth + c],
            bottom[at.lower * depth + c], bottom[at.upper * depth + c],
            at.place, y.place);
    }
    return true;
  });
}

/// images [B, H, W, C] : bytes, int32 or floats -> [B, H', W', C]; [whether
/// corners are aligned, whether elements have their centers at halves]
int32_t resizeQuantized(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  switch (call.inputDType(0)) {
  case DType::Float32:
    return resize<float, Floats>(call);
  case DType::Int32:
  case DType::QInt32:
    return resize<int32_t, Integers<int32_t, int32_t, int64_t, 30>>(call);
  default:
    return resize<uint8_t, Integers<uint8_t, int16_t, int16_t, 7>>(call);
  }
}

} // namespace

std::vector<Kernel> quantizedResizeKernels() {
  return {{"ResizeQuantized", resizeQuantized}};
}

} // namespace kiln
