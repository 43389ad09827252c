// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that select the best of boxes that overlap, in TensorFlow's order.
#include "kiln/Float16.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <vector>

namespace kiln {
namespace {

/// Arithmetic of a type: each step of Half is rounded, as Eigen's.
template <class T> T rounded(float x) { return static_cast<T>(x); }

/// Two corners [y, x, y, x], in any order.
template <class T> struct Box {
  explicit Box(const T *corners)
      : top(std::min(value(corners[0]), value(corners[2]))),
        left(std::min(value(corners[1]), value(corners[3]))),
        bottom(std::max(value(corners[0]), value(corners[2]))),
        right(std::max(value(corners[1]), value(corners[3]))) {}

  static float value(T x) { return static_cast<float>(x); }
  static float step(float x) { return value(rounded<T>(x)); }
  float area() const { return step(step(bottom - top) * step(right - left)); }

  float top, left, bottom, right;
};

/// The area that two boxes share by the area of both; 0 where one has none.
template <class T> float overlapOf(const T *a, const T *b) {
  using Of = Box<T>;
  const Of x(a), y(b);
  const float areaX = x.area(), areaY = y.area();
  if (areaX <= 0 || areaY <= 0)
    return 0;
  const float height = Of::step(std::min(x.bottom, y.bottom) -
                                std::max(x.top, y.top)),
              width = Of::step(std::min(x.right, y.right) -
                               std::max(x.left, y.left));
  const float shared = Of::step(std::max(height, 0.0f) * std::max(width, 0.0f));
  return Of::step(shared / Of::step(Of::step(areaX + areaY) - shared));
}

struct Candidate {
  int64_t box;
  float score;
  size_t firstToCompare; ///< of those that are selected already
};

/// The best first; of equals that with the lower number.
struct IsWorse {
  bool operator()(const Candidate &a, const Candidate &b) const {
    return a.score == b.score ? a.box > b.box : a.score < b.score;
  }
};

using Candidates =
    std::priority_queue<Candidate, std::vector<Candidate>, IsWorse>;

struct Limits {
  int64_t size = 0; ///< of what is selected
  float overlap = 0, score = 0, sigma = 0;
};

/// Selects of candidates those that overlap no better one beyond the limit, or,
/// where there is a sigma, those whose score is still the best when it has been
/// lowered by all overlaps.
template <class T, class Overlap>
std::vector<Candidate> select(Candidates candidates, const Limits &limits,
                              const KernelCall &call, Overlap overlap) {
  const bool isSoft = limits.sigma > 0;
  const float scale = isSoft ? Box<T>::step(-0.5f / limits.sigma) : 0.0f;
  std::vector<Candidate> selected;
  while (static_cast<int64_t>(selected.size()) < limits.size &&
         !candidates.empty() && !mustStop(call.state())) {
    Candidate next = candidates.top();
    candidates.pop();
    const float original = next.score;
    bool isSuppressed = false;
    for (size_t j = selected.size(); j-- > next.firstToCompare;) {
      const float shared = overlap(next.box, selected[j].box);
      if (!isSoft && shared > limits.overlap) {
        isSuppressed = true;
        break;
      }
      if (isSoft)
        next.score = Box<T>::step(next.score *
                                  Box<T>::step(std::exp(Box<T>::step(
                                      Box<T>::step(scale * shared) * shared))));
      if (next.score <= limits.score)
        break;
    }
    next.firstToCompare = selected.size();
    if (isSuppressed)
      continue;
    if (next.score == original)
      selected.push_back(next);
    else if (next.score > limits.score)
      candidates.push(next);
  }
  return selected;
}

float scalar(const KernelCall &call, int input) {
  return call.inputDType(input) == DType::Float16
             ? static_cast<float>(*call.input<Half>(input))
             : *call.input<float>(input);
}

bool checkLimits(const KernelCall &call, const Limits &limits, bool isOverlap) {
  if (limits.size < 0)
    return call.fail(invalidArgumentError("output size must be non-negative"));
  if (!isOverlap && !(limits.overlap >= 0 && limits.overlap <= 1))
    return call.fail(invalidArgumentError("iou_threshold must be in [0, 1]"));
  if (!(limits.sigma >= 0))
    return call.fail(invalidArgumentError("soft_nms_sigma_val must be >= 0"));
  return true;
}

/// nonMaxSuppression() of one type.
template <class T> int32_t suppress(const KernelCall &call) {
  const bool isOverlap = call.number(0) != 0, fills = call.number(1) != 0;
  const Limits limits{*call.input<int32_t>(2), scalar(call, 3), scalar(call, 4),
                      scalar(call, 5)};
  if (!checkLimits(call, limits, isOverlap))
    return 1;
  const T *boxes = call.input<T>(0), *scores = call.input<T>(1);
  const int64_t count = call.inputElements(1);
  Candidates candidates;
  for (int64_t i = 0; i < count; ++i)
    if (float score = static_cast<float>(scores[i]); score > limits.score)
      candidates.push({i, score, 0});
  auto selected =
      select<T>(std::move(candidates), limits, call, [&](int64_t a, int64_t b) {
        return isOverlap ? static_cast<float>(boxes[a * count + b])
                         : overlapOf(boxes + 4 * a, boxes + 4 * b);
      });
  if (mustStop(call.state()))
    return 1;
  const auto found = static_cast<int64_t>(selected.size());
  const int numOutputs = call.numOutputs();
  const bool hasScores = numOutputs == 3;
  if (!fills)
    call.bind(0, found);
  int32_t *numbers =
      fills ? call.output<int32_t>(0) : call.allocateOutput<int32_t>(0);
  T *best = !hasScores ? nullptr
            : fills    ? call.output<T>(1)
                       : call.allocateOutput<T>(1);
  if (!numbers || (hasScores && !best))
    return 1;
  const int64_t size = fills ? limits.size : found;
  for (int64_t i = 0; i < size; ++i) {
    const bool isThere = i < found;
    numbers[i] =
        isThere ? static_cast<int32_t>(selected[static_cast<size_t>(i)].box)
                : 0;
    if (best)
      best[i] =
          rounded<T>(isThere ? selected[static_cast<size_t>(i)].score : 0.0f);
  }
  if (numOutputs > 1)
    *call.output<int32_t>(numOutputs - 1) = static_cast<int32_t>(found);
  return 0;
}

/// boxes : [n, 4] or their overlaps [n, n], scores : [n], the largest number :
/// i32, limits of the overlap and of the score, sigma -> the numbers of those
/// that are selected : i32, their scores, how many there are : i32; finds out
/// how many, or fills up; [whether overlaps, whether it fills up]
int32_t nonMaxSuppression(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return call.inputDType(1) == DType::Float16 ? suppress<Half>(call)
                                              : suppress<float>(call);
}

namespace {

struct Detection {
  const float *box;
  float score;
  int64_t label;
};

} // namespace

/// boxes : [b, n, 1 or c, 4], scores : [b, n, c], the largest numbers a class
/// and in all : i32, limits of the overlap and of the score -> the best
/// detections of all classes: boxes [b, m, 4], scores, classes [b, m] and how
/// many there are [b] : i32; [whether boxes are kept within [0, 1]]
int32_t combinedNonMaxSuppression(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  Limits limits{*call.input<int32_t>(2), *call.input<float>(4),
                *call.input<float>(5), 0};
  if (!(limits.overlap >= 0 && limits.overlap <= 1)) {
    call.fail(invalidArgumentError("iou_threshold must be in [0, 1]"));
    return 1;
  }
  const int64_t batch = call.inputDims(0)[0], count = call.inputDims(0)[1],
                perBox = call.inputDims(0)[2], classes = call.inputDims(1)[2],
                size = call.outputDims(1)[1], total = *call.input<int32_t>(3);
  for (int64_t b = 0; b < batch; ++b) {
    const float *boxes = call.input<float>(0) + b * count * perBox * 4,
                *scores = call.input<float>(1) + b * count * classes;
    std::vector<Detection> all;
    for (int64_t label = 0; label < classes; ++label) {
      auto boxOf = [&](int64_t i) {
        return boxes + (i * perBox + (perBox > 1 ? label : 0)) * 4;
      };
      Candidates candidates;
      for (int64_t i = 0; i < count; ++i)
        if (float score = scores[i * classes + label]; score > limits.score)
          candidates.push({i, score, 0});
      for (const Candidate &one : select<float>(
               std::move(candidates), limits, call, [&](int64_t x, int64_t y) {
                 return overlapOf(boxOf(x), boxOf(y));
               }))
        all.push_back({boxOf(one.box), one.score, label});
      if (mustStop(call.state()))
        return 1;
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Detection &x, const Detection &y) {
                       return x.score > y.score;
                     });
    const int64_t found =
        std::min<int64_t>({static_cast<int64_t>(all.size()), total, size});
    float *outBoxes = call.output<float>(0) + b * size * 4,
          *outScores = call.output<float>(1) + b * size,
          *outClasses = call.output<float>(2) + b * size;
    std::fill_n(outBoxes, size * 4, 0.0f);
    std::fill_n(outScores, size, 0.0f);
    std::fill_n(outClasses, size, 0.0f);
    for (int64_t i = 0; i < found; ++i) {
      const Detection &one = all[static_cast<size_t>(i)];
      for (int64_t k = 0; k < 4; ++k)
        outBoxes[i * 4 + k] = call.number(0) != 0
                                  ? std::max(std::min(one.box[k], 1.0f), 0.0f)
                                  : one.box[k];
      outScores[i] = one.score;
      outClasses[i] = static_cast<float>(one.label);
    }
    call.output<int32_t>(3)[b] = static_cast<int32_t>(found);
  }
  return 0;
}

} // namespace

std::vector<Kernel> suppressionKernels() {
  return {{"CombinedNonMaxSuppression", combinedNonMaxSuppression},
          {"NonMaxSuppression", nonMaxSuppression}};
}

} // namespace kiln
