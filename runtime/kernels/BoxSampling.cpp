// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws a part of an image that covers enough of one of its objects.
//
// Which numbers are drawn, and where they are rounded, is TensorFlow's
// (sample_distorted_bounding_box_op.cc).
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/WordSource.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace kiln {
namespace {

struct Box {
  int32_t top = 0, left = 0, bottom = 0, right = 0;

  float area() const {
    return static_cast<float>(int64_t{right - left} * (bottom - top));
  }
  /// What both cover; an empty box where they are apart.
  Box sharedWith(const Box &other) const {
    const Box box{std::max(top, other.top), std::max(left, other.left),
                  std::min(bottom, other.bottom), std::min(right, other.right)};
    return box.top > box.bottom || box.left > box.right ? Box() : box;
  }
};

/// Between what the area and the ratio of width and height lie.
struct Limits {
  float leastRatio, mostRatio, leastArea, mostArea;
};

int32_t rounded(float number) {
  return static_cast<int32_t>(std::lrint(number));
}

/// The largest height that an image of this width has room for at this ratio.
int32_t heightWithin(int32_t height, int32_t width, float ratio) {
  auto isWider = [&](int32_t h) {
    return std::lrint(static_cast<float>(h) * ratio) > width;
  };
  if (!isWider(height))
    return height;
  const double most = width + 0.5 - static_cast<double>(0.0000001f);
  const auto less = static_cast<int32_t>(most / static_cast<double>(ratio));
  return isWider(less) ? less - 1 : less;
}

/// Draws a size of this ratio, then its place; nothing where none fits.
std::optional<Box> drawBox(int32_t imageHeight, int32_t imageWidth,
                           const Limits &limits, float ratio,
                           WordSource &words) {
  if (ratio <= 0 || imageWidth <= 0 || imageHeight <= 0 ||
      limits.leastArea > limits.mostArea)
    return std::nullopt;
  auto areaOf = [&](float share) {
    return share * static_cast<float>(imageWidth) *
           static_cast<float>(imageHeight);
  };
  const float least = areaOf(limits.leastArea), most = areaOf(limits.mostArea);
  const int32_t highest = std::min(
      heightWithin(rounded(std::sqrt(most / ratio)), imageWidth, ratio),
      imageHeight);
  int32_t height = std::min(rounded(std::sqrt(least / ratio)), highest);
  if (height < highest)
    height += static_cast<int32_t>(
        words.below(static_cast<uint32_t>(highest - height + 1)));
  auto widthOf = [&](int32_t h) {
    return rounded(static_cast<float>(h) * ratio);
  };
  int32_t width = widthOf(height);
  auto area = [&] { return static_cast<float>(int64_t{width} * height); };
  // Rounding may have left the limits by a row.
  if (area() < least)
    width = widthOf(++height);
  if (area() > most)
    width = widthOf(--height);
  if (area() < least || area() > most || width > imageWidth ||
      height > imageHeight || width <= 0 || height <= 0)
    return std::nullopt;
  auto placeOf = [&](int32_t size, int32_t extent) {
    return size < extent ? static_cast<int32_t>(words.below(
                               static_cast<uint32_t>(extent - size)))
                         : 0;
  };
  const int32_t top = placeOf(height, imageHeight);
  const int32_t left = placeOf(width, imageWidth);
  return Box{top, left, top + height, left + width};
}

/// One call: the sizes, boxes and limits that it was given.
class Sampling {
public:
  Sampling(const KernelCall &call, bool hasState)
      : call(call), hasState(hasState),
        limits{numberAt(3), numberAt(4), numberAt(5), numberAt(6)} {}

  template <class T> int32_t run() {
    if (Status status = check<T>(); !status.ok())
      return !call.fail(std::move(status));
    const Box whole{0, 0, height, width};
    const auto drawn = draw(whole);
    if (!drawn)
      return 1;
    const Box &box = *drawn;
    T *begin = call.output<T>(0), *size = call.output<T>(1);
    begin[0] = static_cast<T>(box.top);
    begin[1] = static_cast<T>(box.left);
    begin[2] = T(0);
    size[0] = static_cast<T>(box.bottom - box.top);
    size[1] = static_cast<T>(box.right - box.left);
    size[2] = static_cast<T>(-1); // all channels
    auto *shares = call.output<float>(2);
    auto shareOf = [](int32_t place, int32_t extent) {
      return static_cast<float>(place) / static_cast<float>(extent);
    };
    shares[0] = shareOf(box.top, height);
    shares[1] = shareOf(box.left, width);
    shares[2] = shareOf(box.bottom, height);
    shares[3] = shareOf(box.right, width);
    return mustStop(call.state());
  }

private:
  float numberAt(int i) const {
    return std::bit_cast<float>(static_cast<int32_t>(call.number(i)));
  }

  template <class T> Status check() {
    auto sideOf = [&](int i, std::string_view name) -> StatusOr<int32_t> {
      const auto side = static_cast<uint64_t>(call.input<T>(0)[i]);
      if (side >= std::numeric_limits<int32_t>::max())
        return invalidArgumentError(
            strCat("image ", name, " cannot be >= int32 max"));
      return static_cast<int32_t>(side);
    };
    KILN_ASSIGN_OR_RETURN(height, sideOf(0, "height"));
    KILN_ASSIGN_OR_RETURN(width, sideOf(1, "width"));
    covered = *call.input<float>(2);
    if (!(covered >= 0))
      return invalidArgumentError(
          strCat("Min object covered must be non-negative: ", covered));
    const auto *places = call.input<float>(1);
    for (int64_t i = 0; i < call.inputElements(1); ++i)
      if (!(places[i] >= 0 && places[i] <= 1))
        return invalidArgumentError(strCat(
            "All bounding box coordinates must be in [0.0, 1.0]: ", places[i]));
    if (call.inputElements(1) == 0 && call.number(1) == 0)
      return invalidArgumentError(
          "No bounding boxes provided as input. One must enable "
          "use_image_if_no_bounding_boxes if you wish to not provide any "
          "bounding boxes.");
    return okStatus();
  }

  /// Tries until a box covers enough; the whole image after the last try;
  /// nothing when the run ends.
  std::optional<Box> draw(const Box &whole) {
    const int64_t tries = call.number(2);
    WordSource words = hasState
                           ? WordSource(*call.input<random::PhiloxState>(3))
                           : WordSource::take(call, tries);
    for (int64_t i = 0; i < tries; ++i) {
      if (mustStop(call.state()))
        return std::nullopt;
      const float ratio =
          words.unitFloat() * (limits.mostRatio - limits.leastRatio) +
          limits.leastRatio;
      const auto box = drawBox(height, width, limits, ratio, words);
      if (box && coversEnough(*box, whole))
        return box;
    }
    return whole;
  }

  bool coversEnough(const Box &box, const Box &whole) const {
    if (box.area() < 1)
      return false;
    auto isCovered = [&](const Box &object) {
      const float area = object.area();
      return area >= 1 && box.sharedWith(object).area() / area >= covered;
    };
    if (call.inputElements(1) == 0)
      return isCovered(whole);
    const auto *places = call.input<float>(1);
    auto placeOf = [](float share, int32_t extent) {
      return static_cast<int32_t>(share * static_cast<float>(extent));
    };
    for (int64_t i = 0; i < call.inputElements(1); i += 4)
      if (isCovered({placeOf(places[i], height), placeOf(places[i + 1], width),
                     placeOf(places[i + 2], height),
                     placeOf(places[i + 3], width)}))
        return true;
    return false;
  }

  const KernelCall &call;
  const bool hasState;
  Limits limits;
  int32_t height = 0, width = 0;
  float covered = 0;
};

/// height, width, channels : int [3], objects : f32 [b, n, 4], how much of one
/// is to be covered : f32, and perhaps a state -> begin, size : int [3], the
/// same box : f32 [1, 1, 4]; [stream, where there is no state, whether the
/// image counts as an object where there is none, tries, the bits of the least
/// and largest ratio of width and height, those of the least and largest area]
template <bool hasState> int32_t sampleBox(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  Sampling sampling(call, hasState);
  return dispatchInteger(call.inputDType(0), [&]<class T>(T) -> int32_t {
    return sampling.run<T>();
  });
}

} // namespace

std::vector<Kernel> boxSamplingKernels() {
  // A run that begins again draws the same numbers again.
  return {{"SampleBoxOfState", sampleBox<true>},
          {"SampleBox", sampleBox<false>, /*hasEffects=*/true, /*mayFail=*/true,
           /*effectsEndWithRun=*/true}};
}

} // namespace kiln
