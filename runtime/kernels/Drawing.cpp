// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders and classes drawn at random, as TensorFlow draws them.
#include "lib/Support/Strings.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/WordSource.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <utility>

namespace kiln {
namespace {

/// Words of the state that input `state` is, or of number 0's stream.
WordSource wordsOf(const KernelCall &call, int state, int64_t samples) {
  if (call.numInputs() > state)
    return WordSource(*call.input<random::PhiloxState>(state));
  return WordSource::take(call, samples);
}

/// x : [rows, ...], a state or nothing -> an order of its rows : [rows] x
/// int64; [stream where there is no state]. Takes nothing of the stream where
/// there is nothing to order.
int32_t shuffledOrder(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const int64_t count = call.outputElements(0);
  int64_t *order = call.output<int64_t>(0);
  for (int64_t i = 0; i < count; ++i)
    order[i] = i;
  if (call.inputElements(0) <= 1 || count <= 1)
    return 0;
  WordSource words = wordsOf(call, /*state=*/1, (count - 1 + 3) / 4);
  return call.forEach(count - 1, [&](int64_t i) {
    std::swap(order[i],
              order[i + words.word() % static_cast<uint32_t>(count - i)]);
    return true;
  });
}

/// Writes sums of exp(logits - the largest); what is not finite adds nothing.
/// Returns their total.
template <class T>
double sumWeights(const T *logits, double *sums, int64_t classes) {
  T largest = std::numeric_limits<T>::lowest();
  for (int64_t k = 0; k < classes; ++k)
    if (std::isfinite(logits[k]))
      largest = std::max(largest, logits[k]);
  double total = 0;
  for (int64_t k = 0; k < classes; ++k) {
    if (std::isfinite(logits[k]))
      total += std::exp(static_cast<double>(logits[k]) -
                        static_cast<double>(largest));
    sums[k] = total;
  }
  return total;
}

template <class T> int32_t drawClasses(const KernelCall &call) noexcept {
  const int64_t batch = call.outputDims(0)[0], count = call.outputDims(0)[1],
                classes = call.inputDims(0)[1];
  if (classes == 0)
    return !call.fail(
        invalidArgumentError("num_classes should be positive, got 0"));
  if (batch == 0 || count == 0)
    return 0;
  std::unique_ptr<double[]> sums(
      new (std::nothrow) double[static_cast<size_t>(classes)]);
  if (!sums)
    return !call.fail(ErrorKind::OutOfMemory, classes * 8);
  WordSource words =
      wordsOf(call, /*state=*/1, batch * ((count + 3) / 4 * 8) * 256);
  return call.forEach(batch, [&](int64_t row) {
    const double total =
        sumWeights(call.input<T>(0) + row * classes, sums.get(), classes);
    return call.forEach(count, [&](int64_t i) {
      const double place = words.unitDouble() * total;
      const int64_t number =
          std::upper_bound(sums.get(), sums.get() + classes, place) -
          sums.get();
      if (call.outputDType(0) == DType::Int32)
        call.output<int32_t>(0)[row * count + i] = static_cast<int32_t>(number);
      else
        call.output<int64_t>(0)[row * count + i] = number;
      return true;
    }) == 0;
  });
}

/// logits : [batch, classes] x float, a state or nothing -> classes : [batch,
/// n]; [stream where there is no state]. Rows draw from one stream in order, as
/// TensorFlow's do while one thread does them.
int32_t multinomial(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return call.inputDType(0) == DType::Float32 ? drawClasses<float>(call)
                                              : drawClasses<double>(call);
}

/// state -> words : integers of 32 or 64 bits
int32_t drawBits(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  WordSource words(*call.input<random::PhiloxState>(0));
  const int64_t each = dtypeSize(call.outputDType(0)) == 8 ? 2 : 1;
  auto *out = call.output<uint32_t>(0);
  return call.forEach(call.outputElements(0) * each, [&](int64_t i) {
    out[i] = words.word();
    return true;
  });
}

} // namespace

std::vector<Kernel> drawingKernels() {
  // A run that begins again draws the same numbers again.
  auto drawing = [](std::string name, KilnKernelFn run, bool mayFail) {
    return Kernel{std::move(name), run, /*hasEffects=*/true, mayFail,
                  /*effectsEndWithRun=*/true};
  };
  return {{"DrawBits", drawBits, /*hasEffects=*/false, /*mayFail=*/false},
          drawing("Multinomial", multinomial, /*mayFail=*/true),
          drawing("ShuffledOrder", shuffledOrder, /*mayFail=*/false),
          {"StatelessMultinomial", multinomial},
          {"StatelessOrder", shuffledOrder, /*hasEffects=*/false,
           /*mayFail=*/false}};
}

} // namespace kiln
