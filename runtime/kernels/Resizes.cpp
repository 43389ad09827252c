// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that resize images by cubic interpolation and by means over areas,
// and the gradient of the first, in TensorFlow's order of operations.
#include "kiln/Float16.h"
#include "lib/Support/DTypeDispatch.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <new>

namespace kiln {
namespace {

/// How many elements of an image lie between two of the resized one.
float scaleOf(int64_t from, int64_t to, bool alignsCorners) {
  if (alignsCorners && from > 1 && to > 1)
    return static_cast<float>(from - 1) / static_cast<float>(to - 1);
  return static_cast<float>(from) / static_cast<float>(to);
}

int64_t inside(int64_t place, int64_t extent) {
  return std::min(extent - 1, std::max<int64_t>(0, place));
}

/// The weights of a cubic convolution at multiples of 1 / steps: of the nearer
/// element, and of the one behind it.
constexpr int64_t steps = 1 << 10;
struct CubicWeights {
  std::array<float, steps + 1> near, far;
};
constexpr CubicWeights cubicWeights(double a) {
  CubicWeights weights{};
  for (size_t i = 0; i <= steps; ++i) {
    double x = static_cast<double>(i) / steps;
    weights.near[i] = static_cast<float>(((a + 2) * x - (a + 3)) * x * x + 1);
    x += 1;
    weights.far[i] =
        static_cast<float>(((a * x - 5 * a) * x + 8 * a) * x - 4 * a);
  }
  return weights;
}
constexpr CubicWeights plainWeights = cubicWeights(-0.75),
                       keysWeights = cubicWeights(-0.5);

/// The four elements along one dimension that an element is made of.
struct Taps {
  std::array<int64_t, 4> places;
  std::array<float, 4> weights;
};

/// With centers at halves, weights are Keys's and those of elements outside of
/// the image go to the others.
Taps tapsOf(int64_t i, float scale, int64_t extent, bool hasCenters) {
  const auto number = static_cast<float>(i);
  const float at = hasCenters ? (number + 0.5f) * scale - 0.5f : number * scale;
  const auto first = static_cast<int64_t>(std::floor(at));
  const auto step = static_cast<size_t>(
      std::lrint((at - static_cast<float>(first)) * static_cast<float>(steps)));
  const CubicWeights &table = hasCenters ? keysWeights : plainWeights;
  Taps taps{{},
            {table.far[step], table.near[step], table.near[steps - step],
             table.far[steps - step]}};
  for (size_t k = 0; k < 4; ++k) {
    const int64_t place = first - 1 + static_cast<int64_t>(k);
    taps.places[k] = inside(place, extent);
    if (hasCenters && taps.places[k] != place)
      taps.weights[k] = 0;
  }
  if (!hasCenters)
    return taps;
  auto &w = taps.weights;
  const float sum = w[0] + w[1] + w[2] + w[3];
  if (std::abs(sum) >= 1000.0f * std::numeric_limits<float>::min()) {
    const float inverse = 1.0f / sum;
    for (float &weight : w)
      weight *= inverse;
  }
  return taps;
}

/// The taps of each column of a resized image; null, with the error recorded,
/// where there is no memory.
std::unique_ptr<Taps[]> columnTaps(const KernelCall &call, int64_t from,
                                   int64_t to, bool hasCenters) {
  std::unique_ptr<Taps[]> taps(new (std::nothrow)
                                   Taps[static_cast<size_t>(to)]);
  if (!taps) {
    call.fail(ErrorKind::OutOfMemory, to * int64_t(sizeof(Taps)));
    return taps;
  }
  const float scale = scaleOf(from, to, call.number(0) != 0);
  for (int64_t x = 0; x < to; ++x)
    taps[static_cast<size_t>(x)] = tapsOf(x, scale, from, hasCenters);
  return taps;
}

template <class T> int32_t bicubic(const KernelCall &call) {
  const std::span<const int64_t> from = call.inputDims(0),
                                 to = call.outputDims(0);
  const bool hasCenters = call.number(1) != 0;
  const int64_t depth = from[3], row = from[2] * depth;
  auto columns = columnTaps(call, from[2], to[2], hasCenters);
  if (!columns)
    return 1;
  // A row of the image's width and the resized one's height.
  std::unique_ptr<float[]> between(
      new (std::nothrow) float[static_cast<size_t>(row)]);
  if (!between)
    return !call.fail(ErrorKind::OutOfMemory, row * int64_t(sizeof(float)));
  const float scale = scaleOf(from[1], to[1], call.number(0) != 0);
  const T *images = call.input<T>(0);
  float *out = call.output<float>(0);
  return call.forEach(to[0] * to[1], [&](int64_t i) {
    const Taps rows = tapsOf(i % to[1], scale, from[1], hasCenters);
    const T *image = images + i / to[1] * from[1] * row;
    std::array<const T *, 4> at;
    for (size_t k = 0; k < 4; ++k)
      at[k] = image + rows.places[k] * row;
    const std::array<float, 4> &w = rows.weights;
    for (int64_t x = 0; x < row; ++x)
      between[static_cast<size_t>(x)] = static_cast<float>(at[0][x]) * w[0] +
                                        static_cast<float>(at[1][x]) * w[1] +
                                        static_cast<float>(at[2][x]) * w[2] +
                                        static_cast<float>(at[3][x]) * w[3];
    for (int64_t x = 0; x < to[2]; ++x) {
      const auto &[places, v] = columns[static_cast<size_t>(x)];
      for (int64_t c = 0; c < depth; ++c) {
        auto part = [&](size_t k) {
          return between[static_cast<size_t>(places[k] * depth + c)] * v[k];
        };
        *out++ = part(0) + part(1) + part(2) + part(3);
      }
    }
    return true;
  });
}

/// images : [b, h, w, c] -> resized ones : f32 [b, nh, nw, c]; [whether corners
/// are aligned, whether centers lie at halves]
int32_t resizeBicubic(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchElement(call.inputDType(0), [&]<class T>(T) -> int32_t {
    return bicubic<T>(call);
  });
}

template <class T> int32_t bicubicGradient(const KernelCall &call) {
  const std::span<const int64_t> of = call.inputDims(0),
                                 dims = call.outputDims(0);
  const bool hasCenters = call.number(1) != 0;
  const int64_t depth = dims[3], row = dims[2] * depth;
  auto columns = columnTaps(call, dims[2], of[2], hasCenters);
  if (!columns)
    return 1;
  const float scale = scaleOf(dims[1], of[1], call.number(0) != 0);
  const auto *gradient = call.input<float>(0);
  T *sums = call.output<T>(0);
  std::fill_n(sums, call.outputElements(0), T(0));
  return call.forEach(of[0] * of[1], [&](int64_t i) {
    const Taps rows = tapsOf(i % of[1], scale, dims[1], hasCenters);
    T *image = sums + i / of[1] * dims[1] * row;
    const float *from = gradient + i * of[2] * depth;
    for (int64_t x = 0; x < of[2]; ++x) {
      const auto &[places, v] = columns[static_cast<size_t>(x)];
      for (int64_t c = 0; c < depth; ++c) {
        const T share = T(*from++);
        for (size_t k = 0; k < 4; ++k) {
          T *line = image + rows.places[k] * row + c;
          const T part = share * T(rows.weights[k]);
          for (size_t j = 0; j < 4; ++j)
            line[places[j] * depth] += part * T(v[j]);
        }
      }
    }
    return true;
  });
}

/// gradient : f32 [b, nh, nw, c] -> that of the images [b, h, w, c]; numbers as
/// resizeBicubic
int32_t resizeBicubicGradient(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return call.outputDType(0) == DType::Float64 ? bicubicGradient<double>(call)
                                               : bicubicGradient<float>(call);
}

/// The stretch of one dimension of an image that an element covers.
struct Stretch {
  Stretch(int64_t i, float scale)
      : scale(scale), from(static_cast<float>(i) * scale),
        to(static_cast<float>(i + 1) * scale),
        begin(static_cast<int64_t>(std::floor(from))),
        end(static_cast<int64_t>(std::ceil(to))) {}

  /// How much of an element lies in it.
  float partOf(int64_t place) const {
    const auto low = static_cast<float>(place),
               high = static_cast<float>(place + 1);
    if (low < from)
      return high > to ? scale : high - from;
    return high > to ? to - low : 1;
  }

  float scale, from, to;
  int64_t begin, end;
};

/// The sum of a channel of one row over the columns of a stretch.
template <class T>
float sumOf(const T *row, const Stretch &columns, int64_t width,
            int64_t depth) {
  auto at = [&](int64_t x) {
    return static_cast<float>(row[inside(x, width) * depth]);
  };
  float sum = at(columns.begin) * columns.partOf(columns.begin);
  if (columns.begin + 1 == columns.end)
    return sum;
  for (int64_t x = columns.begin + 1; x < columns.end - 1; ++x)
    sum += at(x);
  return sum + at(columns.end - 1) * columns.partOf(columns.end - 1);
}

template <class T> int32_t area(const KernelCall &call) {
  const std::span<const int64_t> from = call.inputDims(0),
                                 to = call.outputDims(0);
  const bool alignsCorners = call.number(0) != 0;
  const int64_t depth = from[3], row = from[2] * depth;
  const float height = scaleOf(from[1], to[1], alignsCorners),
              width = scaleOf(from[2], to[2], alignsCorners);
  const auto share = static_cast<float>(1.0 / (height * width));
  const T *images = call.input<T>(0);
  float *out = call.output<float>(0);
  return call.forEach(to[0] * to[1] * to[2], [&](int64_t i) {
    const Stretch rows(i / to[2] % to[1], height), columns(i % to[2], width);
    const T *image = images + i / (to[1] * to[2]) * from[1] * row;
    for (int64_t c = 0; c < depth; ++c) {
      float sum = 0;
      for (int64_t y = rows.begin; y < rows.end; ++y)
        sum += sumOf(image + inside(y, from[1]) * row + c, columns, from[2],
                     depth) *
               rows.partOf(y);
      *out++ = sum * share;
    }
    return true;
  });
}

/// images : [b, h, w, c] -> resized ones : f32 [b, nh, nw, c]; [whether corners
/// are aligned]
int32_t resizeArea(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchElement(call.inputDType(0),
                         [&]<class T>(T) -> int32_t { return area<T>(call); });
}

} // namespace

std::vector<Kernel> resizeKernels() {
  return {{"ResizeArea", resizeArea},
          {"ResizeBicubic", resizeBicubic},
          {"ResizeBicubicGradient", resizeBicubicGradient}};
}

} // namespace kiln
