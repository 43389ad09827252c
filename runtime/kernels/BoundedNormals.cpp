// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normal numbers of given mean and deviation between given bounds.
//
// Whichever of three proposals is accepted more often draws them: normal
// numbers, uniform ones, or exponential ones from the bound on. Which one, and
// in which order it draws, is TensorFlow's
// (parameterized_truncated_normal_op.cc) while one thread does all batches.
#include "runtime/kernels/Draws.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <algorithm>
#include <cmath>

namespace kiln {
namespace {

using random::Draws;

constexpr int maxTries = 1000;

template <class T> T expOf(T x) { return Eigen::numext::exp(x); }
template <class T> T logOf(T x) { return Eigen::numext::log(x); }
template <class T> T sqrtOf(T x) { return Eigen::numext::sqrt(x); }

template <class T> struct Bounds {
  T mean, deviation, low, high;

  bool areValid() const {
    return deviation > T(0) && low < high &&
           (Eigen::numext::isfinite(low) || Eigen::numext::isfinite(high));
  }
};

/// Draws `count` numbers of one batch and calls put(i, number) for each; null,
/// or the message of an error.
template <class T, class Put>
const char *drawBatch(Draws<T> &draws, Bounds<T> of, int64_t count, Put &&put) {
  if (!of.areValid())
    return "Invalid parameters";
  // A bound on one side is the lower one; of two the one that is nearer to the
  // mean.
  if ((Eigen::numext::isinf(of.low) && of.low < T(0)) || of.high < of.mean) {
    std::swap(of.low, of.high);
    of.deviation = -of.deviation;
  }
  const T low = (of.low - of.mean) / of.deviation;
  const T high = (of.high - of.mean) / of.deviation;
  const T root = sqrtOf(T(low * low + T(4)));
  const T cutoff =
      T(2) * expOf(T(T(0.5) + low * (low - root) / T(4))) / (low + root);
  const T width = high - low;
  constexpr double deviationsToReject = 1.3;

  int64_t done = 0;
  int tries = 0;
  /// False when the batch is done.
  auto accept = [&](T number) {
    put(done, number * of.deviation + of.mean);
    tries = 0;
    return ++done < count;
  };
  if ((low < T(-deviationsToReject) && high >= T(0)) ||
      (high > T(deviationsToReject) && low <= T(0))) {
    for (;;)
      for (const T number : draws.normal())
        if (number >= low && number <= high) {
          if (!accept(number))
            return nullptr;
        } else if (++tries > maxTries) {
          return "TruncatedNormal randn rejection sampler failed to accept a "
                 "sample.";
        }
  }
  if (width < cutoff) {
    const T plus = low < T(0) ? T(0) : low * low;
    for (;;) {
      const auto places = draws.uniform();
      const auto chances = draws.uniform();
      for (size_t i = 0; i < places.size(); ++i) {
        const T z = places[i] * width + low;
        if (chances[i] <= expOf(T((plus - z * z) / T(2)))) {
          if (!accept(z))
            return nullptr;
        } else if (++tries >= maxTries) {
          return "TruncatedNormal uniform rejection sampler failed to  accept "
                 "a sample.";
        }
      }
    }
  }
  const T alpha = (low + sqrtOf(T(low * low + T(4)))) / T(2);
  for (;;) {
    const auto numbers = draws.uniform();
    for (size_t i = 0; i < numbers.size(); i += 2) {
      const T z = -logOf(numbers[i]) / alpha + low;
      const T x = low < alpha ? alpha - z : low - alpha;
      if (numbers[i + 1] <= expOf(T(-x * x / T(2))) && z < high) {
        if (!accept(z))
          return nullptr;
      } else if (++tries >= maxTries) {
        return "TruncatedNormal exponential distribution rejection sampler "
               "failed to accept a sample.";
      }
    }
  }
}

bool failBatch(const KernelCall &call, const char *message) noexcept {
  return call.fail(std::string_view(message) == "Invalid parameters"
                       ? invalidArgumentError(message)
                       : internalError(message));
}

/// The parameters of a batch, inputs `first` on, each of one element or one a
/// batch.
template <class T, class Stored>
Bounds<T> boundsOf(const KernelCall &call, int first, int64_t batch) noexcept {
  auto at = [&](int i) {
    return static_cast<T>(call.input<Stored>(
        first + i)[call.inputElements(first + i) == 1 ? 0 : batch]);
  };
  return {at(0), at(1), at(2), at(3)};
}

//===--- By a stream ------------------------------------------------------===//

template <class T, class Stored>
int32_t drawOfStream(const KernelCall &call) noexcept {
  const int64_t outputs = call.outputElements(0);
  if (outputs == 0)
    return 0;
  int64_t batches = call.outputDims(0)[0], samples = outputs / batches;
  if (call.inputElements(0) == 1 && call.inputElements(1) == 1 &&
      call.inputDims(2).empty() && call.inputDims(3).empty()) {
    // All batches are alike.
    samples = 100;
    batches = (outputs + samples - 1) / samples;
  }
  // TensorFlow computes this in 32 bits.
  const int32_t blocks =
      static_cast<int32_t>(static_cast<uint32_t>(batches) * 2 * maxTries *
                           static_cast<uint32_t>(samples + 3)) /
      4;
  uint32_t words[6];
  reserveRandom(call.context(), static_cast<int32_t>(call.number(0)), blocks,
                words);
  Draws<T> draws(std::bit_cast<random::PhiloxState>(words));
  return call.forEach(batches, [&](int64_t batch) {
    const int64_t begin = batch * samples;
    Stored *out = call.output<Stored>(0) + begin;
    const char *error =
        drawBatch(draws, boundsOf<T, Stored>(call, 0, batch),
                  std::min(samples, outputs - begin), [&](int64_t i, T number) {
                    out[i] = static_cast<Stored>(number);
                  });
    return !error || failBatch(call, error);
  });
}

/// means, deviations, lower and upper bounds : scalars or [batches] ->
/// [batches,
/// ...]; [stream, whether they are float16]
int32_t ofStream(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  if (call.number(1))
    return drawOfStream<Eigen::half, float>(call);
  return call.outputDType(0) == DType::Float32
             ? drawOfStream<float, float>(call)
             : drawOfStream<double, double>(call);
}

//===--- By a state -------------------------------------------------------===//

template <class T, class Stored>
int32_t drawOfState(const KernelCall &call) noexcept {
  const int64_t batches = call.inputElements(1),
                outputs = call.outputElements(0);
  if (outputs == 0)
    return 0;
  Draws<T> draws(*call.input<random::PhiloxState>(0));
  return call.forEach(batches, [&](int64_t batch) {
    Stored *out = call.output<Stored>(0) + batch;
    const char *error = drawBatch(draws, boundsOf<T, Stored>(call, 1, batch),
                                  outputs / batches, [&](int64_t i, T number) {
                                    out[i * batches] =
                                        static_cast<Stored>(number);
                                  });
    return !error || failBatch(call, error);
  });
}

/// state, means, deviations, lower and upper bounds of one shape ->
/// [samples..., theirs]; [whether they are float16]
int32_t ofState(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  if (call.number(0))
    return drawOfState<Eigen::half, float>(call);
  return call.outputDType(0) == DType::Float32
             ? drawOfState<float, float>(call)
             : drawOfState<double, double>(call);
}

} // namespace

std::vector<Kernel> boundedNormalKernels() {
  // A run that begins again draws the same numbers again.
  return {{"BoundedNormals", ofState},
          {"BoundedNormalsOfStream", ofStream, /*hasEffects=*/true,
           /*mayFail=*/true, /*effectsEndWithRun=*/true}};
}

} // namespace kiln
