// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that look at numbers and end the run where they find what must not
// be.
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/Strings.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {
namespace {

/// Labels that a message shows; TensorFlow shows all of them.
constexpr int64_t maxShown = 1000;

template <class T>
std::string messageOf(T label, const T *labels, int64_t count,
                      int64_t classes) {
  std::string text =
      strCat("Received a label value of ", static_cast<int64_t>(label),
             " which is outside the valid range of [0, ", classes,
             ").  Label values:");
  for (int64_t i = 0; i < std::min(count, maxShown); ++i)
    text += strCat(" ", static_cast<int64_t>(labels[i]));
  return count > maxShown ? text + " ..." : text;
}

/// labels : integers, how many classes there are : int64 -> nothing
int32_t checkLabels(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const int64_t classes = *call.input<int64_t>(1);
  if (classes == 0)
    return !call.fail(invalidArgumentError(
        strCat("Must have at least one class, but got logits shape [",
               call.inputElements(0), ",0]")));
  return dispatchInteger(call.inputDType(0), [&]<class T>(T) -> int32_t {
    const T *labels = call.input<T>(0);
    const int64_t count = call.inputElements(0);
    return call.forEach(count, [&](int64_t i) {
      const auto label = static_cast<int64_t>(labels[i]);
      return (label >= 0 && label < classes) ||
             call.fail(invalidArgumentError(
                 messageOf(labels[i], labels, count, classes)));
    });
  });
}

/// x : floats, message -> nothing; [whether infinities are told by their signs]
int32_t checkNumerics(const KilnKernelCall *raw) noexcept {
  StringKernel call(raw);
  bool hasNan = false, hasPlus = false, hasMinus = false;
  auto look = [&]<class T>(const T *x) {
    return call.forEach(call.inputElements(0), [&](int64_t i) {
      hasNan |= std::isnan(x[i]);
      hasPlus |= std::isinf(x[i]) && x[i] > 0;
      hasMinus |= std::isinf(x[i]) && x[i] < 0;
      return true;
    });
  };
  if (call.inputDType(0) == DType::Float32 ? look(call.input<float>(0))
                                           : look(call.input<double>(0)))
    return 1;
  std::vector<std::string_view> found;
  const bool hasSigns = call.number(0) != 0;
  if (hasSigns && hasMinus)
    found.push_back("-Inf");
  if (hasSigns && hasPlus)
    found.push_back("+Inf");
  if (!hasSigns && (hasPlus || hasMinus))
    found.push_back("Inf");
  if (hasNan)
    found.push_back("NaN");
  if (found.empty())
    return 0;
  std::string text;
  for (size_t i = 0; i < found.size(); ++i)
    text += strCat(i == 0                  ? ""
                   : found.size() == 2     ? " and "
                   : i + 1 == found.size() ? ", and "
                                           : ", ",
                   found[i]);
  return !call.KernelCall::fail(invalidArgumentError(
      strCat(call.text(1, 0), " : Tensor had ", text, " values")));
}

/// What something is divided by : numbers -> nothing
int32_t checkNonzero(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return dispatchElement(call.inputDType(0), [&]<class T>(T) -> int32_t {
    if constexpr (std::is_arithmetic_v<T>) {
      const T *x = call.input<T>(0);
      return call.forEach(call.inputElements(0), [&](int64_t i) {
        return x[i] != T(0) ||
               call.fail(invalidArgumentError("updates must not contain 0"));
      });
    } else {
      return 0;
    }
  });
}

/// The ends of a range : floats -> nothing
int32_t checkQuantizedRange(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  auto look = [&]<class T>(T) {
    const T low = *call.input<T>(0), high = *call.input<T>(1);
    return low <= high ||
           call.fail(invalidArgumentError(strCat("Invalid range: input_min ",
                                                 low, " > input_max ", high)));
  };
  return !(call.inputDType(0) == DType::Float32 ? look(float())
                                                : look(double()));
}

/// First ends, last ends : float32 -> nothing
int32_t checkRangesOrdered(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const auto *low = call.input<float>(0), *high = call.input<float>(1);
  for (int64_t i = 0, end = call.inputElements(0); i < end; ++i)
    if (high[i] < low[i])
      return !call.fail(invalidArgumentError(
          "input_max_range must be larger than input_min_range."));
  return 0;
}

/// How many steps an op takes of how many : int64 -> the first of them
int32_t stepCount(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const int64_t count = *call.input<int64_t>(0), all = *call.input<int64_t>(1);
  if (count < 0 || count > all)
    return !call.fail(invalidArgumentError(
        strCat("seq_len_max must be in [0, ", all, "], got ", count)));
  *call.output<int64_t>(0) = count;
  return 0;
}

/// The ends of a range that is no point : float32 -> nothing; [which text says
/// so of another one]
int32_t checkRangeNotEmpty(const KilnKernelCall *raw) noexcept {
  static constexpr const char *texts[] = {
      "max_a must be larger than min_a.", "max_b must be larger than min_b.",
      "max_x must be larger than min_x.", "max_y must be larger than min_y.",
      "max_x must be larger than min_a.", "max_x must be larger than min_b."};
  KernelCall call(raw);
  return !(*call.input<float>(1) > *call.input<float>(0) ||
           call.fail(invalidArgumentError(texts[call.number(0)])));
}

/// The ends of a range that is no point : float32 -> nothing
int32_t checkInputRange(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const float low = *call.input<float>(0), high = *call.input<float>(1);
  return !(low < high || call.fail(invalidArgumentError(strCat(
                             "input_min must be less than input_max : ", low,
                             " >= ", high))));
}

/// The first end of a range of integers with a sign : float32 -> nothing
int32_t checkRequestedNegative(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const float low = *call.input<float>(0);
  return !(low < 0 ||
           call.fail(invalidArgumentError(
               strCat("If out_type is QINT8, requested_output_max must be non "
                      "negative, got ",
                      low))));
}

/// The ends of a range that is to hold 0 : float32 -> nothing
int32_t checkRequestedRange(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const float low = *call.input<float>(0), high = *call.input<float>(1);
  if (!(low <= 0))
    return !call.fail(invalidArgumentError(
        strCat("requested_output_min must be <= 0, but got ", low)));
  return !(high >= low ||
           call.fail(invalidArgumentError(strCat(
               "requested_output_max must be >= requested_output_min, but got ",
               high, " and ", low))));
}

} // namespace

std::vector<Kernel> checkKernels() {
  auto check = [](std::string name, KilnKernelFn run) {
    return Kernel{std::move(name), run, /*hasEffects=*/true, /*mayFail=*/true,
                  /*effectsEndWithRun=*/true};
  };
  return {check("CheckLabels", checkLabels),
          check("CheckNonzero", checkNonzero),
          check("CheckNumerics", checkNumerics),
          check("CheckQuantizedRange", checkQuantizedRange),
          check("CheckRangeNotEmpty", checkRangeNotEmpty),
          check("CheckRangesOrdered", checkRangesOrdered),
          check("CheckInputRange", checkInputRange),
          check("CheckRequestedNegative", checkRequestedNegative),
          check("CheckRequestedRange", checkRequestedRange),
          {"StepCount", stepCount}};
}

} // namespace kiln
