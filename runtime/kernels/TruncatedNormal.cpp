// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Truncated normal numbers, of samples that a run has reserved.
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/random/RandomScalar.h"

#include <algorithm>

namespace kiln {
namespace {

/// In parts of about a millisecond, between which it may be told to stop.
template <class T> int32_t fill(const KernelCall &call) noexcept {
  constexpr int64_t part = 1 << 16;
  const auto &philox = *call.input<random::PhiloxState>(0);
  int64_t end = call.outputElements(0);
  for (int64_t begin = 0; begin < end && !mustStop(call.state());
       begin += part) {
    auto count = static_cast<size_t>(std::min(part, end - begin));
    random::fillTruncatedNormal(philox, {call.output<T>(0) + begin, count},
                                begin);
  }
  return mustStop(call.state());
}

/// state : 6 words, as kiln.random_reserve gives them -> numbers
int32_t truncatedNormal(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return call.outputDType(0) == DType::Float32 ? fill<float>(call)
                                               : fill<double>(call);
}

} // namespace

std::vector<Kernel> truncatedNormalKernels() {
  return {{"TruncatedNormal", truncatedNormal, /*hasEffects=*/false,
           /*mayFail=*/false}};
}

} // namespace kiln
