// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summaries of pictures and sound.
#include "lib/IO/Png.h"
#include "lib/IO/Wav.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Summary.pb.h"
#include "lib/Ops/Summary/Host.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace kiln::host {

using namespace io;
namespace {

Status giveSummary(const HostCall &call, const proto::Summary &summary) {
  KILN_ASSIGN_OR_RETURN(std::string bytes,
                        serialize(summary, GraphDefFormat::Binary));
  KILN_ASSIGN_OR_RETURN(call.outputs[0], Tensor::fromStrings(Shape(), {bytes}));
  return okStatus();
}

/// "base/image", or with a number where there may be several.
std::string tagOf(const Tensor &base, std::string_view kind, bool isOne,
                  int64_t number) {
  std::string tag = strCat(base.data<String>()[0].view(), "/", kind);
  return isOne ? tag : strCat(tag, "/", number);
}

/// The floating numbers of a pixel, those that are no finite ones told apart.
template <class T> bool isFinitePixel(const T *pixel, int64_t channels) {
  return std::all_of(pixel, pixel + channels, [](T value) {
    return std::isfinite(static_cast<double>(value));
  });
}

/// Bytes of floating numbers: from 0 on scaled so that the largest is 255, with
/// negative ones so that 0 is 128. Each step is rounded to the numbers' own
/// type. **Source**: SummaryImageOp.
template <class T>
void normalize(const T *values, int64_t pixels, int64_t channels,
               std::span<const uint8_t> badColor, std::vector<uint8_t> &bytes) {
  using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
  auto rounded = [](Wide number) {
    return static_cast<Wide>(static_cast<T>(number));
  };
  constexpr Wide smallest = 1e-6f;
  Wide least = std::numeric_limits<Wide>::infinity(), most = -least;
  for (int64_t i = 0; i < pixels; ++i) {
    const T *pixel = values + i * channels;
    if (isFinitePixel(pixel, channels))
      for (int64_t j = 0; j < channels; ++j) {
        least = std::min(least, static_cast<Wide>(pixel[j]));
        most = std::max(most, static_cast<Wide>(pixel[j]));
      }
  }
  const bool hasNegative = least < 0;
  if (hasNegative)
    most = std::max(std::abs(least), std::abs(most));
  // A float, also for double.
  const Wide scale = most < smallest
                         ? 0
                         : rounded(static_cast<float>(hasNegative ? 127 : 255) /
                                   static_cast<float>(most));
  const Wide offset = hasNegative ? 128 : 0;
  for (int64_t i = 0; i < pixels; ++i) {
    const T *pixel = values + i * channels;
    const bool isFinite = isFinitePixel(pixel, channels);
    for (int64_t j = 0; j < channels; ++j) {
      uint8_t &byte = bytes[static_cast<size_t>(i * channels + j)];
      if (isFinite)
        byte = static_cast<uint8_t>(static_cast<int>(
            rounded(rounded(static_cast<Wide>(pixel[j]) * scale) + offset)));
      else
        byte = badColor[static_cast<size_t>(j)];
    }
  }
}

/// The color of pixels that are no finite numbers.
StatusOr<Tensor> badColorOf(const HostCall &call, int64_t channels) {
  KILN_ASSIGN_OR_RETURN(Tensor color, call.node.attr<Tensor>("bad_color"));
  if (color.dtype() != DType::UInt8)
    return invalidArgumentError(
        strCat("bad_color must be uint8, got ", dtypeTfName(color.dtype())));
  if (color.rank() != 1)
    return invalidArgumentError(strCat("bad_color must be a vector, got shape ",
                                       color.shape().toString()));
  if (color.numElements() < channels)
    return invalidArgumentError(
        strCat("expected depth <= bad_color.size, got depth = ", channels,
               ", bad_color.size = ", color.numElements()));
  return color;
}

/// The bytes of picture number i.
std::span<const uint8_t> bytesOf(const Tensor &pictures, int64_t i,
                                 std::span<const uint8_t> badColor,
                                 std::vector<uint8_t> &made) {
  const int64_t pixels = pictures.dim(1) * pictures.dim(2),
                channels = pictures.dim(3), count = pixels * channels;
  if (pictures.dtype() == DType::UInt8)
    return pictures.data<uint8_t>().subspan(static_cast<size_t>(i * count),
                                            static_cast<size_t>(count));
  made.resize(static_cast<size_t>(count));
  auto use = [&]<class T>(T) {
    normalize(static_cast<const T *>(pictures.rawData()) + i * count, pixels,
              channels, badColor, made);
  };
  if (pictures.dtype() == DType::Float64)
    use(double());
  else if (pictures.dtype() == DType::Float16)
    use(Half());
  else
    use(float());
  return made;
}

Status audioSummaryAt(const HostCall &call, float rate) {
  const Tensor &tag = call.inputs[0], &sound = call.inputs[1];
  if (tag.rank() != 0)
    return invalidArgumentError("Tag must be a scalar");
  if (sound.rank() != 2 && sound.rank() != 3)
    return invalidArgumentError(
        strCat("Tensor must be 3-D or 2-D, got: ", sound.shape().toString()));
  if (!(rate > 0))
    return invalidArgumentError("sample_rate must be > 0");
  const int64_t frames = sound.dim(1),
                channels = sound.rank() == 3 ? sound.dim(2) : 1;
  const auto most = call.node.attrOr<int64_t>("max_outputs", 3);
  const int64_t count = std::min(most, sound.dim(0));
  const auto rounded = static_cast<uint32_t>(std::clamp<double>(
      std::nearbyint(static_cast<double>(rate)), 1, UINT32_MAX));
  if (count > 0 && channels == 0)
    return invalidArgumentError("audio is null");
  if (channels > UINT16_MAX || frames > (UINT32_MAX - 44) / 2 / (channels + 1))
    return invalidArgumentError(
        strCat("expected sound of a size that a WAV file can have, got ",
               sound.shape().toString()));
  proto::Summary summary;
  for (int64_t i = 0; i < count; ++i) {
    proto::Summary::Value &value = *summary.add_value();
    value.set_tag(tagOf(tag, "audio", most == 1, i));
    proto::Summary::Audio &audio = *value.mutable_audio();
    audio.set_sample_rate(rate);
    audio.set_num_channels(channels);
    audio.set_length_frames(frames);
    audio.set_content_type("audio/wav");
    const auto size = static_cast<size_t>(frames * channels);
    audio.set_encoded_audio_string(encodeWav(
        sound.data<float>().subspan(static_cast<size_t>(i) * size, size),
        rounded, static_cast<uint16_t>(channels)));
  }
  return giveSummary(call, summary);
}

} // namespace

Status imageSummary(const HostCall &call) {
  const Tensor &tag = call.inputs[0], &pictures = call.inputs[1];
  if (tag.rank() != 0)
    return invalidArgumentError("Tags must be a scalar");
  const int64_t channels = pictures.rank() == 4 ? pictures.dim(3) : 0;
  if (channels != 1 && channels != 3 && channels != 4)
    return invalidArgumentError(
        strCat("Tensor must be 4-D with last dim 1, 3, or 4, not ",
               pictures.shape().toString()));
  const int64_t height = pictures.dim(1), width = pictures.dim(2);
  if (pictures.dim(0) >= INT_MAX || height >= INT_MAX || width >= INT_MAX ||
      height * width >= INT_MAX)
    return invalidArgumentError(
        strCat("Tensor too large for summary ", pictures.shape().toString()));
  if (height == 0 || width == 0)
    return invalidArgumentError(strCat(
        "input tensor must have non-zero dims. Found: ", "[", pictures.dim(0),
        ", ", height, ", ", width, ", ", channels, "]."));
  Tensor badColor;
  if (pictures.dtype() != DType::UInt8) {
    KILN_ASSIGN_OR_RETURN(badColor, badColorOf(call, channels));
  }
  const auto most = call.node.attrOr<int64_t>("max_images", 3);
  proto::Summary summary;
  std::vector<uint8_t> made;
  for (int64_t i = 0; i < std::min(most, pictures.dim(0)); ++i) {
    proto::Summary::Value &value = *summary.add_value();
    value.set_tag(tagOf(tag, "image", most == 1, i));
    proto::Summary::Image &image = *value.mutable_image();
    image.set_height(static_cast<int32_t>(height));
    image.set_width(static_cast<int32_t>(width));
    image.set_colorspace(static_cast<int32_t>(channels));
    auto bytes = bytesOf(pictures, i, badColor.data<uint8_t>(), made);
    KILN_ASSIGN_OR_RETURN(*image.mutable_encoded_image_string(),
                          encodePng({height, width, channels, bytes}));
  }
  return giveSummary(call, summary);
}

Status audioSummary(const HostCall &call) {
  return audioSummaryAt(call, call.node.attrOr<float>("sample_rate", 0));
}

Status audioSummaryV2(const HostCall &call) {
  const Tensor &rate = call.inputs[2];
  if (rate.numElements() != 1)
    return invalidArgumentError(strCat(
        "sample_rate must have rank 0, got shape ", rate.shape().toString()));
  return audioSummaryAt(call, rate.data<float>()[0]);
}

} // namespace kiln::host
