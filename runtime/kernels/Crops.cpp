// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that cut boxes out of images and resize them, and their gradients.
#include "kiln/Float16.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace kiln {
namespace {

/// The places of a box's elements along one dimension of an image, in
/// TensorFlow's order of operations.
struct Line {
  Line(float begin, float end, int64_t extent, int64_t size)
      : begin(begin), end(end), last(static_cast<float>(extent - 1)),
        size(size),
        step(size > 1 ? (end - begin) * last / static_cast<float>(size - 1)
                      : 0) {}

  /// Where element i lies; whether that is inside of the image.
  bool find(int64_t i) {
    at = size > 1 ? begin * last + static_cast<float>(i) * step
                  : 0.5f * (begin + end) * last;
    if (!(at >= 0 && at <= last))
      return false;
    const float floor = std::floor(at);
    lower = static_cast<int64_t>(floor);
    upper = static_cast<int64_t>(std::ceil(at));
    weight = at - floor;
    nearest = static_cast<int64_t>(std::round(at));
    return true;
  }

  float begin, end, last;
  int64_t size;
  float step;
  float at = 0, weight = 0;
  int64_t lower = 0, upper = 0, nearest = 0;
};

/// The boxes of a call, whose images have `dims`: input `first` and the next
/// are boxes [n, 4] and the images' numbers [n].
struct Crops {
  Crops(const KernelCall &call, std::span<const int64_t> dims, int first,
        int64_t height, int64_t width)
      : call(call), dims(dims), boxes(call.input<float>(first)),
        images(call.input<int32_t>(first + 1)),
        count(call.inputElements(first + 1)), height(height), width(width),
        depth(dims[3]) {}

  /// Fails for images that are not there.
  bool haveImages() const {
    for (int64_t b = 0; b < count; ++b)
      if (images[b] < 0 || images[b] >= dims[0])
        return call.fail(
            outOfRangeError("box_index has values outside [0, batch_size)"));
    return true;
  }
  bool areFinite() const {
    return std::all_of(boxes, boxes + 4 * count,
                       [](float place) { return std::isfinite(place); }) ||
           call.fail(invalidArgumentError(
               "Boxes contains at least one element that is not finite"));
  }

  /// Calls body(box, y, x, rows, columns, isInside) for each place of each box.
  template <class Body> int32_t forEachPlace(Body &&body) const {
    if (!haveImages())
      return 1;
    return call.forEach(count * height, [&](int64_t row) {
      const int64_t b = row / height, y = row % height;
      const float *box = boxes + 4 * b;
      Line rows(box[0], box[2], dims[1], height),
          columns(box[1], box[3], dims[2], width);
      const bool isRowInside = rows.find(y);
      for (int64_t x = 0; x < width; ++x) {
        const bool isInside = columns.find(x) && isRowInside;
        body(b, y, x, rows, columns, isInside);
      }
      return true;
    });
  }
  /// Where an element's channels begin in its image.
  int64_t at(int64_t box, int64_t row, int64_t column) const {
    return ((images[box] * dims[1] + row) * dims[2] + column) * depth;
  }
  int64_t atCrop(int64_t box, int64_t y, int64_t x) const {
    return ((box * height + y) * width + x) * depth;
  }

  const KernelCall &call;
  std::span<const int64_t> dims;
  const float *boxes;
  const int32_t *images;
  int64_t count, height, width, depth;
};

/// The four elements around a place.
template <class T> struct Around {
  Around(const T *image, const Crops &crops, int64_t box, const Line &rows,
         const Line &columns)
      : topLeft(image + crops.at(box, rows.lower, columns.lower)),
        topRight(image + crops.at(box, rows.lower, columns.upper)),
        bottomLeft(image + crops.at(box, rows.upper, columns.lower)),
        bottomRight(image + crops.at(box, rows.upper, columns.upper)) {}
  const T *topLeft, *topRight, *bottomLeft, *bottomRight;
};

template <class T> int32_t crop(const KernelCall &call) {
  const Crops crops(call, call.inputDims(0), 1, call.outputDims(0)[1],
                    call.outputDims(0)[2]);
  const T *image = call.input<T>(0);
  const float fill = *call.input<float>(3);
  const bool isNearest = call.number(0) != 0;
  auto *out = call.output<float>(0);
  // Not so of the gradients.
  if (!crops.haveImages() || !crops.areFinite())
    return 1;
  return crops.forEachPlace([&](int64_t b, int64_t y, int64_t x,
                                const Line &rows, const Line &columns,
                                bool isInside) {
    float *to = out + crops.atCrop(b, y, x);
    if (!isInside) {
      std::fill_n(to, crops.depth, fill);
      return;
    }
    if (isNearest) {
      const T *from = image + crops.at(b, rows.nearest, columns.nearest);
      for (int64_t d = 0; d < crops.depth; ++d)
        to[d] = static_cast<float>(from[d]);
      return;
    }
    const Around<T> around(image, crops, b, rows, columns);
    for (int64_t d = 0; d < crops.depth; ++d) {
      auto between = [&](T low, T high) {
        const auto left = static_cast<float>(low);
        return left + (static_cast<float>(high) - left) * columns.weight;
      };
      const float top = between(around.topLeft[d], around.topRight[d]),
                  bottom = between(around.bottomLeft[d], around.bottomRight[d]);
      to[d] = top + (bottom - top) * rows.weight;
    }
  });
}

/// image : [b, h, w, c], boxes : f32 [n, 4], numbers of images : i32 [n], what
/// lies outside of the image : f32 -> crops : f32 [n, ch, cw, c]; [whether of
/// nearest elements]
int32_t cropAndResize(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchElement(call.inputDType(0),
                         [&]<class T>(T) -> int32_t { return crop<T>(call); });
}

namespace {

template <class T> int32_t imageGradient(const KernelCall &call) {
  const std::span<const int64_t> of = call.inputDims(0);
  const Crops crops(call, call.outputDims(0), 1, of[1], of[2]);
  const auto *gradient = call.input<float>(0);
  T *image = call.output<T>(0);
  std::fill_n(image, call.outputElements(0), T(0.0f));
  const bool isNearest = call.number(0) != 0;
  return crops.forEachPlace([&](int64_t b, int64_t y, int64_t x,
                                const Line &rows, const Line &columns,
                                bool isInside) {
    if (!isInside)
      return;
    const float *from = gradient + crops.atCrop(b, y, x);
    auto add = [&](T &sum, float part) {
      if constexpr (std::is_same_v<T, double>)
        sum += static_cast<double>(part);
      else
        sum = T(static_cast<float>(sum) + static_cast<float>(T(part)));
    };
    for (int64_t d = 0; d < crops.depth; ++d) {
      if (isNearest) {
        add(image[crops.at(b, rows.nearest, columns.nearest) + d], from[d]);
        continue;
      }
      const float top = (1 - rows.weight) * from[d],
                  bottom = rows.weight * from[d];
      add(image[crops.at(b, rows.lower, columns.lower) + d],
          (1 - columns.weight) * top);
      add(image[crops.at(b, rows.lower, columns.upper) + d],
          columns.weight * top);
      add(image[crops.at(b, rows.upper, columns.lower) + d],
          (1 - columns.weight) * bottom);
      add(image[crops.at(b, rows.upper, columns.upper) + d],
          columns.weight * bottom);
    }
  });
}

} // namespace

/// gradient : f32 [n, ch, cw, c], boxes, numbers of images -> that of the image
/// [b, h, w, c]; [whether of nearest elements]
int32_t cropGradientOfImage(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  switch (call.outputDType(0)) {
  case DType::Float16:
    return imageGradient<Half>(call);
  case DType::Float64:
    return imageGradient<double>(call);
  default:
    return imageGradient<float>(call);
  }
}

namespace {

template <class T> int32_t boxesGradient(const KernelCall &call) {
  const std::span<const int64_t> of = call.inputDims(0);
  const Crops crops(call, call.inputDims(1), 2, of[1], of[2]);
  const auto *gradient = call.input<float>(0);
  const T *image = call.input<T>(1);
  auto *sums = call.output<float>(0);
  std::fill_n(sums, call.outputElements(0), 0.0f);
  auto share = [](float &low, float &high, float slope, const Line &line,
                  int64_t i) {
    if (line.size <= 1) {
      low += slope * 0.5f * line.last;
      high += slope * 0.5f * line.last;
      return;
    }
    const float ratio = line.last / static_cast<float>(line.size - 1);
    low += slope * (line.last - static_cast<float>(i) * ratio);
    high += slope * (static_cast<float>(i) * ratio);
  };
  return crops.forEachPlace([&](int64_t b, int64_t y, int64_t x,
                                const Line &rows, const Line &columns,
                                bool isInside) {
    if (!isInside)
      return;
    const float *from = gradient + crops.atCrop(b, y, x);
    const Around<T> around(image, crops, b, rows, columns);
    float *box = sums + 4 * b;
    for (int64_t d = 0; d < crops.depth; ++d) {
      const auto topLeft = static_cast<float>(around.topLeft[d]),
                 topRight = static_cast<float>(around.topRight[d]),
                 bottomLeft = static_cast<float>(around.bottomLeft[d]),
                 bottomRight = static_cast<float>(around.bottomRight[d]);
      const float down = (1 - columns.weight) * (bottomLeft - topLeft) +
                         columns.weight * (bottomRight - topRight),
                  across = (1 - rows.weight) * (topRight - topLeft) +
                           rows.weight * (bottomRight - bottomLeft);
      share(box[0], box[2], down * from[d], rows, y);
      share(box[1], box[3], across * from[d], columns, x);
    }
  });
}

} // namespace

/// gradient : f32 [n, ch, cw, c], image : [b, h, w, c], boxes, numbers of
/// images -> that of the boxes : f32 [n, 4]
int32_t cropGradientOfBoxes(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchElement(call.inputDType(1), [&]<class T>(T) -> int32_t {
    return boxesGradient<T>(call);
  });
}

} // namespace

std::vector<Kernel> cropKernels() {
  return {{"CropAndResize", cropAndResize},
          {"CropGradientOfBoxes", cropGradientOfBoxes},
          {"CropGradientOfImage", cropGradientOfImage}};
}

} // namespace kiln
