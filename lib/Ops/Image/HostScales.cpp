// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images scaled and moved: each element of the result is a sum of elements
// around a place, with weights that a kernel says, first down, then across.
#include "lib/Ops/Image/Host.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

namespace kiln::host {
namespace {

/// How much an element counts by its distance. **Source**: sampling_kernels.h.
struct Kernel {
  std::string_view name;
  float radius;
  float (*weight)(float distance, float radius);
};

float lanczos(float x, float radius) {
  constexpr float pi = 3.14159265359f;
  if (x > radius)
    return 0;
  if (x <= 1e-3f)
    return 1; // the limit
  return radius * std::sin(pi * x) * std::sin(pi * x / radius) /
         (pi * pi * x * x);
}
float gaussian(float x, float radius) {
  const float sigma = radius / 3;
  return x >= radius ? 0 : std::exp(-x * x / (2 * sigma * sigma));
}
float box(float x, float) { return x < 0.5f ? 1.0f : x == 0.5f ? 0.5f : 0.0f; }
float triangle(float x, float) { return x < 1 ? 1 - x : 0; }
float keysCubic(float x, float) {
  if (x >= 2)
    return 0;
  return x >= 1 ? ((-0.5f * x + 2.5f) * x - 4) * x + 2
                : (1.5f * x - 2.5f) * x * x + 1;
}
float mitchellCubic(float x, float) {
  if (x >= 2)
    return 0;
  return x >= 1 ? ((-7.0f / 18 * x + 2) * x - 10.0f / 3) * x + 16.0f / 9
                : (7.0f / 6 * x - 2) * x * x + 8.0f / 9;
}

constexpr Kernel kernels[] = {
    {"lanczos1", 1, lanczos},
    {"lanczos3", 3, lanczos},
    {"lanczos5", 5, lanczos},
    {"gaussian", 1.5f, gaussian},
    {"box", 1, box},
    {"triangle", 1, triangle},
    {"keyscubic", 2, keysCubic},
    {"mitchellcubic", 2, mitchellCubic},
};

/// What an element of the result is made of: elements one behind the other.
struct Span {
  int64_t start = 0;
  std::vector<float> weights; ///< none: the place is beyond the image
};

/// One side of an image and of what becomes of it.
struct Side {
  int64_t from, to;
  float scale, move;
};

/// More than any two sides should need.
constexpr int64_t mostWeights = int64_t{1} << 28;

/// The place that an element comes from, and its weights.
Span spanOf(const Side &side, const Kernel &kernel, float kernelScale,
            float place) {
  Span span;
  if (!(place >= 0 && place <= static_cast<float>(side.from)))
    return span;
  const float reach = kernel.radius * kernelScale;
  const auto last = static_cast<float>(side.from - 1);
  auto within = [&](float at) {
    return static_cast<int64_t>(std::clamp(at, 0.0f, last));
  };
  span.start = within(std::ceil(place - reach - 0.5f));
  const int64_t end = within(std::floor(place + reach - 0.5f)) + 1;
  float total = 0;
  for (int64_t i = span.start; i < end; ++i) {
    const float distance = static_cast<float>(i) + 0.5f - place;
    const float weight =
        kernel.weight(std::abs(distance * (1.0f / kernelScale)), kernel.radius);
    total += weight;
    span.weights.push_back(weight);
  }
  if (std::abs(total) >= 1000 * std::numeric_limits<float>::min()) {
    const float factor = 1.0f / total;
    for (float &weight : span.weights)
      weight *= factor;
  } else {
    span.weights.clear();
  }
  return span;
}

StatusOr<std::vector<Span>> spansOf(const Side &side, const Kernel &kernel,
                                    bool isSmoothed) {
  const auto inverse = static_cast<float>(1.0 / side.scale);
  const float move = -inverse * side.move;
  // A smaller image is a smooth one: the kernel becomes as much larger.
  const float kernelScale = isSmoothed ? std::max(inverse, 1.0f) : 1.0f;
  const double width = std::min(
      2.0 * std::ceil(static_cast<double>(kernel.radius) * kernelScale) + 1,
      static_cast<double>(side.from));
  if (width * static_cast<double>(side.to) > static_cast<double>(mostWeights))
    return Status(StatusCode::ResourceExhausted,
                  strCat("expected fewer than ", mostWeights, " weights, got ",
                         side.to, " elements of ", static_cast<int64_t>(width),
                         " each"));
  std::vector<Span> spans;
  for (int64_t i = 0; i < side.to; ++i)
    spans.push_back(spanOf(side, kernel, kernelScale,
                           (static_cast<float>(i) + 0.5f) * inverse + move));
  return spans;
}

/// For each element of the image those of the result that it is part of.
std::vector<Span> transposed(const std::vector<Span> &spans, int64_t size) {
  std::vector<Span> result(static_cast<size_t>(size));
  for (size_t at = 0; at < spans.size(); ++at)
    for (size_t i = 0; i < spans[at].weights.size(); ++i) {
      const float weight = spans[at].weights[i];
      if (weight == 0)
        continue;
      Span &span = result[static_cast<size_t>(spans[at].start) + i];
      if (span.weights.empty())
        span.start = static_cast<int64_t>(at);
      span.weights.resize(at - static_cast<size_t>(span.start) + 1);
      span.weights.back() += weight;
    }
  return result;
}

/// Sums `count` rows of an image as the spans say; a row has `pitch` elements.
void gather(const std::vector<Span> &spans, const float *image, size_t pitch,
            float *to) {
  for (const Span &span : spans) {
    std::fill_n(to, pitch, 0.0f);
    const float *row = image + static_cast<size_t>(span.start) * pitch;
    for (float weight : span.weights) {
      for (size_t i = 0; i < pitch; ++i)
        to[i] += weight * row[i];
      row += pitch;
    }
    to += pitch;
  }
}

/// A batch of images, floats, as the spans of their rows and columns say.
void gatherImages(const Tensor &images, const std::vector<Span> &rows,
                  const std::vector<Span> &columns, Tensor &result) {
  const auto width = static_cast<size_t>(images.dim(2)),
             channels = static_cast<size_t>(images.dim(3)),
             size = static_cast<size_t>(images.dim(1)) * width * channels;
  const float *from = images.data<float>().data();
  float *to = result.mutableData<float>().data();
  std::vector<float> between(rows.size() * width * channels);
  for (int64_t i = 0; i < images.dim(0); ++i, from += size) {
    gather(rows, from, width * channels, between.data());
    for (size_t row = 0; row < rows.size(); ++row) {
      gather(columns, between.data() + row * width * channels, channels, to);
      to += columns.size() * channels;
    }
  }
}

StatusOr<const Kernel *> kernelOf(const Node &node) {
  const auto name = node.attrOr<std::string>("kernel_type", "lanczos3");
  for (const Kernel &kernel : kernels)
    if (kernel.name == name)
      return &kernel;
  return invalidArgumentError(strCat("Unrecognized kernel type: ", name));
}

/// Two numbers of an input, of rows and of columns.
StatusOr<std::array<float, 2>> numbersAt(const HostCall &call, size_t i,
                                         std::string_view name) {
  const Tensor &input = call.inputs[i];
  if (input.rank() != 1)
    return invalidArgumentError(
        strCat(name, " must be 1-dimensional", input.shape().toString()));
  if (input.numElements() != 2)
    return invalidArgumentError(
        strCat(name, " must have two elements", input.shape().toString()));
  return std::array{input.data<float>()[0], input.data<float>()[1]};
}

/// The spans of both sides: scale and translation are the last two inputs.
StatusOr<std::array<std::vector<Span>, 2>>
bothSpans(const HostCall &call, std::array<int64_t, 2> from,
          std::array<int64_t, 2> to) {
  KILN_ASSIGN_OR_RETURN(const Kernel *kernel, kernelOf(call.node));
  KILN_ASSIGN_OR_RETURN(auto scales, numbersAt(call, 2, "scale"));
  if (!(scales[0] > 0 && scales[1] > 0))
    return invalidArgumentError("Scale must be greater than zero.");
  KILN_ASSIGN_OR_RETURN(auto moves, numbersAt(call, 3, "translate"));
  std::array<std::vector<Span>, 2> spans;
  for (size_t i = 0; i < 2; ++i) {
    KILN_ASSIGN_OR_RETURN(
        spans[i], spansOf({from[i], to[i], scales[i], moves[i]}, *kernel,
                          call.node.attrOr("antialias", true)));
  }
  return spans;
}

/// Elements as floats.
StatusOr<Tensor> asFloats(const Tensor &images) {
  if (images.dtype() == DType::Float32)
    return images;
  KILN_ASSIGN_OR_RETURN(Tensor result,
                        Tensor::create(DType::Float32, images.shape()));
  auto to = result.mutableData<float>();
  auto use = [&]<class T>(T) {
    const T *from = static_cast<const T *>(images.rawData());
    for (size_t i = 0; i < to.size(); ++i)
      to[i] = static_cast<float>(from[i]);
    return okStatus();
  };
  KILN_RETURN_IF_ERROR(images.dtype() == DType::Float16 ? use(Half())
                       : images.dtype() == DType::BFloat16
                           ? use(BFloat16())
                           : dispatchNumber(images.dtype(), use));
  return result;
}

} // namespace

Status scaleAndTranslate(const HostCall &call) {
  const Tensor &images = call.inputs[0], &size = call.inputs[1];
  if (images.rank() != 4)
    return invalidArgumentError(
        strCat("input must be 4-dimensional", images.shape().toString()));
  if (size.rank() != 1)
    return invalidArgumentError(strCat("output_shape_t must be 1-dimensional",
                                       size.shape().toString()));
  if (size.numElements() != 2)
    return invalidArgumentError(strCat("output_shape_t must have two elements",
                                       size.shape().toString()));
  const int64_t height = size.data<int32_t>()[0],
                width = size.data<int32_t>()[1];
  if (height <= 0 || width <= 0)
    return invalidArgumentError("output dimensions must be positive");
  if (images.dim(3) <= 0)
    return invalidArgumentError("image must have at least one channel");
  if (images.dim(1) <= 0 || images.dim(2) <= 0)
    return invalidArgumentError("input image must be of non-zero size");
  KILN_ASSIGN_OR_RETURN(
      const auto spans,
      bothSpans(call, {images.dim(1), images.dim(2)}, {height, width}));
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::create(DType::Float32,
                     Shape({images.dim(0), height, width, images.dim(3)})));
  KILN_ASSIGN_OR_RETURN(const Tensor floats, asFloats(images));
  gatherImages(floats, spans[0], spans[1], call.outputs[0]);
  return okStatus();
}

Status scaleAndTranslateGradient(const HostCall &call) {
  const Tensor &gradients = call.inputs[0], &images = call.inputs[1];
  if (gradients.rank() != 4)
    return invalidArgumentError(strCat("input_grad must be 4-dimensional",
                                       gradients.shape().toString()));
  if (images.rank() != 4)
    return invalidArgumentError(strCat("original_image must be 4-dimensional",
                                       images.shape().toString()));
  const int64_t height = images.dim(1), width = images.dim(2);
  KILN_ASSIGN_OR_RETURN(
      const auto spans,
      bothSpans(call, {height, width}, {gradients.dim(1), gradients.dim(2)}));
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::create(DType::Float32, Shape({gradients.dim(0), height, width,
                                            gradients.dim(3)})));
  gatherImages(gradients, transposed(spans[0], height),
               transposed(spans[1], width), call.outputs[0]);
  return okStatus();
}

} // namespace kiln::host
