// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws the lines of boxes into images.
#include "kiln/Float16.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <algorithm>
#include <cmath>

namespace kiln {
namespace {

constexpr int64_t numOwnColors = 10, ownDepth = 4;
constexpr float ownColors[numOwnColors][ownDepth] = {
    {1, 1, 0, 1},       {0, 0, 1, 1},       {1, 0, 0, 1},    {0, 1, 0, 1},
    {0.5f, 0, 0.5f, 1}, {0.5f, 0.5f, 0, 1}, {0.5f, 0, 0, 1}, {0, 0, 0.5f, 1},
    {0, 1, 1, 1},       {1, 0, 1, 1}};

/// A place along an extent as a whole number; NaN and what no image has lie
/// outside of it.
int64_t placeOf(float share, int64_t extent) {
  const float place = share * static_cast<float>(extent - 1);
  constexpr float most = 1e9f;
  if (std::isnan(place))
    return static_cast<int64_t>(-most);
  return static_cast<int64_t>(std::clamp(place, -most, most));
}

template <class T> struct Canvas {
  T *pixels;
  int64_t height, width, depth;

  void setPixel(int64_t row, int64_t column, const float *color) {
    T *pixel = pixels + (row * width + column) * depth;
    for (int64_t c = 0; c < depth; ++c)
      pixel[c] = T(color[c]);
  }

  /// The lines of a box that lie in the image.
  void draw(const float *box, const float *color) {
    const int64_t top = placeOf(box[0], height), left = placeOf(box[1], width),
                  bottom = placeOf(box[2], height),
                  right = placeOf(box[3], width);
    if (top > bottom || left > right || top >= height || bottom < 0 ||
        left >= width || right < 0)
      return;
    for (int64_t row : {top, bottom})
      if (row >= 0 && row < height)
        for (int64_t column = std::max<int64_t>(left, 0);
             column <= std::min(right, width - 1); ++column)
          setPixel(row, column, color);
    for (int64_t column : {left, right})
      if (column >= 0 && column < width)
        for (int64_t row = std::max<int64_t>(top, 0);
             row <= std::min(bottom, height - 1); ++row)
          setPixel(row, column, color);
  }
};

template <class T> int32_t draw(const KernelCall &call) {
  const std::span<const int64_t> dims = call.inputDims(0);
  const int64_t boxes = call.inputDims(1)[1], depth = dims[3],
                perImage = dims[1] * dims[2] * depth;
  // Code for one depth serves others.
  if (depth != 1 && depth != 3 && depth != 4)
    return !call.fail(invalidArgumentError(
        "Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)"));
  if (depth != 1 && depth != 3 && depth != 4) {
    call.fail(invalidArgumentError("Channel depth should be either 1 (GRY), 3 "
                                   "(RGB), or 4 (RGBA)"));
    return 1;
  }
  const bool hasColors = call.inputElements(2) != 0;
  const int64_t numColors = hasColors ? call.inputDims(2)[0] : numOwnColors,
                colorDepth = hasColors ? call.inputDims(2)[1] : ownDepth;
  const float *colors = hasColors ? call.input<float>(2) : ownColors[0];
  std::copy_n(call.input<T>(0), call.inputElements(0), call.output<T>(0));
  // The colors of gray images.
  const float white[] = {1};
  return call.forEach(dims[0] * boxes, [&](int64_t i) {
    Canvas<T> canvas{call.output<T>(0) + i / boxes * perImage, dims[1], dims[2],
                     depth};
    canvas.draw(call.input<float>(1) + 4 * i,
                depth == 1 && !hasColors
                    ? white
                    : colors + i % boxes % numColors * colorDepth);
    return true;
  });
}

/// images : [b, h, w, c], boxes : f32 [b, n, 4], colors : f32 [m, c or more],
/// or none -> the images with the boxes' lines
int32_t drawBoundingBoxes(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return call.inputDType(0) == DType::Float16 ? draw<Half>(call)
                                              : draw<float>(call);
}

} // namespace

std::vector<Kernel> boundingBoxKernels() {
  return {{"DrawBoundingBoxes", drawBoundingBoxes}};
}

} // namespace kiln
