// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of images around places, with noise where they reach beyond.
#include "lib/Ops/Image/Host.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace kiln::host {
namespace {

enum class Noise { Uniform, Gaussian, Zero };

struct Form {
  int64_t height, width; ///< of a glimpse
  bool isCentered, isNormalized, isSecond;
  Noise noise;
};

StatusOr<Form> formOf(const HostCall &call) {
  const Node &node = call.node;
  const auto noise = node.attrOr<std::string>("noise", "uniform");
  const bool isUniform = node.attrOr("uniform_noise", true);
  if (!noise.empty() && noise != "uniform" && noise != "gaussian" &&
      noise != "zero")
    return invalidArgumentError(strCat(
        "The noise could only be uniform, gaussian, or zero, got ", noise));
  const Tensor &input = call.inputs[0], &size = call.inputs[1],
               &offsets = call.inputs[2];
  if (input.rank() != 4)
    return invalidArgumentError(
        strCat("input must be 4-dimensional (batch_size, height, width, depth)",
               input.shape().toString()));
  if (size.rank() != 1 || size.numElements() != 2)
    return invalidArgumentError(
        strCat("input must be a vector of size 2 (height, width)",
               size.shape().toString()));
  auto sides = size.data<int32_t>();
  for (int32_t side : sides)
    if (side < 0)
      return invalidArgumentError(
          strCat("Expected a non-negative size, got ", side));
  if (offsets.rank() != 2)
    return invalidArgumentError(
        strCat("input must be a matrix", offsets.shape().toString()));
  if (offsets.dim(0) != input.dim(0))
    return invalidArgumentError(
        strCat("first dimension should be batch", offsets.shape().toString()));
  if (offsets.dim(1) != 2)
    return invalidArgumentError(
        strCat("second dimension should be of size 2 (y,x)",
               offsets.shape().toString()));
  return Form{sides[0],
              sides[1],
              node.attrOr("centered", true),
              node.attrOr("normalized", true),
              node.op() == "ExtractGlimpseV2",
              noise == "zero" ? Noise::Zero
              : noise == "uniform" || (noise.empty() && isUniform)
                  ? Noise::Uniform
                  : Noise::Gaussian};
}

/// Where a glimpse begins along one side. The first version takes every offset
/// for that of the glimpse's middle, and halves those from the image's middle;
/// the second does so only where offsets are fractions from the middle.
int64_t beginOf(const Form &form, float offset, int64_t image,
                int64_t glimpse) {
  const auto whole = static_cast<float>(image),
             part = static_cast<float>(glimpse);
  float begin = form.isNormalized ? offset * whole : offset;
  const bool isMiddle =
      !form.isSecond || (form.isNormalized && form.isCentered);
  if (form.isCentered) {
    if (isMiddle)
      begin /= 2.0f;
    begin += whole / 2.0f;
  }
  if (isMiddle)
    begin -= part / 2.0f;
  // Far away is as good as any place beyond the image.
  constexpr float most = 1e12f;
  return begin >= -most && begin <= most ? static_cast<int64_t>(begin)
                                         : -static_cast<int64_t>(most);
}

/// The part of a glimpse along one side that lies on the image.
struct Overlap {
  int64_t from, to, count;

  Overlap(int64_t begin, int64_t image, int64_t glimpse)
      : from(std::max<int64_t>(begin, 0)), to(std::max<int64_t>(-begin, 0)),
        count(std::max<int64_t>(std::min(begin + glimpse, image) - from, 0)) {
    // TensorFlow counts from the end where the glimpse begins before the image.
    if (begin < 0)
      to = glimpse - std::max<int64_t>(glimpse + begin, 0);
  }
};

/// Numbers that look like chance and follow from a seed.
class Chance {
public:
  explicit Chance(uint64_t seed) : engine(seed) {}

  /// From 0 to below 1.
  double uniform() { return static_cast<double>(engine() >> 11) * 0x1p-53; }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

private:
  std::mt19937_64 engine;
};

/// Fills a glimpse with noise as the image is: uniform between its extremes, or
/// normal with the mean and the deviation of each channel.
void fillWithNoise(Noise noise, Chance chance, std::span<const float> image,
                   size_t channels, std::span<float> glimpse) {
  if (noise == Noise::Zero || image.empty()) {
    std::fill(glimpse.begin(), glimpse.end(), 0.0f);
    return;
  }
  if (noise == Noise::Uniform) {
    const auto [least, most] = std::minmax_element(image.begin(), image.end());
    const double range = static_cast<double>(*most) - *least;
    for (float &element : glimpse)
      element = static_cast<float>(*least + chance.uniform() * range);
    return;
  }
  std::vector<double> means(channels), deviations(channels);
  const double count = static_cast<double>(image.size() / channels);
  for (size_t i = 0; i < image.size(); ++i)
    means[i % channels] += image[i] / count;
  for (size_t i = 0; i < image.size(); ++i) {
    const double distance = image[i] - means[i % channels];
    deviations[i % channels] += distance * distance / count;
  }
  for (double &deviation : deviations)
    deviation = std::sqrt(deviation);
  for (size_t i = 0; i < glimpse.size(); ++i)
    glimpse[i] = static_cast<float>(means[i % channels] +
                                    chance.normal() * deviations[i % channels]);
}

} // namespace

Status extractGlimpse(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(const Form form, formOf(call));
  const Tensor &input = call.inputs[0];
  const int64_t batch = input.dim(0), height = input.dim(1),
                width = input.dim(2), channels = input.dim(3);
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::create(DType::Float32,
                     Shape({batch, form.height, form.width, channels})));
  auto offsets = call.inputs[2].data<float>();
  const auto imageSize = static_cast<size_t>(height * width * channels),
             glimpseSize =
                 static_cast<size_t>(form.height * form.width * channels);
  for (size_t i = 0; i < static_cast<size_t>(batch); ++i) {
    auto image = input.data<float>().subspan(i * imageSize, imageSize);
    auto glimpse = call.outputs[0].mutableData<float>().subspan(i * glimpseSize,
                                                                glimpseSize);
    const float y = offsets[2 * i], x = offsets[2 * i + 1];
    const Overlap rows(beginOf(form, y, height, form.height), height,
                       form.height),
        columns(beginOf(form, x, width, form.width), width, form.width);
    if (rows.count < form.height || columns.count < form.width)
      fillWithNoise(form.noise,
                    Chance((uint64_t{std::bit_cast<uint32_t>(y)} << 32 |
                            std::bit_cast<uint32_t>(x)) +
                           i),
                    image, static_cast<size_t>(channels), glimpse);
    if (columns.count == 0 || channels == 0)
      continue;
    for (int64_t row = 0; row < rows.count; ++row)
      std::copy_n(image.data() +
                      ((rows.from + row) * width + columns.from) * channels,
                  columns.count * channels,
                  glimpse.data() +
                      ((rows.to + row) * form.width + columns.to) * channels);
  }
  return okStatus();
}

} // namespace kiln::host
